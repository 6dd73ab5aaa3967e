"""The public names of the package: complete, documented, and where they are said to be."""

from __future__ import annotations

import ast
import inspect
from pathlib import Path

import pytest

import cardwright

NAMES = sorted(set(cardwright.__all__) - {"__version__"})


@pytest.mark.parametrize("name", NAMES)
def test_names_are_documented(name: str) -> None:
    """Every public name exists, lives where the table says, and says what it is."""
    value = getattr(cardwright, name)
    if name != "Seat":  # a NewType: it has a comment in its module, but no docstring
        assert inspect.getdoc(value)
    assert value.__module__ == cardwright._HOMES[name]


def test_type_checkers_see_the_same_names() -> None:
    """The imports for type checkers, the table and `__all__` name the same things."""
    source = Path(cardwright.__file__).read_text(encoding="utf-8")
    (block,) = (node for node in ast.parse(source).body if isinstance(node, ast.If))
    imported = {
        alias.name: node.module
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert imported == cardwright._HOMES
    assert set(cardwright._HOMES) == set(NAMES)


def test_unknown_names_are_errors() -> None:
    """There is no attribute that is not in the list."""
    with pytest.raises(AttributeError, match="no attribute 'Gmae'"):
        cardwright.Gmae  # noqa: B018

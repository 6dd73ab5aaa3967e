"""The public names of the package: complete, documented, and where they are said to be."""

from __future__ import annotations

import inspect
from importlib import import_module

import pytest
from website.generated import PUBLIC

import cardwright
from cardwright._public import homes

HOMES = {module: homes(str(import_module(module).__file__)) for module in PUBLIC}
NAMES = [
    (module, name)
    for module, known in HOMES.items()
    for name in sorted(known)
    if name != "__version__"
]
MOST = 45
"""Names of `cardwright` itself at the most: what most programs need."""


@pytest.mark.parametrize(("module", "name"), NAMES)
def test_names_are_documented(module: str, name: str) -> None:
    """Every public name exists, lives where the stub says, and says what it is."""
    value = getattr(import_module(module), name)
    if name != "Seat":  # a NewType: it has a comment in its module, but no docstring
        assert inspect.getdoc(value)
    assert value.__module__ == HOMES[module][name]


def test_names_are_few_and_each_has_one_place() -> None:
    """Only the errors that all programs meet are in two modules."""
    assert len(cardwright.__all__) <= MOST
    names = [name for _, name in NAMES]
    twice = {name for name in names if names.count(name) > 1}
    assert twice == {name for name in cardwright.__all__ if name.endswith("Error")}
    for module in PUBLIC:
        assert set(import_module(module).__all__) == set(HOMES[module])
        assert dir(import_module(module)) == sorted(HOMES[module])


@pytest.mark.parametrize("module", PUBLIC)
def test_unknown_names_are_errors(module: str) -> None:
    """There is no attribute that is not in the stub."""
    with pytest.raises(AttributeError, match=f"{module}' has no attribute 'Gmae'"):
        import_module(module).Gmae  # noqa: B018

"""Counting which forms of the table programs use, as the checker reads them."""

from __future__ import annotations

from collections import Counter
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from cardwright.program.check import check
from cardwright.program.expansion import expanded
from cardwright.program.forms import BY_KEY, SHAPES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cardwright.program.expansion import Expansion
    from cardwright.program.forms import FormShape
    from cardwright.program.nodes import Node
    from cardwright.syntax.source import Source
    from cardwright.syntax.tree import Syntax


def title(shape: FormShape) -> str:
    """Return the name of a row: its pattern, and what it gives."""
    return f"{shape.pattern} -> {shape.result.name}"


ALL_FORMS = tuple(map(title, SHAPES))


@contextmanager
def counted_forms() -> Iterator[Counter[str]]:
    """Count every form that is understood while this is in force, by its row of the table."""
    count: Counter[str] = Counter()
    before = {key: list(rows) for key, rows in BY_KEY.items()}
    for rows in BY_KEY.values():
        rows[:] = [_noting(shape, count) for shape in rows]
    try:
        yield count
    finally:
        for key, rows in before.items():
            BY_KEY[key][:] = rows


def forms_of(sources: Iterable[Source]) -> set[str]:
    """Return the forms that programs use; one with errors uses none."""
    used: set[str] = set()
    for source in sources:
        with counted_forms() as count:
            checked = check(source)
        if checked.program is not None:
            used |= count.keys()
    return used


def _noting(shape: FormShape, count: Counter[str]) -> FormShape:
    def node(*args: Any, **named: Any) -> Node:
        count[title(shape)] += 1
        return shape.node(*args, **named)

    def expansion(made: Expansion) -> tuple[Syntax, ...]:
        count[title(shape)] += 1
        assert shape.expansion is not None
        return shape.expansion(made)

    if shape.node is expanded:
        return replace(shape, expansion=expansion)
    return replace(shape, node=node)

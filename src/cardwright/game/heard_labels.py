"""Which values in labels everybody may hear of.

A label is for the player that chooses, and may say what only that player knows. The others are told
it if all of its values are public: what is written out, stored or counted, open cards, picks among
numbers, names and players, and what the option itself stores for all to see.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.program import nodes as n
from cardwright.program.known_values import KnownValues
from cardwright.program.nodes import StatePart

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.program.program import Program


class HeardLabels:
    """The forms in the labels of a program whose values are public."""

    def __init__(self, program: Program) -> None:
        public = KnownValues(program.nodes())
        self._heard = {
            id(part)
            for block, parts in program.labels
            for part in parts
            if isinstance(part, n.Node) and (public.knows(part) or _told_by(block, part))
        }

    def __contains__(self, form: n.Node | None) -> bool:
        """Return whether everybody may hear the value of a form in a label, or of a text."""
        return form is None or id(form) in self._heard


def _told_by(block: n.Node, part: n.Node) -> bool:
    """Return whether the option stores just this value, before it does anything else."""
    if any(node.traits.draws or node.traits.reads & StatePart.STORED for node in n.walk(part)):
        return False
    return any(_same(value, part) for value in _stored_first(block))


def _stored_first(node: n.Node) -> Iterator[n.Node]:
    """Yield what a step stores in any case before it does anything but store."""
    steps = [node]
    while steps:
        match steps.pop(0):
            case n.Do(steps=inner):
                steps = [*inner, *steps]
            case n.Set(storage=n.Storage(), value=value):
                yield value
            case _:
                return


def _same(one: object, other: object) -> bool:
    """Return whether two forms are the same, of the same variables."""
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(_same, one, other))
    if not isinstance(one, n.Node) or not isinstance(other, n.Node):
        return one == other
    if isinstance(one, n.Variable) and isinstance(other, n.Variable):
        return one.slot == other.slot
    return type(one) is type(other) and all(
        _same(getattr(one, name), getattr(other, name)) for name in n.operands(one)
    )

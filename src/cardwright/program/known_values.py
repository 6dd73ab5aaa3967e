"""Known values: forms of whose value somebody can be sure, whatever the hidden cards are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.program import nodes as n
from cardwright.program.cards import OPEN_KINDS
from cardwright.program.kinds import ValueKind
from cardwright.program.nodes import conceals

if TYPE_CHECKING:
    from collections.abc import Iterable

_HIDING = {ValueKind.CARD, ValueKind.LOCATION}
"""The kinds of picks that an option does not show."""


class KnownValues:
    """What everybody knows: what is written out, stored or counted, open cards, and open picks.

    A subclass says what a particular player sees besides.
    """

    def __init__(self, nodes: Iterable[n.Node]) -> None:
        self._binders = {one.slot: node for node in nodes if (one := n.binds(node)) is not None}

    def knows(self, node: n.Node) -> bool:
        """Return whether the value of a form is surely known."""
        if node.traits.draws:
            return False
        match node:
            case n.Variable():
                return self._bound(node)
            case n.Place() | n.Indexed():
                return self.sees(node) and all(map(self.knows, n.children(node)))
            case n.Size(collection=n.Place() as place):
                return all(map(self.knows, n.children(place)))  # how many there are is public
        return not conceals(node) and all(map(self.knows, n.children(node)))

    def sees(self, node: n.Place | n.Indexed) -> bool:
        """Return whether the cards of a location are surely seen."""
        return node.place in OPEN_KINDS

    def _bound(self, variable: n.Variable) -> bool:
        binder = self._binders.get(variable.slot)
        if isinstance(binder, n.Let):
            return self.knows(binder.value)
        if isinstance(binder, n.ForEach) and binder.choose and variable.kind not in _HIDING:
            return True  # an option says what was picked anyway
        collection = getattr(binder, "collection", None)
        return isinstance(collection, n.Node) and self.knows(collection)

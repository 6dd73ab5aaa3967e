"""What is known of hidden cards: which forms read them, and whose values are known all the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.program import nodes as n
from cardwright.program.cards import OPEN_KINDS, LocationKind
from cardwright.program.kinds import ValueKind
from cardwright.program.nodes import StatePart

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping


def conceals(node: n.Node) -> bool:
    """Return whether a form itself names cards that are not visible to all.

    A form that reads cards without saying from which kind of location may read any.
    """
    if not node.traits.reads & StatePart.CARDS:
        return False
    return getattr(node, "place", None) not in OPEN_KINDS


def is_own_hand(place: n.Place | n.Indexed) -> bool:
    """Return whether a location is for the eyes of the current player alone."""
    owner = place.owner
    own = isinstance(owner, n.TurnOwner) and owner.turn is n.Turn.CURRENT
    return own and owner.kind is ValueKind.PLAYER and place.place is LocationKind.INVISIBLE


_HIDING = {ValueKind.CARD, ValueKind.LOCATION}
"""The kinds of picks that an option does not show."""


class KnownValues:
    """What everybody knows: what is written out, stored or counted, open cards, and open picks.

    A subclass says what a particular player sees besides.
    """

    def __init__(self, binders: Mapping[int, n.Node]) -> None:
        self._binders = binders

    def knows(self, node: n.Node) -> bool:
        """Return whether the value of a form is surely known."""
        if node.traits.draws:
            return False
        match node:
            case n.Variable(slot=slot, kind=kind):
                binder = self._binders.get(slot)
                if isinstance(binder, n.ForEach) and binder.choose and kind not in _HIDING:
                    return True  # an option says what was picked anyway
                return binder is not None and self.knows(n.bound_form(binder))
            case n.Place() | n.Indexed():
                return self.sees(node) and all(map(self.knows, n.children(node)))
            case n.Size(collection=n.Place() as place):
                return all(map(self.knows, n.children(place)))  # how many there are is public
        return not conceals(node) and all(map(self.knows, n.children(node)))

    def sees(self, node: n.Place | n.Indexed) -> bool:
        """Return whether the cards of a location are surely seen."""
        return node.place in OPEN_KINDS


class HeardLabels:
    """The forms in the labels of a program whose values everybody may hear of.

    A label is for the player that chooses, and may say what only that player knows. The others are
    told it if all of its values are public, or if the option itself stores them for all to see.
    """

    def __init__(
        self,
        labels: Iterable[tuple[n.Node, tuple[str | n.Node, ...]]],
        binders: Mapping[int, n.Node],
    ) -> None:
        public = KnownValues(binders)
        self._heard = {
            id(part)
            for block, parts in labels
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
    keys = (
        n.form_key(form, lambda variable: variable.slot) for form in (part, *_stored_first(block))
    )
    return next(keys) in keys


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

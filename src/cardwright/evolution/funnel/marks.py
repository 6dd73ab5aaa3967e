"""Marks of play: games whose marks are equal were played alike, however their rules are written."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from cardwright.interpreter.effects import Exchanged, Moved, Remembered, Stored, Swapped
from cardwright.program.cards import Location

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.interpreter.effects import BuiltOption, Pick
    from cardwright.interpreter.world import World


class PlayMarks:
    """The marks of one game, taken at real decisions: who decides, its options, what lies where.

    Cards are known by their numbers in the deck. Locations are numbered as cards first lie there:
    their names do not matter, but their owners do, and who sees them. An option is what it moves,
    what was picked for it and which values it stores, in whatever storages; options are put in
    order by that, not by their order in the rules. Decisions with one option leave no mark: rules
    that only ask more or fewer of them are played alike.
    """

    def __init__(self, world: World) -> None:
        self._world = world
        self._hash = hashlib.blake2b(digest_size=16)
        self._places: dict[Location, str] = {}

    def decision(self, seat: int, options: Sequence[BuiltOption]) -> list[int]:
        """Mark a decision, and return the indices of its options in an order of their own."""
        lies = [self._place(location) for location in self._world.where]
        keys = [self._option(option) for option in options]
        order = sorted(range(len(keys)), key=keys.__getitem__)
        self._mark((seat, lies, [keys[at] for at in order]))
        return order

    def end(self, scores: Sequence[int], ranks: Sequence[int]) -> None:
        """Mark the end of the game."""
        self._mark((list(scores), list(ranks)))

    @property
    def digest(self) -> bytes:
        """The marks so far."""
        return self._hash.digest()

    def _mark(self, what: object) -> None:
        self._hash.update(repr(what).encode())

    def _place(self, location: Location) -> str:
        """Return the canonical name of a location where a card lies, or has lain."""
        found = self._places.get(location)
        if found is None:
            found = f"{len(self._places)} {_appearance(location)}"
            self._places[location] = found
        return found

    def _option(self, option: BuiltOption) -> tuple[Any, ...]:
        moves = [mark for effect in option.effects if (mark := self._effect(effect))]
        return tuple(moves), tuple(self._pick(pick) for pick in option.picks)

    def _effect(self, effect: object) -> tuple[Any, ...] | None:
        """Return what an effect does to cards and values; None for all others."""
        match effect:
            case Moved(card=card, target=target):
                return "moved", int(card), self._known(target)
            case Remembered(card=card, target=target):
                return "remembered", int(card), self._known(target)
            case Swapped(left=left, right=right):
                return "swapped", int(left), str(int(right))
            case Exchanged(left=left, right=right):
                return "exchanged", 0, f"{self._known(left)} {self._known(right)}"
            case Stored(new=new):
                number = new if isinstance(new, int) else 0
                return "stored", number, new if isinstance(new, str) else ""
        return None

    def _pick(self, pick: Pick) -> tuple[str, int, str]:
        item = pick.item
        match item:
            case Location():
                return "place", int(item.owner), self._known(item)
            case str():
                return "name", 0, item
            case tuple():
                return "cards", len(item), " ".join(map(str, item))
        return "number", int(item), ""

    def _known(self, location: Location) -> str:
        """Return the name of a location, without giving one to a location that has none yet."""
        return self._places.get(location) or _appearance(location)


def _appearance(location: Location) -> str:
    """Return what players see of a location apart from its name: whose it is, and who sees it."""
    return f"{int(location.owner)} {location.kind.value}"

"""What a reader knows of an option: the player that may choose it, or who saw it chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from cardwright.interpreter.effects import Moved, Shuffled
from cardwright.interpreter.steps import picked_cards
from cardwright.interpreter.world import sees

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.game.wording.describe import Wording
    from cardwright.interpreter.effects import BuiltOption, Effect
    from cardwright.interpreter.world import World
    from cardwright.program.cards import CardId, Location


class ChooserSight:
    """What a player knows of an option before it is chosen.

    It does not know what is drawn at random, nor cards that it does not see yet, nor what follows
    from them. `hears` says whether it knows all that the option's label says.
    """

    hears = True

    def __init__(self, world: World, seat: int, option: BuiltOption) -> None:
        self._world = world
        self._seat = seat
        self._option = option
        self._drew = option.words != world.stream.words
        self._shuffled = frozenset(
            effect.location for effect in option.effects if isinstance(effect, Shuffled)
        )
        self._known = self._known_moves()

    def _known_moves(self) -> frozenset[Moved]:
        known: set[Moved] = set()
        seen: set[CardId] = set()
        shuffled: set[Location] = set()
        for effect in self._option.effects:
            match effect:
                case Shuffled(location):
                    shuffled.add(location)
                case Moved(card=card, source=source, target=target):
                    if source not in shuffled and (card in seen or self.place(source)):
                        known.add(effect)
                        seen.add(card)
                    elif self.place(target):
                        seen.add(card)
        return frozenset(known)

    def place(self, location: Location) -> bool:
        """Return whether the player sees the cards of a place."""
        return sees(self._world.rules.program, self._seat, location)

    def move(self, move: Moved) -> bool:
        """Return whether the player knows which card would be moved."""
        return move in self._known

    def swap(self, place: Location, other: Location) -> bool:
        """Return whether the player sees a card that would be swapped and is not shuffled."""
        return place not in self._shuffled and self.place(place)

    def note(self, effect: Effect, wording: Wording) -> bool:
        """Return whether the player knows what would be stored."""
        return not self._drew and all(
            self.place(self._world.where[card])
            for pick in wording.deciding(self._option, effect)
            for card in picked_cards(pick)
        )


class WitnessSight:
    """What somebody knows of an option that was chosen: all that it stored, and cards it saw."""

    def __init__(self, see: Callable[[Location], bool], *, hears: bool) -> None:
        self._see = see
        self.hears = hears

    def place(self, location: Location) -> bool:
        """Return whether the cards of a place are seen."""
        return self._see(location)

    def move(self, move: Moved) -> bool:
        """Return whether it was seen which card was moved: where it came from, or where it went."""
        return self._see(move.source) or self._see(move.target)

    def swap(self, place: Location, other: Location) -> bool:
        """Return whether it was seen which card was swapped: in its old place, or its new one."""
        return self._see(place) or self._see(other)

    def note(self, effect: Effect, wording: Wording) -> bool:
        """Return whether it is known what was stored: always, since that is public."""
        return True


OptionSight: TypeAlias = ChooserSight | WitnessSight
"""What a reader knows of one option."""

"""Effects: the concrete changes that actions make, each of which can be done, undone and redone.

An option is a list of effects. Effects name places, not piles, so that an option found in one world
can be carried out in a copy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from cardwright.interpreter.undrawn import UndrawnCards
from cardwright.program.cards import Location, LocationKind, OwnerId

if TYPE_CHECKING:
    from cardwright.interpreter.world import Pile, TurnCycle, VirtualLocation, World
    from cardwright.program.cards import CardId, Seat

_CONCEALED = (LocationKind.INVISIBLE, LocationKind.HIDDEN)


def _learn_move(world: World, card: CardId, source: Location, target: Location) -> None:
    """Update the lists of known cards when a card actually moves."""
    if source == target:
        return
    if source.kind in _CONCEALED:
        known = world.piles[source].known
        if known and target.kind is not LocationKind.VISIBLE:
            known.clear()
        elif card in known:
            known.remove(card)
    elif source.kind is LocationKind.VISIBLE and target.kind in _CONCEALED:
        pile = world.piles[target]
        # In a world that was dealt anew, the list names what was seen in the real one.
        if pile.ordered or card not in pile.known:
            pile.known = pile.arranged((*pile.known, card))


class Moved(NamedTuple):
    """A card left a place for another."""

    card: CardId
    source: Location
    source_at: int
    target: Location
    target_at: int

    def apply(self, world: World) -> None:
        """Move the card."""
        del world.piles[self.source].cards[self.source_at]
        world.piles[self.target].cards.insert(self.target_at, self.card)
        world.where[self.card] = self.target

    def undo(self, world: World) -> None:
        """Move it back to its exact place."""
        del world.piles[self.target].cards[self.target_at]
        world.piles[self.source].cards.insert(self.source_at, self.card)
        world.where[self.card] = self.source

    def learn(self, world: World) -> None:
        """Note what everybody saw."""
        _learn_move(world, self.card, self.source, self.target)


class Born(NamedTuple):
    """A location got its first card ever; noted before the card comes."""

    location: Location

    def apply(self, world: World) -> None:
        """Number the location."""
        world.pile(self.location).born = world.births
        world.births += 1

    def undo(self, world: World) -> None:
        """Restore the state before its first card."""
        world.piles[self.location].born = None
        world.births -= 1

    def learn(self, world: World) -> None:
        """Nothing is learnt."""


class Stored(NamedTuple):
    """A value was stored; `old` is None where there was none."""

    storage: str
    owner: OwnerId
    name: str
    old: Any
    new: Any

    def apply(self, world: World) -> None:
        """Store the value."""
        getattr(world, self.storage)[self.owner, self.name] = self.new

    def undo(self, world: World) -> None:
        """Store the old value, or none."""
        if self.old is None:
            del getattr(world, self.storage)[self.owner, self.name]
        else:
            getattr(world, self.storage)[self.owner, self.name] = self.old

    def learn(self, world: World) -> None:
        """Nothing is learnt: values are public."""


class Swapped(NamedTuple):
    """Two cards took each other's places."""

    left: CardId
    left_place: Location
    left_at: int
    right: CardId
    right_place: Location
    right_at: int

    def apply(self, world: World) -> None:
        """Exchange the cards."""
        self._lay(world, self.right, self.left)

    def undo(self, world: World) -> None:
        """Exchange them back."""
        self._lay(world, self.left, self.right)

    def _lay(self, world: World, left: CardId, right: CardId) -> None:
        world.piles[self.left_place].replace(self.left_at, right, left)
        world.piles[self.right_place].replace(self.right_at, left, right)
        world.where[left] = self.left_place
        world.where[right] = self.right_place

    def learn(self, world: World) -> None:
        """Note what everybody saw of both."""
        _learn_move(world, self.left, self.left_place, self.right_place)
        _learn_move(world, self.right, self.right_place, self.left_place)


class Exchanged(NamedTuple):
    """Two locations exchanged all their cards, which lay there as they are given here."""

    left: Location
    right: Location
    left_cards: tuple[CardId, ...]
    right_cards: tuple[CardId, ...]

    def apply(self, world: World) -> None:
        """Exchange the contents."""
        self._lay(world, self.right_cards, self.left_cards)

    def undo(self, world: World) -> None:
        """Exchange them back, in the order that they had."""
        self._lay(world, self.left_cards, self.right_cards)

    def _lay(self, world: World, left: tuple[CardId, ...], right: tuple[CardId, ...]) -> None:
        for place, cards in ((self.left, left), (self.right, right)):
            pile = world.piles[place]
            pile.cards = pile.arranged(cards)
            for card in cards:
                world.where[card] = place

    def learn(self, world: World) -> None:
        """Exchange what is known of the cards, and update what everybody still knows."""
        left, right = world.piles[self.left], world.piles[self.right]
        left.known, right.known = left.arranged(right.known), right.arranged(left.known)
        _relearn(left, self.right)
        _relearn(right, self.left)


def _relearn(pile: Pile, came_from: Location) -> None:
    if pile.location.kind not in _CONCEALED:
        pile.known.clear()
    elif came_from.kind is LocationKind.VISIBLE:
        pile.known = pile.cards.copy()


class Remembered(NamedTuple):
    """A reference to a card was put into a memory location."""

    card: CardId
    target: Location
    at: int

    def apply(self, world: World) -> None:
        """Put the reference."""
        world.piles[self.target].cards.insert(self.at, self.card)

    def undo(self, world: World) -> None:
        """Take it out."""
        del world.piles[self.target].cards[self.at]

    def learn(self, world: World) -> None:
        """Nothing is learnt."""


class Forgot(NamedTuple):
    """A reference was taken out of a memory location."""

    card: CardId
    source: Location
    at: int

    def apply(self, world: World) -> None:
        """Take the reference out."""
        del world.piles[self.source].cards[self.at]

    def undo(self, world: World) -> None:
        """Put it back."""
        world.piles[self.source].cards.insert(self.at, self.card)

    def learn(self, world: World) -> None:
        """Nothing is learnt."""


class Shuffled(NamedTuple):
    """A location was permuted."""

    location: Location
    before: tuple[CardId, ...]
    after: tuple[CardId, ...]

    def apply(self, world: World) -> None:
        """Put the cards in the new order."""
        world.pile(self.location).cards[:] = self.after

    def undo(self, world: World) -> None:
        """Put them in the old order."""
        world.piles[self.location].cards[:] = self.before

    def learn(self, world: World) -> None:
        """Nothing is learnt, and known cards stay known: they are still there."""


class Undrawn(NamedTuple):
    """A location was permuted by hand: its order is drawn as the cards are looked at."""

    location: Location

    def apply(self, world: World) -> None:
        """Leave all positions open."""
        pile = world.pile(self.location)
        pile.cards = UndrawnCards.shuffled(pile.cards, self.location)

    def undo(self, world: World) -> None:
        """Raise AssertionError: while options are built, shuffles are drawn at once."""
        raise AssertionError(self)

    def learn(self, world: World) -> None:
        """Nothing is learnt, and known cards stay known: they are still there."""


class Turned(NamedTuple):
    """A player became current, or was queued to follow."""

    queue: bool
    old: Seat | None
    new: Seat | None

    def apply(self, world: World) -> None:
        """Set the cycle."""
        self._set(world.players[-1], self.new)

    def undo(self, world: World) -> None:
        """Set it back."""
        self._set(world.players[-1], self.old)

    def _set(self, cycle: TurnCycle, seat: Seat | None) -> None:
        if self.queue:
            cycle.queued = seat
        else:
            assert seat is not None
            cycle.current = seat

    def learn(self, world: World) -> None:
        """Nothing is learnt: turns are public."""


class Passed(NamedTuple):
    """Nothing was done, on purpose."""

    def apply(self, world: World) -> None:
        """Do nothing."""

    def undo(self, world: World) -> None:
        """Do nothing."""

    def learn(self, world: World) -> None:
        """Nothing is learnt."""


class Regrouped(NamedTuple):
    """A virtual location changed: a card was moved out of it, or it was permuted.

    It matters only while the form that made the group runs; applied again later, it does nothing.
    """

    group: VirtualLocation
    before: tuple[CardId, ...]

    def apply(self, world: World) -> None:
        """Do nothing: the group was changed before this was recorded."""

    def undo(self, world: World) -> None:
        """Give the group its cards back."""
        self.group.cards[:] = self.before

    def learn(self, world: World) -> None:
        """Nothing is learnt."""


Effect: TypeAlias = (
    Moved
    | Born
    | Stored
    | Swapped
    | Exchanged
    | Remembered
    | Forgot
    | Shuffled
    | Undrawn
    | Turned
    | Passed
    | Regrouped
)

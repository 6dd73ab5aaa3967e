"""Piles, the changes that actions make to them, and options, which are lists of such changes.

Effects name places, not piles, so that an option found in one world can be carried out in a copy.
`world` knows how each is done, undone and seen.
"""

from __future__ import annotations

from bisect import insort
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cardwright.interpreter.stream import Words
    from cardwright.program import nodes as n
    from cardwright.program.cards import CardId, Location, OwnerId, Seat
    from cardwright.program.kinds import ValueKind


@dataclass(slots=True, eq=False)
class Pile:
    """A real location and its cards, from bottom to top; if it is not `ordered`, by number.

    `born` numbers the locations in order of their first card; None before that. `known`
    are the cards of a hidden pile that everybody saw going in, in the order in which they came or
    by number too.
    """

    location: Location
    ordered: bool = True
    cards: list[CardId] = field(default_factory=list)
    born: int | None = None
    known: list[CardId] = field(default_factory=list)

    def copy(self) -> Pile:
        """Return an independent pile with the same cards."""
        cards, known = self.cards.copy(), self.known.copy()
        return Pile(self.location, self.ordered, cards, self.born, known)

    def __reduce__(self) -> tuple[object, ...]:
        return Pile, (self.location, self.ordered, self.cards, self.born, self.known)

    def arranged(self, cards: Iterable[CardId]) -> list[CardId]:
        """Return cards in the order in which they lie here if they all come at once."""
        return list(cards) if self.ordered else sorted(cards)

    def replace(self, at: int, old: CardId, new: CardId) -> None:
        """Let a card take the place of another, which is at a position."""
        if self.ordered:
            self.cards[at] = new
        else:
            self.cards.remove(old)
            insort(self.cards, new)


@dataclass(slots=True, eq=False)
class VirtualLocation:
    """A virtual location: a list of real cards that lie elsewhere."""

    cards: list[CardId]


# Effects ------------------------------------------------------------------------------------


class Moved(NamedTuple):
    """A card left a place for another."""

    card: CardId
    source: Location
    source_at: int
    target: Location
    target_at: int


class Born(NamedTuple):
    """A location got its first card ever; noted before the card comes."""

    location: Location


class Stored(NamedTuple):
    """A value was stored; `old` is None where there was none."""

    storage: str
    owner: OwnerId
    name: str
    old: Any
    new: Any


class Swapped(NamedTuple):
    """Two cards took each other's places."""

    left: CardId
    left_place: Location
    left_at: int
    right: CardId
    right_place: Location
    right_at: int


class Exchanged(NamedTuple):
    """Two locations exchanged all their cards, which lay there as they are given here."""

    left: Location
    right: Location
    left_cards: tuple[CardId, ...]
    right_cards: tuple[CardId, ...]


class Remembered(NamedTuple):
    """A reference to a card was put into a memory location."""

    card: CardId
    target: Location
    at: int


class Forgot(NamedTuple):
    """A reference was taken out of a memory location."""

    card: CardId
    source: Location
    at: int


class Shuffled(NamedTuple):
    """A location was permuted."""

    location: Location
    before: tuple[CardId, ...]
    after: tuple[CardId, ...]


class Undrawn(NamedTuple):
    """A location was permuted by hand: its order is drawn as the cards are looked at."""

    location: Location


class Turned(NamedTuple):
    """A player became current, or was queued to follow."""

    queue: bool
    old: Seat | None
    new: Seat | None


class Passed(NamedTuple):
    """Nothing was done, on purpose."""


class Regrouped(NamedTuple):
    """A virtual location changed: a card was moved out of it, or it was permuted.

    It matters only while the form that made the group runs; applied again later, it does nothing.
    """

    group: VirtualLocation
    before: tuple[CardId, ...]


Effect: TypeAlias = (
    Moved | Born | Stored | Swapped | Exchanged | Remembered | Forgot | Shuffled | Undrawn | Turned
    | Passed | Regrouped
)  # fmt: skip


# Options ------------------------------------------------------------------------------------


class Said(NamedTuple):
    """A part of a label: the kind of its value, and the value; None if it has none.

    Players and teams are given as owners. `form` gave the value; a text that is written out in the
    label has none. `place` is where a card lies when it is said.
    """

    kind: ValueKind
    value: Any
    form: n.Node | None = None
    place: Location | None = None


class Pick(NamedTuple):
    """What one `any` on the path to an option took: the ordinal of the item, and the item.

    The item is an integer, a string, a seat, a team or a card, by the variable's kind; a location
    is itself, and a group of cards is its cards.
    """

    node: n.ForEach
    ordinal: int
    item: int | str | Location | tuple[CardId, ...]


class BuiltOption(NamedTuple):
    """An option: its step in the choice, what was picked, its effects, and the stream after it.

    `said` is what labels say of it, if that was wanted.
    """

    branch: int
    picks: tuple[Pick, ...]
    effects: tuple[Effect, ...]
    words: Words
    said: tuple[Said, ...] = ()

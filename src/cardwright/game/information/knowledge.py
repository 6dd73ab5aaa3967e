"""What a seat knows about where cards are: for every card, the places where it may be."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

from cardwright.interpreter.world import sees
from cardwright.program.cards import OPEN_KINDS, CardId, Location, Seat

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.game.wording.naming import Namer
    from cardwright.interpreter.world import World
    from cardwright.program.cards import Card
    from cardwright.program.program import Program


class KnowledgeMode(StrEnum):
    """What a seat is assumed to know.

    `basic`: the cards that it sees now. `known`: also the cards that everybody saw going into a
    hidden place, as long as they cannot have left it unseen (the level "taken" of later versions of
    the reference). `consistent`: everything that the seat has seen since the game began, and what
    follows from the choices of others (`Knowledge`).
    """

    BASIC = "basic"
    KNOWN = "known"
    CONSISTENT = "consistent"


class Witnesses(dict[Location, tuple[bool, ...]]):
    """Whether every seat, and last a spectator, sees the cards of each location of a program."""

    def __init__(self, program: Program) -> None:
        super().__init__()
        self._program = program

    def __missing__(self, place: Location) -> tuple[bool, ...]:
        seats = (sees(self._program, seat, place) for seat in range(self._program.players))
        found = self[place] = *seats, place.kind in OPEN_KINDS
        return found


class _Named(Protocol):
    """A game, or what else has names for its cards and places."""

    @property
    def cards(self) -> tuple[Card, ...]: ...

    @property
    def namer(self) -> Namer: ...


@dataclass(frozen=True, slots=True)
class Knowledge:
    """The places where each card may lie, by what a seat knows; the true one is among them.

    `masks` has an integer for every card, by number, with a bit for each of `places`. A card that
    the seat sees, or of which it knows where it is, has a single place.
    """

    seat: Seat
    places: tuple[Location, ...]
    masks: tuple[int, ...]

    @property
    def possible(self) -> tuple[frozenset[Location], ...]:
        """The places where each card may lie, by the card's number."""
        sets = {
            mask: frozenset(place for at, place in enumerate(self.places) if mask >> at & 1)
            for mask in set(self.masks)
        }
        return tuple(sets[mask] for mask in self.masks)

    def may_lie(self, card: int, place: Location) -> bool:
        """Return whether a card may lie at a place."""
        return place in self.places and bool(self.masks[card] >> self.places.index(place) & 1)

    def at(self, place: Location) -> tuple[CardId, ...]:
        """Return the cards that may lie at a place, by number."""
        return tuple(CardId(at) for at in range(len(self.masks)) if self.may_lie(at, place))

    def table(self, slots: Sequence[Location | None]) -> bytes:
        """Return this as the table that `cardwright.compiler.kernels.worlds` takes.

        `slots` are the locations that have a slot, by its number; None for an empty one. For every
        card there are as many words of 8 bytes as a bit for each slot takes.
        """
        numbers = {place: number for number, place in enumerate(slots) if place is not None}
        bits = [1 << numbers[place] if place in numbers else 0 for place in self.places]
        width = 8 * -(-len(slots) // 64)
        rows = {
            mask: sum(bit for at, bit in enumerate(bits) if mask >> at & 1).to_bytes(
                width, "little"
            )
            for mask in set(self.masks)
        }
        return b"".join(rows[mask] for mask in self.masks)

    def text(self, game: _Named) -> str:
        """Return this for people: a line for each place, with the cards that may lie there.

        A card that can lie nowhere else is marked with an exclamation mark.
        """
        lines = []
        for at, place in enumerate(self.places):
            named = [
                game.namer.card(card) + ("!" if mask == 1 << at else "")
                for card, mask in zip(game.cards, self.masks, strict=True)
                if mask >> at & 1
            ]
            if named:
                lines.append(f"{game.namer.place(place, self.seat)}: {', '.join(named)}")
        return "\n".join(lines)


def at_first_sight(world: World, seat: Seat) -> Knowledge:
    """Return what a seat knows about a world at first sight, without a memory of the game."""
    program = world.rules.program
    piles = [pile for pile in world.touched() if pile.cards]
    places = tuple(pile.location for pile in piles)
    hidden = [not sees(program, seat, place) for place in places]
    backs = [card.back for card in program.cards]
    by_back = {
        back: sum(
            1 << at
            for at, pile in enumerate(piles)
            if hidden[at] and any(backs[card] == back for card in pile.cards)
        )
        for back in set(backs)
    }
    masks = [
        by_back[backs[card]] if hidden[at := places.index(where)] else 1 << at
        for card, where in enumerate(world.where)
    ]
    return Knowledge(seat, places, tuple(masks))


def seen_by_all(world: World, seat: Seat) -> Knowledge:
    """Return what a seat knows at first sight, and from cards all saw go to hidden places."""
    first = at_first_sight(world, seat)
    masks = list(first.masks)
    for pile in world.touched():
        if pile.location in first.places and not sees(world.rules.program, seat, pile.location):
            for card in pile.known:
                masks[card] = 1 << first.places.index(pile.location)
    return Knowledge(seat, first.places, tuple(masks))

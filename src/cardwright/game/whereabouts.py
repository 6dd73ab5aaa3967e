"""Whereabouts: where each card may lie, by what each seat knows, and how that changes."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from functools import partial
from typing import TYPE_CHECKING

from cardwright.interpreter.effects import Exchanged, Moved, Swapped
from cardwright.interpreter.world import sees
from cardwright.program.cards import CardId, Location, Seat

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    import numpy as np

    from cardwright.game.information.knowledge import Knowledge
    from cardwright.interpreter.effects import Effect
    from cardwright.interpreter.world import World
    from cardwright.program.program import Program


class Backs:
    """The cards of a program by their backs: the back of each, and those of each back."""

    def __init__(self, program: Program) -> None:
        backs = list(dict.fromkeys(card.back for card in program.cards))
        self.of = [backs.index(card.back) for card in program.cards]
        self.cards = [
            [CardId(card) for card, back in enumerate(self.of) if back == at]
            for at in range(len(backs))
        ]


class Whereabouts:
    """Where the cards of a world may lie, for every seat.

    `masks[seat][card]` has a bit for each place by its number, `seen[place]` a bit for each seat
    that sees the place, and `counts[place]` the number of its cards of each back.
    """

    def __init__(self, program: Program, backs: Backs) -> None:
        """Begin with no places at all; see `look_at` and `tell`."""
        self._program = program
        self._backs = backs
        self._numbers: dict[Location, int] = {}
        self._seen: list[int] = []
        self._counts: list[list[int]] = []
        self._masks: list[list[int]] = []

    def copy(self) -> Whereabouts:
        """Return independent whereabouts."""
        other = Whereabouts(self._program, self._backs)
        other._numbers = self._numbers.copy()
        other._seen = self._seen.copy()
        other._counts = [counts.copy() for counts in self._counts]
        other._masks = [masks.copy() for masks in self._masks]
        return other

    def look_at(self, world: World) -> None:
        """Take over the places of a world; all seats know where all cards are."""
        for pile in world.touched():
            counts = self._counts[self._number(pile.location)]
            for card in pile.cards:
                counts[self._backs.of[card]] += pile.location == world.where[card]
        own = [1 << self._numbers[place] for place in world.where]
        self._masks = [own.copy() for _ in range(self._program.players)]

    def tell(self, knowledge: Knowledge) -> None:
        """Set what a seat knows to this and nothing else."""
        bits = [1 << self._number(place) for place in knowledge.places]
        self._masks[knowledge.seat] = [
            sum(bit for at, bit in enumerate(bits) if mask >> at & 1) for mask in knowledge.masks
        ]

    def _number(self, place: Location) -> int:
        """Return the number of a place, which gets one if it has none."""
        number = self._numbers.get(place)
        if number is None:
            number = self._numbers[place] = len(self._numbers)
            seats = range(self._program.players)
            self._seen.append(sum(sees(self._program, seat, place) << seat for seat in seats))
            self._counts.append([0] * len(self._backs.cards))
        return number

    def hidden(
        self, seat: Seat, observers: list[int]
    ) -> dict[Location, Callable[[], list[CardId]]]:
        """Return the places that the choosing seat sees and some observer does not.

        With each comes a function for the cards that may lie there as such an observer knows.
        """
        unseeing = sum(1 << observer for observer in observers)
        return {
            place: partial(self._candidates, number, observers)
            for place, number in self._numbers.items()
            if self._seen[number] >> seat & 1
            and unseeing & ~self._seen[number]
            and any(self._counts[number])
        }

    def _candidates(self, place: int, observers: list[int]) -> list[CardId]:
        bit = 1 << place
        masks = [self._masks[observer] for observer in observers]
        return [
            CardId(card)
            for card, each in enumerate(zip(*masks, strict=True))
            if any(mask & bit and mask != bit for mask in each)
        ]

    def rule_out(self, found: Sequence[tuple[CardId, Location]], observers: Iterable[int]) -> None:
        """Let some seats know that cards are not where they might have been."""
        for observer in observers if found else ():
            for card, place in found:
                self._masks[observer][card] &= ~(1 << self._numbers[place])
            self._masks[observer] = self.concluded(observer)

    # Effects ------------------------------------------------------------------------------

    def watch(self, effect: Effect, world: World) -> None:
        """Let all seats see what they see of an effect that has happened in a world."""
        match effect:
            case Moved(card=card, source=source, target=target):
                if source != target:
                    self._move(card, self._number(source), self._number(target))
            case Swapped():
                places = self._number(effect.left_place), self._number(effect.right_place)
                if places[0] != places[1]:
                    self._swap(effect.left, effect.right, *places)
            case Exchanged(left=left, right=right):
                if left != right:
                    self._exchange(self._number(left), self._number(right), world)

    def _move(self, card: CardId, source: int, target: int) -> None:
        back = self._backs.of[card]
        self._counts[source][back] -= 1
        self._counts[target][back] += 1
        last = self._counts[source][back] == 0
        seen = self._seen[source] | self._seen[target]
        left, came = ~(1 << source), 1 << target
        for seat, masks in enumerate(self._masks):
            if seen >> seat & 1:
                masks[card] = came
                if last and not self._seen[source] >> seat & 1:
                    for one in self._backs.cards[back]:
                        masks[one] &= left
            else:
                was = ~left
                for one in self._backs.cards[back]:
                    if masks[one] & was:
                        masks[one] = (masks[one] & left if last else masks[one]) | came

    def _swap(self, left: CardId, right: CardId, source: int, target: int) -> None:
        """Two cards took each other's places: a seat that sees one of the places sees both."""
        seen = self._seen[source] | self._seen[target]
        backs = self._backs.of[left], self._backs.of[right]
        for seat, masks in enumerate(self._masks):
            if seen >> seat & 1:
                masks[left], masks[right] = 1 << target, 1 << source
            else:
                before = masks.copy()
                ways = ((backs[0], source, target), (backs[1], target, source))
                for back, here, _ in ways:
                    if self._counts[here][back] == 1:
                        for one in self._backs.cards[back]:
                            masks[one] &= ~(1 << here)
                for back, here, there in ways:
                    for one in self._backs.cards[back]:
                        if before[one] >> here & 1:
                            masks[one] |= 1 << there
        for place, came, went in ((source, 1, 0), (target, 0, 1)):
            self._counts[place][backs[came]] += 1
            self._counts[place][backs[went]] -= 1

    def _exchange(self, left: int, right: int, world: World) -> None:
        """Two locations exchanged their cards: what is known about one now holds for the other."""
        self._counts[left], self._counts[right] = self._counts[right], self._counts[left]
        both = 1 << left | 1 << right
        for seat, masks in enumerate(self._masks):
            masks[:] = [mask ^ both if mask & both not in (0, both) else mask for mask in masks]
            for place in (left, right):
                if self._seen[place] >> seat & 1:
                    self._look(masks, place, world)

    def _look(self, masks: list[int], place: int, world: World) -> None:
        """Let a seat that sees a place know which cards are there."""
        for card, where in enumerate(world.where):
            if self._numbers[where] == place:
                masks[card] = 1 << place
            else:
                masks[card] &= ~(1 << place)

    # Answers ------------------------------------------------------------------------------

    def concluded(self, seat: int) -> list[int]:
        """Return a seat's masks with what follows from the numbers of cards.

        If all cards that can only lie at a place fill it, no other can lie there; and if only as
        many may lie there as do, they do.
        """
        masks = self._masks[seat].copy()
        changed = True
        while changed:
            changed = False
            for place, counts in enumerate(self._counts):
                if self._seen[place] >> seat & 1:
                    continue
                bit = 1 << place
                for back, count in enumerate(counts):
                    may = [card for card in self._backs.cards[back] if masks[card] & bit]
                    must = [card for card in may if masks[card] == bit]
                    if len(may) == len(must):
                        continue
                    if len(must) == count:
                        changed = True
                        for card in may:
                            if masks[card] != bit:
                                masks[card] ^= bit
                    elif len(may) == count:
                        changed = True
                        for card in may:
                            masks[card] = bit
        return masks

    @property
    def places(self) -> tuple[Location, ...]:
        """All places that have held a card, by number."""
        return tuple(self._numbers)


class Sight(IntEnum):
    """What a seat knows about a card: nothing certain, where it is, or that it sees it there."""

    UNKNOWN = 0
    KNOWN = 1
    SEEN = 2


@dataclass(frozen=True, eq=False)
class Awareness:
    """What each of P seats knew of C cards at each of N decisions, before it was made.

    `movers` (N) are the seats that decided. `bits` (N, P) measures how uncertain it is to the seat
    where the cards are, by what it sees at that moment, and `remembered` (N, P) the same for a seat
    that forgot nothing; see `cardwright.arena.effect_replay` for the formulas. `sights`
    (N, P, C) has a `Sight` for every card, and `cards` the names of these.
    """

    cards: tuple[str, ...]
    movers: np.ndarray[Any, np.dtype[np.int8]]
    bits: np.ndarray[Any, np.dtype[np.float64]]
    remembered: np.ndarray[Any, np.dtype[np.float64]]
    sights: np.ndarray[Any, np.dtype[np.uint8]]

    def __len__(self) -> int:
        return len(self.movers)

    @property
    def seen(self) -> np.ndarray[Any, np.dtype[np.int64]]:
        """The number of cards that each seat sees, (N, P)."""
        count: np.ndarray[Any, np.dtype[np.int64]] = (self.sights == Sight.SEEN).sum(axis=2)
        return count

    @property
    def known(self) -> np.ndarray[Any, np.dtype[np.int64]]:
        """The number of cards of which each seat knows the place, seen ones included, (N, P)."""
        count: np.ndarray[Any, np.dtype[np.int64]] = (self.sights != Sight.UNKNOWN).sum(axis=2)
        return count

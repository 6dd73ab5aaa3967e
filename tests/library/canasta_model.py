"""A deal of Canasta for two in plain Python, written from its rules, not from its game file.

Cards are numbers, as there are two or four of each; `ranks` and `suits` say which they are. Moves
are tuples: ("draw",), ("take", a, b), ("lay", rank, cards...), ("done",), ("back",) and
("discard", card).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

CanastaMove: TypeAlias = "tuple[str | int, ...]"
RANKS = ("FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE", "TEN", "J", "Q", "K", "A")
WORTH = {"JOKER": 50, "TWO": 20, "A": 20, "SEVEN": 5, "SIX": 5, "FIVE": 5, "FOUR": 5, "THREE": 5}
CANASTA = 7


@dataclass
class CanastaSeat:
    """What a player has: cards in hand, melds by rank, red threes laid out."""

    hand: set[int]
    red_threes: set[int]
    melds: dict[str, set[int]] = field(default_factory=lambda: {rank: set() for rank in RANKS})
    opened: bool = False
    bonus: int = 0

    def canastas(self) -> int:
        """How many melds have seven cards."""
        return sum(len(meld) >= CANASTA for meld in self.melds.values())


@dataclass
class CanastaDeal:
    """One deal; pile and stock have their top last."""

    ranks: Mapping[int, str]
    suits: Mapping[int, str]
    seats: list[CanastaSeat]
    pile: list[int]
    stock: list[int]
    drawn: int
    first: int
    needed: int
    player: int = 0
    phase: str = "draw"
    over: bool = False

    @property
    def seat(self) -> CanastaSeat:
        """The seat of the player."""
        return self.seats[self.player]

    def wild(self, card: int) -> bool:
        """Whether a card stands for any other."""
        return self.ranks[card] in {"TWO", "JOKER"}

    def _red_three(self, card: int) -> bool:
        return self.ranks[card] == "THREE" and self.suits[card] in {"HEARTS", "DIAMONDS"}

    def worth(self, cards: Iterable[int]) -> int:
        """What cards count; red threes count apart."""
        counted = (card for card in cards if not self._red_three(card))
        return sum(WORTH.get(self.ranks[card], 10) for card in counted)

    def laid(self, seat: CanastaSeat) -> int:
        """What a player's melds count."""
        return sum(map(self.worth, seat.melds.values()))

    # What may be done ------------------------------------------------------------------------

    def moves(self) -> set[CanastaMove]:
        """Return what the player may do."""
        if self.phase == "draw":
            return {("draw",), *self._takes()}
        if self.phase == "discard":
            return {("discard", card) for card in self.seat.hand}
        laid = self.laid(self.seat)
        stays = self.seat.opened or laid == 0 or laid >= self.first
        return {*self._melds(), ("done",) if stays else ("back",)}

    def _takes(self) -> Iterable[CanastaMove]:
        hand, top = self.seat.hand, self.pile[-1] if self.pile else None
        if not self.seat.opened or top is None or self.wild(top) or self.ranks[top] == "THREE":
            return
        left = len(hand) - 2 + len(self.pile) - 1
        if left >= 2 or self.seat.canastas() >= self.needed:
            same = sorted(card for card in hand if self.ranks[card] == self.ranks[top])
            for pair in combinations(same, 2):
                yield "take", *pair

    def _melds(self) -> Iterable[CanastaMove]:
        seat = self.seat
        for rank, old in seat.melds.items():
            fit = sorted(c for c in seat.hand if self.ranks[c] == rank or self.wild(c))
            for number in range(1, len(fit) + 1):
                for some in combinations(fit, number):
                    if self._may_lay(old | set(some), old, number):
                        yield "lay", rank, *some

    def _may_lay(self, new: set[int], old: set[int], number: int) -> bool:
        wilds = sum(map(self.wild, new))
        if len(new) < 3 or wilds > 3 or len(new) - wilds < 2:
            return False
        canastas = self.seat.canastas() + (len(old) < CANASTA <= len(new))
        return len(self.seat.hand) - number >= 2 or canastas >= self.needed

    # What is done ----------------------------------------------------------------------------

    def play(self, move: CanastaMove) -> None:
        """Carry out a move."""
        seat = self.seat
        match move:
            case ("draw",):
                for _ in range(min(self.drawn, len(self.stock))):
                    seat.hand.add(self.stock.pop())
                self._begin_melding()
            case ("take", int(one), int(other)):
                top = self.pile.pop()
                seat.melds[self.ranks[top]] |= {one, other, top}
                seat.hand = (seat.hand - {one, other}) | set(self.pile)
                self.pile = []
                self._begin_melding()
            case ("lay", str(rank), *cards):
                seat.melds[rank] |= {int(card) for card in cards}
                seat.hand -= {int(card) for card in cards}
            case ("back",):
                for rank, meld in seat.melds.items():
                    seat.hand |= meld
                    seat.melds[rank] = set()
                self.phase = "discard"
            case ("done",):
                seat.opened = seat.opened or self.laid(seat) > 0
                self.phase = "discard"
                if not seat.hand:
                    self._finish()
            case ("discard", int(card)):
                seat.hand.remove(card)
                self.pile.append(card)
                self._finish()

    def _begin_melding(self) -> None:
        self._lay_threes()
        self.phase = "meld"

    def _lay_threes(self) -> None:
        seat = self.seat
        while threes := [card for card in seat.hand if self._red_three(card)]:
            seat.hand.remove(threes[0])
            seat.red_threes.add(threes[0])
            if self.stock:
                seat.hand.add(self.stock.pop())

    def _finish(self) -> None:
        if not self.seat.hand:
            self.seat.bonus = 100
        self.over = not self.seat.hand or not self.stock
        self.player, self.phase = 1 - self.player, "draw"
        if not self.over:
            self._lay_threes()

    def scores(self) -> list[int]:
        """Return the scores of both seats."""
        return list(map(self._score, self.seats))

    def _score(self, seat: CanastaSeat) -> int:
        total = self.laid(seat) + seat.bonus - self.worth(seat.hand)
        for meld in seat.melds.values():
            if len(meld) >= CANASTA:
                total += 300 if any(map(self.wild, meld)) else 500
        threes = 800 if len(seat.red_threes) == 4 else 100 * len(seat.red_threes)
        return total + (threes if self.laid(seat) else -threes)

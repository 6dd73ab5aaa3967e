"""A deal of Doppelkopf in plain Python, written from its rules, not from its game file.

Cards are two characters, such as TH for the ten of hearts; of each there are two, which the model
takes for the same. Moves are texts: healthy, reservation, marriage, a solo's name, nothing, a
word of an announcement, or a card. Seats count from 0.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0}
SUITS = "CSHD"
PLAIN_ORDER = "ATKQJ9"
WORDS = ("ANNOUNCED", "NO90", "NO60", "NO30", "BLACK")
SOLOS = ("QUEENS", "JACKS", "MEATLESS", "CLUBS", "SPADES", "HEARTS", "DIAMONDS")


def trumps_of(kind: str) -> list[str]:
    """Return the trumps of a game from high to low."""
    if kind == "QUEENS":
        return [f"Q{suit}" for suit in SUITS]
    if kind == "JACKS":
        return [f"J{suit}" for suit in SUITS]
    if kind == "MEATLESS":
        return []
    suit = kind[0] if kind in SOLOS else "D"
    low = [f"{rank}{suit}" for rank in "ATK9" if f"{rank}{suit}" != "TH"]
    return ["TH", *(f"{rank}{each}" for rank in "QJ" for each in SUITS), *low]


@dataclass
class DoppelkopfDeal:
    """One deal, from the hands that were dealt; `tens` is whether the second ten of hearts wins."""

    hands: list[list[str]]
    tens: bool = False
    player: int = 0
    kind: str = "NORMAL"
    soloist: int | None = None
    holder: int | None = None
    over: bool = False
    asked: list[str] = field(default_factory=list)
    naming: list[int] = field(default_factory=list)
    re: list[bool] = field(default_factory=list)
    said: dict[bool, int] = field(default_factory=lambda: {True: 0, False: 0})
    saying: bool = False
    found: int | None = 0
    trick: list[tuple[int, str]] = field(default_factory=list)
    tricks: list[int] = field(default_factory=lambda: [0] * 4)
    points: list[int] = field(default_factory=lambda: [0] * 4)
    extras: list[int] = field(default_factory=lambda: [0] * 4)
    foxes: list[tuple[int, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.re = [hand.count("QC") > 0 for hand in self.hands]

    # What may be done ------------------------------------------------------------------------

    def moves(self) -> set[str]:
        """Return what the player may do."""
        hand = self.hands[self.player]
        if len(self.asked) < 4:
            return {"healthy", "reservation"}
        if self.naming:
            return {*SOLOS, *(["marriage"] if hand.count("QC") == 2 else [])}
        if self.saying:
            level = self.said[self.re[self.player]]
            in_time = len(hand) + (self.found or 0) >= 11 - level
            return {"nothing", *(WORDS[level:] if in_time else ())}
        same = [card for card in hand if self.trick and self._like(card, self.trick[0][1])]
        return set(same or hand)

    def _like(self, card: str, other: str) -> bool:
        """Return whether two cards are of one suit, where trumps are one."""
        trumps = trumps_of(self.kind)
        if card in trumps or other in trumps:
            return card in trumps and other in trumps
        return card[1] == other[1]

    def _beats(self, card: str, best: str) -> bool:
        """Return whether a later card beats the best so far."""
        trumps = trumps_of(self.kind)
        if card in trumps:
            if card == best == "TH":
                return self.tens
            return best not in trumps or trumps.index(card) < trumps.index(best)
        alike = best not in trumps and card[1] == best[1]
        return alike and PLAIN_ORDER.index(card[0]) < PLAIN_ORDER.index(best[0])

    # What is done ----------------------------------------------------------------------------

    def play(self, move: str) -> None:
        """Carry out a move."""
        if len(self.asked) < 4:
            self.asked.append(move)
            self.player = (self.player + 1) % 4
            if len(self.asked) == 4:
                self.naming = [seat for seat in range(4) if self.asked[seat] == "reservation"]
                self._name_next()
        elif self.naming:
            self.naming.pop(0)
            if move == "marriage":
                self.kind, self.holder = "MARRIAGE", self.player
            else:
                self.kind, self.soloist, self.naming = move, self.player, []
            self._name_next()
        elif self.saying:
            if move != "nothing":
                self.said[self.re[self.player]] = 1 + WORDS.index(move)
            self.saying = False
        else:
            self._lay(move)

    def _name_next(self) -> None:
        if self.naming:
            self.player = self.naming[0]
            return
        alone = self.holder if self.soloist is None else self.soloist
        if alone is not None:
            self.re = [seat == alone for seat in range(4)]
        if self.kind == "MARRIAGE":
            self.found = None
        self.player = 0
        self._turn()

    def _turn(self) -> None:
        """Ask for an announcement before a card, where the sides are known and it is time."""
        held = len(self.hands[self.player])
        self.saying = self.found is not None and held + self.found >= 7

    def _lay(self, card: str) -> None:
        self.hands[self.player].remove(card)
        self.trick.append((self.player, card))
        self.player = (self.player + 1) % 4
        if len(self.trick) == 4:
            self._take()
        if not self.over:
            self._turn()

    def _take(self) -> None:
        winner, best = self.trick[0]
        for seat, card in self.trick[1:]:
            if self._beats(card, best):
                winner, best = seat, card
        worth = sum(POINTS[card[0]] for _, card in self.trick)
        self.points[winner] += worth
        self.tricks[winner] += 1
        self.over = sum(self.tricks) == 12
        self.extras[winner] += (worth >= 40) + (self.over and best == "JC")
        self.foxes += [(winner, seat) for seat, card in self.trick if card == "AD"]
        if self.found is None and (winner != self.holder or sum(self.tricks) == 3):
            self.re[winner] = True
            self.found = sum(self.tricks) - 1
        self.trick, self.player = [], winner

    # The count ---------------------------------------------------------------------------------

    def _of(self, values: Sequence[int], side: bool) -> int:
        return sum(value for value, re in zip(values, self.re, strict=True) if re == side)

    def _keeps(self, side: bool) -> bool:
        """Return whether a side has kept the word that it said beyond its announcement."""
        if self.said[side] == 5:
            return self._of(self.tricks, not side) == 0
        return self._of(self.points, not side) < 180 - 30 * self.said[side] - 30

    def winner(self) -> bool | None:
        """Return which side has won, True for Re; None for neither."""
        words = {side for side in (True, False) if self.said[side] >= 2}
        kept = {side for side in words if self._keeps(side)}
        if len(words) == 2:
            return next(iter(kept), None)
        if words:
            (side,) = words
            return side if kept else not side
        need = 120 if self.said[False] == 1 and self.said[True] == 0 else 121
        return self._of(self.points, True) >= need

    def scores(self) -> list[int]:
        """Return the scores of the four seats."""
        value, winner = 0, self.winner()
        if winner is not None:
            value = self._worth(winner) * (1 if winner else -1)
        pairs = sum(self.re) == 2
        if pairs:
            value -= winner is False
            extras = list(self.extras)
            for taker, loser in self.foxes:
                extras[taker] += self.re[taker] != self.re[loser]
            value += self._of(extras, True) - self._of(extras, False)
        return [value * (1 if pairs else 3) if re else -value for re in self.re]

    def _worth(self, side: bool) -> int:
        points = self._of(self.points, not side)
        worth = 1 + sum(points < limit for limit in (90, 60, 30))
        worth += self._of(self.tricks, not side) == 0
        worth += sum(level + 1 for level in self.said.values() if level)
        beaten = {2: 120, 3: 90, 4: 60, 5: 30}
        own = self._of(self.points, side)
        return worth + sum(own >= beaten[word] for word in range(2, self.said[not side] + 1))

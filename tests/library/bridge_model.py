"""A board of bridge in plain Python, written from the laws, not from its game file.

Seats count from 0: north, east, south, west. Calls are texts: pass, 1C to 7NT, X, XX.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

RANKS = "23456789TJQKA"
STRAINS = ("C", "D", "H", "S", "NT")
BIDS = tuple(f"{level}{strain}" for level in range(1, 8) for strain in STRAINS)
TRICK_SCORE = {"C": 20, "D": 20, "H": 30, "S": 30, "NT": 30}
UNDERTRICKS = {
    ("", False): [50] * 13,
    ("", True): [100] * 13,
    ("X", False): [100, 200, 200, *[300] * 10],
    ("X", True): [200, *[300] * 12],
    ("XX", False): [200, 400, 400, *[600] * 10],
    ("XX", True): [400, *[600] * 12],
}
"""What each missing trick costs, by doubling and vulnerability (Law 77)."""


def score(contract: str, doubled: str, tricks: int, *, vulnerable: bool) -> int:
    """Return what the declarer's side scores for a contract such as 3NT, by Law 77."""
    level, strain = int(contract[0]), contract[1:]
    over = tricks - 6 - level
    if over < 0:
        return -sum(UNDERTRICKS[doubled, vulnerable][:-over])
    factor = {"": 1, "X": 2, "XX": 4}[doubled]
    below = (level * TRICK_SCORE[strain] + (10 if strain == "NT" else 0)) * factor
    points = below + {"": 0, "X": 50, "XX": 100}[doubled]
    if below < 100:
        points += 50
    else:
        points += 500 if vulnerable else 300
    if level == 6:
        points += 750 if vulnerable else 500
    if level == 7:
        points += 1500 if vulnerable else 1000
    each = {"X": 100, "XX": 200}.get(doubled, 0) * (2 if vulnerable else 1)
    return points + over * (each or TRICK_SCORE[strain])


@dataclass
class Board:
    """One board: the cards that everybody holds, the calls and the cards played."""

    hands: list[list[str]]
    dealer: int = 0
    vulnerable: str = "NONE"
    calls: list[str] = field(default_factory=list)
    trick: list[str] = field(default_factory=list)
    leader: int = -1
    played: int = 0
    won: list[int] = field(default_factory=lambda: [0, 0])

    def caller(self, index: int) -> int:
        """Return who makes a call, counted from 0."""
        return (self.dealer + index) % 4

    def last(self, kinds: Iterable[str]) -> int:
        """Return the place of the last call of some kinds; -1 if there is none."""
        wanted = set(kinds)
        return max((i for i, call in enumerate(self.calls) if call in wanted), default=-1)

    @property
    def over(self) -> bool:
        """Whether the auction is over."""
        return len(self.calls) > 3 and all(call == "pass" for call in self.calls[-3:])

    @property
    def contract(self) -> str:
        """The last bid; empty if there was none."""
        return self.calls[self.last(BIDS)] if self.last(BIDS) >= 0 else ""

    @property
    def doubled(self) -> str:
        """X, XX, or nothing: what was called after the last bid."""
        since = self.calls[self.last(BIDS) + 1 :]
        return "XX" if "XX" in since else "X" if "X" in since else ""

    @property
    def declarer(self) -> int:
        """Who named the strain of the contract first, of the side that bid it."""
        side = self.caller(self.last(BIDS)) % 2
        return next(
            self.caller(i)
            for i, call in enumerate(self.calls)
            if call in BIDS and call[1:] == self.contract[1:] and self.caller(i) % 2 == side
        )

    @property
    def dummy(self) -> int:
        """The declarer's partner."""
        return (self.declarer + 2) % 4

    def may_call(self) -> list[str]:
        """Return the calls that the laws allow: pass, bids upwards, then X or XX."""
        higher = BIDS[BIDS.index(self.contract) + 1 :] if self.contract else BIDS
        found = ["pass", *higher]
        active = self.last({*BIDS, "X", "XX"})
        if active >= 0 and self.caller(active) % 2 != self.caller(len(self.calls)) % 2:
            found += [{"X": "XX"}.get(self.calls[active], "X")] * (self.calls[active] != "XX")
        return found

    def turn(self) -> tuple[int, int]:
        """Return who has to choose, and whose call or card it is."""
        if not self.over:
            caller = self.caller(len(self.calls))
            return caller, caller
        leader = (self.declarer + 1) % 4 if self.leader < 0 else self.leader
        seat = (leader + len(self.trick)) % 4
        return (self.declarer if seat == self.dummy else seat), seat

    def may_play(self) -> list[str]:
        """Return the cards that the hand whose turn it is may play."""
        cards = self.hands[self.turn()[1]]
        same = [card for card in cards if self.trick and card[1] == self.trick[0][1]]
        return same or cards

    def play(self, card: str) -> None:
        """Play a card from the hand whose turn it is."""
        seat = self.turn()[1]
        self.leader = (seat - len(self.trick)) % 4
        self.hands[seat].remove(card)
        self.trick.append(card)
        self.played += 1
        if len(self.trick) == 4:
            best = max(self.trick, key=self.power)
            self.leader = (self.leader + self.trick.index(best)) % 4
            self.won[self.leader % 2] += 1
            self.trick = []

    def power(self, card: str) -> tuple[bool, bool, int]:
        """Return what a card of the trick is worth in comparison with the others."""
        trump = card[1] == self.contract[1:]
        return trump, card[1] == self.trick[0][1], RANKS.index(card[0])

    @property
    def finished(self) -> bool:
        """Whether nothing is left to do."""
        return self.over and (not self.contract or self.played == 52)

    def scores(self) -> Sequence[int]:
        """Return the scores of the four seats."""
        if not self.contract:
            return (0, 0, 0, 0)
        side = self.declarer % 2
        at_risk = self.vulnerable in ("ALL", ("NS", "EW")[side])
        points = score(self.contract, self.doubled, self.won[side], vulnerable=at_risk)
        north = points if side == 0 else -points
        return (north, -north, north, -north)

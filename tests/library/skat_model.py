"""A deal of skat in plain Python, written from its rules, not from its game file.

Seats count from 0: forehand, middlehand, rearhand.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import takewhile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

PLAIN = "789QKTA"
NULL_RANKS = "789TJQKA"
JACKS = ("JC", "JS", "JH", "JD")
POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}
BASES = {"D": 9, "H": 10, "S": 11, "C": 12, "GRAND": 24}
NULLS = {
    ("SKAT", "PLAIN"): 23,
    ("HAND", "PLAIN"): 35,
    ("SKAT", "OUVERT"): 46,
    ("HAND", "OUVERT"): 59,
}
STEPS = ("PLAIN", "SCHNEIDER", "SCHWARZ", "OUVERT")
VALUES = (
    *(18, 20, 22, 23, 24, 27, 30, 33, 35, 36, 40, 44, 45, 46, 48, 50, 54, 55, 59, 60, 63, 66, 70),
    *(72, 77, 80, 81, 84, 88, 90, 96, 99, 100, 108, 110, 117, 120, 121, 126, 130, 132, 135, 140),
    *(143, 144, 150, 153, 154, 156, 160, 162, 165, 168, 170, 176, 180, 187, 192, 198, 204, 216),
    *(240, 264),
)
"""What a bid can be, as the rules list it."""


def card_points(cards: Iterable[str]) -> int:
    return sum(POINTS.get(card[0], 0) for card in cards)


def suit_of(card: str, game: str) -> str:
    """Return the suit that a card has to be followed by: T for trumps."""
    trump = game != "NULL" and (card[0] == "J" or card[1] == game)
    return "T" if trump else card[1]


def strength(card: str, game: str) -> int:
    """Return how high a card is among those of its suit, or among trumps."""
    if game == "NULL":
        return NULL_RANKS.index(card[0])
    return 20 - JACKS.index(card) if card in JACKS else PLAIN.index(card[0])


def trick_winner(trick: list[str], game: str) -> int:
    """Return which card of a trick wins it."""
    trumps = [card for card in trick if suit_of(card, game) == "T"]
    led = [card for card in trick if suit_of(card, game) == suit_of(trick[0], game)]
    return trick.index(max(trumps or led, key=lambda card: strength(card, game)))


def matadors(cards: Iterable[str], game: str) -> int:
    """Return how many trumps in sequence from the top these cards have, or lack."""
    suit = [] if game == "GRAND" else [rank + game for rank in PLAIN[::-1]]
    held = set(cards)
    trumps = [*JACKS, *suit]
    first = trumps[0] in held
    return len(list(takewhile(lambda card: (card in held) == first, trumps)))


@dataclass(frozen=True)
class Result:
    """How a suit game or grand came out: the declarer's twelve cards, points and tricks."""

    game: str
    way: str
    announced: str
    bid: int
    cards: tuple[str, ...]
    points: int
    tricks: int

    def multiplier(self) -> int:
        """Return how often the base counts."""
        step = STEPS.index(self.announced)
        schneider = step >= 1 or self.points >= 90 or self.points <= 30
        schwarz = step >= 2 or self.tricks in (0, 10)
        told = (step >= 1) + (step >= 2) + (step >= 3)
        return (
            matadors(self.cards, self.game) + 1 + (self.way == "HAND") + schneider + schwarz + told
        )

    def score(self) -> int:
        """Return the declarer's score."""
        base = BASES[self.game]
        value = base * self.multiplier()
        needs = {"PLAIN": 61, "SCHNEIDER": 90}.get(self.announced, 0)
        all_needed = self.announced in ("SCHWARZ", "OUVERT")
        won = self.points >= needs and (self.tricks == 10 or not all_needed)
        if value < self.bid:
            while value < self.bid:
                value += base
            return -2 * value
        return value if won else -2 * value


@dataclass
class Deal:
    """One deal: the hands, the skat, and all that has been decided."""

    hands: list[list[str]]
    skat: list[str]
    jumps: bool = False
    ramsch: bool = False
    seeger: bool = False
    bid: int = 0
    passed: list[int] = field(default_factory=list)
    asked: int = 1
    way: str = ""
    laid: bool = False
    game: str = ""
    announced: str = ""
    trick: list[str] = field(default_factory=list)
    leader: int = 0
    won: list[list[str]] = field(default_factory=lambda: [[], [], []])
    owned: list[str] = field(default_factory=list)

    # The auction.

    @property
    def auction(self) -> bool:
        """Whether it goes on."""
        return len(self.passed) < (2 if self.bid else 3)

    def pair(self) -> tuple[int, int]:
        """Return who speaks and who listens; both are forehand if nobody else may bid."""
        if not self.passed:
            return 1, 0
        if len(self.passed) == 1:
            return 2, 1 - self.passed[0]
        return 0, 0

    def may_say(self) -> list[str]:
        """Return the calls: values or hold, then pass."""
        if self.asked != self.pair()[0]:
            return ["hold", "pass"]
        higher = [value for value in VALUES if value > self.bid]
        return [*map(str, higher if self.jumps else higher[:1]), "pass"]

    def say(self, call: str) -> None:
        speaker, listener = self.pair()
        if call == "pass":
            self.passed.append(self.asked)
            self.asked = self.pair()[0]
        elif call == "hold":
            self.asked = speaker
        else:
            self.bid = int(call)
            self.asked = listener
        if not self.auction:
            self.asked = self.declarer if self.bid else 0
            self.game = "" if self.bid else "RAMSCH" if self.ramsch else "NONE"
            self.laid = not self.bid

    @property
    def declarer(self) -> int:
        """Who has not passed."""
        return next(seat for seat in range(3) if seat not in self.passed)

    # The game.

    def take(self, way: str) -> None:
        """Play from the hand, or with the skat."""
        self.way = way
        self.owned = [*self.hands[self.declarer], *self.skat]
        self.laid = way == "HAND"
        if way == "SKAT":
            self.hands[self.declarer] += self.skat

    def lay(self, cards: list[str]) -> None:
        """Lay two cards away."""
        self.skat = cards
        self.laid = True
        for card in cards:
            self.hands[self.declarer].remove(card)

    def may_name(self) -> list[tuple[str, str]]:
        """Return the games with what is announced, suits and grand first."""
        steps = STEPS if self.way == "HAND" else STEPS[:1]
        found = [(game, step) for game in ("C", "S", "H", "D", "GRAND") for step in steps]
        nulls = [step for step in ("PLAIN", "OUVERT") if NULLS[self.way, step] >= self.bid]
        return found + [("NULL", step) for step in nulls]

    def name(self, game: str, announced: str) -> None:
        self.game, self.announced = game, announced
        self.asked = 0

    # The tricks.

    def may_play(self) -> list[str]:
        cards = self.hands[self.asked]
        wanted = suit_of(self.trick[0], self.game) if self.trick else ""
        return [card for card in cards if suit_of(card, self.game) == wanted] or cards

    def play(self, card: str) -> None:
        self.hands[self.asked].remove(card)
        self.trick.append(card)
        self.asked = (self.asked + 1) % 3
        if len(self.trick) == 3:
            self.leader = (self.leader + trick_winner(self.trick, self.game)) % 3
            self.won[self.leader] += self.trick
            self.trick = []
            self.asked = self.leader

    @property
    def finished(self) -> bool:
        if self.game == "NULL" and self.won[self.declarer]:
            return True
        return self.game == "NONE" or (bool(self.game) and not any([*self.hands, self.trick]))

    def tricks(self, seat: int) -> int:
        return len(self.won[seat]) // 3

    def scores(self) -> tuple[int, ...]:
        """Return the scores of the three seats."""
        if not self.bid:
            return self.ramsch_scores() if self.ramsch else (0, 0, 0)
        declarer = self.declarer
        if self.game == "NULL":
            value = NULLS[self.way, self.announced]
            points = -2 * value if self.won[declarer] else value
        else:
            total = card_points([*self.won[declarer], *self.skat])
            tricks = self.tricks(declarer)
            settled = (self.game, self.way, self.announced, self.bid)
            points = Result(*settled, tuple(self.owned), total, tricks).score()
        extra = (50 if points > 0 else -50) if self.seeger else 0
        other = 40 if self.seeger and points < 0 else 0
        return tuple(points + extra if seat == declarer else other for seat in range(3))

    def ramsch_scores(self) -> tuple[int, ...]:
        """The most points lose, doubled if somebody has no trick; all ten tricks win 120."""
        points = [card_points(cards) for cards in self.won]
        points[self.leader] += card_points(self.skat)
        counts = [self.tricks(seat) for seat in range(3)]
        if 10 in counts:
            return tuple(120 if count == 10 else 0 for count in counts)
        factor = 2 if 0 in counts else 1
        return tuple(-factor * one if one == max(points) else 0 for one in points)

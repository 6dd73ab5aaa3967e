"""Hanabi in plain Python, written from its rules, not from its game file.

Cards are pairs of a color and a number, and moves are tuples: ("tell", seat, color or number),
("play", place) and ("discard", place). Seats and places of a hand count from 0.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Sequence

HanabiCard: TypeAlias = "tuple[str, int]"
HanabiMove: TypeAlias = "tuple[str | int, ...]"

COLORS = ("RED", "YELLOW", "GREEN", "BLUE", "WHITE")
COPIES = {1: 3, 2: 2, 3: 2, 4: 2, 5: 1}
CLUES, LIVES = 8, 3


@dataclass
class HanabiGame:
    """One game: all hands by places, where None is an empty place, and the stock, top last.

    `told` is what clues have said of each place: a color and a number, each None if unknown.
    """

    hands: list[list[HanabiCard | None]]
    stock: list[HanabiCard]
    lose_all: bool = False
    player: int = 0
    clues: int = CLUES
    lives: int = LIVES
    left: int | None = None
    over: bool = False
    fireworks: dict[str, int] = field(default_factory=lambda: dict.fromkeys(COLORS, 0))
    away: list[HanabiCard] = field(default_factory=list)
    told: list[list[list[str | int | None]]] = field(init=False)

    def __post_init__(self) -> None:
        self.told = [[[None, None] for _ in hand] for hand in self.hands]

    def moves(self) -> set[HanabiMove]:
        """Return what the player may do."""
        found: set[HanabiMove] = set()
        for seat, hand in enumerate(self.hands):
            if seat != self.player and self.clues > 0:
                found |= {("tell", seat, part) for card in hand if card for part in card}
        for place, card in enumerate(self.hands[self.player]):
            if card:
                found.add(("play", place))
                if self.clues < CLUES:
                    found.add(("discard", place))
        return found

    def play(self, move: HanabiMove) -> None:
        """Carry out a move, and pass the turn on."""
        # Everybody has one more turn once the stock is empty, counted from the turn after.
        last_round = not self.stock
        if move[0] == "tell":
            self._tell(int(move[1]), move[2])
        else:
            self._lay(str(move[0]), int(move[1]))
        if last_round:
            assert self.left is not None
            self.left -= 1
        elif not self.stock:
            self.left = len(self.hands)
        self.over = self.lives == 0 or self.points == 5 * len(COLORS) or self.left == 0
        self.player = (self.player + 1) % len(self.hands)

    def _tell(self, seat: int, part: str | int) -> None:
        self.clues -= 1
        for place, card in enumerate(self.hands[seat]):
            if card and part in card:
                self.told[seat][place][card.index(part)] = part

    def _lay(self, verb: str, place: int) -> None:
        hand = self.hands[self.player]
        card = hand[place]
        assert card is not None
        color, number = card
        if verb == "discard":
            self.away.append(card)
            self.clues += 1
        elif self.fireworks[color] == number - 1:
            self.fireworks[color] = number
            if number == 5:
                self.clues = min(CLUES, self.clues + 1)
        else:
            self.away.append(card)
            self.lives -= 1
        hand[place] = self.stock.pop() if self.stock else None
        self.told[self.player][place] = [None, None]

    @property
    def points(self) -> int:
        """How many cards lie in fireworks."""
        return sum(self.fireworks.values())

    def scores(self) -> Sequence[int]:
        """Return the scores of all seats, which are equal."""
        return [0 if self.lose_all and self.lives == 0 else self.points] * len(self.hands)

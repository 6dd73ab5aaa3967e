"""The options of the Hearts family as a model of it in plain Python knows them, and its cards.

Cards are texts: QS is the queen of spades, 0C a joker; with two packs QS1 and QS2. Seats count
from 0.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

RANKS = "023456789TJQKA"
EXTRAS = {
    "ACESPADES": "AS",
    "KINGSPADES": "KS",
    "JACKSPADES": "JS",
    "JACKDIAMONDS": "JD",
    "TENDIAMONDS": "TD",
    "SEVENCLUBS": "7C",
}
"""What sets the points of a card that is neither a heart nor the queen of spades."""


@dataclass(frozen=True)
class Rules:
    """The options of the game, by their names there."""

    PLAYERS: int
    PACKS: int
    JOKERS: int
    SPARE: str
    WIDOW: int
    WIDOWTO: str
    PASS: int
    CYCLE: tuple[str, ...]
    DRAWN: int
    PASSING: str
    LOOK: int
    OPENING: str
    FIRSTTRICK: str
    HEARTLEAD: str
    BREAKS: str
    EXEMPT: str
    QUEENDUTY: str
    HEART: int
    PIPS: int
    QUEEN: int
    ACESPADES: int
    KINGSPADES: int
    JACKSPADES: int
    JACKDIAMONDS: int
    TENDIAMONDS: int
    SEVENCLUBS: int
    EACHTRICK: int
    FIRSTTAKEN: int
    LASTTAKEN: int
    NOTRICKS: int
    MOON: str
    MOONVALUE: int
    MOONNEEDS: str
    SUN: int
    ROUNDS: int
    END: int
    ABOVE: int
    HIT: int
    HITBECOMES: int
    TIES: str

    @classmethod
    def of(cls, declared: Mapping[str, Any]) -> Rules:
        """Return the rules that the constants of a game say."""
        return cls(**{field.name: declared[field.name] for field in fields(cls)})

    def main(self, card: str) -> int:
        """Return the points of a heart or a queen of spades; other cards have none here."""
        if heart(card):
            return self.HEART + self.PIPS * (RANKS.index(card[0]) + 1)
        return self.QUEEN * queen(card)

    def extra(self, card: str) -> int:
        """Return the points of a card that is neither a heart nor the queen of spades."""
        return sum(getattr(self, name) for name, code in EXTRAS.items() if card[:2] == code)

    def penal(self, card: str) -> bool:
        """Say whether a card costs points."""
        return self.main(card) + self.extra(card) > 0

    def counts(self, card: str) -> bool:
        """Say whether a card has points, of whatever sign."""
        return self.main(card) + self.extra(card) != 0

    def barred(self, card: str) -> bool:
        """Say whether a card may fall in the first trick by force only, or never."""
        return {
            "ANY": False,
            "FORCE": self.penal(card),
            "NEVER": self.penal(card),
            "NOQUEEN": queen(card),
            "NOHEARTS": heart(card),
        }[self.FIRSTTRICK]

    def spares(self) -> list[str]:
        """Return the cards that are laid aside so that the others can be shared out."""
        suits = sorted("DCS"[: 3 if self.SPARE == "SPADES" else 2], key=self.SPARE[0].__ne__)
        cards = [rank + suit for rank in "23456" for suit in suits]
        return cards[: (52 * self.PACKS + self.JOKERS - self.WIDOW) % self.PLAYERS]


def heart(card: str) -> bool:
    """Say whether a card is a heart."""
    return card[1] == "H"


def queen(card: str) -> bool:
    """Say whether a card is a queen of spades."""
    return card[:2] == "QS"


def rank(card: str) -> int:
    """Return how high a card is in its suit."""
    return RANKS.index(card[0])

"""The decks with which a new game can begin."""

from __future__ import annotations

from dataclasses import dataclass

from cardwright.game.wording.naming import DIGITS

_FRENCH = ("CLUBS", "DIAMONDS", "HEARTS", "SPADES")
_HIGH = ("TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE", "TEN", "J", "Q", "K", "A")


@dataclass(frozen=True)
class StartDeck:
    """Suits, and ranks from the lowest to the highest; a card for each pair."""

    suits: tuple[str, ...]
    ranks: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.suits) * len(self.ranks)

    def rcy(self) -> str:
        """Return the deck in RECYCLE."""
        return f"(deck (SUIT ({', '.join(self.suits)})) (RANK ({', '.join(self.ranks)})))"

    def strength(self, step: int = 1) -> str:
        """Return awards by which a higher rank is worth more, by this step."""
        pairs = (f"((RANK : {rank}) {step * n})" for n, rank in enumerate(self.ranks, 1))
        return f"({' '.join(pairs)})"

    def unique(self) -> str:
        """Return awards by which no two cards are worth the same; the rank decides first."""
        suits = (f"((SUIT : {suit}) {n})" for n, suit in enumerate(self.suits, 1))
        return f"({self.strength(10)[1:-1]} {' '.join(suits)})"

    def card(self, suit: int, rank: int) -> str:
        """Return the name of a card in a file of positions; -1 is the highest rank."""
        name = DIGITS.get(self.ranks[rank], self.ranks[rank])
        if self.suits == _FRENCH:
            return name + self.suits[suit][0]
        return f"{name} of {self.suits[suit]}"


DECKS = {
    "52": StartDeck(_FRENCH, _HIGH),
    "40": StartDeck(_FRENCH, tuple(rank for rank in _HIGH if rank not in {"EIGHT", "NINE", "TEN"})),
    "36": StartDeck(_FRENCH, _HIGH[4:]),
    "32": StartDeck(_FRENCH, _HIGH[5:]),
    "own": StartDeck(("LEAF", "MOON", "STAR", "SUN"), ("ONE", *_HIGH[:7])),
}
"""The decks by name: the French suits with so many cards, and suits and ranks to be replaced."""

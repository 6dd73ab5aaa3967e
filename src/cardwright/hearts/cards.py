"""Cards as small integers and as text: `QS` is the queen of spades, 16 * 2 + 12 = 44.

A card's number is 16 * suit + rank, with the suits clubs, diamonds, spades and hearts from 0 to 3
and ranks from 2 to 14 (aces are high). So the cards of a suit sort by number, and a set of cards is
an integer with one bit per card. A joker counts as the club below the two and has rank 0.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeAlias

from cardwright.game.errors import CardwrightError

if TYPE_CHECKING:
    from collections.abc import Iterable

Cards: TypeAlias = "tuple[int, ...]"
"""Cards by number."""

CLUBS, DIAMONDS, SPADES, HEARTS = range(4)
SUITS = "CDSH"
SYMBOLS = "♣♦♠♥"
SUIT_NAMES = ("clubs", "diamonds", "spades", "hearts")
RANKS = "0?23456789TJQKA"
"""The letter of each rank at its index; no card has rank 1."""

QUEEN_OF_SPADES = 16 * SPADES + 12

_WORD = re.compile(r"[^\s,]+")


class CardTextError(CardwrightError):
    """A text that does not name a card; the message says where."""


def suit_mask(suit: int) -> int:
    """Return the set of all possible cards of a suit."""
    return 0xFFFF << 16 * suit


def mask_of(cards: Iterable[int]) -> int:
    """Return cards as a bit set; two equal cards are one bit."""
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


def cards_of(mask: int) -> Cards:
    """Return the cards of a bit set, the lowest number first."""
    cards = []
    while mask:
        low = mask & -mask
        cards.append(low.bit_length() - 1)
        mask ^= low
    return tuple(cards)


def parse_card(text: str) -> int:
    """Return the card that a text names: `QS`, `qs`, `Q♠`, `TH` or `10H`; raises CardTextError."""
    word = text.strip()
    rank, suit = word[:-1].upper(), word[-1:].upper()
    rank = "T" if rank == "10" else rank
    at = SYMBOLS.find(suit) if suit in SYMBOLS else SUITS.find(suit)
    if len(rank) == 1 and rank != "?" and rank in RANKS and suit and at >= 0:
        card = 16 * at + RANKS.index(rank)
        if rank != "0" or at == CLUBS:
            return card
    raise CardTextError(
        f"{word!r} is not a card: write its rank ({' '.join(RANKS[2:])}) and then its suit "
        f"({' '.join(SUITS)} or {' '.join(SYMBOLS)}), like QS"
    )


def parse_hand(text: str) -> Cards:
    """Return the cards in a text, in its order; raises CardTextError with the column."""
    cards = []
    for word in _WORD.finditer(text):
        try:
            cards.append(parse_card(word[0]))
        except CardTextError as error:
            raise CardTextError(f"column {word.start() + 1} of {text!r}: {error}") from None
    return tuple(cards)


def format_card(card: int, *, symbols: bool = False) -> str:
    """Return the text of a card, with the suit as a letter or as a symbol."""
    return RANKS[card & 15] + (SYMBOLS if symbols else SUITS)[card >> 4]


def format_hand(cards: Iterable[int], *, symbols: bool = False) -> str:
    """Return cards as text: clubs, diamonds, spades, hearts, each from low to high."""
    return " ".join(format_card(card, symbols=symbols) for card in sorted(cards))

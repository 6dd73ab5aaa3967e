"""Cards as people write them: `QS`, `Q♠`, `♠q`, `10H`, `th`, `queen of spades`."""

from __future__ import annotations

import reprlib
from itertools import product
from typing import TYPE_CHECKING

from cardwright.game.errors import OptionTextError
from cardwright.game.naming import DIGITS, NUMBERS
from cardwright.syntax.suggest import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cardwright.game.naming import Namer
    from cardwright.program.cards import Card

_SUITS = {"CLUBS": "C♣", "DIAMONDS": "D♦", "SPADES": "S♠", "HEARTS": "H♥"}
_RANKS = {
    **dict(zip(("TWO", "THREE", "FOUR", "FIVE", "SIX"), "23456", strict=True)),
    **dict(zip(("SEVEN", "EIGHT", "NINE", "TEN"), ("7", "8", "9", "10"), strict=True)),
    **{letter: letter for letter in "JQKA"},
}
_LONG = {"J": "JACK", "Q": "QUEEN", "K": "KING", "A": "ACE", "10": "T"}
_BETWEEN = "and"
"""A word that may come between two cards and means nothing."""


def short_name(card: Card, namer: Namer | None, *, symbols: bool) -> str:
    """Return `Q♠` or `QS` for a card of the French suits, and the whole name of any other.

    Without a namer, which knows what identifies a card, the whole name has all values of the card.
    """
    rank = _RANKS.get(card.attributes.get("RANK", ""))
    suit = _SUITS.get(card.attributes.get("SUIT", ""))
    if rank is None or suit is None:
        values = (DIGITS.get(value, value) for value in card.attributes.values())
        return namer.card(card) if namer else " ".join(values)
    return rank + suit[symbols]


def card_names(card: Card, namer: Namer) -> set[str]:
    """Return all names of a card, as `words_of` writes them."""
    names = {*namer.card_names(card), " ".join(card.attributes.values()), *_french(card)}
    names |= {_in_digits(name) for name in names}
    return {" ".join(words_of(name)) for name in names}


def _in_digits(name: str) -> str:
    """Return a name as the table shows it: `1 of SUN` for `ONE of SUN`."""
    return " ".join(NUMBERS.get(word, word) for word in name.split())


def _french(card: Card) -> Iterator[str]:
    """Yield the names of a card of the French suits, short and long."""
    rank, suit = card.attributes.get("RANK", ""), card.attributes.get("SUIT", "")
    if rank not in _RANKS or suit not in _SUITS:
        return
    short = _RANKS[rank]
    ranks = {rank, short, _LONG.get(short, short)}
    for one, letter in product(ranks, _SUITS[suit]):
        if len(one) <= len("10"):
            yield from (one + letter, letter + one)
    for one, whole in product(ranks, (suit, suit.removesuffix("S"))):
        yield from (f"{one} of {whole}", f"{one} {whole}")


def words_of(text: str) -> list[str]:
    """Return the words of a text in one case, without colons."""
    return text.casefold().replace(":", " ").split()


def pieces_of(text: str, known: Iterable[str]) -> list[str]:
    """Return the pieces of a text: the longest runs of words that are a known name.

    Words that belong to none are returned one by one; no piece spans a comma.
    """
    names = set(known)
    longest = max((name.count(" ") + 1 for name in names), default=1)
    pieces = []
    for part in text.split(","):
        words = words_of(part)
        at = 0
        while at < len(words):
            sizes = range(min(longest, len(words) - at), 0, -1)
            size = next((n for n in sizes if " ".join(words[at : at + n]) in names), 1)
            piece = " ".join(words[at : at + size])
            if piece in names or piece != _BETWEEN:
                pieces.append(piece)
            at += size
    return pieces


class CardNames:
    """The names of the cards that can be meant, and of those that merely exist.

    Of cards that look alike each is named once.
    """

    def __init__(self, namer: Namer, among: Iterable[Card], existing: Iterable[Card]) -> None:
        self._namer = namer
        self._existing = tuple(existing)
        self._meant: dict[str, list[Card]] = {}
        for card in dict.fromkeys(among):
            for name in card_names(card, namer):
                self._meant.setdefault(name, []).append(card)

    def __contains__(self, name: str) -> bool:
        return name in self._meant

    def names(self) -> set[str]:
        """Return the names of all cards, including those that cannot be meant."""
        every = (card_names(card, self._namer) for card in self._existing)
        return {*self._meant, *(name for names in every for name in names)}

    def card(self, name: str, found: list[Card]) -> Card:
        """Return the card of a name that is not found yet; raises OptionTextError."""
        for card in self._meant.get(name, ()):
            if card not in found:
                return card
        shown = name.upper() if len(name) <= len("10h") else name
        if name in self._meant:
            raise OptionTextError(f"{shown} is named more often than there are cards of that name")
        if any(name in card_names(card, self._namer) for card in self._existing):
            raise OptionTextError(f"{shown} is a card, but not one that can be chosen now")
        raise OptionTextError(unknown_name(name, "no card", self.names()), unknown=name)


def unknown_name(name: str, what: str, known: Iterable[str]) -> str:
    """Return the message that a name is unknown, with the nearest known one."""
    advice = did_you_mean(name, known)
    return f"{reprlib.repr(name)} is {what}{f'; {advice}' if advice else ''}"


def read_cards(
    text: str, namer: Namer, among: Iterable[Card], existing: Iterable[Card] = ()
) -> list[Card]:
    """Return the cards that a text names, of those that can be meant, in its order.

    Cards are separated by commas, spaces or `and`. Raises OptionTextError for anything that is not
    one of these cards; the message says so if the card merely exists.
    """
    names = CardNames(namer, among, existing)
    found: list[Card] = []
    for piece in pieces_of(text, names.names()):
        found.append(names.card(piece, found))
    return found

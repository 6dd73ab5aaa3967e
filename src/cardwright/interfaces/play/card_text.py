"""Cards as people write them: `QS`, `Q♠`, `10H`, `th`, or the whole name of a card."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.game.errors import CardwrightError
from cardwright.hearts.cards import SUITS, SYMBOLS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cardwright.game.game import Game
    from cardwright.game.naming import Namer
    from cardwright.program.cards import Card

_SUIT_AT = {"CLUBS": 0, "DIAMONDS": 1, "SPADES": 2, "HEARTS": 3}
_RANKS = {
    **dict(zip(("TWO", "THREE", "FOUR", "FIVE", "SIX"), "23456", strict=True)),
    **dict(zip(("SEVEN", "EIGHT", "NINE", "TEN"), ("7", "8", "9", "10"), strict=True)),
    **{letter: letter for letter in "JQKA"},
}


class AnswerError(CardwrightError):
    """An answer that cannot be understood, or is not allowed; the message says what to write."""


def short_name(card: Card, namer: Namer, *, symbols: bool) -> str:
    """Return `Q♠` or `QS` for a card of the French suits, and the whole name of any other."""
    rank = _RANKS.get(card.attributes.get("RANK", ""))
    suit = _SUIT_AT.get(card.attributes.get("SUIT", ""))
    if rank is None or suit is None:
        return namer.card(card)
    return rank + (SYMBOLS if symbols else SUITS)[suit]


def read_cards(text: str, game: Game, among: Iterable[Card]) -> list[Card]:
    """Return the cards that an answer names, of those that can be meant, in its order.

    Cards are separated by commas or spaces. Of cards that look alike each is named once. Raises
    AnswerError for what is no card among these.
    """
    meant: dict[str, list[Card]] = {}
    for card in dict.fromkeys(among):
        for name in _names(card, game.namer):
            meant.setdefault(name, []).append(card)
    found: list[Card] = []
    for word in _words(text, meant):
        cards = [card for card in meant.get(word.casefold(), ()) if card not in found]
        if not cards:
            raise AnswerError(_unknown(word, found, game, meant))
        found.append(cards[0])
    return found


def _names(card: Card, namer: Namer) -> set[str]:
    """Return all that a card may be called, in one case."""
    shorts = {short_name(card, namer, symbols=symbols) for symbols in (False, True)}
    shorts |= {name.replace("10", "T") for name in shorts if name.startswith("10")}
    whole = namer.card(card)
    return {name.casefold() for name in (*shorts, whole, " ".join(card.attributes.values()))}


def _words(text: str, meant: dict[str, list[Card]]) -> list[str]:
    """Return the names in a text: pieces between commas as a whole, where they name a card."""
    words = []
    for piece in text.split(","):
        stripped = " ".join(piece.split())
        words += [stripped] if stripped.casefold() in meant else stripped.split()
    return words


def _unknown(word: str, found: list[Card], game: Game, meant: dict[str, list[Card]]) -> str:
    if word.casefold() in meant:
        return f"{word} is named more often than you have it" if found else f"{word} is not there"
    if any(word.casefold() in _names(card, game.namer) for card in game.cards):
        return f"{word} is a card, but not one that you could choose: look at your hand"
    return f"{word!r} is neither a card nor a command; `help` lists what you can write"

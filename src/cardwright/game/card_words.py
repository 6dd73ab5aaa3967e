"""The names of cards for people: `queen of spades`, `7 of cups`, `red 8`."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from cardwright.game.naming import NUMBERS, telling_keys
from cardwright.game.phrase import plural
from cardwright.game.verbs import listed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cardwright.game.game_words import GameWords
    from cardwright.game.naming import Namer
    from cardwright.program.cards import Card
    from cardwright.program.program import Program

_FACES = {"J": "jack", "Q": "queen", "K": "king", "A": "ace"}
_COUNTS = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight"}
_NUMBERED = re.compile(r"([A-Z])([0-9]+)")
"""A number as the name of a card, which may not begin with a digit in the rules."""

_VOWEL = re.compile(r"[aeiou]|8|11\b|18\b", re.IGNORECASE)


def plain_word(name: str) -> str:
    """Return a name of the rules as people would write it: `no trump` for `NO_TRUMP`."""
    return NUMBERS.get(name, name.replace("_", " ").lower())


def with_article(noun: str) -> str:
    """Return a noun with its indefinite article: `an ace`, `a 7`."""
    return f"{'an' if _VOWEL.match(noun) else 'a'} {noun}"


def counted_cards(count: int) -> str:
    """Return a number of cards: `a card`, `3 cards`."""
    return "a card" if count == 1 else f"{count} cards"


class CardWords:
    """Names the cards of one program."""

    def __init__(self, program: Program, words: GameWords, namer: Namer) -> None:
        self._keys = telling_keys(program.cards)
        self._values = self._values_of(program.cards) | dict(words.cards)
        self._names: dict[int, str] = {}
        whole = dict(words.cards)
        for card in program.cards:
            self._names[card.id] = whole.get(namer.card(card)) or self._name(card)
        self._alike = Counter(self._names.values())

    def _values_of(self, cards: Iterable[Card]) -> dict[str, str]:
        """Return the words for all values of attributes."""
        found: dict[str, str] = {}
        by_key: dict[str, set[str]] = {}
        for card in cards:
            for key, value in card.attributes.items():
                by_key.setdefault(key, set()).add(value)
        for key, values in by_key.items():
            numbered = {value: _NUMBERED.fullmatch(value) for value in values}
            same = len({match[1] for match in numbered.values() if match}) == 1
            if same and all(numbered.values()):
                found |= {value: match[2] for value, match in numbered.items() if match}
            else:
                faces = _FACES if key == "RANK" else {}
                found |= {value: faces.get(value) or plain_word(value) for value in values}
        return found

    def _name(self, card: Card) -> str:
        attributes = card.attributes
        rank, suit = attributes.get("RANK"), attributes.get("SUIT")
        keys = [key for key in self._keys if key in attributes]
        if rank is not None and suit is not None and set(keys) <= {"RANK", "SUIT"}:
            return f"{self.value(rank)} of {self.value(suit)}"
        told = [attributes[key] for key in keys] or attributes.values()
        return " ".join(map(self.value, told)) or "card"

    def value(self, value: str) -> str:
        """Return the word for a value of an attribute."""
        return self._values.get(value) or plain_word(value)

    def knows(self, value: str) -> bool:
        """Return whether some card has a value."""
        return value in self._values

    def name(self, card: Card) -> str:
        """Return the name of a card, as `queen of spades`."""
        return self._names[card.id]

    def single(self, card: Card) -> str:
        """Return a card with its article: `the queen of spades`, or `an ace` among several."""
        name = self.name(card)
        return with_article(name) if self._alike[name] > 1 else f"the {name}"

    def counted(self, card: Card, number: int) -> str:
        """Return so many cards like one: `the queen of spades`, `an ace`, `two jokers`."""
        return self.single(card) if number == 1 else _times(number, self.name(card))

    def several(self, cards: Sequence[Card], unseen: int = 0) -> str:
        """Return cards as a list, with the number of those that are not seen."""
        if len(cards) + unseen == 1:
            return self.single(cards[0]) if cards else "a card"
        count = Counter(map(self.name, cards))
        names = [name if n == 1 else _times(n, name) for name, n in count.items()]
        if names and self._alike[names[0]] == 1:
            names[0] = f"the {names[0]}"
        return listed([*names, counted_cards(unseen)] if unseen else names)


def _times(number: int, name: str) -> str:
    """Return so many cards of one name: `two assassins`, `three 7s`, `two 7s of clubs`."""
    name, of, suit = name.partition(" of ")
    return f"{_COUNTS.get(number, number)} {plural(name)}{of}{suit}"

"""Names for people: of cards, places, players and values, as they are said at the table."""

from __future__ import annotations

import re
from collections import Counter
from copy import copy
from functools import cached_property
from typing import TYPE_CHECKING

from cardwright.game.wording.naming import NUMBERS, Namer, telling_keys
from cardwright.game.wording.phrases import (
    PLAYER,
    TO,
    WHOSE,
    GameWords,
    counted,
    counted_cards,
    listed,
    place_keys,
    plural,
    value_keys,
    with_article,
)
from cardwright.program.cards import OwnerId
from cardwright.program.known_values import HeardLabels

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import TypeAlias

    from cardwright.game.wording.phrases import Blank
    from cardwright.interpreter.world import Cell, World
    from cardwright.program.cards import Card, Location
    from cardwright.program.program import Program

    StoredValues: TypeAlias = Mapping[Cell, int | str]
    """Stored numbers and strings, which are all public, by their owners and names."""

_FACES = {"J": "jack", "Q": "queen", "K": "king", "A": "ace"}
_COUNTS = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight"}
_NUMBERED = re.compile(r"([A-Z])([0-9]+)")
"""A number as the name of a card, which may not begin with a digit in the rules."""

USUAL_PLACES = {
    "DISCARD": "discard pile",
    "TRICKSWON": "tricks",
    "TURNUP": "turned-up card",
}
"""The usual names of locations whose words in small letters would not do."""


def plain_word(name: str) -> str:
    """Return a name of the rules as people would write it: `no trump` for `NO_TRUMP`."""
    return NUMBERS.get(name, name.replace("_", " ").lower())


class CardWords:
    """Names the cards of one program: `queen of spades`, `7 of cups`, `red 8`."""

    def __init__(self, program: Program, words: GameWords) -> None:
        namer, own = Namer(program), dict(words.cards)
        keys = telling_keys(program.cards)
        self._values = _value_words(program.cards) | own
        self._names = {
            card.id: own.get(namer.card(card)) or self._name(card, keys) for card in program.cards
        }
        self._alike = Counter(self._names.values())

    def _name(self, card: Card, telling: Sequence[str]) -> str:
        attributes = card.attributes
        rank, suit = attributes.get("RANK"), attributes.get("SUIT")
        keys = [key for key in telling if key in attributes]
        if rank is not None and suit is not None and set(keys) <= {"RANK", "SUIT"}:
            return f"{self.value(rank)} of {self.value(suit)}"
        values = [attributes[key] for key in keys] or attributes.values()
        return " ".join(map(self.value, values)) or "card"

    def value(self, value: str) -> str:
        """Return the word for a value of an attribute, or for another string of the rules."""
        return self._values.get(value) or plain_word(value)

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


def _value_words(cards: Sequence[Card]) -> dict[str, str]:
    words: dict[str, str] = {}
    values_by_key: dict[str, set[str]] = {}
    for card in cards:
        for key, value in card.attributes.items():
            values_by_key.setdefault(key, set()).add(value)
    for key, values in values_by_key.items():
        numbered = [match for value in values if (match := _NUMBERED.fullmatch(value))]
        if len(numbered) == len(values) and len({match[1] for match in numbered}) == 1:
            words |= {match[0]: match[2] for match in numbered}
        else:
            faces = _FACES if key == "RANK" else {}
            words |= {value: faces.get(value) or plain_word(value) for value in values}
    return words


def _times(number: int, name: str) -> str:
    """Return so many cards of one name: `two assassins`, `three 7s`, `two 7s of clubs`."""
    name, of, suit = name.partition(" of ")
    return f"{_COUNTS.get(number, number)} {plural(name)}{of}{suit}"


class PeopleNamer(Namer):
    """Names what a program is about to people, with the words that the game's author gave.

    `names` are those of the players by seat. Where a method takes a seat, it is that of the reader,
    who is called `you`.
    """

    def __init__(
        self, program: Program, words: GameWords | None = None, names: Sequence[str] = ()
    ) -> None:
        super().__init__(program)
        self.program = program
        self.words = words or GameWords()
        self.names = tuple(names) or tuple(f"player {n + 1}" for n in range(program.players))
        self.cards = CardWords(program, self.words)
        self._texts = dict(self.words.texts)

    def named(self, names: Sequence[str]) -> PeopleNamer:
        """Return the same words with other names of players."""
        other = copy(self)
        other.names = tuple(names)
        return other

    @cached_property
    def heard(self) -> HeardLabels:
        """The values in labels of which everybody may hear."""
        return HeardLabels(self.program.labels, self.program.binders)

    # Cards and places ---------------------------------------------------------------------

    def card(self, card: Card) -> str:
        """Return a card's name, such as `queen of spades`."""
        return self.cards.name(card)

    def card_names(self, card: Card) -> tuple[str, ...]:
        """Return all whole names of a card that are understood: also that of the rules."""
        return self.card(card), super().card(card)

    def place(self, location: Location, seat: int | None = None) -> str:
        """Return a place's name, as `your hand`, `Ann's hand` or `discard pile`.

        A place that is never told has the empty name.
        """
        noun = self.noun(location)
        if location.owner == self.program.table or not noun:
            return noun
        return f"{self.whose(location.owner, seat)} {noun}"

    def the_place(self, location: Location, seat: int | None = None) -> str:
        """Return a place as it is said in a sentence, as `the discard pile`."""
        place = self.place(location, seat)
        numbered = place and place[-1].isdecimal()
        return f"the {place}" if location.owner == self.program.table and not numbered else place

    def noun(self, location: Location) -> str:
        """Return a place's name without its owner."""
        at = str(location.at) if location.at else ""
        phrase = self.words.find("places", self.place_keys(location))
        if phrase is None:
            noun = USUAL_PLACES.get(location.name) or plain_word(location.name)
        else:
            noun = phrase.fill(lambda _: at) or ""
            if phrase.blanks or not noun:
                return noun
        return f"{noun} {at}" if at else noun

    # Owners -------------------------------------------------------------------------------

    def who(self, owner: int, seat: int | None = None) -> str:
        """Return an owner's name: `you`, `Ann`, or `Ann and Cora`; nothing for the table."""
        members = self.program.members(OwnerId(owner))
        return listed(["you" if player == seat else self.names[player] for player in members])

    def whose(self, owner: int, seat: int | None = None) -> str:
        """Return an owner's name as of what it has: `your`, or `Ann's`; nothing for the table."""
        members = self.program.members(OwnerId(owner))
        if owner == seat or members == (seat,):
            return "your"
        if seat in members:
            return "your side's"
        who = self.who(owner, seat)
        return f"{who}'s" if who else ""

    def owner(self, owner: int, how: str, seat: int | None) -> str:
        """Return an owner's name as a phrase has it: `{to}` or `{to:whose}`."""
        return self.whose(owner, seat) if how == WHOSE else self.who(owner, seat)

    # Values -------------------------------------------------------------------------------

    def text(self, value: str) -> str:
        """Return the words for a string of the rules."""
        return self._texts[value] if value in self._texts else self.cards.value(value)

    def value(self, value: int | str, how: str = "", seat: int | None = None) -> str | None:
        """Return a stored value in words: a text, a number with its noun, or a player's name.

        A number that is no player's has no name: it is None.
        """
        if isinstance(value, str):
            return self.text(value)
        if how in {PLAYER, WHOSE}:
            player = value - self.program.base
            return self.owner(player, how, seat) if 0 <= player < self.program.players else None
        return counted(value, how) if how else str(value)

    def blank(self, blank: Blank, owner: int, stored: StoredValues, seat: int | None) -> str | None:
        """Return a stored value for a place in a phrase: of an owner, or else of the table."""
        for whose in (OwnerId(owner), self.program.table):
            value = stored.get((whose, blank.name))
            if value is not None:
                return self.value(value, blank.how, seat)
        return None

    # Keys in tables of words --------------------------------------------------------------

    def sort(self, owner: int) -> str:
        """Return the sort of an owner, as rules write it."""
        if owner < self.program.players:
            return "player"
        return "team" if owner < self.program.table else "game"

    def place_keys(self, location: Location) -> tuple[str, ...]:
        """Return the keys of a place, that with the sort of its owner first."""
        return place_keys(self.sort(location.owner), location.name)

    def move_keys(self, source: Location, target: Location) -> tuple[str, ...]:
        """Return the keys for cards that go from one place to another, from keys for both."""
        targets = self.place_keys(target)
        return *(f"{left}{TO}{to}" for to in targets for left in self.place_keys(source)), *targets

    def value_keys(self, owner: int, name: str, value: object) -> tuple[str, ...]:
        """Return the keys of a stored value, those that say more first."""
        return value_keys(self.sort(owner), name, value)


def stored_values(world: World) -> StoredValues:
    """Return all numbers and strings that are stored in a world."""
    return {**world.integers, **world.strings}


def worded_facts(
    stored: StoredValues, owner: int, namer: PeopleNamer, you: int | None
) -> tuple[str, ...]:
    """Return what is told of an owner, in the order in which the author has words for it.

    A value without words is not told. Words without a place for a value are told while it is
    neither 0 nor empty.
    """
    phrases = namer.words.phrases("facts")
    order = list(phrases)
    facts: list[tuple[int, str]] = []
    for (whose, name), value in stored.items():
        keys = namer.value_keys(owner, name, value) if whose == owner else ()
        key = next((key for key in keys if key in phrases), None)
        if key is None:
            continue
        phrase = phrases[key]

        def filled(blank: Blank, value: int | str = value) -> str | None:
            if not blank.name:
                return namer.value(value, blank.how, you)
            return namer.blank(blank, owner, stored, you)

        of_value = key in keys[:2]
        if (phrase.blanks or value or of_value) and (text := phrase.sentence(filled)):
            facts.append((order.index(key), text))
    return tuple(text for _, text in sorted(facts))


def stored_facts(stored: StoredValues, owner: int) -> tuple[str, ...]:
    """Return all that is stored of an owner, for authors of games without words: `bid: 3`."""
    return tuple(
        f"{plain_word(name)}: {plain_word(value) if isinstance(value, str) else value}"
        for (whose, name), value in stored.items()
        if whose == owner
    )

"""Names as the rules have them, and as people at a table read them: of cards, places and owners.

`Namer` is for programmers and authors: `5 of CLUBS`, `p2 iloc HAND`. `PeopleNamer` names the same
things as they are said at the table: `the 5 of clubs`, `Ann's hand`.
"""

from __future__ import annotations

import re
from collections import Counter
from copy import copy
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from cardwright.english import (
    YOU,
    SentenceSubject,
    counted,
    counted_or_a,
    listed,
    named,
    plural,
    with_article,
)
from cardwright.game.errors import LocationTextError
from cardwright.game.wording.phrases import (
    PLAYER,
    SIGN,
    TO,
    WHOSE,
    GameWords,
    place_keys,
    value_keys,
)
from cardwright.program import nodes as n
from cardwright.program.cards import Location, LocationKind, OwnerId
from cardwright.program.kinds import ValueKind
from cardwright.program.known_values import HeardLabels

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import TypeAlias

    from cardwright.game.wording.phrases import Blank
    from cardwright.interpreter.world import Cell, World
    from cardwright.program.cards import Card
    from cardwright.program.program import Program

    StoredValues: TypeAlias = Mapping[Cell, int | str]
    """Stored numbers and strings, which are all public, by their owners and names."""

_INDEX = re.compile(r"[0-9]{1,9}")
_NUMBERS = (
    "ONE", "TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE", "TEN", "ELEVEN",
    "TWELVE", "THIRTEEN", "FOURTEEN", "FIFTEEN", "SIXTEEN", "SEVENTEEN", "EIGHTEEN", "NINETEEN",
    "TWENTY",
)  # fmt: skip
NUMBERS = {word: str(number) for number, word in enumerate(_NUMBERS, 1)}
"""Numbers in names of the rules that are digits at the table, where people read words."""

DIGITS = {word: NUMBERS[word] for word in _NUMBERS[1:10]}
"""Those that are digits in the names of cards too."""


class Namer:
    """Names the cards and places of one program.

    A card is named by the attributes that identify it: one that follows from another, as the colour
    from the suit, is left out. `5 of CLUBS` is a card with a rank and a suit.
    """

    def __init__(self, program: Program) -> None:
        self._program = program
        self._keys = telling_keys(program.cards)
        self.wordings: dict[int, tuple[n.Choice, Any]] = {}
        """How options are put into words, by the identities of their choices."""

    def card(self, card: Card) -> str:
        """Return a card's name, such as `5 of CLUBS`."""
        attributes = card.attributes
        values = [attributes[key] for key in self._keys if key in attributes]
        rank = attributes.get("RANK")
        if rank is not None and "SUIT" in attributes and set(self._keys) <= {"RANK", "SUIT"}:
            return f"{DIGITS.get(rank, rank)} of {attributes['SUIT']}"
        return " ".join(DIGITS.get(value, value) for value in values or attributes.values())

    def card_names(self, card: Card) -> tuple[str, ...]:
        """Return all whole names of a card that are understood."""
        return (self.card(card),)

    def place(self, location: Location, seat: int | None = None) -> str:
        """Return a location's name; for a player at the table, as seen from its seat."""
        name = _numbered(location)
        if location.owner == self._program.table:
            return name
        if location.owner == seat:
            return f"your {name}"
        return f"{self._program.owner_name(location.owner)}'s {name}"

    def location(self, location: Location) -> str:
        """Return a location in full, as `p2 iloc HAND` or `game vloc PILE 3`."""
        owner = self._program.owner_name(location.owner)
        return f"{owner} {location.kind} {_numbered(location)}"

    def parse_location(self, text: str) -> Location:
        """Return the location of a text that `location` gave; raises LocationTextError."""
        words = text.split()
        owner, kind, name, at = (*words, "0")[:4] if len(words) in {3, 4} else ("",) * 4
        owners = {self._program.owner_name(OwnerId(n)): n for n in range(self._program.table + 1)}
        if owner not in owners or kind not in list(LocationKind) or not _INDEX.fullmatch(at):
            raise LocationTextError(
                f"{text!r} is not a location: write its owner ({', '.join(owners)}), kind "
                f"({', '.join(LocationKind)}) and name, like p1 iloc HAND"
            )
        return Location(OwnerId(owners[owner]), LocationKind(kind), name, int(at))


def _numbered(location: Location) -> str:
    return f"{location.name} {location.at}" if location.at else location.name


def telling_keys(cards: tuple[Card, ...]) -> tuple[str, ...]:
    """Return the attributes that identify cards, without those that follow from another."""
    values = [card.attributes for card in cards]
    kept = list(dict.fromkeys(key for attributes in values for key in attributes))
    for key in list(kept):
        if any(_follows(values, key, other) for other in kept if other != key):
            kept.remove(key)
    return tuple(kept)


def _follows(cards: list[Mapping[str, str]], key: str, other: str) -> bool:
    """Return whether a card's value of a key is decided by its value of another."""
    pairs = {(card.get(other), card.get(key)) for card in cards}
    without = {value for by, value in pairs if by is None}
    return len({by for by, _ in pairs}) == len(pairs) and without <= {None}


# The parts of a program -------------------------------------------------------------------

_SEEN_BY = {
    LocationKind.VISIBLE: "everybody",
    LocationKind.INVISIBLE: "its owner",
    LocationKind.HIDDEN: "nobody",
    LocationKind.OTHERS: "all but its owner",
    LocationKind.MEMORY: "everybody (remembered cards)",
}
_UNSEEN = {
    ("game", LocationKind.INVISIBLE),
    ("game", LocationKind.OTHERS),
    ("team", LocationKind.INVISIBLE),
}
"""Owners and kinds of locations whose cards nobody sees, since only a player looks at its own."""


class PlaceFacts(NamedTuple):
    """A named location, or one for each player or team: its owner, and who sees its cards."""

    owner: str
    kind: str
    name: str
    indexed: bool
    seen_by: str

    def __str__(self) -> str:
        name = f"{self.name} N" if self.indexed else self.name
        return f"{self.owner} {self.kind} {name}: seen by {self.seen_by}"


def places_of(program: Program) -> list[PlaceFacts]:
    """Return the locations that a program names, in order of first use, the table's first."""
    places: dict[PlaceFacts, None] = {}
    for node in program.nodes():
        if isinstance(node, n.Place):
            sorts = {ValueKind.PLAYER: "player", ValueKind.TEAM: "team"}
            owner = sorts.get(node.owner.kind, "game")
            name = node.name.value if isinstance(node.name, n.Text) else "(computed name)"
            seen = "nobody" if (owner, node.place) in _UNSEEN else _SEEN_BY[node.place]
            indexed = node.index is not None
            places[PlaceFacts(owner, node.place.value, name, indexed, seen)] = None
    return sorted(places, key=lambda place: place.owner != "game")


def attributes_of(cards: Iterable[Card]) -> dict[str, list[str]]:
    """Return the attributes of some cards and the values of each, in order of first use."""
    values: dict[str, dict[str, None]] = {}
    for card in cards:
        for key, value in card.attributes.items():
            values.setdefault(key, {})[value] = None
    return {key: list(known) for key, known in values.items()}


# At the table ----------------------------------------------------------------------------

_FACES = {"J": "jack", "Q": "queen", "K": "king", "A": "ace"}
SUIT_SIGNS = {"CLUBS": "♣", "DIAMONDS": "♦", "SPADES": "♠", "HEARTS": "♥"}
"""The usual signs of strings, unless the cards have other suits."""

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
        words = {key: self.value(value) for key, value in card.attributes.items()}
        keys = [key for key in telling if key in words]
        if {"RANK", "SUIT"} <= words.keys() and set(keys) <= {"RANK", "SUIT"}:
            return f"{words['RANK']} of {words['SUIT']}"
        return " ".join(words[key] for key in keys or words) or "card"

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
        return listed([*names, counted_or_a(unseen, "card")] if unseen else names)


def _value_words(cards: Sequence[Card]) -> dict[str, str]:
    words: dict[str, str] = {}
    for key, values in attributes_of(cards).items():
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
        suits = {card.attributes.get("SUIT") for card in program.cards} - {None}
        self._signs = (SUIT_SIGNS if suits <= SUIT_SIGNS.keys() else {}) | dict(self.words.signs)

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
        """Return a place's name, as `your hand` or `discard pile`; empty if it is never told."""
        noun = self.noun(location)
        whose = self.whose(location.owner, seat)
        return f"{whose} {noun}" if whose and noun else noun

    def the_place(self, location: Location, seat: int | None = None) -> str:
        """Return a place as it is said in a sentence, as `the discard pile`."""
        place = self.place(location, seat)
        numbered = place and place[-1].isdecimal()
        return f"the {place}" if location.owner == self.program.table and not numbered else place

    def noun(self, location: Location) -> str:
        """Return a place's name without its owner."""
        at = str(location.at) if location.at else ""
        phrase = self.words.find("places", self.place_keys(location))
        noun = USUAL_PLACES.get(location.name) or plain_word(location.name)
        if phrase is not None:
            noun = phrase.fill(lambda _: at) or ""
            at = "" if phrase.blanks or not noun else at
        return f"{noun} {at}" if at else noun

    # Owners -------------------------------------------------------------------------------

    def subject(self, owner: int, seat: int | None = None) -> SentenceSubject | None:
        """Return an owner by name: `you`, `Ann`, or `you and Cora`; None for the table."""
        members = self.program.members(OwnerId(owner))
        subjects = [YOU if player == seat else named(self.names[player]) for player in members]
        return SentenceSubject.several(subjects) if subjects else None

    def who(self, owner: int, seat: int | None = None) -> str:
        """Return an owner's name, or nothing for the table."""
        subject = self.subject(owner, seat)
        return "" if subject is None else subject.text

    def whose(self, owner: int, seat: int | None = None) -> str:
        """Return an owner's name as of what it has: `your`, or `Ann's`; nothing for the table."""
        members = self.program.members(OwnerId(owner))
        if seat in members:
            return "your" if len(members) == 1 else "your side's"
        who = self.who(owner, seat)
        return f"{who}'s" if who else ""

    def owner(self, owner: int, how: str, seat: int | None) -> str | SentenceSubject:
        """Return an owner's name as a phrase has it: `{to}` or `{to:whose}`."""
        return self.whose(owner, seat) if how == WHOSE else self.subject(owner, seat) or ""

    # Values -------------------------------------------------------------------------------

    def text(self, value: str) -> str:
        """Return the words for a string of the rules."""
        return self._texts[value] if value in self._texts else self.cards.value(value)

    def sign(self, value: str) -> str:
        """Return the sign of a string, or else its words."""
        return self._signs.get(value) or self.text(value)

    def value(
        self, value: int | str, how: str = "", seat: int | None = None
    ) -> str | SentenceSubject | None:
        """Return a text, a number with its noun, or a player's name; None for nobody's."""
        if isinstance(value, str):
            return self.sign(value) if how == SIGN else self.text(value)
        if how in {PLAYER, WHOSE}:
            player = value - self.program.base
            return self.owner(player, how, seat) if 0 <= player < self.program.players else None
        return counted(value, how) if how else str(value)

    def blank(
        self, blank: Blank, owner: int, stored: StoredValues, seat: int | None
    ) -> str | SentenceSubject | None:
        """Return a stored value for a place in a phrase: of an owner, or else of the table."""
        own = stored.get((OwnerId(owner), blank.name))
        value = stored.get((self.program.table, blank.name)) if own is None else own
        return None if value is None else self.value(value, blank.how, seat)

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


def named_values(program: Program, owner: OwnerId, stored: StoredValues) -> dict[str, int | str]:
    """Return what is stored under each name of the rules for an owner, or else for the table.

    What was never stored is 0, or empty.
    """
    found: dict[str, int | str] = {}
    for node in program.nodes():
        if (
            isinstance(node, n.Storage)
            and isinstance(node.name, n.Text)
            and node.storage is not n.StorageKind.POINTS
        ):
            name, empty = node.name.value, "" if node.storage is n.StorageKind.STRING else 0
            found[name] = stored.get((owner, name), stored.get((program.table, name), empty))
    return found

"""Names as the rules have them: of cards, places and owners.

`Namer` is for programmers and authors: `5 of CLUBS`, `p2 iloc HAND`. What people at a table read is
named by `PeopleNamer` (`people`).
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from cardwright.game.errors import LocationTextError
from cardwright.program import nodes as n
from cardwright.program.cards import Location, LocationKind, OwnerId
from cardwright.program.kinds import ValueKind

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cardwright.game.wording.mentions import Wording
    from cardwright.program.cards import Card
    from cardwright.program.program import Program

_NONE = ("", "", "", "")
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
        self._wordings: dict[int, tuple[n.Choice, Wording]] = {}

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

    def wording(self, choice: n.Choice) -> Wording:
        """Return how the options of a choice of the program are put into words."""
        from cardwright.game.wording.mentions import wording_of

        if id(choice) not in self._wordings:
            self._wordings[id(choice)] = choice, wording_of(choice)
        return self._wordings[id(choice)][1]

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
        owner, kind, name, at = (*text.split(), "0")[:4] if 3 <= len(text.split()) <= 4 else _NONE
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
    return _keys_of(tuple(tuple(card.attributes.items()) for card in cards))


@lru_cache(maxsize=64)
def _keys_of(cards: tuple[tuple[tuple[str, str], ...], ...]) -> tuple[str, ...]:
    keys = list(dict.fromkeys(key for card in cards for key, _ in card))
    kept = list(keys)
    values = list(map(dict, cards))
    for key in keys:
        if any(_follows(values, key, other) for other in kept if other != key):
            kept.remove(key)
    return tuple(kept)


def _follows(cards: list[dict[str, str]], key: str, other: str) -> bool:
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

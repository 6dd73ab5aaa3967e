"""Names for people: of cards, places and owners, and the wording of choices."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from cardwright.game.errors import LocationTextError
from cardwright.program.cards import Location, LocationKind, OwnerId

if TYPE_CHECKING:
    from cardwright.game.wording import Wording
    from cardwright.program import nodes as n
    from cardwright.program.cards import Card
    from cardwright.program.program import Program

_NONE = ("", "", "", "")
_INDEX = re.compile(r"[0-9]{1,9}")
DIGITS = {
    "TWO": "2",
    "THREE": "3",
    "FOUR": "4",
    "FIVE": "5",
    "SIX": "6",
    "SEVEN": "7",
    "EIGHT": "8",
    "NINE": "9",
    "TEN": "10",
}
"""Numbers in names of the rules that are digits in the names of cards."""

_MORE = (
    "ELEVEN", "TWELVE", "THIRTEEN", "FOURTEEN", "FIFTEEN", "SIXTEEN", "SEVENTEEN", "EIGHTEEN",
    "NINETEEN", "TWENTY",
)  # fmt: skip
NUMBERS = {**DIGITS, "ONE": "1", **{word: str(n) for n, word in enumerate(_MORE, 11)}}
"""Those that are digits at the table too, where people read words."""


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
        if not values:
            values = list(attributes.values())
        rank = attributes.get("RANK")
        if rank is not None and "SUIT" in attributes and set(self._keys) <= {"RANK", "SUIT"}:
            return f"{DIGITS.get(rank, rank)} of {attributes['SUIT']}"
        return " ".join(DIGITS.get(value, value) for value in values)

    def card_names(self, card: Card) -> tuple[str, ...]:
        """Return all whole names of a card that are understood."""
        return (self.card(card),)

    def wording(self, choice: n.Choice) -> Wording:
        """Return how the options of a choice of the program are put into words."""
        from cardwright.game.wording import wording_of  # the checker needs names, and no engine

        if id(choice) not in self._wordings:
            self._wordings[id(choice)] = choice, wording_of(choice)
        return self._wordings[id(choice)][1]

    def place(self, location: Location, seat: int | None = None) -> str:
        """Return a location's name; for a player at the table, as seen from its seat."""
        name = location.name + (f" {location.at}" if location.at else "")
        if location.owner == self._program.table:
            return name
        if location.owner == seat:
            return f"your {name}"
        return f"{self._program.owner_name(location.owner)}'s {name}"

    def location(self, location: Location) -> str:
        """Return a location in full, as `p2 iloc HAND` or `game vloc PILE 3`."""
        owner = self._program.owner_name(location.owner)
        return f"{owner} {location.kind} {location.name}{f' {location.at}' if location.at else ''}"

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


@lru_cache(maxsize=64)
def _keys_of(cards: tuple[tuple[tuple[str, str], ...], ...]) -> tuple[str, ...]:
    keys = list(dict.fromkeys(key for card in cards for key, _ in card))
    kept = list(keys)
    for key in keys:
        others = [other for other in kept if other != key]
        if any(_follows(cards, key, other) for other in others):
            kept.remove(key)
    return tuple(kept)


def _follows(cards: tuple[tuple[tuple[str, str], ...], ...], key: str, other: str) -> bool:
    """Return whether a card's value of a key is decided by its value of another."""
    seen: dict[str, str] = {}
    for card in cards:
        values = dict(card)
        if other not in values:
            if key in values:
                return False
            continue
        value = values.get(key, "")
        if seen.setdefault(values[other], value) != value:
            return False
    return True


def telling_keys(cards: tuple[Card, ...]) -> tuple[str, ...]:
    """Return the attributes that identify cards, without those that follow from another."""
    return _keys_of(tuple(tuple(card.attributes.items()) for card in cards))

"""Kinds of values, and the words for them."""

from __future__ import annotations

from enum import Flag, auto
from typing import TYPE_CHECKING

from cardwright.english import listed

if TYPE_CHECKING:
    from collections.abc import Iterable


class ValueKind(Flag):
    """What a form gives. A union of members says what a place accepts.

    The checker unites and intersects kinds tens of thousands of times for a game. `Flag` would make
    every outcome again; here it is looked up.
    """

    INTEGER = auto()
    STRING = auto()
    BOOLEAN = auto()
    CARD = auto()
    PLAYER = auto()
    TEAM = auto()
    TABLE = auto()
    POINTS = auto()
    LOCATION = auto()
    LOCATIONS = auto()
    PLAYERS = auto()
    TEAMS = auto()
    INTEGERS = auto()
    STRINGS = auto()
    INTEGER_STORAGE = auto()
    STRING_STORAGE = auto()
    CYCLE_WORD = auto()
    STEP = auto()
    ACTION = auto()
    CONDITIONAL = auto()
    ITEM = auto()
    AWARD = auto()
    WORTHS = auto()

    OWNER = TABLE | PLAYER | TEAM
    TARGET = PLAYER | CYCLE_WORD
    COLLECTION = LOCATION | LOCATIONS | PLAYERS | TEAMS | INTEGERS | STRINGS | TEAM
    VALUE = INTEGER | BOOLEAN | STRING | COLLECTION
    COMPARABLE = INTEGER | STRING | CARD | PLAYER | TEAM
    BODY = STEP | ACTION | CONDITIONAL
    BLOCK = ITEM | STEP
    CONTROL = BODY | BLOCK

    def __and__(self, other: ValueKind) -> ValueKind:
        return _kind(self._value_ & other._value_)

    def __or__(self, other: ValueKind) -> ValueKind:
        return _kind(self._value_ | other._value_)

    def __bool__(self) -> bool:
        return self._value_ != 0

    @property
    def known(self) -> bool:
        """Whether it is one of the kinds above, not several between which nothing has decided.

        `kind in ValueKind` says that up to Python 3.11, and is true of all kinds from 3.12 on.
        """
        return self._name_ in type(self).__members__


_SEEN: dict[int, ValueKind] = {}


def _kind(value: int) -> ValueKind:
    kind = _SEEN.get(value)
    if kind is None:
        kind = _SEEN[value] = ValueKind(value)
    return kind


def union(kinds: Iterable[ValueKind]) -> ValueKind:
    """Return what is of one of some kinds."""
    value = 0
    for kind in kinds:
        value |= kind._value_
    return _kind(value)


NO_KIND = ValueKind(0)
ANYTHING = ~NO_KIND

ITEM_KINDS = {
    ValueKind.LOCATION: ValueKind.CARD,
    ValueKind.LOCATIONS: ValueKind.LOCATION,
    ValueKind.PLAYERS: ValueKind.PLAYER,
    ValueKind.TEAM: ValueKind.PLAYER,
    ValueKind.TEAMS: ValueKind.TEAM,
    ValueKind.INTEGERS: ValueKind.INTEGER,
    ValueKind.STRINGS: ValueKind.STRING,
}
"""What a variable holds that iterates over a collection of each kind."""

_WORDS = {
    ValueKind.INTEGER: "an integer",
    ValueKind.STRING: "a string",
    ValueKind.BOOLEAN: "a condition",
    ValueKind.CARD: "a card",
    ValueKind.PLAYER: "a player",
    ValueKind.TEAM: "a team",
    ValueKind.TABLE: "the table (`game`)",
    ValueKind.POINTS: "a point map",
    ValueKind.LOCATION: "a location",
    ValueKind.LOCATIONS: "a set of locations",
    ValueKind.PLAYERS: "a list of players",
    ValueKind.TEAMS: "a list of teams",
    ValueKind.INTEGERS: "a range of integers",
    ValueKind.STRINGS: "a list of strings",
    ValueKind.INTEGER_STORAGE: "an integer storage",
    ValueKind.STRING_STORAGE: "a string storage",
    ValueKind.CYCLE_WORD: "one of the words current, next, previous",
    ValueKind.STEP: "a block",
    ValueKind.CONDITIONAL: "a conditional step",
    ValueKind.ACTION: "an action",
    ValueKind.ITEM: "a stage or a choice",
    ValueKind.AWARD: "an award",
    ValueKind.WORTHS: "a table of numbers",
}

_GROUPS = (
    (
        ValueKind.VALUE | ValueKind.CARD | ValueKind.PLAYER,
        "an integer, a condition, a string, a card, a player or a collection",
    ),
    (ValueKind.VALUE, "an integer, a condition, a string or a collection"),
    (ValueKind.COLLECTION, "a collection"),
    (ValueKind.COMPARABLE, "an integer, a string, a card, a player or a team"),
    (ValueKind.OWNER, "an owner (game, a player or a team)"),
    (ValueKind.BLOCK, "a stage, a choice, a do, an any, an all or a let"),
    (ValueKind.BODY, "a step"),
)


def in_words(kind: ValueKind) -> str:
    """Return the words for a kind, or for a union of kinds."""
    words = []
    rest = kind
    for group, text in _GROUPS:
        if rest & group == group:
            words.append(text)
            rest &= ~group
    if rest & ValueKind.INTEGER:
        rest &= ~ValueKind.INTEGER_STORAGE
    if rest & ValueKind.STRING:
        rest &= ~ValueKind.STRING_STORAGE
    words.extend(_WORDS[member] for member in rest)
    return listed(words, "or") or "nothing"

"""Kinds of value, and the words for them."""

from __future__ import annotations

from enum import Flag, auto


class Kind(Flag):
    """What a form gives. A union of members says what a place accepts."""

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

    OWNER = TABLE | PLAYER | TEAM
    TARGET = PLAYER | CYCLE_WORD
    COLLECTION = LOCATION | LOCATIONS | PLAYERS | TEAMS | INTEGERS | STRINGS | TEAM
    VALUE = INTEGER | BOOLEAN | STRING | COLLECTION
    COMPARABLE = INTEGER | STRING | CARD | PLAYER | TEAM
    BODY = STEP | ACTION | CONDITIONAL
    BLOCK = ITEM | STEP
    CONTROL = BODY | BLOCK


ANYTHING = ~Kind(0)

ITEM_KINDS = {
    Kind.LOCATION: Kind.CARD,
    Kind.LOCATIONS: Kind.LOCATION,
    Kind.PLAYERS: Kind.PLAYER,
    Kind.TEAM: Kind.PLAYER,
    Kind.TEAMS: Kind.TEAM,
    Kind.INTEGERS: Kind.INTEGER,
    Kind.STRINGS: Kind.STRING,
}
"""What a variable holds that runs over a collection of each kind."""

_WORDS = {
    Kind.INTEGER: "an integer",
    Kind.STRING: "a string",
    Kind.BOOLEAN: "a condition",
    Kind.CARD: "a card",
    Kind.PLAYER: "a player",
    Kind.TEAM: "a team",
    Kind.TABLE: "the table (`game`)",
    Kind.POINTS: "a point map",
    Kind.LOCATION: "a location",
    Kind.LOCATIONS: "a set of locations",
    Kind.PLAYERS: "a list of players",
    Kind.TEAMS: "a list of teams",
    Kind.INTEGERS: "a range of integers",
    Kind.STRINGS: "a list of strings",
    Kind.INTEGER_STORAGE: "an integer storage",
    Kind.STRING_STORAGE: "a string storage",
    Kind.CYCLE_WORD: "one of the words current, next, previous",
    Kind.STEP: "a block",
    Kind.CONDITIONAL: "a conditional step",
    Kind.ACTION: "an action",
    Kind.ITEM: "a stage or a choice",
    Kind.AWARD: "an award",
}

_GROUPS = (
    (Kind.VALUE, "an integer, a condition, a string or a collection"),
    (Kind.COLLECTION, "a collection"),
    (Kind.COMPARABLE, "an integer, a string, a card, a player or a team"),
    (Kind.OWNER, "an owner (game, a player or a team)"),
    (Kind.BLOCK, "a stage, a choice, a do, an any, an all or a let"),
    (Kind.BODY, "a step"),
)


def in_words(kind: Kind) -> str:
    """Return a kind, or a union of kinds, as people say it."""
    words = []
    rest = kind
    for group, text in _GROUPS:
        if rest & group == group:
            words.append(text)
            rest &= ~group
    if rest & Kind.INTEGER:
        rest &= ~Kind.INTEGER_STORAGE
    if rest & Kind.STRING:
        rest &= ~Kind.STRING_STORAGE
    words.extend(_WORDS[member] for member in rest)
    if len(words) < 2:
        return "".join(words) or "nothing"
    return ", ".join(words[:-1]) + " or " + words[-1]

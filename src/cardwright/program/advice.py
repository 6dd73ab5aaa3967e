"""Suggestions for a value of the wrong kind for its place."""

from __future__ import annotations

from cardwright.program.keys import STORED, second_word
from cardwright.program.kinds import ValueKind, in_words
from cardwright.program.show import shown
from cardwright.syntax.tree import Atom, AtomKind, Form, Syntax

_ADVICE = (
    (ValueKind.CARD, ValueKind.LOCATION, "name one card of the location: (top {0})"),
    (ValueKind.CARD, ValueKind.LOCATIONS, "name a location, then a card: (top (top {0}))"),
    (
        ValueKind.LOCATION,
        ValueKind.CARD,
        "a card is not a location; write the location itself, without top",
    ),
    (
        ValueKind.LOCATION,
        ValueKind.LOCATIONS,
        "join the locations with (union {0}), or take (top {0})",
    ),
    (ValueKind.INTEGER, ValueKind.COLLECTION, "count the items with (size {0})"),
    (ValueKind.STRING, ValueKind.CARD, "read an attribute of the card: (cardatt SUIT {0})"),
    (ValueKind.INTEGER, ValueKind.CARD, "score the card: (score {0} using (game points ...))"),
    (ValueKind.PLAYER, ValueKind.INTEGER, "a player is written ({0} player)"),
    (ValueKind.PLAYER, ValueKind.CARD, "the holder of a card is (owner {0})"),
    (
        ValueKind.PLAYER,
        ValueKind.PLAYERS,
        "one player is (current player), or a variable of all or any",
    ),
    (ValueKind.PLAYER, ValueKind.TEAM, "the members of a team are a collection: (all {0} 'P ...)"),
    (
        ValueKind.PLAYERS,
        ValueKind.PLAYER,
        "one player is not a collection; all players are written player",
    ),
    (ValueKind.TEAM, ValueKind.PLAYER, "the team of a player is (team {0})"),
    (ValueKind.BOOLEAN, ValueKind.INTEGER, "compare it with something: (== {0} ...)"),
    (ValueKind.BOOLEAN, ValueKind.STRING, "compare it with something: (== {0} ...)"),
    (ValueKind.LOCATIONS, ValueKind.LOCATION, "a set is made by all, partition, subsets or runs"),
    (ValueKind.INTEGER_STORAGE, ValueKind.OWNER, "a stored integer has a name: ({0} sto NAME)"),
    (ValueKind.STRING, ValueKind.INTEGER, "numbers are not names; ranks are spelt out: TWO, TEN"),
    (ValueKind.POINTS, ValueKind.INTEGER, "a point map is written (game points NAME)"),
)
"""What to do with a value of the second kind where one of the first is needed."""

_ADVICE_ON_NAMES = (
    (
        ValueKind.LOCATION | ValueKind.LOCATIONS,
        "a location has an owner and a kind: (game vloc {0})",
    ),
    (ValueKind.OWNER, "a variable has an apostrophe: '{0}"),
    (ValueKind.POINTS, "a point map has an owner: (game points {0})"),
    (
        ValueKind.INTEGER | ValueKind.INTEGER_STORAGE,
        "a stored integer has an owner: (game sto {0})",
    ),
    (ValueKind.CARD, "a card is named by its place: (top (game vloc {0}))"),
    (ValueKind.BOOLEAN, "compare it with something: (== {0} ...)"),
)
"""What to do with a bare name where something else is needed."""

_WORD_OF = (
    (ValueKind.INTEGER | ValueKind.INTEGER_STORAGE, "sto"),
    (ValueKind.STRING | ValueKind.STRING_STORAGE, "str"),
    (ValueKind.POINTS, "points"),
    (ValueKind.LOCATION, "vloc"),
)
"""The word of the storage or location that holds values of a kind."""


def advice_on_value(item: Syntax, found: ValueKind, expected: ValueKind) -> str:
    """Return what may have been meant by a value of a kind that is not allowed here."""
    if found & expected:
        return ""
    text = shown(item, 60)
    if expected & ValueKind.VALUE == ValueKind.VALUE:
        return f"such a value cannot be bound; write {text} where it is needed"
    if isinstance(item, Atom) and found is ValueKind.STRING and not text.startswith("'"):
        return advice_on_name(text, expected)
    if isinstance(item, Form) and second_word(item) in STORED:
        word = next((word for kind, word in _WORD_OF if kind & expected), "")
        if word and not found & ValueKind.LOCATION:
            meant = Form(
                (item.items[0], Atom(AtomKind.WORD, word, item.span), *item.items[2:]), item.span
            )
            return f"{in_words(expected)} has the word {word}: {shown(meant, 60)}"
    return next(
        (
            text.format(shown(item, 60))
            for wanted, given, text in _ADVICE
            if found & given and expected & wanted
        ),
        "",
    )


def advice_on_name(name: str, expected: ValueKind) -> str:
    """Return how a bare name could be written as something of an expected kind."""
    advice = next((text for kind, text in _ADVICE_ON_NAMES if kind & expected), "")
    return advice.format(name)


def advice_on_variable(name: str, expected: ValueKind) -> str:
    """Return what may have been meant by a variable that nothing binds."""
    if expected & ValueKind.STRING:
        return f"a name has no apostrophe: {name[1:]}"
    if expected & ValueKind.INTEGER_STORAGE:
        return f"what is set is stored: (game sto {name[1:]})"
    return ""

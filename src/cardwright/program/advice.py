"""What was probably meant by a value of a kind that cannot stand in its place."""

from __future__ import annotations

from cardwright.program.keys import STORED, second_word
from cardwright.program.kinds import Kind, in_words
from cardwright.program.show import shown
from cardwright.syntax.tree import Atom, AtomKind, Form, Syntax

_ADVICE = (
    (Kind.CARD, Kind.LOCATION, "name one card of the location: (top {0})"),
    (Kind.CARD, Kind.LOCATIONS, "name a location, then a card: (top (top {0}))"),
    (Kind.LOCATION, Kind.CARD, "a card is no location; write the location itself, without top"),
    (Kind.LOCATION, Kind.LOCATIONS, "join the locations with (union {0}), or take (top {0})"),
    (Kind.INTEGER, Kind.COLLECTION, "count the items with (size {0})"),
    (Kind.STRING, Kind.CARD, "read an attribute of the card: (cardatt SUIT {0})"),
    (Kind.INTEGER, Kind.CARD, "score the card: (score {0} using (game points ...))"),
    (Kind.PLAYER, Kind.INTEGER, "a player is written ({0} player)"),
    (Kind.PLAYER, Kind.CARD, "the holder of a card is (owner {0})"),
    (Kind.PLAYER, Kind.PLAYERS, "one player is (current player), or a variable of all or any"),
    (Kind.PLAYER, Kind.TEAM, "the members of a team are a collection: (all {0} 'P ...)"),
    (Kind.PLAYERS, Kind.PLAYER, "one player is no collection; all players are written player"),
    (Kind.TEAM, Kind.PLAYER, "the team of a player is (team {0})"),
    (Kind.BOOLEAN, Kind.INTEGER, "compare it with something: (== {0} ...)"),
    (Kind.BOOLEAN, Kind.STRING, "compare it with something: (== {0} ...)"),
    (Kind.LOCATIONS, Kind.LOCATION, "a set is made by all, partition, subsets or runs"),
    (Kind.INTEGER_STORAGE, Kind.OWNER, "a stored integer has a name: ({0} sto NAME)"),
    (Kind.STRING, Kind.INTEGER, "numbers are no names; ranks are spelt out: TWO, TEN"),
    (Kind.POINTS, Kind.INTEGER, "a point map is written (game points NAME)"),
)
"""What to do with a value of the second kind where one of the first is needed."""

_ADVICE_ON_NAMES = (
    (Kind.LOCATION | Kind.LOCATIONS, "a location has an owner and a kind: (game vloc {0})"),
    (Kind.OWNER, "a variable has an apostrophe: '{0}"),
    (Kind.POINTS, "a point map has an owner: (game points {0})"),
    (Kind.INTEGER | Kind.INTEGER_STORAGE, "a stored integer has an owner: (game sto {0})"),
    (Kind.CARD, "a card is named by its place: (top (game vloc {0}))"),
    (Kind.BOOLEAN, "compare it with something: (== {0} ...)"),
)
"""What to do with a mere name where something else is needed."""

_WORD_OF = (
    (Kind.INTEGER | Kind.INTEGER_STORAGE, "sto"),
    (Kind.STRING | Kind.STRING_STORAGE, "str"),
    (Kind.POINTS, "points"),
    (Kind.LOCATION, "vloc"),
)
"""The word of the storage or location that holds values of a kind."""


def advice_on_value(item: Syntax, found: Kind, expected: Kind) -> str:
    """Return what may have been meant by a value of a kind that cannot stand here."""
    if found & expected:
        return ""
    text = shown(item, 60)
    if expected & Kind.VALUE == Kind.VALUE:
        return f"such a value cannot be bound; write {text} where it is needed"
    if isinstance(item, Atom) and found is Kind.STRING and not text.startswith("'"):
        return advice_on_name(text, expected)
    if isinstance(item, Form) and second_word(item) in STORED:
        word = next((word for kind, word in _WORD_OF if kind & expected), "")
        if word and not found & Kind.LOCATION:
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


def advice_on_name(name: str, expected: Kind) -> str:
    """Return how a mere name could be written as something of an expected kind."""
    advice = next((text for kind, text in _ADVICE_ON_NAMES if kind & expected), "")
    return advice.format(name)


def advice_on_variable(name: str, expected: Kind) -> str:
    """Return what may have been meant by a variable that nothing binds."""
    if expected & Kind.STRING:
        return f"a name has no apostrophe: {name[1:]}"
    if expected & Kind.INTEGER_STORAGE:
        return f"what is set is stored: (game sto {name[1:]})"
    return ""

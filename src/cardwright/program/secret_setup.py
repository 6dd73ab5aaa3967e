"""The secrets of a program: what the set-up says of them, and the cards that they are made of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.program import nodes as n
from cardwright.program.decks import MAX_CARDS
from cardwright.program.expansions import as_integer
from cardwright.program.kinds import ValueKind
from cardwright.program.secrets import SECRETS, Secret
from cardwright.program.sections import well_formed
from cardwright.syntax.diagnostic import Code, Related
from cardwright.syntax.tree import Form, is_word

if TYPE_CHECKING:
    from cardwright.program.setup import ProgramSetup
    from cardwright.syntax.tree import Syntax

_COLLECTIONS = {"isto": ValueKind.INTEGERS, "istr": ValueKind.STRINGS}


def create_secret(setup: ProgramSetup, form: Form) -> None:
    """Read `(create secret (player isto NAME) VALUES)`: a deck for each player."""
    by = setup.by
    written = well_formed(by, form, "create secret")
    if written is None:
        return
    place, values = written.items[2:]
    assert isinstance(place, Form)
    word = next(word for word in SECRETS if is_word(place.items[1], word))
    name = _name(setup, place.items[2])
    if not is_word(place.items[0], "player"):
        by.report.add(
            Code.WRONG_KIND,
            place.items[0].span,
            "secrets are created for all players",
            expected=f"(create secret (player {word} NAME) ...)",
        )
        return
    possible = _values(setup, values, word)
    if name is None:
        return
    if not setup.players:
        return  # which is reported
    fresh = by.extensions.fresh
    found = Secret(
        name=name,
        word=word,
        values=possible or (),
        span=place.items[2].span,
        place=fresh.location(name),
        rest=fresh.name(f"{name}_CARDS"),
        key=fresh.name(f"{name}_VALUE"),
        points=fresh.name(f"{name}_POINTS"),
    )
    by.extensions.secrets[name] = found
    if possible is not None:
        _lay_out(setup, form, found)


def _name(setup: ProgramSetup, item: Syntax) -> str | None:
    node = setup.by.elaborate(item, ValueKind.STRING)
    name = None if isinstance(node, n.Bad) else setup.constant(node)
    if not isinstance(name, str):
        return None
    before = setup.by.extensions.secrets.get(name)
    if before is None:
        return name
    setup.by.report.add(
        Code.DOUBLED_DEFINITION,
        item.span,
        f"the secret {name} is created a second time",
        help="give it a name of its own",
        related=(Related(before.span, "the first one"),),
    )
    return None


def _values(setup: ProgramSetup, item: Syntax, word: str) -> tuple[str, ...] | range | None:
    """Return the possible values of a secret, if they are fit for that."""
    node = setup.by.elaborate(item, _COLLECTIONS[word])
    values = None if isinstance(node, n.Bad) else setup.constant(node)
    if not isinstance(values, tuple | range):
        return None
    count = values.stop - values.start if isinstance(values, range) else len(values)
    if not 1 <= count <= MAX_CARDS:
        setup.by.report.add(
            Code.DECK_SIZE,
            item.span,
            "this secret has no possible value" if count < 1 else f"{count:,} values are too many",
            expected=f"at most {MAX_CARDS:,} cards in a game: for each player one of each value",
        )
        return None
    twice = [one for at, one in enumerate(values) if isinstance(one, str) and one in values[:at]]
    if twice:
        setup.by.report.add(
            Code.DOUBLED_DEFINITION,
            item.span,
            f"{twice[0]} is twice among the values of a secret",
            help="write each value once",
        )
        return None
    return values


def _lay_out(setup: ProgramSetup, form: Form, found: Secret) -> None:
    """Make the cards of a secret, and the points of those that are integers."""
    extensions = setup.by.extensions
    names = [one if isinstance(one, str) else _card(one) for one in found.values]
    decks = []
    for number in setup.numbers:
        back = extensions.fresh.name(f"{found.name}_{number}")
        text = (
            f"(create deck {back} (({number} player) iloc {found.rest}) "
            f"(deck ({found.key} ({' , '.join(names)}))))"
        )
        deck = extensions.form(form.span, text)
        assert isinstance(deck, Form)
        setup.deck(deck, 1)
        decks.append(deck)
    pattern = "INTEGERS" if found.word == "isto" else "STRINGS"
    extensions.add(f"(create secret (player {found.word} STRING) {pattern})", form, decks)
    if isinstance(found.values, range):
        awards = " ".join(
            f"(({found.key} : {name}) {as_integer(value)})"
            for name, value in zip(names, found.values, strict=True)
        )
        block = extensions.form(form.span, f"(do ((set (game points {found.points}) ({awards}))))")
        extensions.opening.append(block)
        setup.opening.append(setup.by.elaborate(block, ValueKind.BLOCK))


def _card(value: int) -> str:
    """Return the name of a card that stands for an integer."""
    return f"N{value}" if value >= 0 else f"MINUS_{-value}"

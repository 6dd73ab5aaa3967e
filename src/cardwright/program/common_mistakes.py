"""Mistakes obvious at sight: each gives one message, and the form is read as it was meant."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright.program.advice import KEPT_KINDS, named_elsewhere, word_elsewhere
from cardwright.program.foreign import FOREIGN
from cardwright.program.forms import BY_KEY, HEADS, SECOND_WORDS, UNSUPPORTED
from cardwright.program.keys import BARE, STORED, is_owner, key_of, second_word
from cardwright.program.kinds import ValueKind
from cardwright.program.show import shown
from cardwright.syntax.diagnostic import Code
from cardwright.syntax.suggest import near
from cardwright.syntax.tree import Atom, AtomKind, Form, Syntax, is_atom, is_word

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.syntax.source import Source, Span


@dataclass(frozen=True, slots=True)
class CommonMistake:
    """A slip of the pen, such as a typo: what was meant, and what to report.

    A `guess` is not sure enough to be relied on: errors that follow from it alone are not reported.
    """

    meant: Syntax
    code: Code
    span: Span
    message: str
    expected: str = ""
    help: str = ""
    guess: bool = False


def first_mistake(form: Form, expected: ValueKind, source: Source) -> CommonMistake | None:
    """Return the first common mistake in a form of a source, if there is one."""
    if not form.items:
        return None
    found = _no_storage_word(form, expected, source)
    return found or next(filter(None, (find(form, expected) for find in _MISTAKES)), None)


def word(text: str, place: Syntax) -> Atom:
    """Return a word in the place of something else."""
    return Atom(AtomKind.WORD, text, place.span)


def _doubled(form: Form, _expected: ValueKind) -> CommonMistake | None:
    """`(choice choice (...))`: the first word is doubled."""
    if len(form.items) < 3:
        return None
    first, second = form.items[:2]
    if not isinstance(first, Atom) or not isinstance(second, Atom) or first.text != second.text:
        return None
    if first.kind is AtomKind.NAME:
        return None
    return CommonMistake(
        Form(form.items[1:], form.span),
        Code.WRONG_SHAPE,
        second.span,
        f"{shown(second)} is written twice",
    )


def _capitals(form: Form, _expected: ValueKind) -> CommonMistake | None:
    """`(MOVE ...)`: the words of the language are in small letters."""
    head = form.items[0]
    if not is_atom(head, AtomKind.NAME) or second_word(form) or len(form.items) < 2:
        return None
    assert isinstance(head, Atom)
    lower = head.text.lower()
    if lower not in BY_KEY or is_word(form.items[1], ","):
        return None
    return CommonMistake(
        Form((word(lower, head), *form.items[1:]), form.span),
        Code.UNKNOWN_FORM,
        head.span,
        f"{head.text} is a name, not a word of the language",
        help=f"words of the language are in small letters: {lower}",
    )


def _misspelt(form: Form, expected: ValueKind) -> CommonMistake | None:
    """`(mvoe ...)`: a word near to one that gives what is expected, or very near to another."""
    head = form.items[0]
    if not is_atom(head, AtomKind.WORD) or key_of(form) in BY_KEY:
        return None
    assert isinstance(head, Atom)
    if head.text in HEADS | FOREIGN.keys() | UNSUPPORTED.keys() | {"deck"}:
        return None
    words = [key for key in BY_KEY if key.isalpha()]
    likely = [key for key in words if any(shape.result & expected for shape in BY_KEY[key])]
    meant = near(head.text, likely) or near(head.text, words, 0.75)
    if meant is None:
        return None
    return CommonMistake(
        Form((word(meant, head), *form.items[1:]), form.span),
        Code.UNKNOWN_FORM,
        head.span,
        f"there is no form `{head.text}`",
        help=f"did you mean {meant}? {BY_KEY[meant][0].pattern}",
        guess=True,
    )


def _small_names(form: Form, _expected: ValueKind) -> CommonMistake | None:
    """`(hearts, clubs)`: names are in capitals."""
    if len(form.items) < 2 or not is_word(form.items[1], ","):
        return None
    if not is_atom(form.items[0], AtomKind.WORD):
        return None
    items = tuple(
        Atom(AtomKind.NAME, item.text.upper(), item.span)
        if isinstance(item, Atom) and item.kind is AtomKind.WORD
        else item
        for item in form.items
    )
    meant = Form(items, form.span)
    return CommonMistake(
        meant,
        Code.WRONG_SHAPE,
        form.items[0].span,
        "names are written in capitals",
        help=f"did you mean {shown(meant)}?",
    )


def _digits(form: Form, expected: ValueKind) -> CommonMistake | None:
    """`(1, 2, 3)`: names are in capitals."""
    if len(form.items) < 3 or not expected & ValueKind.STRINGS:
        return None
    values, commas = form.items[::2], form.items[1::2]
    listed = all(is_word(mark, ",") for mark in commas)
    if not listed or not all(isinstance(value, Atom) for value in values):
        return None
    digits = [value for value in values if is_atom(value, AtomKind.INTEGER)]
    if not digits or not is_atom(values[0], AtomKind.INTEGER):
        return None
    meant = Form(tuple(map(named_number, form.items)), form.span)
    return CommonMistake(
        meant,
        Code.WRONG_KIND,
        digits[0].span,
        f"{shown(digits[0])} is not a name, and such a list has only names",
        expected="a name in capitals, such as HEARTS",
        help=f"values are names: {shown(meant)[1:-1]}",
    )


def named_number(item: Syntax) -> Syntax:
    """Return a number as a name, spelt out if it is small; anything else itself."""
    if not is_atom(item, AtomKind.INTEGER):
        return item
    assert isinstance(item, Atom)
    number = int(item.text[:3])
    text = NUMBERS[number] if number < len(NUMBERS) else f"N{item.text}"
    return Atom(AtomKind.NAME, text, item.span)


NUMBERS = (
    "ZERO", "ONE", "TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE", "TEN", "ELEVEN",
    "TWELVE", "THIRTEEN", "FOURTEEN", "FIFTEEN",
)  # fmt: skip
"""The names of small numbers."""


def _storage_word(form: Form, expected: ValueKind) -> CommonMistake | None:
    """`(game vlco X)`: a misspelt word between an owner and a name, or after a number."""
    if len(form.items) < 2 or not is_atom(form.items[1], AtomKind.WORD) or second_word(form):
        return None
    head, second = form.items[:2]
    assert isinstance(second, Atom)
    if isinstance(head, Atom) and head.kind is AtomKind.WORD and head.text != "game":
        return None
    known = STORED if is_owner(head) and len(form.items) > 2 else SECOND_WORDS
    likely = [text for text in known if any(s.result & expected for s in BY_KEY[f"_ {text}"])]
    meant = near(second.text, likely) or near(second.text, known)
    if meant is None:
        return None
    return CommonMistake(
        Form((head, word(meant, second), *form.items[2:]), form.span),
        Code.UNKNOWN_FORM,
        second.span,
        f"there is no kind of storage or location `{second.text}`"
        if meant in STORED
        else f"`{second.text}` is neither a player nor a team",
        help=f"did you mean {meant}?",
        guess=True,
    )


def _no_storage_word(form: Form, expected: ValueKind, source: Source) -> CommonMistake | None:
    """`(game HAND)`: the word between an owner and a name is missing."""
    if len(form.items) not in {2, 3} or not is_owner(form.items[0]):
        return None
    owner, name = form.items[:2]
    if not is_atom(name, AtomKind.NAME):
        return None
    places = named_elsewhere(source, shown(name))
    known = word_elsewhere(places, expected) or word_elsewhere(places, ~ValueKind(0))
    missing = known or next(text for kind, text in _WORD_FOR if kind & expected)
    meant = Form((owner, word(missing, name), *form.items[1:]), form.span)
    return CommonMistake(
        meant,
        Code.WRONG_SHAPE,
        form.span,
        f"a word is missing between {shown(owner)} and {shown(name)}, to say what this is",
        expected="(OWNER sto NAME), (OWNER str NAME), (OWNER points NAME), or a location: "
        "(OWNER vloc NAME), with vloc, iloc, hloc, oloc or mem",
        help=f"{'write' if known else 'for example'} {shown(meant)}",
        guess=known is not None and not KEPT_KINDS[known] & expected,
    )


_WORD_FOR = (
    (ValueKind.LOCATION | ValueKind.LOCATIONS | ValueKind.CARD, "vloc"),
    (ValueKind.INTEGER | ValueKind.INTEGER_STORAGE, "sto"),
    (ValueKind.POINTS, "points"),
    (ValueKind.STRING | ValueKind.STRING_STORAGE, "str"),
    (~ValueKind(0), "vloc"),
)
"""The word to suggest between an owner and a name, by the expected kind."""


def _no_owner(form: Form, _expected: ValueKind) -> CommonMistake | None:
    """`(iloc STOCK)`: the owner is missing."""
    head = form.items[0]
    if not isinstance(head, Atom) or head.text not in STORED or len(form.items) < 2:
        return None
    meant = Form((word("game", head), *form.items), form.span)
    return CommonMistake(
        meant,
        Code.WRONG_SHAPE,
        form.span,
        f"{shown(form)} does not say whose it is",
        expected=f"(OWNER {head.text} NAME), with game, a player or a team as the owner",
        help=f"for example {shown(meant)}",
    )


def _infix(form: Form, _expected: ValueKind) -> CommonMistake | None:
    """`((game sto X) == 3)`: operators come first."""
    if len(form.items) != 3 or is_atom(form.items[0], AtomKind.OPERATOR):
        return None
    left, operator, right = form.items
    if not is_atom(operator, AtomKind.OPERATOR) or is_word(left, "subsets"):
        return None
    meant = Form((operator, left, right), form.span)
    return CommonMistake(
        meant,
        Code.WRONG_SHAPE,
        operator.span,
        f"the operator {shown(operator)} stands before its operands, not between them",
        help=f"write {shown(meant)}",
    )


def _turned(form: Form, _expected: ValueKind) -> CommonMistake | None:
    """`(player 2)`: the number of a player or team comes first."""
    head, *rest = form.items
    if len(rest) != 1 or not (is_word(head, "player") or is_word(head, "team")):
        return None
    number = rest[0]
    if is_word(head, "team") and not is_atom(number, AtomKind.INTEGER):
        return None
    if isinstance(number, Atom):
        fits = number.kind in {AtomKind.INTEGER, AtomKind.VARIABLE}
    else:
        fits = any(shape.result & ValueKind.INTEGER for shape in BY_KEY.get(key_of(number), ()))
    if not fits:
        return None
    meant = Form((number, head), form.span)
    return CommonMistake(
        meant,
        Code.WRONG_SHAPE,
        form.span,
        f"the number comes before the word {shown(head)}",
        expected=f"(INTEGER {shown(head)})",
        help=f"write {shown(meant)}",
    )


def _extra_bracket(form: Form, expected: ValueKind) -> CommonMistake | None:
    """`((shuffle ...))`: one bracket too many around what is expected."""
    inner = form.items[0]
    if len(form.items) != 1 or not isinstance(inner, Form) or expected & ValueKind.CARD:
        return None
    key = key_of(inner)
    if key == "_" or not any(shape.result & expected for shape in BY_KEY.get(key, ())):
        return None
    return CommonMistake(
        inner,
        Code.WRONG_SHAPE,
        form.span,
        f"there is a bracket too many around {shown(inner)}",
        help="one bracket is enough",
    )


def _bracketed_word(form: Form, expected: ValueKind) -> CommonMistake | None:
    """`(player)`: some words are written without brackets."""
    head = form.items[0]
    if len(form.items) != 1 or not isinstance(head, Atom) or head.kind is not AtomKind.WORD:
        return None
    meant = near(head.text, BARE)
    if meant is None or not expected & BARE[meant]:
        return None
    return CommonMistake(
        word(meant, head),
        Code.WRONG_SHAPE,
        form.span,
        f"`{meant}` is written without brackets",
        help=f"write {meant}",
    )


_MISTAKES: tuple[Callable[[Form, ValueKind], CommonMistake | None], ...] = (
    _bracketed_word,
    _doubled,
    _capitals,
    _small_names,
    _digits,
    _infix,
    _storage_word,
    _no_owner,
    _turned,
    _misspelt,
    _extra_bracket,
)

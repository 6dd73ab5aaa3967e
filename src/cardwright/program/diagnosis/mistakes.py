"""Mistakes obvious at sight: each gives one message, and the form is read as it was meant."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright.english import listed
from cardwright.program.diagnosis.suggestions import (
    FOREIGN,
    KEPT_KINDS,
    named_elsewhere,
    word_elsewhere,
)
from cardwright.program.fitting import BARE, STORED, is_owner, key_of, second_word
from cardwright.program.forms import BY_KEY, HEADS, SECOND_WORDS, UNSUPPORTED
from cardwright.program.kinds import ValueKind
from cardwright.program.shapes import shown
from cardwright.syntax.diagnostic import Code
from cardwright.syntax.suggest import near
from cardwright.syntax.tree import Atom, AtomKind, Form, Syntax, is_atom, is_word

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cardwright.program.forms import FormShape
    from cardwright.syntax.source import Source, Span


@dataclass(frozen=True, slots=True)
class CommonMistake:
    """A slip of the pen, such as a typo: what was meant, and what to report.

    A `guess` is not sure enough to be relied on: errors that follow from it alone are not reported.
    """

    meant: Syntax
    span: Span
    message: str
    expected: str = ""
    help: str = ""
    code: Code = Code.WRONG_SHAPE
    guess: bool = False


def first_mistake(form: Form, expected: ValueKind, source: Source) -> CommonMistake | None:
    """Return the first common mistake in a form of a source, if there is one."""
    if not form.items:
        return None
    mistake = _no_storage_word(form, expected, source)
    if mistake is not None:
        return mistake
    for find in _MISTAKES:
        mistake = find(form, expected)
        if mistake is not None:
            return mistake
    return None


def patterns(shapes: Sequence[FormShape]) -> str:
    """Return the patterns of some shapes, as an author would write them."""
    return listed(list(dict.fromkeys(shape.pattern for shape in shapes))[:3], "or")


def word(text: str, place: Syntax) -> Atom:
    """Return a word in the place of something else."""
    return Atom(AtomKind.WORD, text, place.span)


def _words(form: Form, expected: ValueKind) -> CommonMistake | None:
    """A word in brackets of its own, written twice or in capitals, or a name in small letters."""
    match form.items:
        case (Atom(kind=AtomKind.WORD) as head,):  # (player)
            meant = near(head.text, BARE)
            if meant is not None and expected & BARE[meant]:
                message, advice = f"`{meant}` is written without brackets", f"write {meant}"
                return CommonMistake(word(meant, head), form.span, message, help=advice)
        case (Atom() as first, Atom() as second, _, *_) if (
            first.text == second.text and first.kind is not AtomKind.NAME
        ):  # (choice choice (...))
            message = f"{second.text} is written twice"
            return CommonMistake(form.replaced(0, 1), second.span, message)
        case (Atom(kind=AtomKind.NAME) as head, second, *_) if (
            head.text.lower() in BY_KEY and not is_word(second, ",") and not second_word(form)
        ):  # (MOVE ...)
            lower = head.text.lower()
            return CommonMistake(
                form.replaced(0, 1, word(lower, head)),
                head.span,
                f"{head.text} is a name, not a word of the language",
                help=f"words of the language are in small letters: {lower}",
                code=Code.UNKNOWN_FORM,
            )
        case (Atom(kind=AtomKind.WORD) as first, Atom(text=","), *_):  # (hearts, clubs)
            listed = Form(tuple(map(_in_capitals, form.items)), form.span)
            advice = f"did you mean {shown(listed)}?"
            return CommonMistake(listed, first.span, "names are written in capitals", help=advice)
    return None


def _in_capitals(item: Syntax) -> Syntax:
    if not is_atom(item, AtomKind.WORD):
        return item
    return Atom(AtomKind.NAME, item.text.upper(), item.span)


def _misspelt(form: Form, expected: ValueKind) -> CommonMistake | None:
    """`(mvoe ...)`: a word near to one that gives what is expected, or very near to another."""
    head = form.items[0]
    if not is_atom(head, AtomKind.WORD) or key_of(form) in BY_KEY:
        return None
    if head.text in HEADS | FOREIGN.keys() | UNSUPPORTED.keys() | {"deck"}:
        return None
    words = [key for key in BY_KEY if key.isalpha()]
    likely = [key for key in words if any(shape.result & expected for shape in BY_KEY[key])]
    meant = near(head.text, likely) or near(head.text, words, 0.75)
    if meant is None:
        return None
    return CommonMistake(
        form.replaced(0, 1, word(meant, head)),
        head.span,
        f"there is no form `{head.text}`",
        help=f"did you mean {meant}? {BY_KEY[meant][0].pattern}",
        code=Code.UNKNOWN_FORM,
        guess=True,
    )


def _digits(form: Form, expected: ValueKind) -> CommonMistake | None:
    """`(1, 2, 3)`: names are in capitals."""
    if len(form.items) < 3 or not expected & ValueKind.STRINGS:
        return None
    values, commas = form.items[::2], form.items[1::2]
    if not all(is_word(mark, ",") for mark in commas) or any(isinstance(v, Form) for v in values):
        return None
    first = values[0]
    if not is_atom(first, AtomKind.INTEGER):
        return None
    meant = Form(tuple(map(named_number, form.items)), form.span)
    return CommonMistake(
        meant,
        first.span,
        f"{shown(first)} is not a name, and such a list has only names",
        expected="a name in capitals, such as HEARTS",
        help=f"values are names: {shown(meant)[1:-1]}",
        code=Code.WRONG_KIND,
    )


def named_number(item: Syntax) -> Syntax:
    """Return a number as a name, spelt out if it is small; anything else itself."""
    if not is_atom(item, AtomKind.INTEGER):
        return item
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
    if len(form.items) < 2 or second_word(form):
        return None
    head, second = form.items[:2]
    if not is_atom(second, AtomKind.WORD) or (is_atom(head, AtomKind.WORD) and head.text != "game"):
        return None
    known = STORED if is_owner(head) and len(form.items) > 2 else SECOND_WORDS
    likely = [text for text in known if any(s.result & expected for s in BY_KEY[f"_ {text}"])]
    meant = near(second.text, likely) or near(second.text, known)
    if meant is None:
        return None
    return CommonMistake(
        form.replaced(1, 2, word(meant, second)),
        second.span,
        f"there is no kind of storage or location `{second.text}`"
        if meant in STORED
        else f"`{second.text}` is neither a player nor a team",
        help=f"did you mean {meant}?",
        code=Code.UNKNOWN_FORM,
        guess=True,
    )


def _no_storage_word(form: Form, expected: ValueKind, source: Source) -> CommonMistake | None:
    """`(game HAND)`: the word between an owner and a name is missing."""
    if len(form.items) not in {2, 3} or not is_owner(form.items[0]):
        return None
    owner, name = form.items[:2]
    if not is_atom(name, AtomKind.NAME):
        return None
    places = named_elsewhere(source, name.text)
    known = word_elsewhere(places, expected) or word_elsewhere(places, ~ValueKind(0))
    missing = known or next(text for kind, text in _WORD_FOR if kind & expected)
    meant = form.replaced(1, 1, word(missing, name))
    return CommonMistake(
        meant,
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
    match form.items:
        case (Atom() as head, _, *_) if head.text in STORED:
            meant = form.replaced(0, 0, word("game", head))
            return CommonMistake(
                meant,
                form.span,
                f"{shown(form)} does not say whose it is",
                expected=f"(OWNER {head.text} NAME), with game, a player or a team as the owner",
                help=f"for example {shown(meant)}",
            )
    return None


def _infix(form: Form, _expected: ValueKind) -> CommonMistake | None:
    """`((game sto X) == 3)`: operators come first."""
    match form.items:
        case (Atom(kind=AtomKind.OPERATOR) | Atom(text="subsets"), *_):
            return None
        case (left, Atom(kind=AtomKind.OPERATOR) as operator, right):
            meant = Form((operator, left, right), form.span)
            message = f"the operator {operator.text} stands before its operands, not between them"
            return CommonMistake(meant, operator.span, message, help=f"write {shown(meant)}")
    return None


def _turned(form: Form, _expected: ValueKind) -> CommonMistake | None:
    """`(player 2)`: the number of a player or team comes first."""
    match form.items:
        case (Atom(text="player" | "team") as head, number) if is_atom(
            number, AtomKind.INTEGER
        ) or (head.text == "player" and (is_atom(number, AtomKind.VARIABLE) or _counts(number))):
            meant = Form((number, head), form.span)
            message = f"the number comes before the word {head.text}"
            expected, advice = f"(INTEGER {head.text})", f"write {shown(meant)}"
            return CommonMistake(meant, form.span, message, expected, advice)
    return None


def _counts(item: Syntax) -> bool:
    shapes = BY_KEY.get(key_of(item), ()) if isinstance(item, Form) else ()
    return any(shape.result & ValueKind.INTEGER for shape in shapes)


def _extra_bracket(form: Form, expected: ValueKind) -> CommonMistake | None:
    """`((shuffle ...))`: one bracket too many around what is expected."""
    match form.items:
        case (Form() as inner,) if not expected & ValueKind.CARD:
            shapes = BY_KEY.get(key_of(inner), ())
            if key_of(inner) != "_" and any(shape.result & expected for shape in shapes):
                message = f"there is a bracket too many around {shown(inner)}"
                return CommonMistake(inner, form.span, message, help="one bracket is enough")
    return None


_MISTAKES: tuple[Callable[[Form, ValueKind], CommonMistake | None], ...] = (
    _words,
    _digits,
    _infix,
    _storage_word,
    _no_owner,
    _turned,
    _misspelt,
    _extra_bracket,
)

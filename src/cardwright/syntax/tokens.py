"""Characters to tokens.

Text that is not part of the language is reported. Where it is obvious what was meant, it is passed
on as that, so that one typo gives one message.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from cardwright.syntax.diagnostic import Code, Diagnostics, Edit, rewritten
from cardwright.syntax.source import Span
from cardwright.syntax.tree import Atom, AtomKind, Comment

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cardwright.syntax.source import Source

_DOUBLE = '"\u201c\u201d\u201e'
_SINGLE = "`\u2018\u2019\u201a\u201b\u00b4\u2032"

_TOKEN = re.compile(
    rf"""
    [ \t\r\n\f\v]*+
  (?:
    (?P<comment>;;[^\n]*)
  | (?P<bracket>[()\[\]{{}}])
  | (?P<fraction>[0-9]+\.[0-9]+(?![.0-9]))
  | (?P<foreign>'?[A-Za-z0-9_]*[^\W\x00-\x7f]\w*)
  | (?P<hyphen>'?[A-Z][A-Za-z0-9_]*(?:-[A-Za-z0-9_]+)+)
  | (?P<digit>[0-9]+[A-Z][A-Za-z0-9_]*)
  | (?P<variable>'[A-Z][A-Za-z0-9_]*)
  | (?P<name>[A-Z][A-Za-z0-9_]*)
  | (?P<small>[a-z][A-Za-z0-9]*_\w*)
  | (?P<word>[a-z]+)
  | (?P<integer>[0-9]+)
  | (?P<mark>=>|=<|<>|===|&&|\|\|)
  | (?P<operator>==|!=|<=|>=|<|>|\+|-|\*|//|%|\^)
  | (?P<punctuation>\.\.|,|:)
  | (?P<tick>'[A-Za-z0-9_]*)
  | (?P<quoted>[{_DOUBLE}][^()\n{_DOUBLE}]*[{_DOUBLE}])
  | (?P<curly>[{_DOUBLE}{_SINGLE}][A-Za-z0-9_]*[{_SINGLE}]?)
  | (?P<semicolon>;[^\n]*)
  | (?P<end>\Z)
  | (?P<bad>.)
  )
    """,
    re.VERBOSE | re.DOTALL,
)

_KINDS = {
    "variable": AtomKind.VARIABLE,
    "name": AtomKind.NAME,
    "word": AtomKind.WORD,
    "integer": AtomKind.INTEGER,
    "operator": AtomKind.OPERATOR,
    "punctuation": AtomKind.PUNCTUATION,
}

_MEANT = {
    "=": "==",
    "===": "==",
    "≠": "!=",
    "!": "!=",
    "<>": "!=",
    "=<": "<=",
    "≤": "<=",
    "=>": ">=",
    "≥": ">=",
    "/": "//",
    "÷": "//",
    "×": "*",
    "−": "-",
    "–": "-",
    ".": "..",
    "…": "..",
    "&&": "and",
    "||": "or",
}
"""Operators and dots of other languages, and how RECYCLE writes them."""

_PURPOSE = {
    "..": "a range, as in 1 .. 4,",
    "and": "a test of both conditions",
    "or": "a test of either condition",
    "==": "equality",
    "!=": "inequality",
    "<=": "at most",
    ">=": "at least",
    "//": "division",
    "*": "multiplication",
    "-": "subtraction",
}

_MEANT_KINDS = {"..": AtomKind.PUNCTUATION, "and": AtomKind.WORD, "or": AtomKind.WORD}

_ADVICE = {
    "#": "a comment starts with two semicolons: ;;",
}

_ACROSS = 24
"""Longest piece of unreadable text that is shown, in characters."""

Bracket = tuple[str, int]
"""An opening or closing bracket and its offset."""


def tokens(
    source: Source, report: Diagnostics, start: int = 0
) -> Iterator[Atom | Comment | Bracket]:
    """Yield atoms, comments and brackets in order; unreadable text is reported and yielded too.

    Square and curly brackets are yielded as they are: whether they match is the reader's business.
    """
    for match in _TOKEN.finditer(source.text, start):
        group = match.lastgroup
        assert group is not None
        if group == "end":
            return
        text = match[group]
        if group == "bracket":
            yield text, match.end() - 1
            continue
        span = Span(*match.span(group))
        if group in _KINDS:
            yield Atom(_KINDS[group], text, span)
        elif group == "comment":
            yield Comment(text.rstrip(), span)
        else:
            yield _misread(group, text, span, report)


def _misread(group: str, text: str, span: Span, report: Diagnostics) -> Atom:
    """Say what is wrong with unreadable text; return what was meant, or a bad atom."""
    if text in _MEANT:
        typo = _sign(text)
    elif group in _READ:
        typo = _READ[group](text)
    else:
        typo = _Typo("is not part of the language", _ADVICE.get(text, ""))
    edits = rewritten(span, typo.meant or None)
    if group == "semicolon":
        edits = (Edit(Span(span.start, span.start), ";"),)
    report.add(
        Code.BAD_CHARACTER,
        span,
        f"{_shown(text)} {typo.problem}",
        help=typo.advice,
        edits=edits,
    )
    return Atom(typo.kind, typo.meant or text, span)


class _Typo(NamedTuple):
    """What is wrong with unreadable text, what to do, and what it was meant to be."""

    problem: str
    advice: str = ""
    kind: AtomKind = AtomKind.BAD
    meant: str = ""


def _sign(text: str) -> _Typo:
    meant = _MEANT[text]
    kind = _MEANT_KINDS.get(meant, AtomKind.OPERATOR)
    advice = f"{_PURPOSE[meant]} is written {meant}"
    return _Typo("is not part of the language", advice, kind, meant)


def _fraction(_text: str) -> _Typo:
    return _Typo("is not a whole number")


def _digit(_text: str) -> _Typo:
    advice = "names start with a capital letter; ranks are spelt out: TWO, TEN"
    return _Typo("starts with a digit", advice, AtomKind.NAME)


def _foreign(_text: str) -> _Typo:
    advice = "names and variables have the letters A to Z, digits and _"
    return _Typo("has letters beyond A to Z", advice)


def _hyphen(text: str) -> _Typo:
    meant = text.replace("-", "_").upper()
    kind = AtomKind.VARIABLE if text.startswith("'") else AtomKind.NAME
    return _Typo("has a hyphen", f"names have letters, digits and _: {meant}", kind, meant)


def _small(text: str) -> _Typo:
    meant = text.upper()
    advice = f"names are written in capitals: {meant}"
    return _Typo("has small letters", advice, AtomKind.NAME, meant)


def _semicolon(_text: str) -> _Typo:
    return _Typo("starts with one semicolon", "a comment starts with two semicolons: ;;")


def _tick(text: str) -> _Typo:
    """Return what an apostrophe without a proper name after it means."""
    if len(text) > 1 and text[1].isalpha():
        meant = text.upper()
        advice = f"a variable is written {meant}"
        return _Typo("does not start with a capital letter", advice, AtomKind.VARIABLE, meant)
    return _Typo("is an apostrophe without a name", "a variable is an apostrophe and a name: 'CARD")


def _quoted(text: str) -> _Typo:
    """Return what text with another sort of quotation mark means: a variable, or a name."""
    problem = "is not part of the language"
    word = text.strip(_DOUBLE + _SINGLE).strip()
    if not word.isidentifier() or word.startswith("_"):
        if text[0] in _SINGLE:
            return _Typo(problem, "a variable starts with a straight apostrophe: 'CARD")
        advice = "names are written without quotation marks, with letters A to Z, digits and _"
        return _Typo(problem, advice)
    name = word.upper()
    if text[0] in _DOUBLE or text[-1] in _SINGLE:
        advice = f"names are written without quotation marks: {name}"
        return _Typo(problem, advice, AtomKind.NAME, name)
    advice = f"a variable starts with a straight apostrophe: '{name}"
    return _Typo(problem, advice, AtomKind.VARIABLE, f"'{name}")


_READ: dict[str, Callable[[str], _Typo]] = {
    "fraction": _fraction,
    "digit": _digit,
    "foreign": _foreign,
    "hyphen": _hyphen,
    "small": _small,
    "semicolon": _semicolon,
    "tick": _tick,
    "quoted": _quoted,
    "curly": _quoted,
}
"""How the groups of unreadable text are understood."""


def _shown(text: str) -> str:
    """Return unreadable text in a form that can be printed and is not too long."""
    text = text.rstrip()
    shown = text if text.isprintable() else ascii(text)[1:-1]
    return f"`{shown if len(shown) <= _ACROSS else shown[: _ACROSS - 1] + '…'}`"

"""Characters to tokens."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cardwright.syntax.diagnostic import Code, Diagnostics
from cardwright.syntax.source import Span
from cardwright.syntax.tree import Atom, AtomKind, Comment

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.syntax.source import Source

_TOKEN = re.compile(
    r"""
    (?P<space>[ \t\r\n\f\v]+)
  | (?P<comment>;;[^\n]*)
  | (?P<bracket>[()])
  | (?P<variable>'[A-Z][A-Za-z0-9_]*)
  | (?P<name>[A-Z][A-Za-z0-9_]*)
  | (?P<word>[a-z]+)
  | (?P<integer>[0-9]+)
  | (?P<operator>==|!=|<=|>=|<|>|\+|-|\*|//|%|\^)
  | (?P<punctuation>\.\.|,|:)
  | (?P<bad>'[A-Za-z0-9_]*|;[^\n]*|[^\s()'A-Za-z0-9;<>+\-*%^,:]+|.)
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
    "bad": AtomKind.BAD,
}

Bracket = tuple[str, int]
"""An opening or closing bracket and its offset."""


def tokens(source: Source, report: Diagnostics) -> Iterator[Atom | Comment | Bracket]:
    """Yield atoms, comments and brackets in order; unreadable text is reported and yielded too."""
    for match in _TOKEN.finditer(source.text):
        group = match.lastgroup
        if group == "space":
            continue
        if group == "bracket":
            yield match.group(), match.start()
            continue
        span = Span(match.start(), match.end())
        if group == "comment":
            yield Comment(match.group().rstrip(), span)
            continue
        if group == "bad":
            _report_bad(match.group(), span, report)
        yield Atom(_KINDS[str(group)], match.group(), span)


def _report_bad(text: str, span: Span, report: Diagnostics) -> None:
    """Say what is wrong with unreadable text, and what was probably meant."""
    if text.startswith("'"):
        advice = "a variable is an apostrophe and a name that starts with a capital letter: 'CARD"
        if len(text) > 1 and text[1].isalpha():
            advice += f"; did you mean '{text[1:].upper()}?"
    elif text.startswith(";"):
        advice = "a comment starts with two semicolons: ;;"
    elif text == "=":
        advice = "equality is written =="
    elif text in {"/", "÷"}:
        advice = "division is written //"
    elif text in {"!", "≠"}:
        advice = "inequality is written !="
    elif text in {"\u2018", "\u2019", "`", '"', "\u201c", "\u201d"}:
        advice = "a variable starts with a straight apostrophe ', and text has no quotation marks"
    elif text in {"[", "]", "{", "}"}:
        advice = "RECYCLE has round brackets only"
    elif text == ".":
        advice = "a range is written with two dots: 1 .. 4"
    else:
        advice = ""
    shown = text if len(text) <= 20 else text[:20] + "…"
    report.add(Code.BAD_CHARACTER, span, f"{shown!r} is not part of the language", help=advice)

"""Tokens to forms: the reader, and its diagnostics about brackets.

It never recurses, so no nesting of brackets can exhaust the stack, and it never fails on an unknown
word: words are the checker's business.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from cardwright.syntax.diagnostic import Code, Diagnostics, Edit, Related, rewritten
from cardwright.syntax.source import Source, Span
from cardwright.syntax.tree import Atom, AtomKind, Comment, Form, Syntax

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

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
    other: (meant, purpose)
    for meant, purpose, others in (
        ("==", "equality", "= ==="),
        ("!=", "inequality", "≠ ! <>"),
        ("<=", "at most", "=< ≤"),
        (">=", "at least", "=> ≥"),
        ("//", "division", "/ ÷"),
        ("*", "multiplication", "×"),
        ("-", "subtraction", "− –"),
        ("..", "a range, as in 1 .. 4,", ". …"),
        ("and", "a test of both conditions", "&&"),
        ("or", "a test of either condition", "||"),
    )
    for other in others.split()
}
"""Operators and dots of other languages: how RECYCLE writes them, and what for."""

_ACROSS = 24
"""Longest piece of unreadable text that is shown, in characters."""


class Bracket(NamedTuple):
    """An opening or closing bracket and its offset."""

    text: str
    offset: int

    @property
    def span(self) -> Span:
        """Where it stands."""
        return Span(self.offset, self.offset + 1)

    @property
    def opens(self) -> bool:
        """Whether it is an opening one."""
        return self.text in _CLOSING

    @property
    def round(self) -> str:
        """The round bracket that is meant."""
        return "(" if self.opens else ")"


_CLOSING = {"(": ")", "[": "]", "{": "}"}


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
            yield Bracket(text, match.end() - 1)
            continue
        span = Span(*match.span(group))
        if group in _KINDS:
            yield Atom(_KINDS[group], text, span)
        elif group == "comment":
            yield Comment(text.rstrip(), span)
        else:
            yield _misread(group, text, span, report)


class _Typo(NamedTuple):
    """What is wrong with unreadable text, what to do, and what it was meant to be."""

    problem: str = "is not part of the language"
    advice: str = ""
    kind: AtomKind = AtomKind.BAD
    meant: str = ""


def _misread(group: str, text: str, span: Span, report: Diagnostics) -> Atom:
    typo = _typo(group, text)
    edits = rewritten(span, typo.meant or None)
    if group == "semicolon":
        edits = (Edit(Span(span.start, span.start), ";"),)
    message = f"{_shown(text)} {typo.problem}"
    report.add(Code.BAD_CHARACTER, span, message, help=typo.advice, edits=edits)
    return Atom(typo.kind, typo.meant or text, span)


def _typo(group: str, text: str) -> _Typo:
    if text in _MEANT:
        meant, purpose = _MEANT[text]
        kind = AtomKind.PUNCTUATION if meant == ".." else AtomKind.OPERATOR
        kind = AtomKind.WORD if meant.isalpha() else kind
        return _Typo(advice=f"{purpose} is written {meant}", kind=kind, meant=meant)
    capitals = text.upper()
    match group:
        case "fraction":
            return _Typo("is not a whole number")
        case "digit":
            advice = "names start with a capital letter; ranks are spelt out: TWO, TEN"
            return _Typo("starts with a digit", advice, AtomKind.NAME)
        case "foreign":
            advice = "names and variables have the letters A to Z, digits and _"
            return _Typo("has letters beyond A to Z", advice)
        case "hyphen":
            meant = capitals.replace("-", "_")
            kind = AtomKind.VARIABLE if text.startswith("'") else AtomKind.NAME
            return _Typo("has a hyphen", f"names have letters, digits and _: {meant}", kind, meant)
        case "small":
            advice = f"names are written in capitals: {capitals}"
            return _Typo("has small letters", advice, AtomKind.NAME, capitals)
        case "tick" if text[1:2].isalpha():
            problem = "does not start with a capital letter"
            return _Typo(problem, f"a variable is written {capitals}", AtomKind.VARIABLE, capitals)
        case "tick":
            advice = "a variable is an apostrophe and a name: 'CARD"
            return _Typo("is an apostrophe without a name", advice)
        case "quoted" | "curly":
            return _quoted(text)
        case "semicolon":
            return _Typo("starts with one semicolon", _COMMENT)
    return _Typo(advice=_COMMENT if text == "#" else "")


_COMMENT = "a comment starts with two semicolons: ;;"


def _quoted(text: str) -> _Typo:
    """Return what text with another sort of quotation mark means: a variable, or a name."""
    name = text.strip(_DOUBLE + _SINGLE).strip().upper()
    if not name.isidentifier() or name.startswith("_"):
        if text[0] in _SINGLE:
            return _Typo(advice="a variable starts with a straight apostrophe: 'CARD")
        advice = "names are written without quotation marks, with letters A to Z, digits and _"
        return _Typo(advice=advice)
    if text[0] in _DOUBLE or text[-1] in _SINGLE:
        advice = f"names are written without quotation marks: {name}"
        return _Typo(advice=advice, kind=AtomKind.NAME, meant=name)
    advice = f"a variable starts with a straight apostrophe: '{name}"
    return _Typo(advice=advice, kind=AtomKind.VARIABLE, meant=f"'{name}")


def _shown(text: str) -> str:
    text = text.rstrip()
    shown = text if text.isprintable() else ascii(text)[1:-1]
    return f"`{shown if len(shown) <= _ACROSS else shown[: _ACROSS - 1] + '…'}`"


MAX_DEPTH = 150
"""Deepest nesting of brackets that is read. Real programs stay below 30."""

_BEFORE = re.compile(r"(?:[ \t\r\n\f\v]|;;[^\n]*)*+(?P<other>[^ \t\r\n\f\v(\[{][^\s()]*)?")
"""What may come before a program, and anything else that is found there."""

GAME = re.compile(r"^[ \t]*(?P<game>\(\s*game\b)(?=\s*(?:[();]|\Z))", re.MULTILINE)
"""The beginning of a game on a line of its own."""

_SECTION = re.compile(r"\((?:declare|setup|scoring)\b")
"""The sections of a game. Each belongs directly in the outermost bracket, so one that is deeper
shows that a bracket before it is still open.
"""


@dataclass(frozen=True)
class ReadText:
    """What was read: the program's form, if its brackets are sound, and all comments.

    `rest` is the span of the text after the program, if there is any beside white space and
    comments. `early` is the form that seems to be closed too early, if there is one, with the
    offset of a form that seems to belong in it.
    """

    form: Form | None
    comments: tuple[Comment, ...]
    rest: Span | None = None
    early: tuple[Form, int] | None = None


@dataclass
class _Open:
    bracket: str
    offset: int
    column: int
    """Its column if it starts a line, else 0."""
    items: list[Syntax] = field(default_factory=list)


def read(source: Source, report: Diagnostics) -> ReadText:
    """Read the first form of a source; errors in its brackets go to the report."""
    return _Reader(source, report).read()


class _Reader:
    def __init__(self, source: Source, report: Diagnostics) -> None:
        self.source = source
        self.report = report
        self.stack: list[_Open] = []
        self.comments: list[Comment] = []
        self.program: Form | None = None
        self.blamed: tuple[_Open, int] | None = None
        self.early: tuple[Form, int] | None = None
        self.odd_bracket = False
        self.last_line = 0

    def read(self) -> ReadText:
        begin = 0
        start = _BEFORE.match(self.source.text)
        if start and start["other"]:
            self._report_no_game(Span(*start.span("other")))
            game = GAME.search(self.source.text, start.start("other"))
            if game is None:
                return ReadText(None, ())
            begin = game.start("game")
        for token in tokens(self.source, self.report, begin):
            if isinstance(token, Comment):
                self.comments.append(token)
            elif isinstance(token, Atom):
                self.stack[-1].items.append(token)
            elif token.opens:
                self._open(*token)
                if len(self.stack) > MAX_DEPTH:
                    self._report_depth(token.span)
                    return ReadText(None, tuple(self.comments))
            else:
                self._close(*token)
                if self.program is not None:
                    break
        return self._finish()

    def _open(self, bracket: str, offset: int) -> None:
        if bracket != "(":
            self._report_bracket(bracket, offset)
        line = self.source.line_at(offset)
        column = 0
        if line != self.last_line and self._starts_line(offset):
            column = offset - self.source.start_of(line) + 1
            if self.blamed is None:
                self._suspect(offset, column)
            if self.early is None:
                self._suspect_early(offset, column)
        self.last_line = line
        deep = self.blamed is None and len(self.stack) > 1
        if deep and _SECTION.match(self.source.text, offset):
            self.blamed = (self.stack[-1], offset)
        self.stack.append(_Open(bracket, offset, column))

    def _suspect(self, offset: int, column: int) -> None:
        """Remember the first bracket that a later line's indentation shows to be still open.

        A line that starts no further right than an open bracket's own line of forms belongs beside
        it, not inside it. The outermost bracket is never suspected: many files do not indent.
        """
        for bracket in self.stack[1:]:
            if column <= bracket.column and bracket.column > 1:
                self.blamed = (bracket, offset)
                return

    def _suspect_early(self, offset: int, column: int) -> None:
        """Remember the first form that a later line's indentation shows to be closed too early.

        A line belongs in the form before it if it starts further right than that form, or just
        below the last form in it.
        """
        before = self.stack[-1].items[-1] if self.stack and self.stack[-1].items else None
        if not isinstance(before, Form):
            return
        inner = before.items[-1] if before.items else None
        deeper = self._starts_line(before.span.start) and column > self._column(before)
        if isinstance(inner, Form) and self._starts_line(inner.span.start):
            deeper |= column == self._column(inner)
        if deeper:
            self.early = (before, offset)

    def _column(self, item: Syntax) -> int:
        return self.source.position(item.span.start).column

    def _starts_line(self, offset: int) -> bool:
        line = self.source.text.rfind("\n", 0, offset) + 1
        return not self.source.text[line:offset].strip()

    def _close(self, bracket: str, offset: int) -> None:
        opened = self.stack.pop()
        if bracket != ")" and opened.bracket == "(":
            self._report_bracket(bracket, offset)
        form = Form(tuple(opened.items), Span(opened.offset, offset + 1))
        if self.stack:
            self.stack[-1].items.append(form)
        else:
            self.program = form

    def _rest(self, start: int) -> Span | None:
        """Return the span of the text after the program, which is not checked."""
        rest: Span | None = None
        for token in tokens(self.source, Diagnostics(self.source), start):
            if isinstance(token, Comment):
                self.comments.append(token)
                continue
            rest = rest.to(token.span) if rest else token.span
        return rest

    def _goes_on(self, program: Form, rest: Span) -> bool:
        forms = [item for item in program.items if isinstance(item, Form)]
        inside = any(form.starts_with("scoring") for form in forms)
        return not inside and "(scoring" in self.source.at(rest)

    def _finish(self) -> ReadText:
        if self.stack:
            self._report_unclosed()
            return ReadText(None, tuple(self.comments))
        rest = self._rest(self.program.span.end) if self.program else None
        comments = tuple(self.comments)
        if self.program and rest and self._goes_on(self.program, rest):
            for _ in tokens(self.source, self.report, rest.start):
                pass  # what is wrong with them is reported
            report_early(self.report, self.program, rest, self.early)
            return ReadText(None, comments)
        if self.program is None:
            message = "there is no program in this file"
            expected = "a game, (game (setup ...) ... (scoring ...))"
            self.report.add(Code.EMPTY_FILE, Span(0, 0), message, expected=expected)
        return ReadText(self.program, comments, rest, self.early)

    def _report_unclosed(self) -> None:
        blamed = self.stack[-1]
        related: tuple[Related, ...] = ()
        if self.blamed is not None:
            blamed, beside = self.blamed
            told = "this form seems to stand beside it, not in it"
            related = (Related(Span(beside, beside + 1), told),)
        missing = len(self.stack)
        self.report.add(
            Code.UNCLOSED,
            Span(blamed.offset, blamed.offset + 1),
            f"the bracket of {named(blamed.items)} is never closed",
            help=f"{missing} closing bracket{'s are' if missing > 1 else ' is'} missing",
            related=related,
        )

    def _report_bracket(self, bracket: str, offset: int) -> None:
        """Report the first bracket that is not a round one."""
        if not self.odd_bracket:
            message = f"`{bracket}` is not part of the language"
            advice = "RECYCLE has round brackets only; write ( and ) throughout"
            edits, span = tuple(self._round_brackets()), Span(offset, offset + 1)
            self.report.add(Code.BAD_CHARACTER, span, message, help=advice, edits=edits)
        self.odd_bracket = True

    def _as_comments(self, start: int) -> Iterator[Edit]:
        game = GAME.search(self.source.text, start)
        end = game.start() if game else 0
        for number in range(self.source.position(start).line, self.source.position(end).line):
            line = self.source.line(number)
            if line.strip() and not line.lstrip().startswith(";;"):
                before = self.source.start_of(number)
                yield Edit(Span(before, before), ";; ")

    def _round_brackets(self) -> Iterator[Edit]:
        for token in tokens(self.source, Diagnostics(self.source)):
            if isinstance(token, Bracket) and token.text not in "()":
                yield Edit(token.span, token.round)

    def _report_depth(self, span: Span) -> None:
        message = f"brackets are nested more than {MAX_DEPTH} deep here"
        advice = "real games stay below 30; is a closing bracket missing somewhere above?"
        self.report.add(Code.TOO_DEEP, span, message, help=advice)

    def _report_no_game(self, span: Span) -> None:
        message = "a program starts with an opening bracket"
        advice = "text that is not part of the game belongs in comments: ;; ..."
        edits = tuple(self._as_comments(span.start))
        if self.source.at(span)[:1] in set(_CLOSING.values()):
            message, advice, edits = "a closing bracket before anything was opened", "", ()
        expected = "a game, (game ...)"
        self.report.add(Code.NO_GAME, span, message, expected=expected, help=advice, edits=edits)


def named(items: Sequence[Syntax], otherwise: str = "this form") -> str:
    """Return what to call a form: its first words, or else the other name."""
    words = []
    for item in items[:2]:
        if not isinstance(item, Atom):
            break
        words.append(item.text)
    return f"`({' '.join(words)}`" if words else otherwise


def report_early(
    report: Diagnostics, program: Form, rest: Span, early: tuple[Form, int] | None
) -> None:
    """Report that a closing bracket ends a program before its end."""
    source = report.source
    closed, beyond = early or (program, rest.start)
    at = closed.span.end - 1
    name = named(closed.items, f"the bracket of line {source.line_at(closed.span.start)}")
    end = source.position(program.span.end - 1)
    report.add(
        Code.CLOSED_EARLY,
        Span(at, at + 1),
        f"there is a closing bracket too many: this one closes {name}, and the game goes on",
        help=""
        if closed is program
        else f"with it the whole game ends early, at line {end.line}, column {end.column}",
        related=(Related(Span(beyond, beyond + 1), f"this form seems to belong in {name}"),),
    )

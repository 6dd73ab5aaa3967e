"""Tokens to forms: the reader, and its diagnostics about brackets.

It never recurses, so no nesting of brackets can exhaust the stack, and it never fails on an unknown
word: words are the checker's business.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cardwright.syntax.diagnostic import Code, Diagnostics, Edit, Related
from cardwright.syntax.source import Source, Span
from cardwright.syntax.tokens import tokens
from cardwright.syntax.tree import Atom, Comment, Form, Syntax

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MAX_DEPTH = 150
"""Deepest nesting of brackets that is read. Real programs stay below 30."""

_CLOSING = {"(": ")", "[": "]", "{": "}"}

_BEFORE = re.compile(r"(?:[ \t\r\n\f\v]|;;[^\n]*)*+(?P<other>[^ \t\r\n\f\v(\[{][^\s()]*)?")
"""What may come before a program, and anything else that is found there."""

UNNAMED = "this form"
"""What to call a form that does not begin with a word."""

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
    """A bracket not yet closed."""

    bracket: str
    offset: int
    column: int
    """Its column if it starts a line; else nobody asks."""
    starts_line: bool
    items: list[Syntax] = field(default_factory=list)


def read(source: Source, report: Diagnostics) -> ReadText:
    """Read the first form of a source; errors in its brackets go to the report."""
    reader = _Reader(source, report)
    return reader.read()


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
            elif token[0] in _CLOSING:
                self._open(*token)
                if len(self.stack) > MAX_DEPTH:
                    self._report_depth(token[1])
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
        starts_line = line != self.last_line and self._starts_line(offset)
        self.last_line = line
        column = 0
        if starts_line:
            column = offset - self.source.start_of(line) + 1
            if self.blamed is None:
                self._suspect(offset, column)
            if self.early is None:
                self._suspect_early(offset, column)
        if self.blamed is None and len(self.stack) > 1 and self._opens_section(offset):
            self.blamed = (self.stack[-1], offset)
        self.stack.append(_Open(bracket, offset, column, starts_line))

    def _suspect(self, offset: int, column: int) -> None:
        """Remember the first bracket that a later line's indentation shows to be still open.

        A line that starts no further right than an open bracket's own line of forms belongs beside
        it, not inside it. The outermost bracket is never suspected: many files do not indent.
        """
        for bracket in self.stack[1:]:
            if column <= bracket.column and bracket.column > 1 and bracket.starts_line:
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
        deeper = column > self._column_of_line(before, column)
        if deeper or (isinstance(inner, Form) and column == self._column_of_line(inner, 0)):
            self.early = (before, offset)

    def _column_of_line(self, form: Form, otherwise: int) -> int:
        """Return the column of a form that starts a line, or the other number if it does not."""
        start = form.span.start
        return self.source.position(start).column if self._starts_line(start) else otherwise

    def _starts_line(self, offset: int) -> bool:
        line = self.source.text.rfind("\n", 0, offset) + 1
        return not self.source.text[line:offset].strip()

    def _opens_section(self, offset: int) -> bool:
        return bool(_SECTION.match(self.source.text, offset))

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
            span = token.span if isinstance(token, Atom) else Span(token[1], token[1] + 1)
            rest = rest.to(span) if rest else span
        return rest

    def _goes_on(self, program: Form, rest: Span) -> bool:
        """Return whether the text after the program has the scoring that the program lacks."""
        inside = any(
            isinstance(item, Form) and item.starts_with("scoring") for item in program.items
        )
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
            self.report.add(
                Code.EMPTY_FILE,
                Span(0, 0),
                "there is no program in this file",
                expected="a game, (game (setup ...) ... (scoring ...))",
            )
        return ReadText(self.program, comments, rest, self.early)

    def _report_unclosed(self) -> None:
        blamed = self.stack[-1]
        related: tuple[Related, ...] = ()
        if self.blamed is not None:
            blamed, beside = self.blamed
            related = (
                Related(Span(beside, beside + 1), "this form seems to stand beside it, not in it"),
            )
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
            self.report.add(
                Code.BAD_CHARACTER,
                Span(offset, offset + 1),
                f"`{bracket}` is not part of the language",
                help="RECYCLE has round brackets only; write ( and ) throughout",
                edits=tuple(self._round_brackets()),
            )
        self.odd_bracket = True

    def _as_comments(self, start: int) -> Iterator[Edit]:
        """Yield the edits that make comments of the lines before the one where a game starts."""
        game = GAME.search(self.source.text, start)
        end = game.start() if game else 0
        for number in range(self.source.position(start).line, self.source.position(end).line):
            line = self.source.line(number)
            if line.strip() and not line.lstrip().startswith(";;"):
                before = self.source.start_of(number)
                yield Edit(Span(before, before), ";; ")

    def _round_brackets(self) -> Iterator[Edit]:
        """Yield the edits that make every bracket of the text a round one."""
        for token in tokens(self.source, Diagnostics(self.source)):
            if not isinstance(token, Atom | Comment) and token[0] not in "()":
                bracket, offset = token
                yield Edit(Span(offset, offset + 1), "(" if bracket in _CLOSING else ")")

    def _report_depth(self, offset: int) -> None:
        self.report.add(
            Code.TOO_DEEP,
            Span(offset, offset + 1),
            f"brackets are nested more than {MAX_DEPTH} deep here",
            help="real games stay below 30; is a closing bracket missing somewhere above?",
        )

    def _report_no_game(self, span: Span) -> None:
        closing = self.source.at(span)[:1] in set(_CLOSING.values())
        self.report.add(
            Code.NO_GAME,
            span,
            "a closing bracket before anything was opened"
            if closing
            else "a program starts with an opening bracket",
            expected="a game, (game ...)",
            edits=() if closing else tuple(self._as_comments(span.start)),
            help="" if closing else "text that is not part of the game belongs in comments: ;; ...",
        )


def named(items: Sequence[Syntax]) -> str:
    """Return what to call a form: its first words, if it has any."""
    words = []
    for item in items[:2]:
        if not isinstance(item, Atom):
            break
        words.append(item.text)
    return f"`({' '.join(words)}`" if words else UNNAMED


def report_early(
    report: Diagnostics, program: Form, rest: Span, early: tuple[Form, int] | None
) -> None:
    """Report that a closing bracket ends a program before its end."""
    source = report.source
    closed, beyond = early or (program, rest.start)
    at = closed.span.end - 1
    name = named(closed.items)
    if name == UNNAMED:
        name = f"the bracket of line {source.position(closed.span.start).line}"
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

"""Tokens to forms: the reader, and what it says about brackets.

It never recurses, so no nesting of brackets can exhaust the stack, and it never fails on a word it
does not know: words are the checker's business.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from cardwright.syntax.diagnostic import Code, Diagnostics, Related
from cardwright.syntax.source import Source, Span
from cardwright.syntax.tokens import tokens
from cardwright.syntax.tree import Atom, Comment, Form, Syntax

MAX_DEPTH = 150
"""Deepest nesting of brackets that is read. Real programs stay below 30."""


@dataclass(frozen=True)
class Reading:
    """What was read: the program's form, if its brackets are sound, and all comments.

    `rest` is the span of the text after the program, if there is any beside white space and
    comments.
    """

    form: Form | None
    comments: tuple[Comment, ...]
    rest: Span | None = None


@dataclass
class _Open:
    """A bracket not yet closed."""

    offset: int
    column: int
    line: int
    items: list[Syntax] = field(default_factory=list)


def read(source: Source, report: Diagnostics) -> Reading:
    """Read the first form of a source; what is wrong with its brackets goes to the report."""
    reader = _Reader(source, report)
    return reader.read()


class _Reader:
    def __init__(self, source: Source, report: Diagnostics) -> None:
        self.source = source
        self.report = report
        self.stack: list[_Open] = []
        self.comments: list[Comment] = []
        self.program: Form | None = None
        self.rest: Span | None = None
        self.blamed: tuple[_Open, int] | None = None
        self.last_line = 0

    def read(self) -> Reading:
        for token in tokens(self.source, self.report):
            if isinstance(token, Comment):
                self.comments.append(token)
            elif self.program is not None:
                offset = token.span.start if isinstance(token, Atom) else token[1]
                end = token.span.end if isinstance(token, Atom) else token[1] + 1
                self.rest = Span(self.rest.start if self.rest else offset, end)
            elif isinstance(token, Atom):
                if not self.stack:
                    self._report_no_game(token.span)
                    return Reading(None, tuple(self.comments))
                self.stack[-1].items.append(token)
            elif token[0] == "(":
                if len(self.stack) >= MAX_DEPTH:
                    self._report_depth(token[1])
                    return Reading(None, tuple(self.comments))
                self._open(token[1])
            elif not self._close(token[1]):
                return Reading(None, tuple(self.comments))
        return self._finish()

    def _open(self, offset: int) -> None:
        place = self.source.position(offset)
        if place.line != self.last_line:
            self.last_line = place.line
            if self.blamed is None:
                self._suspect(offset, place.column)
        if self.blamed is None and len(self.stack) > 1 and self._at(offset, "(scoring"):
            self.blamed = (self.stack[-1], offset)
        self.stack.append(_Open(offset, place.column, place.line))

    def _suspect(self, offset: int, column: int) -> None:
        """Remember the first bracket that a later line's indentation shows to be still open.

        A line that starts no further right than an open bracket's own line of forms belongs beside
        it, not inside it. The outermost bracket is never suspected: many files do not indent.
        """
        for bracket in self.stack[1:]:
            if column <= bracket.column and self._starts_line(bracket):
                self.blamed = (bracket, offset)
                return

    def _starts_line(self, bracket: _Open) -> bool:
        before = self.source.line(bracket.line)[: bracket.column - 1]
        return bracket.column > 1 and not before.strip()

    def _at(self, offset: int, text: str) -> bool:
        return self.source.text.startswith(text, offset)

    def _close(self, offset: int) -> bool:
        if not self.stack:
            self.report.add(
                Code.NO_GAME,
                Span(offset, offset + 1),
                "a closing bracket before anything was opened",
                expected="a game, (game ...)",
            )
            return False
        bracket = self.stack.pop()
        form = Form(tuple(bracket.items), Span(bracket.offset, offset + 1))
        if self.stack:
            self.stack[-1].items.append(form)
        else:
            self.program = form
        return True

    def _finish(self) -> Reading:
        comments = tuple(self.comments)
        if self.stack:
            self._report_unclosed()
            return Reading(None, comments)
        if self.program is None:
            self.report.add(
                Code.EMPTY_FILE,
                Span(0, 0),
                "there is no program in this file",
                expected="a game, (game (setup ...) ... (scoring ...))",
            )
        return Reading(self.program, comments, self.rest)

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
            f"the bracket of {self._name(blamed)} is never closed",
            help=f"{missing} closing bracket{'s are' if missing > 1 else ' is'} missing "
            "before the end of the file",
            related=related,
        )

    def _name(self, bracket: _Open) -> str:
        words = []
        for item in bracket.items[:2]:
            if not isinstance(item, Atom):
                break
            words.append(item.text)
        return f"`({' '.join(words)}`" if words else "this form"

    def _report_depth(self, offset: int) -> None:
        self.report.add(
            Code.TOO_DEEP,
            Span(offset, offset + 1),
            f"brackets are nested more than {MAX_DEPTH} deep here",
            help="real games stay below 30; is a closing bracket missing somewhere above?",
        )

    def _report_no_game(self, span: Span) -> None:
        self.report.add(
            Code.NO_GAME,
            span,
            "a program starts with an opening bracket",
            expected="a game, (game ...)",
            help="text that is not part of the game belongs in comments: ;; ...",
        )

"""Reading on where brackets do not match: by the author's indentation.

Lines that start at the same column, with nothing further left between them, stand side by side: so
many brackets are open before the one as before the other. Where that is not so, what was written
between them is damaged. It is left out, and the rest of the program can be read.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from cardwright.syntax.diagnostic import Diagnostics
from cardwright.syntax.reader import GAME, Bracket, tokens
from cardwright.syntax.source import Span
from cardwright.syntax.tree import Atom, AtomKind, Comment, Form, is_atom

if TYPE_CHECKING:
    from cardwright.syntax.source import Source
    from cardwright.syntax.tree import Syntax

MOST_DAMAGES = 4
"""Most damages of one text: with more of them, its indentation says nothing about its brackets."""


class Damage(NamedTuple):
    """A stretch of text whose brackets do not match.

    `span` is what is left out, and `around` the form of the layout in which the cause must be.
    `left_open` is how many brackets too many are open after it; negative if too many are closed.
    """

    span: Span
    around: Span
    left_open: int


@dataclass(frozen=True)
class Recovered:
    """A program whose damaged stretches are left out, each with an empty atom in its place.

    `sound` are forms whose brackets surely match, and which mean the same wherever they stand.
    """

    source: Source
    form: Form
    damages: tuple[Damage, ...]
    sound: tuple[Span, ...]

    def is_reliable(self, span: Span) -> bool:
        """Return whether what is at a place was surely read as the author meant it."""
        if not any(one.around.overlaps(span) for one in self.damages):
            return True
        return any(part.start < span.start and span.end <= part.end for part in self.sound)


def recover(source: Source) -> Recovered | None:
    """Return the program of a source with unmatched brackets; None if layout does not show it."""
    start = GAME.search(source.text)
    return _Recovery(source).read(start.start("game")) if start else None


def first_damage(source: Source) -> Damage | None:
    """Return the first damage that the layout of a source shows, whatever comes after it."""
    start = GAME.search(source.text)
    if start is None:
        return None
    recovery = _Recovery(source)
    recovery.read(start.start("game"))
    return recovery.damages[0] if recovery.damages else None


@dataclass
class _Unclosed:
    offset: int
    items: list[Syntax] = field(default_factory=list)


class _Line(NamedTuple):
    """The first token of a line: where it is, and what was open before it."""

    offset: int
    column: int
    depth: int
    stack: tuple[tuple[_Unclosed, int], ...]


class _Recovery:
    """The state of one pass: what is open, and the lines that may get neighbours below them.

    `lines` are the latest lines of each column, further left than all after them. `beyond` counts
    brackets that close more than is open.
    """

    def __init__(self, source: Source) -> None:
        self.source = source
        self.stack: list[_Unclosed] = []
        self.lines: list[_Line] = []
        self.damages: list[Damage] = []
        self.sound: list[Span] = []
        self.last: _Line | None = None
        self.beyond = 0
        self.end = 0
        self.within: int | None = None

    def read(self, start: int) -> Recovered | None:
        line = 0
        for token in tokens(self.source, Diagnostics(self.source), start):
            if isinstance(token, Comment):
                continue
            offset = token.span.start
            number = self.source.line_at(offset)
            closes = isinstance(token, Bracket) and not token.opens
            if number != line and not closes:
                line = number
                if not self._line(offset, offset - self.source.start_of(line) + 1):
                    return None
            self.end = token.span.end
            if isinstance(token, Atom):
                self._add(token)
            elif closes:
                self._close(self.end)
            else:
                self.stack.append(_Unclosed(offset))
        return self._finish()

    @property
    def depth(self) -> int:
        return len(self.stack) - self.beyond

    def _add(self, item: Syntax) -> None:
        if self.stack:
            self.stack[-1].items.append(item)

    def _close(self, end: int) -> None:
        """Close the innermost bracket; that of the game stays open until the end of the text."""
        if len(self.stack) < 2:
            self.beyond += 1
            return
        opened = self.stack.pop()
        self._add(Form(tuple(opened.items), Span(opened.offset, end)))

    def _line(self, offset: int, column: int) -> bool:
        """Take up a line; what stands before it is damaged if the depth is not as expected."""
        if self.within is not None and column > self.within:
            return True
        while self.lines and self.lines[-1].column > column:
            self.lines.pop()
        beside = self.lines[-1] if self.lines and self.lines[-1].column == column else None
        if beside is None and self.last is not None and self.within is None:
            inside = self.lines[-1] if self.lines else None
            if inside is None:
                return False
            if self.depth <= inside.depth:
                self.within = inside.column
                self.last = inside
                return inside.depth > 0
        if beside is not None:
            around = Span(beside.offset, self.end)
            if self.depth == beside.depth:
                self._sound(beside, around)
            elif not self._leave_out(around, beside.depth):
                return False
            self.within = None
            self.lines.pop()
        elif self.within is not None:
            return False
        now = tuple((opened, len(opened.items)) for opened in self.stack)
        self.last = _Line(offset, column, self.depth, now)
        self.lines.append(self.last)
        return True

    def _sound(self, line: _Line, span: Span) -> None:
        """Keep a line and those in it as sound if they are one form that begins with a word."""
        opened, count = line.stack[-1] if line.stack else (None, 0)
        added = opened.items[count:] if opened else []
        if len(added) == 1 and isinstance(added[0], Form) and is_atom(added[0].head, AtomKind.WORD):
            self.sound.append(span)

    def _leave_out(self, around: Span, depth: int) -> bool:
        """Leave out what follows the start of the last line; return whether that makes sense."""
        last = self.last
        if last is None or last.depth < max(depth, 1) or len(self.damages) == MOST_DAMAGES:
            return False
        span = Span(last.offset, self.end)
        self.damages.append(Damage(span, around, self.depth - depth))
        self.stack = [opened for opened, _ in last.stack]
        for opened, count in last.stack:
            del opened.items[count:]
        self.beyond = 0
        self._add(Atom(AtomKind.BAD, "", span))
        while len(self.stack) > max(depth, 1):
            self._close(self.end)
        return True

    def _finish(self) -> Recovered | None:
        section = next((line.offset for line in self.lines if line.depth == 1), 0)
        if self.depth != 0 and not self._leave_out(Span(section, self.end), 0):
            return None
        if len(self.stack) != 1 or not self.damages:
            return None
        (game,) = self.stack
        form = Form(tuple(game.items), Span(game.offset, max(self.end, game.offset + 1)))
        sound = [
            part for part in self.sound if not any(one.span.overlaps(part) for one in self.damages)
        ]
        return Recovered(self.source, form, tuple(self.damages), tuple(sound))

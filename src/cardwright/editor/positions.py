"""Places in a text as editors count them: lines, and UTF-16 code units within a line.

Lines end with LF, CRLF or CR alone, as the Language Server Protocol has it. Offsets are those of
Python strings, one for each character, whatever its plane.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING

from lsprotocol.types import Position, Range

if TYPE_CHECKING:
    from cardwright.syntax.source import Span

_LINE_END = re.compile(r"\r\n|\n|\r")
_ASTRAL = re.compile(r"[\U00010000-\U0010ffff]")
"""Characters that take two UTF-16 code units."""


class LineMap:
    """Translates between the offsets of a text and an editor's positions."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._starts = [0, *(match.end() for match in _LINE_END.finditer(text))]
        self._ends = [match.start() for match in _LINE_END.finditer(text)] + [len(text)]
        self._narrow = _ASTRAL.search(text) is None

    def position(self, offset: int) -> Position:
        """Return the position of an offset; one beyond the text is that of its end."""
        offset = min(max(offset, 0), len(self.text))
        line = bisect_right(self._starts, offset) - 1
        start = self._starts[line]
        return Position(line, offset - start + self._astral(start, offset))

    def offset(self, position: Position) -> int:
        """Return the offset of a position; one beyond a line's end is that of its end.

        A position between the two halves of a character is that of the character.
        """
        if position.line >= len(self._starts):
            return len(self.text)
        start, end = self._starts[position.line], self._ends[position.line]
        if self._narrow:
            return min(start + position.character, end)
        units = 0
        for at in range(start, end):
            units += 2 if self.text[at] > "\uffff" else 1
            if units > position.character:
                return at
        return end

    def range(self, span: Span) -> Range:
        """Return the range of a span."""
        return Range(self.position(span.start), self.position(span.end))

    @property
    def whole(self) -> Range:
        """The range of the whole text."""
        return Range(Position(0, 0), self.position(len(self.text)))

    def _astral(self, start: int, end: int) -> int:
        return 0 if self._narrow else sum(1 for _ in _ASTRAL.finditer(self.text, start, end))

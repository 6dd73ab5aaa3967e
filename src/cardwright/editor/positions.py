"""Places in a text as editors count them: lines, and code units within a line.

The unit is agreed on with each editor: bytes of UTF-8, units of UTF-16, or characters. Lines end
with LF, CRLF or CR alone, as the Language Server Protocol has it. Offsets are those of Python
strings, one for each character, whatever its plane.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING

from lsprotocol.types import Position, PositionEncodingKind, Range

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.syntax.source import Span

_LINE_END = re.compile(r"\r\n|\n|\r")


def _bytes(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def _halves(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


_UNITS: dict[PositionEncodingKind, Callable[[str], int]] = {
    PositionEncodingKind.Utf8: _bytes,
    PositionEncodingKind.Utf16: _halves,
    PositionEncodingKind.Utf32: len,
}
"""How many units a text takes. A lone half of a character, as JSON may have it, counts too."""


class LineMap:
    """Translates between the offsets of a text and an editor's positions, in its encoding."""

    def __init__(
        self, text: str, encoding: PositionEncodingKind = PositionEncodingKind.Utf16
    ) -> None:
        self.text = text
        self.encoding = encoding
        self._units = _UNITS[encoding]
        self._starts = [0, *(match.end() for match in _LINE_END.finditer(text))]
        self._ends = [match.start() for match in _LINE_END.finditer(text)] + [len(text)]
        self._narrow = self._units(text) == len(text)

    def position(self, offset: int) -> Position:
        """Return the position of an offset; one beyond the text is that of its end."""
        offset = min(max(offset, 0), len(self.text))
        line = bisect_right(self._starts, offset) - 1
        start = self._starts[line]
        units = offset - start if self._narrow else self._units(self.text[start:offset])
        return Position(line, units)

    def offset(self, position: Position) -> int:
        """Return the offset of a position; one beyond a line's end is that of its end.

        A position within a character is that of the character.
        """
        if position.line >= len(self._starts):
            return len(self.text)
        start, end = self._starts[position.line], self._ends[position.line]
        if self._narrow:
            return min(start + position.character, end)
        units = 0
        for at in range(start, end):
            units += self._units(self.text[at])
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

"""Offsets of a text as scripts in a browser count them, in UTF-16 code units."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cardwright.syntax.diagnostic import Edit
    from cardwright.syntax.source import Span


class ScriptOffsets:
    """Translates between the offsets of a Python string and those of the same text in a browser."""

    def __init__(self, text: str) -> None:
        self._length = len(text)
        self._wide = [at for at, character in enumerate(text) if character > "\uffff"]
        self._shown = [at + number for number, at in enumerate(self._wide)]

    def shown(self, offset: int) -> int:
        """Return an offset as a browser counts; one beyond the text is that of its end."""
        offset = min(max(offset, 0), self._length)
        return offset + bisect_left(self._wide, offset)

    def offset(self, shown: int) -> int:
        """Return the offset of a place that a browser names.

        One between the two halves of a character is that of the character.
        """
        before = bisect_right(self._shown, shown - 1)
        inside = before and self._shown[before - 1] == shown - 1
        return min(max(shown - before, 0), self._length) if not inside else self._wide[before - 1]

    def place(self, span: Span) -> dict[str, int]:
        """Return a span as a JSON object."""
        return {"from": self.shown(span.start), "to": self.shown(span.end)}

    def edits(self, edits: Iterable[Edit]) -> list[dict[str, Any]]:
        """Return edits as JSON objects, in order of place."""
        ordered = sorted(edits, key=lambda edit: edit.span)
        return [{**self.place(edit.span), "insert": edit.text} for edit in ordered]

"""Open files in their newest version: text, places as editors count them, what is known.

The unit of places is agreed on with each editor: bytes of UTF-8, units of UTF-16, or characters.
Lines end with LF, CRLF or CR alone, as the Language Server Protocol has it. Offsets are those of
Python strings, one for each character, whatever its plane.
"""

from __future__ import annotations

import gc
import re
from bisect import bisect_right
from contextlib import contextmanager
from functools import cached_property
from pathlib import PurePosixPath
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from lsprotocol.types import Position, PositionEncodingKind, Range, TextDocumentContentChangePartial

from cardwright.program.check import IncrementalCache, SemanticModel, examine, messages
from cardwright.program.symbols import NameIndex, names_of
from cardwright.syntax.source import Source

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from lsprotocol.types import TextDocumentContentChangeEvent

    from cardwright.program.context import Understood
    from cardwright.syntax.diagnostic import Diagnostics
    from cardwright.syntax.source import Span
    from cardwright.syntax.tree import Form

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


_BYTE_ORDER_MARK = "\ufeff"


class Document:
    """One version of an open file. It never changes; an edit makes another one.

    With the `recall` of an earlier version its messages are found sooner. Its editor counts
    columns in the units of the `encoding`.
    """

    def __init__(
        self,
        uri: str,
        text: str,
        version: int | None = None,
        recall: IncrementalCache | None = None,
        encoding: PositionEncodingKind = PositionEncodingKind.Utf16,
    ) -> None:
        self.uri = uri
        self.text = text
        self.version = version
        self.encoding = encoding
        self._recall = recall

    @cached_property
    def lines(self) -> LineMap:
        """The lines of the text, as the editor counts."""
        return LineMap(self.text, self.encoding)

    @cached_property
    def source(self) -> Source:
        """The text as the checker takes it, at the same offsets: a byte-order mark is a blank."""
        text = self.text
        if text.startswith(_BYTE_ORDER_MARK):
            text = " " + text[1:]
        return Source(file_name(self.uri), text)

    @cached_property
    def examined(self) -> SemanticModel:
        """The outcome of a check of this text, with all that was understood."""
        return examine(self.source)

    @cached_property
    def diagnostics(self) -> Diagnostics:
        """What the checker says about the text."""
        if self._recall is None or "examined" in vars(self):
            return self.examined.checked.diagnostics
        with _uncollected():
            return messages(self.source, self._recall)

    @property
    def form(self) -> Form | None:
        """The form of the whole program, as far as its brackets could be understood."""
        return self.examined.form

    @cached_property
    def names(self) -> NameIndex:
        """The index of names."""
        return names_of(self.examined)

    @cached_property
    def understood(self) -> dict[tuple[int, int], Understood]:
        """What each form and atom was taken for, by the start and end of its span."""
        meaning = self.examined.meaning
        found = meaning.understood if meaning else []
        return {(one.item.span.start, one.item.span.end): one for one in found}


@contextmanager
def _uncollected() -> Iterator[None]:
    """Put off the collection of garbage: a check makes many objects, and hardly any garbage."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def file_name(uri: str) -> str:
    """Return the name of the file of a URI, for messages."""
    path = unquote(urlsplit(uri).path)
    return PurePosixPath(path).name or uri


class OpenFiles:
    """The open files by URI.

    Of older versions only two things are kept, for each file: what the next check may take from the
    last one, and an index of names, for completion while the newest text has no form that could be
    understood.
    """

    def __init__(self) -> None:
        self.snippets = True
        """Whether the editor can insert text with places to fill."""
        self.encoding = PositionEncodingKind.Utf16
        """The units in which columns are counted, as agreed with the editor."""
        self._files: dict[str, Document] = {}
        self._recalls: dict[str, IncrementalCache] = {}
        self._names: dict[str, NameIndex] = {}

    def put(self, uri: str, text: str, version: int | None) -> Document:
        """Take the newest text of a file."""
        self.remember_names(uri)
        recall = self._recalls.setdefault(uri, IncrementalCache())
        document = Document(uri, text, version, recall, self.encoding)
        self._files[uri] = document
        return document

    def edited(self, uri: str, changes: Iterable[TextDocumentContentChangeEvent]) -> str:
        """Return the text of a file after changes, each of the text that the one before it made."""
        opened = self._files.get(uri)
        text = opened.text if opened else ""
        for change in changes:
            if isinstance(change, TextDocumentContentChangePartial):
                lines = LineMap(text, self.encoding)
                start, end = map(lines.offset, (change.range.start, change.range.end))
                text = text[:start] + change.text + text[end:]
            else:
                text = change.text
        return text

    def get(self, uri: str) -> Document | None:
        """Return the newest version of a file, if it is open."""
        return self._files.get(uri)

    def close(self, uri: str) -> None:
        """Forget a file."""
        self._files.pop(uri, None)
        self._names.pop(uri, None)
        self._recalls.pop(uri, None)

    def remember_names(self, uri: str) -> None:
        """Keep the names of the version of a file that is about to go, if they were looked for."""
        before = self._files.get(uri)
        if before is not None and "names" in vars(before) and before.names.all:
            self._names[uri] = before.names

    def names(self, document: Document) -> NameIndex:
        """Return the names of a file, or those of an earlier version if it has none now."""
        return (
            document.names if document.names.all else self._names.get(document.uri, NameIndex(()))
        )

    def __len__(self) -> int:
        return len(self._files)

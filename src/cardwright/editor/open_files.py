"""The files that are open in the editor, each in its newest version."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol.types import PositionEncodingKind, TextDocumentContentChangePartial

from cardwright.editor.document import Document
from cardwright.editor.positions import LineMap
from cardwright.program.check import IncrementalCache
from cardwright.program.symbols import NameIndex

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lsprotocol.types import TextDocumentContentChangeEvent


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

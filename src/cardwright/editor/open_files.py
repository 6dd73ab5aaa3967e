"""The files that are open in the editor, each in its newest version."""

from __future__ import annotations

from cardwright.editor.document import Document
from cardwright.editor.names import NameIndex
from cardwright.program.recall import Recall


class OpenFiles:
    """The open files by URI.

    Of older versions only two things are kept, for each file: what the next check may take from the
    last one, and an index of names, for completion while the newest text has no form that could be
    understood.
    """

    def __init__(self) -> None:
        self.snippets = True
        """Whether the editor can insert text with places to fill."""
        self._files: dict[str, Document] = {}
        self._recalls: dict[str, Recall] = {}
        self._names: dict[str, NameIndex] = {}

    def put(self, uri: str, text: str, version: int | None) -> Document:
        """Take the newest text of a file."""
        self.remember_names(uri)
        recall = self._recalls.setdefault(uri, Recall())
        document = Document(uri, text, version, recall)
        self._files[uri] = document
        return document

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

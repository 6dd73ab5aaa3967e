"""An open file: its text, and what is known about it, each part found when first asked for."""

from __future__ import annotations

import gc
from contextlib import contextmanager
from functools import cached_property
from pathlib import PurePosixPath
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from lsprotocol.types import PositionEncodingKind

from cardwright.editor.positions import LineMap
from cardwright.program.check import SemanticModel, examine, messages
from cardwright.program.symbols import NameIndex, names_of
from cardwright.syntax.source import Source

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.program.check import IncrementalCache
    from cardwright.program.context import Understood
    from cardwright.syntax.diagnostic import Diagnostics
    from cardwright.syntax.tree import Form

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

"""The file NAME.toml beside a game, which explains its constants."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright.editor.commands import path_of
from cardwright.syntax.data_files import read_bytes
from cardwright.syntax.source import MAX_BYTES

if TYPE_CHECKING:
    from cardwright.editor.open_files import OpenFiles


@dataclass(frozen=True)
class Beside:
    """The URI and the text of such a file, as its editor has it if it is open."""

    uri: str
    text: str

    @classmethod
    def of(cls, files: OpenFiles, uri: str) -> Beside | None:
        """Return the file beside the game of a URI; None if there is none that can be read."""
        path = path_of(uri)
        if path is None or path.suffix != ".rcy":
            return None
        beside = path.with_suffix(".toml")
        other = uri.removesuffix(".rcy") + ".toml"
        opened = files.get(other)
        if opened is not None:
            return cls(other, opened.text)
        try:
            return cls(other, read_bytes(beside, MAX_BYTES).decode("utf-8"))
        except (OSError, ValueError):
            return None

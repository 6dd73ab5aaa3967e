"""A file that was given to the server, and that its author may change in the studio."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright.authoring.files import replace_file
from cardwright.syntax.data_files import read_bytes
from cardwright.syntax.source import MAX_BYTES, UnreadableError, decode
from cardwright.web.refusal import Refusal

if TYPE_CHECKING:
    from pathlib import Path

_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True)
class GivenFile:
    """The file of a path; in its text lines end with LF, whatever they do in the file."""

    path: Path

    def read(self) -> tuple[str, str]:
        """Return its text, and a digest of its bytes; raises Refusal if it cannot be read."""
        data = self._bytes()
        try:
            text = decode(self.path.name, data).text
        except UnreadableError as error:
            raise Refusal("invalid", str(error)) from None
        return text.replace("\r\n", "\n"), _digest(data)

    def write(self, text: str, digest: str) -> str:
        """Change its text, and return the new digest.

        `digest` is that of the bytes which the author has seen. Raises Refusal if it has changed
        since, and then it stays as it is.
        """
        before = self._bytes()
        if _digest(before) != digest:
            raise Refusal(
                "conflict",
                f"{self.path.name} has been changed elsewhere since it was opened here: download "
                "your rules, or open the file again",
            )
        if b"\r\n" in before:
            text = text.replace("\n", "\r\n")
        data = (_MARK if before.startswith(_MARK) else b"") + text.encode()
        try:
            replace_file(self.path, data)
        except OSError as error:
            raise Refusal(
                "not-stored",
                f"{self.path.name} cannot be written ({error.strerror}): download your rules",
            ) from None
        return _digest(data)

    def _bytes(self) -> bytes:
        try:
            return read_bytes(self.path, MAX_BYTES)
        except OSError as error:
            words = f"{self.path.name} cannot be read: {error.strerror}"
            raise Refusal("no-such-game", words) from None


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()

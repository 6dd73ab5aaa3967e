"""The text of a game file, its places, and how it is read from disk."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from pathlib import Path

from cardwright.syntax.data_files import read_bytes

MAX_BYTES = 500_000
"""Largest game file that is read. The largest known one has some 30,000 bytes."""


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A stretch of text: offsets in characters, the end excluded.

    `via` are the uses of definitions through which the text came to where it stands, innermost
    last; none for text that stands where it is written. So a text that is used twice has two spans.
    """

    start: int
    end: int
    via: tuple[Span, ...] = ()

    def to(self, other: Span) -> Span:
        """Return the span from the start of this one to the end of the other."""
        return Span(self.start, max(self.end, other.end), self.via)

    @property
    def text(self) -> tuple[int, int]:
        """The stretch alone, wherever its text is used."""
        return self.start, self.end

    def overlaps(self, other: Span) -> bool:
        """Return whether two spans share a character; an empty one counts as the one after it."""
        return self.start < max(other.end, other.start + 1) and other.start < self.end


@dataclass(frozen=True, slots=True)
class TextPosition:
    """A place for people: line and column, both counted from 1."""

    line: int
    column: int


@dataclass(frozen=True)
class Source:
    """The text of one game file and the name to show for it."""

    name: str
    text: str
    _starts: tuple[int, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        starts = [0]
        starts.extend(i + 1 for i, char in enumerate(self.text) if char == "\n")
        object.__setattr__(self, "_starts", tuple(starts))

    def position(self, offset: int) -> TextPosition:
        """Return line and column of an offset."""
        line = bisect_right(self._starts, offset)
        return TextPosition(line, offset - self._starts[line - 1] + 1)

    def line_at(self, offset: int) -> int:
        """Return the number of the line (counted from 1) in which an offset lies."""
        return bisect_right(self._starts, offset)

    def start_of(self, number: int) -> int:
        """Return the offset at which a line (counted from 1) starts."""
        return self._starts[number - 1]

    def line(self, number: int) -> str:
        """Return the text of a line (counted from 1), without its line end."""
        start = self._starts[number - 1]
        end = self._starts[number] if number < len(self._starts) else len(self.text)
        return self.text[start:end].rstrip("\r\n")

    def at(self, span: Span) -> str:
        """Return the text of a span."""
        return self.text[span.start : span.end]


class UnreadableError(ValueError):
    """A file that cannot be taken as the text of a game; the message says why and what to do."""


def decode(name: str, data: bytes) -> Source:
    """Return the source in these bytes.

    A byte-order mark is dropped. Raises UnreadableError for too many bytes and for bytes that are
    not UTF-8 text.
    """
    if len(data) > MAX_BYTES:
        raise UnreadableError(_too_large(name, len(data)))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UnreadableError(
            f"{name}: this is not text: byte {error.start + 1} (in line {line}) is not UTF-8; "
            "save the file as plain text in UTF-8"
        ) from None
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise UnreadableError(
            f"{name}: this is not text: there is a NUL byte in line {line}; "
            "save the file as plain text in UTF-8"
        )
    return Source(name, text)


def read_file(path: str | Path) -> Source:
    """Return the source in a file; raises UnreadableError if it cannot be read."""
    place = Path(path)
    try:
        if place.is_dir():
            raise UnreadableError(f"{path}: this is a folder, not a game file")
        if place.exists() and not place.is_file():
            raise UnreadableError(f"{path}: this is not a plain file")
        size = place.stat().st_size
        if size > MAX_BYTES:
            raise UnreadableError(_too_large(str(path), size))
        data = read_bytes(place, MAX_BYTES)
    except FileNotFoundError:
        raise UnreadableError(f"{path}: there is no such file") from None
    except (OSError, ValueError) as error:
        if isinstance(error, UnreadableError):
            raise
        reason = getattr(error, "strerror", None) or str(error)
        raise UnreadableError(f"{path}: cannot be read: {reason}") from None
    return decode(str(path), data)


def _too_large(name: str, size: int) -> str:
    return (
        f"{name}: {size:,} bytes are too many for a game file (at most {MAX_BYTES:,}); "
        "is this the right file?"
    )

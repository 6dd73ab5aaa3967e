"""Boxes of text: lines of equal width, placed beside and above each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from rich.cells import cell_len
from rich.text import Text

from cardwright.interfaces.cli.text import printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Lines = list[Text]


class ScreenSize(NamedTuple):
    """A size in columns and lines."""

    width: int
    height: int


def text(words: str = "", style: str = "") -> Text:
    """Return a text that is never wrapped, and has nothing that a terminal would obey."""
    return Text(printable(words), style=style, no_wrap=True, end="")


def joined(pieces: Iterable[Text | str], between: str = " ") -> Text:
    """Return pieces joined to one line."""
    line = text()
    for number, piece in enumerate(pieces):
        if number:
            line.append(between)
        line.append(printable(piece) if isinstance(piece, str) else piece)
    return line


def fitted(line: Text, width: int, more: str = "", align: str = "left") -> Text:
    """Return a line of exactly this width: padded with spaces, or cut with a sign for the rest."""
    if line.cell_len > width:
        cut = line.copy()
        cut.truncate(max(0, width - len(more)))
        cut.append(more[:width])
        line = cut
    space = width - line.cell_len
    before = {"left": 0, "center": space // 2, "right": space}[align]
    return joined([" " * before, line, " " * (space - before)], "")


def block(
    lines: Sequence[Text], width: int, height: int, more: str = "", align: str = "left"
) -> Lines:
    """Return lines as a box of exactly this size; lines that do not fit are left out."""
    shown = [fitted(line, width, more, align) for line in lines[:height]]
    return shown + [text(" " * width) for _ in range(height - len(shown))]


def centred(lines: Lines, width: int, height: int) -> Lines:
    """Return a box centred in a larger one; its lines keep their relative positions."""
    widest = max((line.cell_len for line in lines), default=0)
    left = max(0, (width - widest) // 2)
    above = max(0, (height - len(lines)) // 2)
    moved = [text()] * above + [joined([" " * left, line], "") for line in lines]
    return block(moved, width, height)


def beside(*boxes: Lines, between: str = "") -> Lines:
    """Return boxes of equal height side by side."""
    return [joined(row, between) for row in zip(*boxes, strict=True)]


def wrapped(pieces: Iterable[Text], width: int, between: str = " ") -> Lines:
    """Return pieces in as many lines as needed; a piece is never broken."""
    lines: Lines = []
    line = text()
    for piece in pieces:
        if line.cell_len and line.cell_len + cell_len(between) + piece.cell_len > width:
            lines.append(line)
            line = text()
        if line.cell_len:
            line.append(between)
        line.append(piece)
    if line.cell_len:
        lines.append(line)
    return lines

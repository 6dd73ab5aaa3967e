"""Places in texts as editors count them."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st
from lsprotocol.types import Position, PositionEncodingKind

from cardwright.editor.actions import shown
from cardwright.editor.document import Document, LineMap
from editor.marked import ECHO, URI

ODD = st.text(st.sampled_from("ab;( \n\r\U0001f0a1é\u2028\x0b\x0c\ufeff"), max_size=40)


KINDS = st.sampled_from(list(PositionEncodingKind))


def units(text: str, kind: PositionEncodingKind) -> int:
    """Return the length of a text in the units of an encoding, from its bytes."""
    codec, size = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}[
        kind.value
    ]
    return len(text.encode(codec)) // size


@given(ODD, KINDS)
def test_every_offset_comes_back_from_its_position(text: str, kind: PositionEncodingKind) -> None:
    """But inside of CRLF, where no position is: there it is that of the line's end."""
    lines = LineMap(text, kind)
    for offset in range(len(text) + 1):
        inside = text[offset - 1 : offset + 1] == "\r\n" and offset > 0
        assert lines.offset(lines.position(offset)) == (offset - 1 if inside else offset)


@given(ODD, KINDS)
def test_columns_are_those_of_the_encoding(text: str, kind: PositionEncodingKind) -> None:
    last = LineMap(text, kind).position(len(text))
    rest = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    assert last == Position(len(rest) - 1, units(rest[-1], kind))


@pytest.mark.parametrize("kind", PositionEncodingKind)
def test_positions_beyond_the_text_are_at_its_ends(kind: PositionEncodingKind) -> None:
    lines = LineMap("ab\r\n\U0001f0a1c", kind)
    width = units("\U0001f0a1", kind)
    assert lines.offset(Position(0, 99)) == 2
    assert lines.offset(Position(9, 0)) == 6
    assert lines.offset(Position(1, 99)) == 6
    assert {lines.offset(Position(1, at)) for at in range(width)} == {4}  # within the card
    assert lines.offset(Position(1, width)) == 5
    assert lines.position(99) == Position(1, width + 1)


@pytest.mark.parametrize("kind", PositionEncodingKind)
def test_half_a_character_has_a_place(kind: PositionEncodingKind) -> None:
    """JSON can send one; no encoding has bytes for it."""
    lines = LineMap("a\ud83db", kind)
    assert [lines.offset(lines.position(at)) for at in range(4)] == [0, 1, 2, 3]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_a_message_stands_where_the_editor_shows_the_text(end: str, mark: str) -> None:
    """Whatever ends lines, and with cards and a byte-order mark in the text before."""
    text = mark + ECHO.replace("\n", end).replace("(inc ", "(ink ")
    if end == "\r":
        text = text.split(end, 1)[1]  # the checker ends comments with LF
    text = text.replace("(do (", ";; \U0001f0a1\U0001f0ae é\n(do (" if end != "\r" else "(do (")
    document = Document(URI, text)
    (found,) = shown(document, document.examined.checked.diagnostics)
    start, stop = map(document.lines.offset, (found.range.start, found.range.end))
    assert document.text[start:stop].startswith("(ink") or document.text[start:stop] == "ink"

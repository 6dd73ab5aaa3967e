"""Places in texts as editors count them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol.types import Position

from cardwright.editor.document import Document
from cardwright.editor.messages import shown
from cardwright.editor.positions import LineMap
from editor.marked import ECHO, URI

ODD = st.text(st.sampled_from("ab;( \n\r\U0001f0a1é\u2028\x0b\x0c\ufeff"), max_size=40)


@given(ODD)
def test_every_offset_comes_back_from_its_position(text: str) -> None:
    """But inside of CRLF, where no position is: there it is that of the line's end."""
    lines = LineMap(text)
    for offset in range(len(text) + 1):
        inside = text[offset - 1 : offset + 1] == "\r\n" and offset > 0
        assert lines.offset(lines.position(offset)) == (offset - 1 if inside else offset)


@given(ODD)
def test_columns_are_those_of_utf_16(text: str) -> None:
    lines = LineMap(text)
    last = lines.position(len(text))
    rest = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    assert last == Position(len(rest) - 1, len(rest[-1].encode("utf-16-le")) // 2)


def test_positions_beyond_the_text_are_at_its_ends() -> None:
    lines = LineMap("ab\r\n\U0001f0a1c")
    assert lines.offset(Position(0, 99)) == 2
    assert lines.offset(Position(9, 0)) == 6
    assert lines.offset(Position(1, 1)) == 4  # between the halves of the card
    assert lines.position(99) == Position(1, 3)


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

"""Laying out a file, or some lines of it."""

from __future__ import annotations

import pytest

from cardwright.editor.document import Document
from cardwright.editor.layout import layout_edits
from cardwright.syntax.formatter import format_source
from cardwright.syntax.source import Span
from editor.marked import ECHO, URI

UGLY = ECHO.replace("\n    (shuffle (game iloc STOCK))", " (shuffle   (game iloc STOCK))").replace(
    "  (scoring max", "       (scoring    max"
)


def laid_out(text: str, within: Span | None = None) -> str:
    for edit in reversed(layout_edits(Document(URI, text), within)):
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    return text


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_the_layout_is_that_of_the_command(end: str, mark: str) -> None:
    """With the line ends of the file, and without a byte-order mark."""
    text = mark + UGLY.replace("\n", end)
    assert laid_out(text) == format_source(Document(URI, UGLY).source).replace("\n", end)
    assert layout_edits(Document(URI, laid_out(text))) == []


def test_only_lines_that_differ_are_changed() -> None:
    changed = [edit.span for edit in layout_edits(Document(URI, UGLY))]
    assert sum(span.end - span.start for span in changed) < len(UGLY) / 3


def test_some_lines_can_be_laid_out() -> None:
    place = UGLY.index("(scoring")
    text = laid_out(UGLY, Span(place, place))
    assert "\n  (scoring max" in text
    assert "(shuffle   (game" in text


def test_nothing_is_laid_out_while_brackets_are_wrong() -> None:
    assert layout_edits(Document(URI, UGLY.replace("(do (", "(do ", 1))) == []

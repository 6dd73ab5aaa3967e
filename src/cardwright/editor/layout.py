"""The layout of a file, as changes of the lines that are not laid out so."""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from cardwright.syntax.diagnostic import Diagnostics, Edit
from cardwright.syntax.formatter import UnformattableError, format_source
from cardwright.syntax.reader import tokens
from cardwright.syntax.source import Source, Span
from cardwright.syntax.tree import Atom, Comment

if TYPE_CHECKING:
    from cardwright.editor.document import Document


def layout_edits(document: Document, within: Span | None = None) -> list[Edit]:
    """Return the edits that lay a file out, or as many lines of it as a stretch of text touches.

    There are none while the brackets of the file are wrong. Line ends stay as they are.
    """
    try:
        text = format_source(Source(document.source.name, document.text))
    except UnformattableError:
        return []
    if "\r\n" in document.text:
        text = text.replace("\n", "\r\n")
    edits = line_edits(document.text, text)
    return [edit for edit in edits if within is None or _is_wanted(document, edit, within)]


def line_edits(before: str, after: str) -> list[Edit]:
    """Return the edits that make one text of another, of whole lines."""
    lines, others = before.splitlines(keepends=True), after.splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    matcher = SequenceMatcher(None, lines, others, autojunk=False)
    return [
        Edit(Span(starts[start], starts[end]), "".join(others[new_start:new_end]))
        for tag, start, end, new_start, new_end in matcher.get_opcodes()
        if tag != "equal"
    ]


def _is_wanted(document: Document, edit: Edit, within: Span) -> bool:
    """Return whether an edit touches a stretch of text, and does no harm without the others."""
    touches = edit.span.start <= within.end and within.start <= edit.span.end
    return touches and _words(document.text[edit.span.start : edit.span.end]) == _words(edit.text)


def _words(text: str) -> list[str]:
    source = Source("", text)
    return [
        token.text if isinstance(token, Atom | Comment) else token[0]
        for token in tokens(source, Diagnostics(source))
    ]

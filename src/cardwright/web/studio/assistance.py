"""What the studio's editor is told while its author writes: words explained, offered, laid out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from lsprotocol.types import CompletionItemKind, MarkupContent, TextEdit

from cardwright.editor.completion import completions
from cardwright.editor.document import Document
from cardwright.editor.hover import hover
from cardwright.editor.layout import line_edits
from cardwright.program.diagnosis.mend import mend
from cardwright.syntax.formatter import UnformattableError, format_source
from cardwright.syntax.source import Source
from cardwright.web.studio.diagnosis import ScriptOffsets
from cardwright.web.studio.schemas import NAME

if TYPE_CHECKING:
    from lsprotocol.types import CompletionItem

MOST_OFFERS = 200
"""Most completions that are sent for a place."""

_KINDS = {
    CompletionItemKind.Struct: "form",
    CompletionItemKind.Module: "form",
    CompletionItemKind.Function: "form",
    CompletionItemKind.Variable: "variable",
    CompletionItemKind.Constant: "name",
    CompletionItemKind.Keyword: "word",
}
_BARE_PLACE = re.compile(r"\$(\d+)")


def explanation(text: str, offset: int) -> dict[str, Any]:
    """Return what the word at a browser's offset means, as Markdown; null for one without meaning.

    `from` and `to` are the word.
    """
    offsets = ScriptOffsets(text)
    found = hover(Document(NAME, text), offsets.offset(offset))
    if found is None:
        return {"explanation": None}
    words, span = found
    return {"explanation": words, **offsets.place(span)}


def offers(text: str, offset: int) -> dict[str, Any]:
    """Return what can be typed at a browser's offset, in place of `from` to `to`."""
    document, offsets = Document(NAME, text), ScriptOffsets(text)
    place = offsets.offset(offset)
    found = completions(document, place, document.names)
    if not found:
        return {"from": offset, "to": offset, "offers": []}
    edit = found[0].text_edit
    assert isinstance(edit, TextEdit)
    start, end = (document.lines.offset(at) for at in (edit.range.start, edit.range.end))
    return {
        "from": offsets.shown(start),
        "to": offsets.shown(end),
        "offers": [_offer(item) for item in found[:MOST_OFFERS]],
    }


def _offer(item: CompletionItem) -> dict[str, Any]:
    assert isinstance(item.text_edit, TextEdit)
    about = item.documentation
    return {
        "label": item.label,
        "typed": item.filter_text,
        "kind": _KINDS[CompletionItemKind(item.kind)] if item.kind else "word",
        "detail": (item.label_details.description if item.label_details else None) or "",
        "about": about.value if isinstance(about, MarkupContent) else "",
        "order": item.sort_text,
        "snippet": _BARE_PLACE.sub(_in_braces, item.text_edit.new_text),
    }


def _in_braces(place: re.Match[str]) -> str:
    """Return a place as CodeMirror knows it; that of 0 is the last there, and has no number."""
    return "${}" if place[1] == "0" else f"${{{place[1]}}}"


def layout(text: str) -> dict[str, Any]:
    """Return the edits that lay a text out, or in `refused` why it cannot be done."""
    try:
        after = format_source(Source(NAME, text))
    except UnformattableError as error:
        return {"edits": [], "refused": str(error)}
    return {"edits": ScriptOffsets(text).edits(line_edits(text, after)), "refused": ""}


def mended(text: str) -> dict[str, Any]:
    """Return the edits that mend what is sure to be a slip: none if nothing is."""
    after = mend(Source(NAME, text)).text
    return {"edits": ScriptOffsets(text).edits(line_edits(text, after))}

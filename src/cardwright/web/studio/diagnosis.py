"""What is wrong with the text of rules, where, and what one click can do about it."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

from cardwright.editor.actions import allow_edit, allow_title, can_be_allowed, edit_title
from cardwright.editor.document import Document
from cardwright.program.symbols import SymbolSort
from cardwright.syntax.diagnostic import Severity
from cardwright.web.studio.game_facts import facts_of
from cardwright.web.studio.script_offsets import ScriptOffsets

if TYPE_CHECKING:
    from cardwright.syntax.diagnostic import Diagnostic

NAME = "rules.rcy"
"""What a text is called in messages; its author knows it by another name, or by none."""

MOST_SHOWN = 200
"""Most diagnostics that are sent for a text."""

_COLOURS = {
    SymbolSort.CONSTANT: "constant",
    SymbolSort.VARIABLE: "variable",
    SymbolSort.DEFINITION: "definition",
    SymbolSort.STORAGE: "storage",
    SymbolSort.LOCATION: "location",
    SymbolSort.ATTRIBUTE: "attribute",
    SymbolSort.VALUE: "value",
}


def diagnosis(text: str) -> dict[str, Any]:
    """Return what the checker says about a text, what its names are, and what game it is.

    Places are offsets as a browser counts. `game` is null unless the game can be played.
    """
    document = Document(NAME, text)
    report, offsets = document.diagnostics, ScriptOffsets(text)
    program = document.examined.checked.program
    return {
        "ok": program is not None,
        "counts": {f"{severity}s": len(report.of(severity)) for severity in Severity},
        "diagnostics": [_shown(document, offsets, found) for found in islice(report, MOST_SHOWN)],
        "names": [
            {**offsets.place(one.span), "is": _COLOURS[one.symbol.sort]}
            for one in document.names.all
        ],
        "game": None if program is None else facts_of(program),
    }


def _shown(document: Document, offsets: ScriptOffsets, found: Diagnostic) -> dict[str, Any]:
    place = document.source.position(found.span.start)
    return {
        **offsets.place(found.span),
        "line": place.line,
        "column": place.column,
        "code": found.code.code,
        "severity": str(found.severity),
        "message": found.message,
        "expected": found.expected,
        "help": found.help,
        "related": [
            {
                **offsets.place(other.span),
                "line": document.source.position(other.span.start).line,
                "message": other.message,
            }
            for other in found.related
        ],
        "fixes": _fixes(document, offsets, found),
    }


def _fixes(document: Document, offsets: ScriptOffsets, found: Diagnostic) -> list[dict[str, Any]]:
    """Return what can be done at once: what was probably meant, then a comment that allows it."""
    fixes = []
    if found.edits:
        title = edit_title(document, found.edits)
        fixes.append({"title": title, "edits": offsets.edits(found.edits)})
    if can_be_allowed(found):
        edits = [allow_edit(document.source, found)]
        fixes.append({"title": allow_title(found), "edits": offsets.edits(edits)})
    return fixes

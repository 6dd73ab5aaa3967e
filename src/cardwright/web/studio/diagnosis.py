"""What is wrong with the text of rules, where, and what one click can do about it."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from itertools import islice
from typing import TYPE_CHECKING, Any

from cardwright.editor.actions import allow_edit, allow_title, can_be_allowed, edit_title
from cardwright.editor.document import Document
from cardwright.game.errors import override_text
from cardwright.game.wording.naming import attributes_of, places_of
from cardwright.program.symbols import SymbolSort
from cardwright.syntax.diagnostic import Severity
from cardwright.web.studio.schemas import NAME

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cardwright.program.program import Program
    from cardwright.syntax.diagnostic import Diagnostic, Edit
    from cardwright.syntax.source import Span


def facts_of(program: Program) -> dict[str, Any]:
    """Return the facts that the studio shows beside the rules."""
    return {
        "players": program.players,
        "teams": [list(team) for team in program.teams],
        "cards": len(program.cards),
        "highest_wins": program.highest_wins,
        "attributes": attributes_of(program.cards),
        "places": [place._asdict() for place in places_of(program)],
    }


def _constants(
    document: Document, offsets: ScriptOffsets, program: Program
) -> list[dict[str, Any]]:
    """Return the constants, each with its value, its place, and the comment behind it.

    `plain` says that the value is written as a single word or number.
    """
    text = document.source.text
    return [
        {
            "name": one.name,
            "value": override_text(one.value),
            **offsets.place(one.written),
            "plain": text[one.written.start : one.written.end] == override_text(one.value),
            "about": found[1] if (found := _COMMENT.match(text, one.span.end)) else "",
        }
        for one in program.declared
        if one.value is not None
    ]


class ScriptOffsets:
    """Translates between the offsets of a Python string and those of the same text in a browser."""

    def __init__(self, text: str) -> None:
        self._length = len(text)
        self._wide = [at for at, character in enumerate(text) if character > "\uffff"]
        self._shown = [at + number for number, at in enumerate(self._wide)]

    def shown(self, offset: int) -> int:
        """Return an offset as a browser counts; one beyond the text is that of its end."""
        offset = min(max(offset, 0), self._length)
        return offset + bisect_left(self._wide, offset)

    def offset(self, shown: int) -> int:
        """Return the offset of a place that a browser names.

        One between the two halves of a character is that of the character.
        """
        before = bisect_right(self._shown, shown - 1)
        inside = before and self._shown[before - 1] == shown - 1
        return min(max(shown - before, 0), self._length) if not inside else self._wide[before - 1]

    def place(self, span: Span) -> dict[str, int]:
        """Return a span as a JSON object."""
        return {"from": self.shown(span.start), "to": self.shown(span.end)}

    def edits(self, edits: Iterable[Edit]) -> list[dict[str, Any]]:
        """Return edits as JSON objects, in order of place."""
        ordered = sorted(edits, key=lambda edit: edit.span)
        return [{**self.place(edit.span), "insert": edit.text} for edit in ordered]


_COMMENT = re.compile(r"[^\S\n]*\)[^\S\n]*;;[^\S\n]*([^\n]*)")
"""What stands behind a name that is declared, to the end of its line."""

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
        "counts": {f"{severity}s": len(report.of_severity(severity)) for severity in Severity},
        "diagnostics": [_shown(document, offsets, found) for found in islice(report, MOST_SHOWN)],
        "names": [
            {**offsets.place(one.span), "is": _COLOURS[one.symbol.sort]}
            for one in document.names.all
        ],
        "game": None
        if program is None
        else {**facts_of(program), "constants": _constants(document, offsets, program)},
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

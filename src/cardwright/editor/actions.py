"""The checker's diagnostics as editors show them, and what an editor can do about them at once."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from lsprotocol.types import (
    CodeAction,
    CodeActionKind,
    Diagnostic as ShownDiagnostic,
    DiagnosticRelatedInformation,
    DiagnosticSeverity,
    DiagnosticTag,
    Location,
    TextEdit,
    WorkspaceEdit,
)

from cardwright.syntax.diagnostic import Code, Edit, Severity
from cardwright.syntax.source import Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cardwright.editor.document import Document
    from cardwright.syntax.diagnostic import Diagnostic
    from cardwright.syntax.source import Source

SOURCE = "cardwright"
MOST_SHOWN = 200
"""Most diagnostics that are shown for a file."""

_SEVERITIES = {
    Severity.ERROR: DiagnosticSeverity.Error,
    Severity.WARNING: DiagnosticSeverity.Warning,
    Severity.NOTE: DiagnosticSeverity.Information,
}


def shown(document: Document, found: Iterable[Diagnostic]) -> list[ShownDiagnostic]:
    """Return the first diagnostics of a document as its editor shows them."""
    return [shown_one(document, one) for _, one in zip(range(MOST_SHOWN), found, strict=False)]


def shown_one(document: Document, found: Diagnostic) -> ShownDiagnostic:
    """Return a diagnostic as an editor shows it."""
    related = [
        DiagnosticRelatedInformation(
            Location(document.uri, document.lines.range(other.span)), other.message
        )
        for other in found.related
    ]
    return ShownDiagnostic(
        range=document.lines.range(found.span),
        message=message_of(found),
        severity=_SEVERITIES[found.severity],
        code=found.code.code,
        source=SOURCE,
        related_information=related or None,
        tags=[DiagnosticTag.Unnecessary] if found.code is Code.TRAILING_TEXT else None,
    )


def message_of(found: Diagnostic) -> str:
    """Return all that a diagnostic says, on lines of their own."""
    lines = [found.message]
    if found.expected:
        lines.append(f"expected: {found.expected}")
    if found.help:
        lines.append(f"help: {found.help}")
    return "\n".join(lines)


REASON = "it is meant so"
"""The reason in a comment that silences a message, until the author knows a better one."""

_LONGEST = 50


def code_actions(document: Document, wanted: Span) -> list[CodeAction]:
    """Return what can be done about the messages that touch a stretch of text."""
    found = list(document.diagnostics)
    alike: dict[str, list[Diagnostic]] = defaultdict(list)
    for one in found:
        if one.edits:
            alike[one.code.code].append(one)
    touching = [one for one in found if _touch(one.span, wanted)]
    actions = [_mend(document, one) for one in touching if one.edits]
    codes = dict.fromkeys(one.code.code for one in touching)
    actions += [_mend_all(document, code, alike[code]) for code in codes if len(alike[code]) > 1]
    return actions + [_allow(document, one) for one in touching if can_be_allowed(one)]


def _touch(left: Span, right: Span) -> bool:
    return left.start <= right.end and right.start <= left.end


def _mend(document: Document, found: Diagnostic) -> CodeAction:
    return CodeAction(
        title=edit_title(document, found.edits),
        kind=CodeActionKind.QuickFix,
        diagnostics=[shown_one(document, found)],
        is_preferred=True,
        edit=WorkspaceEdit(changes={document.uri: list(_edits(document, found.edits))}),
    )


def _mend_all(document: Document, code: str, found: list[Diagnostic]) -> CodeAction:
    """Return the action that mends all messages of a code whose mends do not overlap."""
    edits: list[Edit] = []
    for one in found:
        if not any(_touch(edit.span, other.span) for edit in one.edits for other in edits):
            edits.extend(one.edits)
    return CodeAction(
        title=f"Mend all that {code} is about",
        kind=CodeActionKind.QuickFix,
        diagnostics=[shown_one(document, one) for one in found],
        edit=WorkspaceEdit(changes={document.uri: list(_edits(document, edits))}),
    )


def can_be_allowed(found: Diagnostic) -> bool:
    """Return whether a comment can silence a message."""
    return found.severity is not Severity.ERROR and found.code is not Code.POINTLESS_ALLOW


def _allow(document: Document, found: Diagnostic) -> CodeAction:
    """Return the action that silences a message."""
    edits = [allow_edit(document.source, found)]
    return CodeAction(
        title=allow_title(found),
        kind=CodeActionKind.QuickFix,
        diagnostics=[shown_one(document, found)],
        edit=WorkspaceEdit(changes={document.uri: list(_edits(document, edits))}),
    )


def allow_title(found: Diagnostic) -> str:
    """Return what an edit that silences a message does, in a few words."""
    return f"Allow {found.code.code} here by a comment"


def allow_edit(source: Source, found: Diagnostic) -> Edit:
    """Return the edit that silences a message by a comment on a line of its own before it."""
    start = source.start_of(source.line_at(found.span.start))
    line = source.line(source.line_at(found.span.start))
    indent = line[: len(line) - len(line.lstrip())]
    end = "\r\n" if "\r\n" in source.text else "\n"
    return Edit(Span(start, start), f"{indent};; allow {found.code.code}: {REASON}{end}")


def edit_title(document: Document, edits: tuple[Edit, ...]) -> str:
    """Return what some edits do, in a few words."""
    if len(edits) > 1:
        return "Mend it"
    (edit,) = edits
    before, after = (_short(text) for text in (document.source.at(edit.span), edit.text))
    if not before.strip():
        return f"Write {after.strip()}"
    return f"Replace {before} by {after}" if after.strip() else f"Remove {before}"


def _short(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= _LONGEST else words[: _LONGEST - 1] + "…"


def _edits(document: Document, edits: Iterable[Edit]) -> Iterator[TextEdit]:
    for edit in edits:
        yield TextEdit(document.lines.range(edit.span), edit.text)

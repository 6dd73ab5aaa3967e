"""The checker's diagnostics as editors show them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol.types import (
    Diagnostic as ShownDiagnostic,
)
from lsprotocol.types import (
    DiagnosticRelatedInformation,
    DiagnosticSeverity,
    DiagnosticTag,
    Location,
)

from cardwright.syntax.diagnostic import Code, Severity

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cardwright.editor.document import Document
    from cardwright.syntax.diagnostic import Diagnostic

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

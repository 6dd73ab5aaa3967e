"""Diagnostics as text for people and as records for programs."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias, TypedDict

if TYPE_CHECKING:
    from cardwright.syntax.diagnostic import Diagnostic, Edit
    from cardwright.syntax.source import Source, Span

Style: TypeAlias = Callable[[str, str], str]
"""Decorates a text for a role: error, warning, note, place, help or caret."""


class EditRecord(TypedDict):
    """One edit as a JSON object; lines and columns count from 1."""

    line: int
    column: int
    end_line: int
    end_column: int
    text: str


class DiagnosticRecord(TypedDict):
    """One diagnostic as a JSON object; lines and columns count from 1."""

    file: str
    code: str
    severity: str
    line: int
    column: int
    end_line: int
    end_column: int
    message: str
    expected: str
    help: str
    edits: list[EditRecord]


def record(diagnostic: Diagnostic, source: Source) -> DiagnosticRecord:
    """Return a diagnostic as a flat record."""
    start = source.position(diagnostic.span.start)
    end = source.position(diagnostic.span.end)
    return DiagnosticRecord(
        file=source.name,
        code=diagnostic.code.code,
        severity=str(diagnostic.severity),
        line=start.line,
        column=start.column,
        end_line=end.line,
        end_column=end.column,
        message=diagnostic.message,
        expected=diagnostic.expected,
        help=diagnostic.help,
        edits=[_edit_record(edit, source) for edit in diagnostic.edits],
    )


def _edit_record(edit: Edit, source: Source) -> EditRecord:
    start = source.position(edit.span.start)
    end = source.position(edit.span.end)
    return EditRecord(
        line=start.line,
        column=start.column,
        end_line=end.line,
        end_column=end.column,
        text=edit.text,
    )


def _plain(text: str, _role: str) -> str:
    return text


def render(diagnostic: Diagnostic, source: Source, style: Style | None = None) -> str:
    """Return a diagnostic as text: the place, the message, the line with a caret, and advice."""
    paint = style or _plain
    place = source.position(diagnostic.span.start)
    severity = str(diagnostic.severity)
    lines = [
        paint(f"{source.name}:{place.line}:{place.column}:", "place")
        + " "
        + paint(f"{severity} {diagnostic.code.code}:", severity)
        + f" {diagnostic.message}",
        *_excerpt(diagnostic.span, source, paint, severity),
    ]
    if diagnostic.expected:
        lines.append(f"      {paint('expected:', 'help')} {diagnostic.expected}")
    if diagnostic.help:
        lines.append(f"      {paint('help:', 'help')} {diagnostic.help}")
    for other in diagnostic.related:
        where = source.position(other.span.start)
        lines.append(f"      {paint('see', 'help')} line {where.line}: {other.message}")
        lines.extend(_excerpt(other.span, source, paint, "note"))
    return "\n".join(lines)


def _excerpt(span: Span, source: Source, paint: Style, role: str) -> list[str]:
    """Return the line of a span, cropped around it if long, and a line of carets below it."""
    place = source.position(span.start)
    text = source.line(place.line)
    first = place.column - 1
    width = max(1, min(span.end, span.start - first + len(text)) - span.start)
    cut = max(0, first - 60)
    shown = text[cut : cut + 100]
    margin = "".join("\t" if char == "\t" else " " for char in text[cut:first])
    carets = "^" * max(1, min(width, cut + 100 - first))
    return [f"{place.line:5} | {shown}", f"      | {margin}{paint(carets, role)}"]


def excerpt(span: Span, source: Source) -> list[str]:
    """Return the line of a span, and a line of carets below it."""
    return _excerpt(span, source, _plain, "error")

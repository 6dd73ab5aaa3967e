"""Text for terminals: safe to print, with colours for diagnostics."""

from __future__ import annotations

import textwrap
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from cardwright.syntax.diagnostic import render
from cardwright.syntax.source import Source

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cardwright.syntax.diagnostic import Diagnostic

_LINE = 79
"""Width of a line below a table, in characters."""

_CONTROLS = (*range(32), *range(127, 160), 0x2028, 0x2029, *range(0x202A, 0x202F))
_ISOLATES = range(0x2066, 0x206A)
_HARMLESS = {ord("\n"), ord("\t")}
_UNSAFE = {code: "\ufffd" for code in (*_CONTROLS, *_ISOLATES) if code not in _HARMLESS}
"""Characters with which a file could move the cursor, recolour the terminal or reorder a line."""

_STYLES: dict[str, dict[str, Any]] = {
    "error": {"fg": "red", "bold": True},
    "warning": {"fg": "yellow", "bold": True},
    "note": {"fg": "cyan", "bold": True},
    "place": {"bold": True},
    "help": {"fg": "green"},
}


def printable(text: str) -> str:
    """Return a text with every control character replaced that a terminal would obey."""
    return text.translate(_UNSAFE)


def complain(message: str) -> None:
    """Print an error on the standard error."""
    click.echo(f"{click.style('error:', fg='red', bold=True)} {printable(message)}", err=True)


def note(text: str, width: int = _LINE) -> str:
    """Return a note below a table, in lines that are indented by one."""
    return textwrap.fill(text, width, initial_indent=" ", subsequent_indent=" ")


def in_short(numbers: tuple[int, ...]) -> str:
    """Return numbers in short: `3-5`, or `2, 4` where they have a gap."""
    low, high = min(numbers), max(numbers)
    if low < high and len(numbers) == high - low + 1:
        return f"{low}-{high}"
    return ", ".join(map(str, numbers))


def show_diagnostics(
    diagnostics: Iterable[Diagnostic], source: Source, *, err: bool = False
) -> None:
    """Print diagnostics with their lines; click leaves out the colours where they are not shown."""
    safe = Source(printable(source.name), printable(source.text))
    for diagnostic in diagnostics:
        click.echo(render(_safe(diagnostic), safe, _paint), err=err)


def _paint(text: str, role: str) -> str:
    return click.style(text, **_STYLES[role])


def _safe(diagnostic: Diagnostic) -> Diagnostic:
    return replace(
        diagnostic,
        message=printable(diagnostic.message),
        expected=printable(diagnostic.expected),
        help=printable(diagnostic.help),
        related=tuple(
            replace(other, message=printable(other.message)) for other in diagnostic.related
        ),
    )

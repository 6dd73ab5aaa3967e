"""Mending a game file: the edits of its messages, made where they are sure to help."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from cardwright.program.check import check
from cardwright.syntax.diagnostic import Code, Severity
from cardwright.syntax.edit import apply_edits
from cardwright.syntax.source import MAX_BYTES, Source

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cardwright.syntax.diagnostic import Diagnostic, Diagnostics, Edit

MOST_CHECKS = 500
"""How often a file is checked at most: each edit is tried by itself."""

_SAFE_WARNINGS = frozenset({Code.ANY_AS_ALL, Code.TRAILING_TEXT})
"""Warnings whose edits do not change the game."""


def mend(source: Source, base: int | None = None) -> Source:
    """Return a source with the edits made that remove a message and bring no other.

    Errors are mended, and warnings whose edits do not change the game. What else the checker
    suggests may not be what the author wants.
    """
    report = check(source, base=base).diagnostics
    checks = 1
    refused: set[tuple[Code, str]] = set()
    while checks < MOST_CHECKS:
        sure = filter(_is_sure, report)
        diagnostic = next((error for error in sure if _key(error) not in refused), None)
        if diagnostic is None:
            break
        text = apply_edits(source.text, diagnostic.edits)
        mended = Source(source.name, text)
        after = check(mended, base=base).diagnostics
        checks += 1
        fits = len(text.encode()) <= MAX_BYTES
        if fits and _is_better(report, after) and not _is_half(mended, diagnostic.edits, after):
            source, report = mended, after
        else:
            refused.add(_key(diagnostic))
    return source


def _is_sure(diagnostic: Diagnostic) -> bool:
    wrong = diagnostic.severity is Severity.ERROR or diagnostic.code in _SAFE_WARNINGS
    return bool(diagnostic.edits) and wrong and not diagnostic.guess


def _key(diagnostic: Diagnostic) -> tuple[Code, str]:
    return diagnostic.code, diagnostic.message


def _is_better(before: Diagnostics, after: Diagnostics) -> bool:
    new = Counter(error.code for error in after.errors)
    new.subtract(error.code for error in before.errors)
    if +new:
        return False
    if len(after.errors) < len(before.errors):
        return True
    return any(len(after.of_code(error)) < len(before.of_code(error)) for error in _SAFE_WARNINGS)


def _is_half(mended: Source, edits: Iterable[Edit], after: Diagnostics) -> bool:
    """Return whether an error is left right beside what was edited: then it was not what was meant.

    So the step of a condition that lacks its bracket is not put into a block, where the condition
    would still stand alone.
    """
    moved = 0
    for edit in sorted(edits, key=lambda edit: edit.span):
        start = edit.span.start + moved
        end = start + len(edit.text)
        moved += len(edit.text) - (edit.span.end - edit.span.start)
        for error in after.errors:
            if error.span.end <= start:
                between = mended.text[error.span.end : start]
            elif end <= error.span.start:
                between = mended.text[end : error.span.start]
            else:
                between = "" if start <= error.span.start and error.span.end <= end else "around"
            if not between.strip():
                return True
    return False

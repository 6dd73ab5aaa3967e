"""Mending a game file: the edits of its messages, made where they are sure to help."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from cardwright.program.check import check
from cardwright.syntax.diagnostic import Code, Severity
from cardwright.syntax.edit import apply_edits
from cardwright.syntax.source import MAX_BYTES, Source

if TYPE_CHECKING:
    from cardwright.syntax.diagnostic import Diagnostic, Diagnostics

MOST_CHECKS = 500
"""How often a file is checked at most: each edit is tried by itself."""


def mend(source: Source, base: int | None = None) -> Source:
    """Return a source with the edits made that remove a message and bring no other.

    Errors are mended, and warnings whose edits do not change the game. What else the checker
    suggests may not be what the author wants.
    """
    report = check(source, base=base).diagnostics
    checks = 1
    refused: set[tuple[Code, str]] = set()
    while checks < MOST_CHECKS:
        found = next((one for one in report if _is_sure(one) and _key(one) not in refused), None)
        if found is None:
            break
        text = apply_edits(source.text, found.edits)
        mended = Source(source.name, text)
        after = check(mended, base=base).diagnostics
        checks += 1
        if len(text.encode()) <= MAX_BYTES and _is_better(report, after):
            source, report = mended, after
        else:
            refused.add(_key(found))
    return source


def _is_sure(found: Diagnostic) -> bool:
    wrong = found.severity is Severity.ERROR or found.code is Code.ANY_AS_ALL
    return bool(found.edits) and wrong and not found.guess


def _key(found: Diagnostic) -> tuple[Code, str]:
    return found.code, found.message


def _is_better(before: Diagnostics, after: Diagnostics) -> bool:
    """Return whether messages are gone, and no error is new."""
    new = Counter(one.code for one in after.errors)
    new.subtract(one.code for one in before.errors)
    if +new:
        return False
    if len(after.errors) < len(before.errors):
        return True
    return len(after.of_code(Code.ANY_AS_ALL)) < len(before.of_code(Code.ANY_AS_ALL))

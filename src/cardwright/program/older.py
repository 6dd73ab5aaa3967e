"""Files in RECYCLE of 2015 and 2016, which is older than what is read: told once, and no more."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cardwright.syntax.diagnostic import Code
from cardwright.syntax.source import Span

if TYPE_CHECKING:
    from cardwright.syntax.diagnostic import Diagnostics

_SURE = (
    ("comp", re.compile(r"\(\s*(comp)\s*\(")),
    ("permdeck", re.compile(r"\(\s*(permdeck)\b")),
    ("initialize points", re.compile(r"\(\s*(initialize\s+points)\b")),
)
"""Words that no newer RECYCLE has, and no author of today would write."""

_LIKELY = (
    ("loc", re.compile(r"(?:\bgame|\)|'[A-Z]\w*)\s+(loc)\s+[A-Z(']")),
    ("where", re.compile(r"\(\s*(where)\s")),
)
"""Words that an author of today may write by mistake; two of them are no mistake."""


def report_older(report: Diagnostics) -> bool:
    """Say that a file is in an older RECYCLE than is read, if it is; return whether it is.

    Whatever else was said of it is dropped.
    """
    text = re.sub(r";;.*", lambda comment: " " * len(comment[0]), report.source.text)
    sure = [(word, found) for word, mark in _SURE if (found := mark.search(text))]
    likely = [(word, found) for word, mark in _LIKELY if (found := mark.search(text))]
    if not sure and len(likely) < len(_LIKELY):
        return False
    marks = sure + likely
    first = min((found for _, found in marks), key=lambda found: found.start(1))
    words = ", ".join(f"`{word}`" for word, _ in marks)
    report.clear()
    report.add(
        Code.OLDER_LANGUAGE,
        Span(*first.span(1)),
        f"this file is in RECYCLE of 2015 or 2016 ({words}), which is older than what is read",
        expected="RECYCLE as it is since grammar 0.4",
        help="it has to be rewritten: a location is vloc, iloc, hloc or mem, a step under a "
        "condition is (CONDITION STEP), and points are (set (game points NAME) (AWARD...))",
    )
    return True

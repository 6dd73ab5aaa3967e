"""Comments that silence one message in one place: `;; allow W606: the reason`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cardwright.syntax.diagnostic import Code, Severity
from cardwright.syntax.source import Span
from cardwright.syntax.suggest import near

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cardwright.syntax.diagnostic import Diagnostic, Diagnostics
    from cardwright.syntax.source import Source
    from cardwright.syntax.tree import Comment

_ALLOW = re.compile(
    r";;+\s*allow\s+(?P<codes>[A-Za-z]\d{3}\b(?:\s*,\s*\w+)*)\s*(?::\s*(?P<reason>.*))?"
)

_KNOWN = {code.code: code for code in Code}

_EXAMPLE = "for example ;; allow W606: the next game of the series fills it"


def silence(report: Diagnostics, comments: Iterable[Comment], *, complete: bool) -> None:
    """Drop the messages that comments allow, and warn of comments that allow nothing.

    Unless the check is `complete`, what a comment is for may just not have been found.
    """
    for comment in comments:
        found = _ALLOW.fullmatch(comment.text)
        if found is None:
            continue
        if not (found["reason"] or "").strip():
            problem = "this does not say why"
            _warn(report, comment.span, problem, f"the reason comes after a colon: {_EXAMPLE}")
            continue
        for word in re.finditer(r"\w+", found["codes"]):
            start = comment.span.start + found.start("codes")
            span = Span(start + word.start(), start + word.end())
            _allow(report, comment, word.group(), span, complete=complete)


def _allow(report: Diagnostics, comment: Comment, word: str, span: Span, *, complete: bool) -> None:
    code = _KNOWN.get(word)
    if code is None:
        meant = near(word, [name for name in _KNOWN if name[0] != "E"], 0.7)
        _warn(report, span, f"there is no code {word}", f"did you mean {meant}?" if meant else "")
    elif code.severity is Severity.ERROR:
        _warn(report, span, f"{word} is an error, which nothing can allow")
    elif code is Code.POINTLESS_ALLOW:
        _warn(report, span, f"{word} cannot be allowed; take the comment away instead")
    else:
        silenced = list(_covered(report.source, comment, report.of_code(code)))
        report.drop(silenced)
        if complete and not silenced:
            _warn(
                report,
                span,
                f"there is no {word} here",
                "such a comment stands at the end of the line of the message, or on the line "
                "before it",
            )


def _warn(report: Diagnostics, span: Span, message: str, advice: str = "") -> None:
    report.add(Code.POINTLESS_ALLOW, span, message, help=advice)


def _covered(source: Source, comment: Comment, found: list[Diagnostic]) -> Iterator[Diagnostic]:
    """Yield the messages in the line that a comment is about.

    If there is none in the line itself, it is the nearest in the form of which the line is a part:
    the lines that are further right.
    """
    at = source.position(comment.span.start).line
    alone = source.line(at).lstrip().startswith(";;")
    last = len(source.text.splitlines())
    if alone:
        first = next((line for line in range(at + 1, last + 1) if _is_code(source, line)), last)
        lines = [first, *_deeper(source, range(first + 1, last + 1), first)]
    else:
        lines = [at, *_above(source, at)]
    of_line: dict[int, list[Diagnostic]] = {}
    for one in found:
        of_line.setdefault(source.position(one.span.start).line, []).append(one)
    yield from next((of_line[line] for line in lines if line in of_line), [])


def _is_code(source: Source, line: int) -> bool:
    text = source.line(line).lstrip()
    return bool(text) and not text.startswith(";;")


def _indent(source: Source, line: int) -> int:
    text = source.line(line)
    return len(text) - len(text.lstrip())


def _deeper(source: Source, lines: Iterable[int], first: int) -> Iterator[int]:
    """Yield the lines after the first one that are further right than it."""
    for line in lines:
        if _is_code(source, line):
            if _indent(source, line) <= _indent(source, first):
                return
            yield line


def _above(source: Source, last: int) -> Iterator[int]:
    """Yield the lines of which the last one is a continuation, upwards."""
    column = _indent(source, last)
    for line in range(last - 1, 0, -1):
        if not column:
            return
        if _is_code(source, line) and _indent(source, line) < column:
            yield line
            column = _indent(source, line)

"""Checking a game file: from its text to a program and its diagnostics."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright.program.frame import ProgramElaborator
from cardwright.program.lint import lint
from cardwright.program.settle import settle
from cardwright.program.unmatched import examine_rest
from cardwright.syntax.diagnostic import Code, Diagnostics, Related
from cardwright.syntax.reader import read, report_early
from cardwright.syntax.recovery import recover
from cardwright.syntax.silence import silence
from cardwright.syntax.source import MAX_BYTES, Source, Span
from cardwright.syntax.tree import Form, is_word

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from cardwright.program.constants import Constant
    from cardwright.program.elaborate import Elaborator
    from cardwright.program.expansion import ExtensionUse
    from cardwright.program.program import Program
    from cardwright.syntax.reader import ReadText

_RECURSION = 3_000


@dataclass(frozen=True)
class Checked:
    """The outcome of a check: the program if there are no errors, and all diagnostics."""

    source: Source
    program: Program | None
    diagnostics: Diagnostics


@dataclass(frozen=True)
class Examined:
    """The outcome of a check, with what was found on the way: what was read, and what it means.

    `meaning` has what names denote and what forms were taken for, also where there are errors. The
    form is that of the program; where brackets do not match, damaged parts are left out of it.
    """

    checked: Checked
    reading: ReadText | None
    meaning: Elaborator | None
    form: Form | None


def check(
    source: Source,
    overrides: Mapping[str, Constant] | None = None,
    base: int | None = None,
    *,
    strict: bool = False,
) -> Checked:
    """Check a game file.

    `overrides` gives declared constants other values, by name without the apostrophe; `base`
    forces the number of the first player and team (0 or 1). `strict` notes each extension of the
    language. Never raises on any text.
    """
    return examine(source, overrides, base, strict=strict).checked


def examine(
    source: Source,
    overrides: Mapping[str, Constant] | None = None,
    base: int | None = None,
    *,
    strict: bool = False,
) -> Examined:
    """Check a game file as `check` does, and return what was found on the way as well."""
    report = Diagnostics(source)
    if len(source.text) > MAX_BYTES:
        report.add(
            Code.UNREADABLE,
            Span(0, 0),
            f"{len(source.text):,} characters are too many for a game file",
            expected=f"at most {MAX_BYTES:,}",
        )
        return Examined(Checked(source, None, report), None, None, None)
    reading = read(source, report)
    with _deep_recursion():
        examined = _examine(reading, report, dict(overrides or {}), base)
    if strict and examined.meaning is not None:
        uses = examined.meaning.extensions.uses.values()
        _report_extensions(examined.checked.diagnostics, uses)
    return examined


def _examine(
    reading: ReadText, report: Diagnostics, overrides: dict[str, Constant], base: int | None
) -> Examined:
    source = report.source
    if reading.form is None:
        return _unmatched(reading, report, overrides, base)
    if reading.rest is not None and is_word(reading.form.head, "game"):
        _report_rest(report, reading.form, reading.rest)
    frame = ProgramElaborator(report, overrides, base)
    program = frame.program(reading.form)
    if program is not None:
        lint(program, report, frame.by.scope)
        program = settle(program)
    elif reading.rest is not None and not source.at(reading.rest).strip(") \n\r\t"):
        told = Diagnostics(source)
        report_early(told, reading.form, reading.rest, reading.early)
        examined = _unmatched(reading, told, overrides, base)
        if examined.meaning is not None:
            return examined
    complete = program is not None and not report.errors and not overrides and base is None
    silence(report, reading.comments, complete=complete)
    checked = Checked(source, None if report.errors else program, report)
    return Examined(checked, reading, frame.by, reading.form)


def _unmatched(
    reading: ReadText, report: Diagnostics, overrides: dict[str, Constant], base: int | None
) -> Examined:
    """Examine what can be read of a program whose brackets do not match."""
    recovered = recover(report.source) if report.errors else None
    meaning = None
    if recovered is not None:
        meaning = examine_rest(recovered, report, overrides, base)
    form = recovered.form if recovered else reading.form
    return Examined(Checked(report.source, None, report), reading, meaning, form)


def _report_extensions(report: Diagnostics, uses: Iterable[ExtensionUse]) -> None:
    for use in uses:
        report.add(
            Code.EXTENSION,
            use.written.span,
            f"{use.name} is an extension of the language",
            help="the same in plain RECYCLE: cardwright format --plain",
        )


@contextmanager
def _deep_recursion() -> Iterator[None]:
    """Leave stack for the deepest form that the reader accepts, some ten frames a bracket."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, _RECURSION))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def _report_rest(report: Diagnostics, form: Form, rest: Span) -> None:
    report.add(
        Code.TRAILING_TEXT,
        Span(rest.start, rest.start + 1),
        "text after the end of the program is ignored",
        help="if it belongs to the program, a bracket was closed too early",
        related=(Related(Span(form.span.end - 1, form.span.end), "the program ends here"),),
    )

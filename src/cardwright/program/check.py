"""Checking a game file: from its text to a program and its diagnostics."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import takewhile
from typing import TYPE_CHECKING

from cardwright.program.diagnosis.brackets import examine_rest, put_right
from cardwright.program.diagnosis.messages import report_older
from cardwright.program.elaborate import Elaborator
from cardwright.program.frame import ProgramElaborator
from cardwright.program.labels import unlabelled
from cardwright.program.lint import lint
from cardwright.program.recall import Recall
from cardwright.program.settle import settle
from cardwright.syntax.diagnostic import Code, Diagnostics, Edit, Related, silence
from cardwright.syntax.reader import read, report_early
from cardwright.syntax.recovery import recover
from cardwright.syntax.source import MAX_BYTES, Source, Span
from cardwright.syntax.tree import Form, is_word

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from cardwright.program.constants import Constant
    from cardwright.program.expansion import ExtensionUse
    from cardwright.program.program import Program
    from cardwright.syntax.diagnostic import Diagnostic
    from cardwright.syntax.reader import ReadText
    from cardwright.syntax.tree import Syntax

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


def messages(source: Source, recall: Recall) -> Diagnostics:
    """Return what `check` says of a text, sooner if `recall` has seen almost the same before."""
    report = Diagnostics(source)
    if len(source.text) > MAX_BYTES:
        return check(source).diagnostics
    reading = read(source, report)
    with deep_recursion():
        examined = _Examination({}, None, recall).of(reading, report)
    recall.turn()
    return examined.checked.diagnostics


class ValueCheck:
    """Checks a program with other values of constants, again and again.

    It is read once, and what is the same for two values is elaborated once.
    """

    def __init__(self, source: Source) -> None:
        self.source = source
        self._form = read(source, Diagnostics(source)).form
        self._recall = Recall()

    def errors(self, overrides: Mapping[str, Constant], *, whole: bool) -> list[Diagnostic]:
        """Return the errors that there are with some values.

        If it is not the `whole` program that is looked at, it is its declarations and its set-up,
        which takes much less time.
        """
        report, form = Diagnostics(self.source), self._form
        if form is None:
            return []
        if not whole:
            form = Form(tuple(takewhile(_is_before_play, form.items)), form.span)
        with deep_recursion():
            make = self._recall.elaborator(form)
            ProgramElaborator(report, dict(overrides), None, make).program(form)
        self._recall.turn()
        return [one for one in report.errors if whole or one.code is not Code.MISSING_SECTION]


def _is_before_play(item: Syntax) -> bool:
    sections = ("declare", "define", "setup")
    return not isinstance(item, Form) or any(item.starts_with(word) for word in sections)


def examine(
    source: Source,
    overrides: Mapping[str, Constant] | None = None,
    base: int | None = None,
    *,
    strict: bool = False,
    recall: Recall | None = None,
) -> Examined:
    """Check a game file as `check` does, and return what was found on the way as well.

    An empty `recall` keeps its forms, for `messages` of texts that are almost the same; then the
    program has the branches that its constants rule out as well.
    """
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
    with deep_recursion():
        examined = _Examination(dict(overrides or {}), base, recall).of(reading, report)
    if recall is not None:
        recall.turn()
    if strict and examined.meaning is not None:
        uses = examined.meaning.extensions.uses.values()
        _report_extensions(examined.checked.diagnostics, uses)
    return examined


@dataclass(frozen=True)
class _Examination:
    """How a program is checked; with `recall`, only its messages are wanted, and soon."""

    overrides: dict[str, Constant]
    base: int | None
    recall: Recall | None = None

    def of(self, reading: ReadText, report: Diagnostics) -> Examined:
        """Examine what was read."""
        source, form = report.source, reading.form
        if form is None:
            examined = self.unmatched(reading, report)
            report_older(report)
            return examined
        if reading.rest is not None and is_word(form.head, "game"):
            _report_rest(report, form, reading.rest)
        frame = ProgramElaborator(report, self.overrides, self.base, self.elaborator(form))
        program = frame.program(form)
        if program is not None:
            lint(unlabelled(program, report), report, frame.by.scope)
            program = unlabelled(settle(program)) if self.recall is None else program
        elif reading.rest is not None and not source.at(reading.rest).strip(") \n\r\t"):
            told = Diagnostics(source)
            report_early(told, form, reading.rest, reading.early)
            examined = self.unmatched(reading, told)
            if examined.meaning is not None:
                return examined
        if report.errors:
            report_older(report)
        if report.errors and reading.rest is None:
            displaced = self.displaced(reading, len(report.errors), source)
            if displaced is not None:
                return displaced
        plain = not self.overrides and self.base is None
        complete = program is not None and not report.errors and plain
        silence(report, reading.comments, complete=complete)
        checked = Checked(source, None if report.errors else program, report)
        return Examined(checked, reading, frame.by, form)

    def unmatched(self, reading: ReadText, report: Diagnostics) -> Examined:
        """Examine what can be read of a program whose brackets do not match."""
        brackets = len(report.errors)
        recovered = recover(report.source) if brackets else None
        meaning, form = None, reading.form
        if recovered is not None:
            form = recovered.form
            make = self.elaborator(form, (damage.span for damage in recovered.damages))
            meaning = examine_rest(recovered, report, self.overrides, self.base, make)
        if brackets:
            put_right(report, len(report.errors) - brackets, self.errors_in)
        return Examined(Checked(report.source, None, report), reading, meaning, form)

    def displaced(self, reading: ReadText, errors: int, source: Source) -> Examined | None:
        """Examine a program with errors whose brackets match, but not with its layout.

        None if there is nothing to be put right by which it has fewer errors.
        """
        recovered = recover(source)
        if recovered is None:
            return None
        report = Diagnostics(source)
        form = recovered.form
        make = self.elaborator(form, (damage.span for damage in recovered.damages))
        meaning = examine_rest(recovered, report, self.overrides, self.base, make)
        if not put_right(report, min(len(report.errors), errors - 1), self.errors_in):
            return None
        return Examined(Checked(source, None, report), reading, meaning, form)

    def errors_in(self, text: str) -> int | None:
        """Return the number of errors of a text; None if its brackets do not match."""
        report = Diagnostics(Source("", text))
        reading = read(report.source, report)
        if reading.form is None or reading.rest is not None:
            return None
        by = self.elaborator(reading.form)
        ProgramElaborator(report, self.overrides, self.base, by).program(reading.form)
        return len(report.errors)

    def elaborator(
        self, form: Form, damaged: Iterable[Span] = ()
    ) -> Callable[[Diagnostics], Elaborator]:
        """Return what makes the elaborator of a program."""
        return Elaborator if self.recall is None else self.recall.elaborator(form, damaged)


def _report_extensions(report: Diagnostics, uses: Iterable[ExtensionUse]) -> None:
    for use in uses:
        report.add(
            Code.EXTENSION,
            use.written.span,
            f"{use.name} is an extension of the language",
            help="the same in plain RECYCLE: cardwright format --plain",
        )


@contextmanager
def deep_recursion() -> Iterator[None]:
    """Leave stack for the deepest form that the reader accepts, some ten frames a bracket."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, _RECURSION))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def _report_rest(report: Diagnostics, form: Form, rest: Span) -> None:
    only_brackets = not report.source.at(rest).strip(")")
    report.add(
        Code.TRAILING_TEXT,
        Span(rest.start, rest.start + 1),
        "text after the end of the program is ignored",
        help="if it belongs to the program, a bracket was closed too early",
        related=(Related(Span(form.span.end - 1, form.span.end), "the program ends here"),),
        edits=(Edit(rest, ""),) if only_brackets else (),
    )

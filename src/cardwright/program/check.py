"""Checking a game file: from its text to a program and its diagnostics."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import takewhile
from typing import TYPE_CHECKING

from cardwright.program.constants import NotConstantError, node_of, truth
from cardwright.program.diagnosis.brackets import examine_rest, put_right, recover
from cardwright.program.diagnosis.messages import report_older
from cardwright.program.elaborate import Elaborator
from cardwright.program.fitting import variables_in
from cardwright.program.frame import ProgramElaborator
from cardwright.program.kinds import ValueKind
from cardwright.program.lint import lint
from cardwright.program.program import fold_constants, unlabelled
from cardwright.syntax.diagnostic import Code, Diagnostics, Edit, Related, silence
from cardwright.syntax.reader import read, report_early
from cardwright.syntax.source import MAX_BYTES, Source, Span
from cardwright.syntax.tree import Form, is_word

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from cardwright.program import nodes as n
    from cardwright.program.constants import Constant
    from cardwright.program.context import Instead
    from cardwright.program.program import Program
    from cardwright.syntax.diagnostic import Diagnostic
    from cardwright.syntax.reader import ReadText
    from cardwright.syntax.tree import Syntax


def holds(condition: str, values: Mapping[str, Constant]) -> bool:
    """Return whether a condition such as `(<= 'PASS 4)` holds for these values of constants.

    Raises ValueError if the text is not a condition, or refers to more than these constants.
    """
    report = Diagnostics(Source("condition", condition))
    by = Elaborator(report)
    for name, value in values.items():
        by.scope.declare(f"'{name}", node_of(value, Span(0, 0)), Span(0, 0))
    reading = read(report.source, report)
    node = None if reading.form is None else by.elaborate(reading.form, ValueKind.BOOLEAN)
    if (node is None and not condition.strip()) or reading.rest is not None:
        raise ValueError(f"{condition!r} is not a condition")
    if node is None or report.errors:
        raise ValueError(f"{condition}: {report.errors[0].message}")
    try:
        return truth(node)
    except NotConstantError as error:
        reason = error.reason or "this is not known before the game starts"
        raise ValueError(f"{condition}: {reason}") from None


_RECURSION = 3_000


@dataclass(frozen=True)
class Checked:
    """The outcome of a check: the program if there are no errors, and all diagnostics."""

    source: Source
    program: Program | None
    diagnostics: Diagnostics


@dataclass(frozen=True)
class SemanticModel:
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


class ValueCheck:
    """Checks a program without errors with other values of constants, again and again."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self._form = read(source, Diagnostics(source)).form

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
        by = _ValueElaborator(report)
        by.affected = _affected(form, overrides)
        with deep_recursion():
            ProgramElaborator(report, overrides, None, by).program(form)
        return [one for one in report.errors if whole or one.code is not Code.MISSING_SECTION]


class _ValueElaborator(Elaborator):
    """An elaborator that leaves out steps and blocks that name nothing of what is `affected`."""

    affected: frozenset[str] = frozenset()

    def elaborate(
        self, item: Syntax, expected: ValueKind, instead: Instead | None = None
    ) -> n.Node:
        # A secret is affected by its values, wherever it is set.
        checked = self.extensions.secrets or not expected & ValueKind.CONTROL
        if checked or any(atom.text in self.affected for atom in variables_in(item)):
            return super().elaborate(item, expected, instead)
        return self.bad(item)


def _affected(form: Form, names: Iterable[str]) -> frozenset[str]:
    """Return the variables of which the values of some constants may change the meaning."""
    found = {f"'{name}" for name in names}
    for item in form.items:
        named = {atom.text for atom in variables_in(item)}
        if isinstance(item, Form) and item.starts_with("declare") and found & named:
            found |= named
    return frozenset(found)


def _is_before_play(item: Syntax) -> bool:
    sections = ("declare", "define", "setup")
    return not isinstance(item, Form) or any(item.starts_with(word) for word in sections)


def examine(
    source: Source,
    overrides: Mapping[str, Constant] | None = None,
    base: int | None = None,
    *,
    strict: bool = False,
) -> SemanticModel:
    """Check a game file as `check` does, and return what was found on the way as well."""
    report = Diagnostics(source)
    if len(source.text) > MAX_BYTES:
        report.add(
            Code.UNREADABLE,
            Span(0, 0),
            f"{len(source.text):,} characters are too many for a game file",
            expected=f"at most {MAX_BYTES:,}",
        )
        return SemanticModel(Checked(source, None, report), None, None, None)
    reading = read(source, report)
    with deep_recursion():
        examined = _Examination(dict(overrides or {}), base).of(reading, report)
    if strict and examined.meaning is not None:
        for use in examined.meaning.extensions.uses.values():
            examined.checked.diagnostics.add(
                Code.EXTENSION,
                use.written.span,
                f"{use.name} is an extension of the language",
                help="the same in plain RECYCLE: cardwright format --plain",
            )
    return examined


@dataclass(frozen=True)
class _Examination:
    """How a program is checked."""

    overrides: dict[str, Constant]
    base: int | None

    def of(self, reading: ReadText, report: Diagnostics) -> SemanticModel:
        """Examine what was read."""
        source, form = report.source, reading.form
        if form is None:
            examined = self.unmatched(reading, report)
            report_older(report)
            return examined
        if reading.rest is not None and is_word(form.head, "game"):
            _report_rest(report, form, reading.rest)
        frame = ProgramElaborator(report, self.overrides, self.base)
        program = frame.program(form)
        if program is not None:
            lint(unlabelled(program, report), report, frame.by.scope)
            program = unlabelled(fold_constants(program))
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
        return SemanticModel(checked, reading, frame.by, form)

    def unmatched(self, reading: ReadText, report: Diagnostics) -> SemanticModel:
        """Examine what can be read of a program whose brackets do not match."""
        brackets = len(report.errors)
        recovered = recover(report.source) if brackets else None
        meaning, form = None, reading.form
        if recovered is not None:
            form = recovered.form
            meaning = examine_rest(recovered, report, self.overrides, self.base)
        if brackets:
            put_right(report, len(report.errors) - brackets, self.errors_in)
        return SemanticModel(Checked(report.source, None, report), reading, meaning, form)

    def displaced(self, reading: ReadText, errors: int, source: Source) -> SemanticModel | None:
        """Examine a program with errors whose brackets match, but not with its layout.

        None if there is nothing to be put right by which it has fewer errors.
        """
        recovered = recover(source)
        if recovered is None:
            return None
        report = Diagnostics(source)
        meaning = examine_rest(recovered, report, self.overrides, self.base)
        if not put_right(report, min(len(report.errors), errors - 1), self.errors_in):
            return None
        return SemanticModel(Checked(source, None, report), reading, meaning, recovered.form)

    def errors_in(self, text: str) -> int | None:
        """Return the number of errors of a text; None if its brackets do not match."""
        report = Diagnostics(Source("", text))
        reading = read(report.source, report)
        if reading.form is None or reading.rest is not None:
            return None
        ProgramElaborator(report, self.overrides, self.base).program(reading.form)
        return len(report.errors)


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

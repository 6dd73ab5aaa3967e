"""What else is wrong with a program whose brackets do not match."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from cardwright.program.frame import ProgramElaborator
from cardwright.program.missing_brackets import repairs
from cardwright.syntax.diagnostic import Code, Diagnostic, Diagnostics, Severity
from cardwright.syntax.edit import apply_edits
from cardwright.syntax.source import Span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from cardwright.program.constants import Constant
    from cardwright.program.elaborate import Elaborator
    from cardwright.program.missing_brackets import Repair
    from cardwright.syntax.recovery import Recovered
    from cardwright.syntax.source import Source

_VARIABLE = re.compile(r"'[A-Z]\w*")

_BRACKETS = frozenset({Code.UNCLOSED, Code.CLOSED_EARLY})

_MOST_WAYS = 20
"""Most ways to repair a text that are looked at; with more of them none is sure."""

_OF_THE_WHOLE = frozenset({Code.MISSING_SECTION, Code.BAD_TEAMS, Code.SECTION_ORDER})
"""What may follow from parts that were left out, wherever it is reported."""


def examine_rest(
    recovered: Recovered,
    report: Diagnostics,
    overrides: dict[str, Constant],
    base: int | None,
    make: Callable[[Diagnostics], Elaborator],
) -> Elaborator:
    """Report the mistakes in a recovered program that do not follow from its damages."""
    report.amend({Code.UNCLOSED}, help=_counted(recovered))
    scratch = Diagnostics(recovered.source)
    frame = ProgramElaborator(scratch, overrides, base, make)
    frame.program(recovered.form)
    perhaps_declared = _perhaps_declared(recovered)
    for found in scratch.found:
        if _is_sure(found, recovered, perhaps_declared):
            report.take(found)
    return frame.by


def _counted(recovered: Recovered) -> str:
    """Return how many brackets are missing or too many in which lines."""
    source = recovered.source
    return "; ".join(
        _told(
            damage.left_open,
            source.line_at(damage.around.start),
            source.line_at(max(damage.around.end - 1, 0)),
        )
        for damage in recovered.damages
    )


def _told(left_open: int, first: int, last: int) -> str:
    number = abs(left_open)
    where = f"in line {first}" if first == last else f"in lines {first} to {last}"
    brackets = "1 closing bracket is" if number == 1 else f"{number} closing brackets are"
    return f"{brackets} {_WRONG[left_open > 0]} {where}"


_WRONG = {True: "missing", False: "too many"}


def put_right(report: Diagnostics, most: int, errors_in: Callable[[str], int | None]) -> bool:
    """Report where brackets are missing or too many, if it can be seen; return whether it can.

    `errors_in` gives the number of errors of a text, None if its brackets do not match. With the
    brackets put right there must not be more than `most`.
    """
    source = report.source
    found = repairs(source)
    ways = list(islice(_ways(found), _MOST_WAYS + 1))
    many = len(ways) > _MOST_WAYS
    sound = [] if many else [one for one in ways if _is_fine(source, one, most, errors_in)]
    if len(sound) == 1:
        report.drop_errors(_BRACKETS)
        for repair in sound[0]:
            report.add(
                repair.code,
                repair.span,
                repair.message,
                related=repair.related,
                edits=(repair.edit,),
            )
        return True
    if sound:
        report.amend(_BRACKETS, edits=tuple(repair.edit for repair in sound[0]), guess=True)
    elif len(found) > 1 and any(report.of_code(code) for code in _BRACKETS):
        report.drop_errors(_BRACKETS)
        for repair in found:
            _report_likely(report, repair)
    return False


def _report_likely(report: Diagnostics, repair: Repair) -> None:
    """Report where a bracket seems to be missing or too many, or else in which lines."""
    if repair.likely:
        what, colon, rest = repair.message.partition(":")
        message = f"{what}, it seems{colon}{rest}"
        report.add(
            repair.code,
            repair.span,
            message,
            related=repair.related,
            edits=(repair.edit,),
            guess=True,
        )
        return
    source, first = report.source, repair.lines[0]
    start = source.start_of(first) + len(source.line(first)) - len(source.line(first).lstrip())
    told = _told(repair.number, *repair.lines)
    report.add(repair.code, Span(start, start + 1), told)


def _ways(found: Sequence[Repair]) -> Iterator[tuple[Repair, ...]]:
    """Yield the ways to repair a text: the first, and those that differ from it in one place."""
    if not found:
        return
    yield tuple(found)
    for at, repair in enumerate(found):
        for other in repair.others:
            yield (*found[:at], other, *found[at + 1 :])


def _is_fine(
    source: Source,
    way: Sequence[Repair],
    most: int,
    errors_in: Callable[[str], int | None],
) -> bool:
    try:
        text = apply_edits(source.text, (repair.edit for repair in way))
    except ValueError:
        return False
    errors = errors_in(text)
    return errors is not None and errors <= most


def _is_sure(found: Diagnostic, recovered: Recovered, perhaps_declared: set[str]) -> bool:
    if found.severity is not Severity.ERROR or found.code in _OF_THE_WHOLE:
        return False
    if not recovered.is_reliable(found.span):
        return False
    if found.code is not Code.UNBOUND:
        return True
    around = any(damage.around.overlaps(found.span) for damage in recovered.damages)
    return not around and recovered.source.at(found.span) not in perhaps_declared


def _perhaps_declared(recovered: Recovered) -> set[str]:
    """Return the variables of damaged parts that may declare constants."""
    texts = (recovered.source.at(damage.around) for damage in recovered.damages)
    return {name for text in texts if "declare" in text for name in _VARIABLE.findall(text)}

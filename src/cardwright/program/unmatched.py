"""What else is wrong with a program whose brackets do not match."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cardwright.program.frame import ProgramElaborator
from cardwright.program.missing_brackets import mend
from cardwright.syntax.diagnostic import Code, Diagnostic, Diagnostics, Severity

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.program.constants import Constant
    from cardwright.program.elaborate import Elaborator
    from cardwright.syntax.recovery import Recovered

_VARIABLE = re.compile(r"'[A-Z]\w*")

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
    mended = mend(recovered)
    report.amend({Code.UNCLOSED, Code.CLOSED_EARLY}, mended.edits, mended.span, mended.message)
    scratch = Diagnostics(recovered.source)
    frame = ProgramElaborator(scratch, overrides, base, make)
    frame.program(recovered.form)
    perhaps_declared = _perhaps_declared(recovered)
    for found in scratch.found:
        if _is_sure(found, recovered, perhaps_declared):
            report.take(found)
    return frame.by


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

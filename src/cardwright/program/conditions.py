"""Conditions on declared constants, written in the language but outside a game's file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.program.constants import NotConstantError, node_of, truth
from cardwright.program.elaborate import Elaborator
from cardwright.program.kinds import ValueKind
from cardwright.syntax.diagnostic import Diagnostics
from cardwright.syntax.reader import read
from cardwright.syntax.source import Source, Span

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardwright.program.constants import Constant


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

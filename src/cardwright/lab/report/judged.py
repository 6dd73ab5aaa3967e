"""Effects as judgements: `better by 2.35` or `worse by 0.4`, instead of numbers with signs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.lab.response import Better

if TYPE_CHECKING:
    from cardwright.lab.report.numerals import NumberFormat
    from cardwright.lab.response import Response

_WORDS = {
    Better.LOWER: ("worse", "better"),
    Better.HIGHER: ("better", "worse"),
    Better.NEITHER: ("more", "less"),
}
"""What a positive and a negative effect are called."""


def direction_word(value: float, response: Response) -> str:
    """Return `better` or `worse`, or `more` or `less` of what is neither; not for 0."""
    return _WORDS[response.better][value < 0]


def judged(value: float, response: Response, form: NumberFormat) -> str:
    """Return what an effect is, such as `better by 2.35`, without its unit."""
    if not value:
        return "no different"
    return f"{direction_word(value, response)} by {form.number(abs(value))}"


def judged_in(value: float, response: Response, form: NumberFormat, unit: str) -> str:
    """Return what an effect is, with its unit: `better by 2.35 points`, or `no different`."""
    said = judged(value, response, form)
    return f"{said} {unit}" if value else said


def judged_range(
    low: float | None, high: float | None, response: Response, form: NumberFormat
) -> str:
    """Return an interval, such as `1.3 to 2.3 better` or `0.3 worse to 1.9 better`."""
    if low is None or high is None:
        return "–"
    ends = sorted((low, high), key=lambda end: (good_side(end, response), abs(end)))
    if low * high > 0:
        first, last = sorted((abs(low), abs(high)))
        return f"{form.number(first)} to {form.number(last)} {direction_word(low, response)}"
    return " to ".join(
        f"{form.number(abs(end))} {direction_word(end, response)}" if end else form.number(0)
        for end in ends
    )


def good_side(value: float, response: Response) -> float:
    """Return an effect with the sign that makes better ones positive."""
    return -value if response.better is Better.LOWER else value

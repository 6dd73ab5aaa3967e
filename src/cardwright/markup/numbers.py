"""Numbers as people read them, and intervals beside means, as text and as a small picture."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple, Protocol

from cardwright.markup.element import Html, element, joined

if TYPE_CHECKING:
    from collections.abc import Iterable

_MINUS = "−"
_WIDE, _HIGH = 140, 14


class MeanInterval(Protocol):
    """A mean and the ends of its interval; None or NaN where the values do not determine them."""

    @property
    def mean(self) -> float | None:
        """The mean."""

    @property
    def low(self) -> float | None:
        """The lower end."""

    @property
    def high(self) -> float | None:
        """The upper end."""


class ShownInterval(NamedTuple):
    """An interval at hand as three numbers."""

    mean: float | None
    low: float | None
    high: float | None


def number(value: float | None, digits: int = 2) -> str:
    """Return a number with so many digits after the point; a dash for none."""
    if value is None or not math.isfinite(value):
        return "–"
    text = f"{value:,.{digits}f}"
    zero = not any(one in "123456789" for one in text)
    return text.lstrip("-") if zero else text.replace("-", _MINUS)


def percent(value: float | None, digits: int = 1) -> str:
    """Return a share as a percentage."""
    return "–" if value is None or not math.isfinite(value) else f"{number(100 * value, digits)} %"


def mean_and_ends(one: MeanInterval, digits: int = 2, *, share: bool = False) -> Html:
    """Return a mean with its interval beside it: `8.1 [7.9, 8.3]`."""
    said = percent if share else number
    mean = said(one.mean, digits)
    if one.low is None or one.high is None:
        return joined(mean)
    low, high = ((100 * end if share else end) for end in (one.low, one.high))
    ends = f"[{number(low, digits)}, {number(high, digits)}]"
    return joined(mean, " ", element("span", ends, style="opacity:.75;white-space:nowrap"))


class IntervalScale:
    """Draws intervals on one scale, so that those of a column can be compared by eye.

    `zero` is a value that is on the scale in any case and has a line of its own.
    """

    def __init__(self, intervals: Iterable[MeanInterval], zero: float | None = None) -> None:
        every = (end for one in intervals for end in (one.mean, one.low, one.high))
        ends = [end for end in every if end is not None and math.isfinite(end)]
        ends += [zero] if zero is not None else []
        self._zero = zero
        self._low = min(ends, default=0.0)
        self._span = (max(ends, default=1.0) - self._low) or 1.0

    def _x(self, value: float) -> str:
        return f"{4 + (_WIDE - 8) * (value - self._low) / self._span:.1f}"

    def drawn(self, one: MeanInterval) -> Html:
        """Return an interval as a line with a dot at its mean, in the colour of the text."""
        if one.mean is None or not math.isfinite(one.mean):
            return Html()
        middle = str(_HIGH // 2)
        parts = []
        if self._zero is not None:
            x, dashed = self._x(self._zero), {"stroke_dasharray": "2 2", "stroke_opacity": ".6"}
            parts.append(element("line", x1=x, x2=x, y1="0", y2=str(_HIGH), **dashed))
        if one.low is not None and one.high is not None:
            low, high = self._x(one.low), self._x(one.high)
            parts.append(element("line", x1=low, x2=high, y1=middle, y2=middle, stroke_width="2"))
        parts.append(
            element("circle", cx=self._x(one.mean), cy=middle, r="3.5", fill="currentColor")
        )
        size = {"width": str(_WIDE), "height": str(_HIGH), "viewBox": f"0 0 {_WIDE} {_HIGH}"}
        hidden = {"role": "presentation", "stroke": "currentColor"}
        return element("svg", *parts, style="vertical-align:middle", **size, **hidden)

"""Intervals beside means, as text and as a small picture."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple, Protocol

from cardwright.english import number, percent
from cardwright.markup.element import Html, element, joined

if TYPE_CHECKING:
    from collections.abc import Iterable

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


def mean_and_ends(interval: MeanInterval, digits: int = 2, *, share: bool = False) -> Html:
    """Return a mean with its interval beside it: `8.1 [7.9, 8.3]`."""
    shown = percent if share else number
    mean = shown(interval.mean, digits)
    if interval.low is None or interval.high is None:
        return joined(mean)
    low, high = ((100 * end if share else end) for end in (interval.low, interval.high))
    ends = f"[{number(low, digits)}, {number(high, digits)}]"
    return joined(mean, " ", element("span", ends, style="opacity:.75;white-space:nowrap"))


class IntervalScale:
    """Draws intervals on one scale, so that those of a column can be compared by eye.

    `zero` is a value that is on the scale in any case and has a line of its own.
    """

    def __init__(self, intervals: Iterable[MeanInterval], zero: float | None = None) -> None:
        every = (
            end for interval in intervals for end in (interval.mean, interval.low, interval.high)
        )
        ends = [end for end in every if end is not None and math.isfinite(end)]
        ends += [zero] if zero is not None else []
        self._zero = zero
        self._low = min(ends, default=0.0)
        self._span = (max(ends, default=1.0) - self._low) or 1.0

    def _x(self, value: float) -> str:
        return f"{4 + (_WIDE - 8) * (value - self._low) / self._span:.1f}"

    def drawn(self, interval: MeanInterval) -> Html:
        """Return an interval as a line with a dot at its mean, in the colour of the text."""
        if interval.mean is None or not math.isfinite(interval.mean):
            return Html()
        middle = str(_HIGH // 2)
        parts = []
        if self._zero is not None:
            x, dashed = self._x(self._zero), {"stroke_dasharray": "2 2", "stroke_opacity": ".6"}
            parts.append(element("line", x1=x, x2=x, y1="0", y2=str(_HIGH), **dashed))
        if interval.low is not None and interval.high is not None:
            low, high = self._x(interval.low), self._x(interval.high)
            parts.append(element("line", x1=low, x2=high, y1=middle, y2=middle, stroke_width="2"))
        parts.append(
            element("circle", cx=self._x(interval.mean), cy=middle, r="3.5", fill="currentColor")
        )
        size = {"width": str(_WIDE), "height": str(_HIGH), "viewBox": f"0 0 {_WIDE} {_HIGH}"}
        hidden = {"role": "presentation", "stroke": "currentColor"}
        return element("svg", *parts, style="vertical-align:middle", **size, **hidden)

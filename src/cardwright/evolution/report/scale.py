"""Scales: from values to places in a chart, with round numbers at the ticks."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor, isfinite, log10
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True)
class ChartScale:
    """A straight scale: values from `low` to `high` lie from `start` to `end`, in any unit."""

    low: float
    high: float
    start: float
    end: float

    @classmethod
    def of(
        cls, values: Iterable[float], start: float, end: float, slack: float = 0.05
    ) -> ChartScale:
        """Return a scale on which all finite values have a place, with some room around them."""
        seen = [value for value in values if isfinite(value)]
        low, high = (min(seen), max(seen)) if seen else (0.0, 1.0)
        room = (high - low) * slack or max(abs(low) * 0.1, 0.5)
        return cls(low - room, high + room, start, end)

    def at(self, value: float) -> float:
        """Return the place of a value, to a tenth; values beyond the ends lie at the ends."""
        share = (value - self.low) / (self.high - self.low)
        return round(self.start + (self.end - self.start) * min(max(share, 0.0), 1.0), 1)

    def ticks(self, most: int) -> list[float]:
        """Return round values, at most `most`, in equal steps."""
        size = 10.0 ** floor(log10((self.high - self.low) / most))
        step = next(
            size * factor
            for factor in (1, 2, 5, 10, 20, 50)
            if floor(self.high / (size * factor)) - ceil(self.low / (size * factor)) < most
        )
        first, last = ceil(self.low / step), floor(self.high / step)
        return [step * number for number in range(first, last + 1)]

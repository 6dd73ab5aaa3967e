"""Samples: what an interval needs to know about independent values, and the estimate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Values: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over `count` deals and its interval; None where the values do not determine it."""

    mean: float
    low: float | None
    high: float | None
    count: int

    @property
    def margin(self) -> float | None:
        """Half the interval's width."""
        if self.low is None or self.high is None:
            return None
        return (self.high - self.low) / 2

    def negated(self) -> Estimate:
        """Return the estimate of the number with the opposite sign."""
        low = None if self.high is None else -self.high
        high = None if self.low is None else -self.low
        return Estimate(-self.mean, low, high, self.count)

    def record(self) -> dict[str, Any]:
        """Return this as a JSON object; a mean of no deals is null."""
        mean = self.mean if self.count else None
        return {"mean": mean, "low": self.low, "high": self.high, "deals": self.count}


@dataclass(frozen=True, slots=True)
class Sample:
    """The count, the mean and the sample variance of independent values.

    The mean of no values is NaN, and the variance of fewer than two is too. A variance of 0 says
    that all values are equal.
    """

    count: int
    mean: float
    variance: float

    @classmethod
    def of(cls, values: Values) -> Sample:
        """Return the sample of some values; values that differ only by rounding count as equal."""
        count = len(values)
        mean = float(values.mean()) if count else float("nan")
        if count < 2:
            return cls(count, mean, float("nan"))
        return cls(count, mean, 0.0 if no_spread(values) else float(values.var(ddof=1)))

    def without_interval(self) -> Estimate:
        """Return the mean alone."""
        return Estimate(self.mean, None, None, self.count)


def no_spread(values: Values) -> bool:
    """Say whether all values are equal, apart from rounding errors."""
    return float(np.ptp(values)) <= 1e-9 * max(1.0, float(np.abs(values).max()))

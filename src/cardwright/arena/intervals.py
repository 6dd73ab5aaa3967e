"""Estimates with confidence intervals from independent values: one a deal.

Games of one deal hang together, for the cards are the same; deals do not. So every interval here
is made of one value a deal, never of one a game.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from cardwright.game.extras import missing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    Values: TypeAlias = NDArray[np.float64]

LEVEL = 0.95
"""The share of intervals that cover the truth, unless another is asked for."""

_BLOCK = 64
"""Resamples of deals that are drawn together; results do not depend on it."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over `count` deals and its interval; None where too few deals leave it unknown."""

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
        """Return the estimate of the number with the other sign."""
        low = None if self.high is None else -self.high
        high = None if self.low is None else -self.low
        return Estimate(-self.mean, low, high, self.count)

    def record(self) -> dict[str, Any]:
        """Return this as a JSON object; a mean of no deals is null."""
        mean = self.mean if self.count else None
        return {"mean": mean, "low": self.low, "high": self.high, "deals": self.count}


def mean_interval(values: Values, level: float = LEVEL) -> Estimate:
    """Return the mean of independent values with Student's t interval.

    Fewer than two values have no interval. Equal values have one without width, for they show no
    spread: where the values have bounds, take `share_interval`.
    """
    count = len(values)
    mean = float(values.mean()) if count else float("nan")
    if count < 2:
        return Estimate(mean, None, None, count)
    if no_spread(values):
        return Estimate(mean, mean, mean, count)
    margin = t_quantile(count - 1, level) * float(values.std(ddof=1)) / sqrt(count)
    return Estimate(mean, mean - margin, mean + margin, count)


def share_interval(values: Values, level: float = LEVEL) -> Estimate:
    """Return the mean of independent values from 0 to 1 with an interval that stays there.

    It is Wilson's interval for as many trials as would have the same standard error, the way of
    surveys with clusters (Korn and Graubard 1998; Franco et al. 2019, "Comparative study of
    confidence intervals for proportions in complex sample surveys"), with Student's quantile for
    the normal one. If all values are equal they show no spread; then it is Clopper and Pearson's
    bound on how often another value, be it 0 or 1, may come. No interval is without width.
    """
    count = len(values)
    mean = float(values.mean()) if count else float("nan")
    if count < 2:
        return Estimate(mean, None, None, count)
    spread = float(values.var(ddof=1))
    if no_spread(values):
        other = 1 - ((1 - level) / 2) ** (1 / count)
        return Estimate(mean, mean * (1 - other), mean + other * (1 - mean), count)
    trials = count * mean * (1 - mean) / spread
    square = t_quantile(count - 1, level) ** 2
    centre = (mean + square / (2 * trials)) / (1 + square / trials)
    margin = sqrt(square * (mean * (1 - mean) / trials + square / (4 * trials**2)))
    margin /= 1 + square / trials
    return Estimate(mean, max(0.0, centre - margin), min(1.0, centre + margin), count)


def share_difference_interval(values: Values, level: float = LEVEL) -> Estimate:
    """Return the mean of independent values from -1 to 1, differences of shares, with an interval.

    It is Student's, or, if all values are equal, Clopper and Pearson's bound as in
    `share_interval`.
    """
    if len(values) < 2 or not no_spread(values):
        return mean_interval(values, level)
    halved = share_interval((values + 1) / 2, level)
    assert halved.low is not None
    assert halved.high is not None
    return Estimate(float(values.mean()), 2 * halved.low - 1, 2 * halved.high - 1, len(values))


def no_spread(values: Values) -> bool:
    """Say whether all values are equal, but for errors of rounding."""
    return float(np.ptp(values)) <= 1e-9 * max(1.0, float(np.abs(values).max()))


def t_quantile(freedom: int, level: float) -> float:
    """Return how many standard errors lie on either side of a mean (Student's distribution)."""
    try:
        from scipy.special import stdtrit  # noqa: PLC0415 - heavy, and an extra
    except ImportError:
        raise missing("scipy") from None
    return float(stdtrit(freedom, (1 + level) / 2))


def resamples(deals: int, count: int, seed: int) -> Iterator[Values]:
    """Yield bootstrap weights of deals, in blocks of shape (some resamples, deals).

    A weight is how often the deal is drawn when as many deals are drawn as there are, with
    replacement (Efron 1979). The same seed gives the same weights.
    """
    generator = np.random.default_rng(seed)
    for first in range(0, count, _BLOCK):
        block = np.empty((min(_BLOCK, count - first), deals))
        for weights in block:
            weights[:] = np.bincount(generator.integers(deals, size=deals), minlength=deals)
        yield block

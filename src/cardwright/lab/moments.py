"""Sums and sums of squares of integers, and what they tell about a mean.

All integers here are below 2^53, so floats add and multiply them exactly, in any order: results do
not depend on the number of threads or the machine, and what does not vary has a spread of 0.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil, nan, sqrt
from typing import TYPE_CHECKING

import numpy as np

from cardwright.lab.findings import Statistic
from cardwright.statistics.intervals import bounded_interval, mean_interval, t_quantile
from cardwright.statistics.sample import Sample
from cardwright.statistics.student import two_sided

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.lab.outcomes import Values
    from cardwright.lab.response import Bounds


@dataclass(frozen=True, slots=True)
class Moments:
    """The sum and the sum of squares of `count` integers, each to be divided by `divisor`.

    The quotient lies between the `bounds`, if there are any.
    """

    count: int
    total: int
    squares: int
    divisor: int
    bounds: Bounds | None = None

    @property
    def mean(self) -> float:
        """The mean."""
        return self.total / (self.count * self.divisor)

    @property
    def variance(self) -> float | None:
        """The sample variance; None for fewer than two values."""
        if self.count < 2:
            return None
        scaled = self.count * self.squares - self.total**2
        return scaled / (self.count * (self.count - 1) * self.divisor**2)

    @property
    def sample(self) -> Sample:
        """What an interval of the mean is made of."""
        variance = self.variance
        return Sample(self.count, self.mean, nan if variance is None else variance)


def moments(
    values: Values, divisors: Sequence[int], bounds: Sequence[Bounds | None]
) -> list[Moments]:
    """Return the moments of the columns of integers of shape (count, columns)."""
    totals = values.sum(axis=0).tolist()
    squares = np.einsum("ij,ij->j", values, values).tolist()
    return [
        Moments(len(values), int(total), int(square), divisor, between)
        for total, square, divisor, between in zip(totals, squares, divisors, bounds, strict=True)
    ]


def statistic(of: Moments, level: float) -> Statistic:
    """Return a mean with its interval, and the p value for a true mean of 0.

    The p value is Student's, and so is the interval where values have no bounds; else see
    `bounded_interval`. For equal values p is known from bounds only: see `constant_chance`.
    """
    variance = of.variance
    if variance is None:
        return Statistic(of.mean, None, None, None, None, None)
    error = sqrt(variance / of.count)
    low, high = _ends(of, level)
    p = two_sided(of.mean / error, of.count - 1) if error else constant_chance(of)
    return Statistic(value=of.mean, error=error, spread=sqrt(variance), low=low, high=high, p=p)


def constant_chance(of: Moments) -> float | None:
    """Return how likely values that are all equal are if the mean is 0; None without bounds.

    If the mean is 0, this value c is most frequent when all others are at the bound on the other
    side of 0, at a distance B: then c has probability B / (B + |c|) in each of the deals. Twice the
    probability that all are c is p, as for other values. A value of 0 says nothing against a mean
    of 0.
    """
    if of.total == 0:
        return None if of.bounds is None else 1.0
    if of.bounds is None:
        return None
    value = of.mean
    beyond = max(0.0, -of.bounds[0] if value > 0 else of.bounds[1])
    return min(1.0, 2 * (beyond / (beyond + abs(value))) ** of.count)


def _ends(of: Moments, level: float) -> tuple[float | None, float | None]:
    estimate = (
        mean_interval(of.sample, level)
        if of.bounds is None
        else bounded_interval(of.sample, *of.bounds, level)
    )
    return estimate.low, estimate.high


def family(of: Sequence[Moments], level: float) -> list[Statistic]:
    """Return the statistics of one family, with joint intervals and adjusted p values.

    Joint intervals are Šidák's (1967, "Rectangular confidence regions for the means of multivariate
    normal distributions"): with `level` to the power of 1/m for each of m they all hold with a
    probability of `level` or more, however the m are correlated. P values are adjusted by `holm`,
    in which unknown ones count as 1.
    """
    found = [statistic(one, level) for one in of]
    if not found or of[0].count < 2:
        return found
    adjusted = holm([1.0 if one.p is None else one.p for one in found])
    together = []
    for one, each, p in zip(of, found, adjusted, strict=True):
        low, high = _ends(one, level ** (1 / len(found)))
        together.append(
            replace(each, joint_low=low, joint_high=high, adjusted=None if each.p is None else p)
        )
    return together


def holm(values: Sequence[float]) -> list[float]:
    """Return p values adjusted for their number (Holm 1979), in their order.

    The k-th smallest of m, from 0, is multiplied by m - k, and none is below a smaller one's.
    """
    order = sorted(range(len(values)), key=lambda at: values[at])
    adjusted = [0.0] * len(values)
    most = 0.0
    for rank, at in enumerate(order):
        most = max(most, min(1.0, (len(values) - rank) * values[at]))
        adjusted[at] = most
    return adjusted


def deals_for(spread: float, half_width: float, deals: int, level: float) -> int:
    """Return how many deals of this spread an interval of this half-width needs.

    It is (t spread / half_width)², with the quantile t for the `deals` that there are; at least 2.
    """
    return max(2, ceil((t_quantile(deals - 1, level) * spread / half_width) ** 2))

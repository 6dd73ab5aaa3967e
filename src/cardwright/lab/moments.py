"""Sums and sums of squares of integers, and what they say of a mean.

All integers here are below 2^53, so floats add and multiply them without error, in any order: no
number of threads and no machine changes a result, and what does not vary has a spread of 0.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil, sqrt
from typing import TYPE_CHECKING

import numpy as np

from cardwright.lab.findings import Statistic
from cardwright.statistics.intervals import t_quantile
from cardwright.statistics.student import two_sided

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.lab.outcomes import Values


@dataclass(frozen=True, slots=True)
class Moments:
    """The sum and the sum of squares of `count` integers, each to be divided by `divisor`."""

    count: int
    total: int
    squares: int
    divisor: int

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


def moments(values: Values, divisors: Sequence[int]) -> list[Moments]:
    """Return the moments of the columns of integers of shape (count, columns)."""
    totals = values.sum(axis=0).tolist()
    squares = np.einsum("ij,ij->j", values, values).tolist()
    return [
        Moments(len(values), int(total), int(square), divisor)
        for total, square, divisor in zip(totals, squares, divisors, strict=True)
    ]


def statistic(of: Moments, level: float) -> Statistic:
    """Return a mean with Student's t interval and the p value of its being 0.

    Equal values have no interval; p is then 1 if they are 0, and else that of the
    sign test, 2^(1 - count), for there is no spread to measure the mean by.
    """
    variance = of.variance
    if variance is None:
        return Statistic(of.mean, None, None, None, None, None)
    error = sqrt(variance / of.count)
    if error == 0:
        p = 1.0 if of.total == 0 else 2.0 ** (1 - of.count)
        return Statistic(of.mean, 0.0, 0.0, None, None, p)
    margin = t_quantile(of.count - 1, level) * error
    return Statistic(
        value=of.mean,
        error=error,
        spread=sqrt(variance),
        low=of.mean - margin,
        high=of.mean + margin,
        p=two_sided(of.mean / error, of.count - 1),
    )


def family(found: Sequence[Statistic], deals: int, level: float) -> list[Statistic]:
    """Return statistics of one family with what holds for all of them together.

    Joint intervals are Šidák's (1967, "Rectangular confidence regions for the means of multivariate
    normal distributions"): with `level` to the power of 1/m for each of m they hold all at once
    with a chance of `level` or more, however the m hang together. P values are adjusted by `holm`.
    """
    if deals < 2 or not found:
        return list(found)
    quantile = t_quantile(deals - 1, level ** (1 / len(found)))
    adjusted = holm([one.p for one in found if one.p is not None])
    return [
        replace(
            one,
            joint_low=one.value - quantile * one.error,
            joint_high=one.value + quantile * one.error,
            adjusted=p,
        )
        for one, p in zip(found, adjusted, strict=True)
        if one.error is not None
    ]


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
    """Return how many deals of such a spread an interval of such a half-width needs.

    It is (t spread / half_width)², with the quantile t for the `deals` that there are; at least 2.
    """
    return max(2, ceil((t_quantile(deals - 1, level) * spread / half_width) ** 2))

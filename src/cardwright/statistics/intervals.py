"""Confidence intervals for means of independent values: one per deal, or per separately dealt game.

Games of one deal are correlated, for the cards are the same; deals are independent. So where deals
are played more than once, every interval is made of one value per deal, never one per game.

Each function takes the values, or their `Sample`. docs/statistics.md says how often the intervals
cover the truth, and in which cases that is less often than they claim.
"""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

from cardwright.statistics.sample import Estimate, Sample
from cardwright.statistics.student import quantile

if TYPE_CHECKING:
    from cardwright.statistics.sample import Values

LEVEL = 0.95
"""The share of intervals that cover the truth, unless another level is asked for."""


def mean_interval(values: Values | Sample, level: float = LEVEL) -> Estimate:
    """Return the mean of independent values with Student's t interval.

    Fewer than two values have no interval, and equal ones have none either: they show no spread,
    and without bounds on what a value can be nothing follows from that (Bahadur and Savage 1956).
    Where there are bounds, take `bounded_interval`.
    """
    sample = _sample(values)
    if sample.count < 2 or sample.variance == 0:
        return sample.without_interval()
    margin = t_quantile(sample.count - 1, level) * sqrt(sample.variance / sample.count)
    return Estimate(sample.mean, sample.mean - margin, sample.mean + margin, sample.count)


def share_interval(values: Values | Sample, level: float = LEVEL) -> Estimate:
    """Return the mean of independent values from 0 to 1 with an interval that stays there.

    See `bounded_interval`.
    """
    return bounded_interval(values, 0.0, 1.0, level)


def bounded_interval(
    values: Values | Sample, least: float, most: float, level: float = LEVEL
) -> Estimate:
    """Return the mean of independent values between two bounds with an interval that stays there.

    Put on the scale from 0 to 1, it is the interval of Agresti and Coull (1998), which contains
    Wilson's and does not fall short near 0 and 1 as that does (Brown, Cai and DasGupta 2001). It
    uses the number of trials that would have the same standard error, as surveys with clusters do
    (Korn and Graubard 1998; Franco et al. 2019, "Comparative study of confidence intervals for
    proportions in complex sample surveys"), with Student's quantile for the normal one. If all
    values are equal they show no spread; then it is Clopper and Pearson's bound on how often
    another value, even one at a bound, may occur. No interval has zero width, unless the bounds are
    equal. Raises ValueError if the mean is not between them.
    """
    sample = _sample(values)
    if sample.count < 2:
        return sample.without_interval()
    width = most - least
    if not -1e-9 * width <= sample.mean - least <= width * (1 + 1e-9):
        raise ValueError(f"the mean {sample.mean:g} is not from {least:g} to {most:g}")
    if not width:
        return Estimate(sample.mean, least, most, sample.count)
    share = min(max((sample.mean - least) / width, 0.0), 1.0)
    low, high = _share_ends(share, sample.variance / width**2, sample.count, level)
    return Estimate(
        sample.mean,
        least if low <= 0 else least + width * low,
        most if high >= 1 else least + width * high,
        sample.count,
    )


def _share_ends(share: float, variance: float, count: int, level: float) -> tuple[float, float]:
    if variance == 0 or not 0 < share < 1:
        other = 1 - ((1 - level) / 2) ** (1 / count)
        return share * (1 - other), share + other * (1 - share)
    trials = count * share * (1 - share) / variance
    square = t_quantile(count - 1, level) ** 2
    centre = (share * trials + square / 2) / (trials + square)
    margin = sqrt(square * centre * (1 - centre) / (trials + square))
    return max(0.0, centre - margin), min(1.0, centre + margin)


def t_quantile(freedom: int, level: float) -> float:
    """Return how many standard errors lie on either side of a mean (Student's distribution)."""
    return quantile(freedom, (1 + level) / 2)


def _sample(values: Values | Sample) -> Sample:
    return values if isinstance(values, Sample) else Sample.of(values)

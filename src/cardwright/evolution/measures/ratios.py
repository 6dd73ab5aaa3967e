"""Means and ratios of means over deals, with their intervals."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from cardwright.statistics.intervals import bounded_interval, mean_interval
from cardwright.statistics.sample import Estimate, Sample

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


def mean(
    values: ArrayLike, least: float | None = None, most: float | None = None
) -> Estimate | None:
    """Return the mean of one value per deal, perhaps between bounds; None if there is no value."""
    counted = np.asarray(values, np.float64)
    return ratio(counted, np.ones(len(counted)), least, most)


def ratio(
    tops: ArrayLike, bottoms: ArrayLike, least: float | None = None, most: float | None = None
) -> Estimate | None:
    """Return the sum of `tops` over that of `bottoms`, which have a value for each deal.

    The standard error is that of the linearised ratio, whose value for a deal is
    R + (top - R bottom) / mean bottom (Cochran 1977, "Sampling techniques", chapter 6). None if the
    bottoms add up to 0.
    """
    above, below = np.asarray(tops, np.float64), np.asarray(bottoms, np.float64)
    if not below.sum():
        return None
    found = float(above.sum() / below.sum())
    sample = Sample.of(found + (above - found * below) / below.mean())
    if least is None or most is None:
        return replace(mean_interval(sample), mean=found)
    return within(replace(sample, mean=min(max(found, least), most)), least, most)


def within(sample: Sample, least: float, most: float) -> Estimate:
    """Return a mean between bounds with an interval that stays there."""
    return replace(bounded_interval(sample, least, most), mean=sample.mean)


def clipped(sample: Sample, least: float, most: float) -> Estimate:
    """Return an estimate that may lie out of the bounds, with its interval, moved into them.

    For what is unbiased only as long as it is not moved: the interval is Student's, around what was
    estimated, unless all deals are equal.
    """
    inside = min(max(sample.mean, least), most)
    if not sample.variance > 0:
        return within(replace(sample, mean=inside), least, most)
    whole = mean_interval(sample)
    assert whole.low is not None
    assert whole.high is not None
    low, high = (min(max(end, least), most) for end in (whole.low, whole.high))
    return Estimate(inside, low, high, sample.count)

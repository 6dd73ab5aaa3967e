"""Resampling: bootstrap weights of deals, and the jackknife for what common deals gain.

`resamples` draws as many deals as there are, with replacement. `weights` are for sums that are made
in parts: the number of times that a deal is drawn follows Poisson's distribution with mean 1, and
depends on the deal's number, the resample's and a seed alone (the Poisson bootstrap: Hanley and
MacGibbon 2006; Chamandy and others 2012, "Estimating uncertainty for massive data streams"). So
records may be read in parts, and all games of a deal, in all batches, are drawn together.

From such sums come standard errors (`deviations`, `linear_sample`), and from these intervals. The
quantiles of resampled values would be intervals too, but of few deals they are too narrow, and have
zero width where all values are equal.
"""

from __future__ import annotations

from functools import cache
from math import exp, factorial, sqrt
from typing import TYPE_CHECKING

import numpy as np

from cardwright.statistics.intervals import LEVEL, Estimate, Sample, no_spread, t_quantile

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from cardwright.statistics.intervals import Values

RESAMPLES = 1_000
"""Resamples for an interval, unless another number is asked for."""

_BLOCK = 64
"""Resamples of deals that are drawn together; results do not depend on it."""

_STEP = 1e-4
"""The fraction of the way to a resample over which a function is taken as linear."""

_LANES = 4
"""Weights that are made from one 64-bit number."""
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


def resamples(deals: int, count: int, seed: int) -> Iterator[Values]:
    """Yield bootstrap weights of deals, in blocks of shape (resamples in the block, deals).

    A weight is how often the deal is drawn when as many deals are drawn as there are, with
    replacement (Efron 1979). The same seed gives the same weights.
    """
    generator = np.random.default_rng(seed)
    for first in range(0, count, _BLOCK):
        block = np.empty((min(_BLOCK, count - first), deals))
        for drawn in block:
            drawn[:] = np.bincount(generator.integers(deals, size=deals), minlength=deals)
        yield block


def weights(deals: NDArray[np.int64], resamples: int, seed: int) -> Values:
    """Return how often each resample draws each deal: shape (resamples, deals)."""
    base = _mixed(deals.astype(np.uint64) ^ _mixed(np.array([seed], np.uint64)))
    rounds = np.arange(1, -(-resamples // _LANES) + 1, dtype=np.uint64)
    drawn = _mixed(base + rounds[:, None] * _GOLDEN)
    lanes = [(drawn >> np.uint64(16 * lane)) & np.uint64(0xFFFF) for lane in range(_LANES)]
    counts = _poisson()[np.stack(lanes, axis=1).astype(np.int64)]
    made: Values = counts.reshape(-1, len(deals))[:resamples].astype(np.float64)
    return made


def deviations(value: Callable[[Values], Values], sums: Values) -> Values:
    """Return how far each resample moves a function of sums from its value, to first order.

    The first row of `sums` has the plain sums, the others those of the resamples; `value` takes
    such rows. What is resampled is the function's tangent there (the infinitesimal jackknife: Efron
    1982), which has a value in every resample, even where a ratio would be 0 / 0.
    """
    found = value(sums[0] + _STEP * (sums - sums[0]))
    moved: Values = (found[1:] - found[0]) / _STEP
    return moved


def linear_sample(mean: float, moved: Values, count: int) -> Sample:
    """Return independent values whose mean would be as uncertain as a function of sums.

    `moved` are its deviations, and `count` is the number of deals behind it. For the plain mean of
    one value per deal it is their own sample, apart from the randomness of the resamples.
    """
    if count < 2:
        return Sample(count, mean, float("nan"))
    square = float(np.mean(moved**2))
    if square <= (1e-9 * max(1.0, abs(mean))) ** 2:
        return Sample(count, mean, 0.0)
    return Sample(count, mean, square * count**2 / (count - 1))


def _mixed(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return a pseudo-random number for each number (Steele and others 2014: SplitMix64)."""
    with np.errstate(over="ignore"):
        mixed = numbers + _GOLDEN
        mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return mixed ^ (mixed >> np.uint64(31))


@cache
def _poisson() -> NDArray[np.uint8]:
    """Return Poisson's distribution with mean 1 as a table of 2^16 equally likely numbers."""
    ends = np.cumsum([exp(-1) / factorial(k) for k in range(12)])
    return np.searchsorted(ends, (np.arange(2**16) + 0.5) / 2**16).astype(np.uint8)


LEAST_DEALS = 30
"""The fewest deals for which a gain is given: with 20 the ends of its interval are a factor of 3 to
7 apart, with 10 one of 5 to 17."""


def variance_reduction(values: Values, level: float = LEVEL) -> Estimate | None:
    """Return how many times as many games on deals of their own would be as informative as these.

    The mean of a deal over its tables has a variance. If every table had deals of its own, it would
    be the sum of the variances at each table over the square of their number (means of strata:
    Cochran 1977, "Sampling techniques", section 5.3). The gain is the second over the first. What a
    table is worth to a player, as its seat is, adds to neither.

    `values` has a row for each deal and a column for each table. The interval is that of the
    logarithm, which is closer to normal: the jackknife's standard error over deals, and Student's
    quantile (Miller 1974, "The jackknife: a review"). None for a single table, for fewer than
    `LEAST_DEALS`, and where the means of deals show no spread.
    """
    deals, tables = values.shape
    if tables < 2 or deals < LEAST_DEALS:
        return None
    means = values.mean(axis=1)
    if no_spread(means):
        return None
    apart = values.var(axis=0, ddof=1).sum() / tables**2
    gain = float(apart / means.var(ddof=1))
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.log(_without_each(values).sum(axis=1) / tables**2)
        logs -= np.log(_without_each(means[:, None])[:, 0])
        error = sqrt((deals - 1) / deals * float(np.square(logs - logs.mean()).sum()))
    if not 1e-9 < error < float("inf"):  # the ratio is constant, or depends on one deal
        return Estimate(gain, None, None, deals)
    factor = exp(t_quantile(deals - 1, level) * error)
    return Estimate(gain, gain / factor, gain * factor, deals)


def _without_each(values: Values) -> Values:
    """Return the variance of each column without each row in turn, shape as the values."""
    many = len(values)
    squares = np.square(values - values.mean(axis=0))
    total = squares.sum(axis=0)
    left = total - many / (many - 1) * squares
    return np.where(left > 1e-12 * total, left, 0.0) / (many - 2)

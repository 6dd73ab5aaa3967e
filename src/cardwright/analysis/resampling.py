"""Bootstrap weights that depend on the deal alone.

In a resample of a bootstrap each deal is drawn some number of times. Here the number has Poisson's
distribution with mean 1 and comes from the deal's number, the resample's and a seed, and from
nothing else (the Poisson bootstrap: Hanley and MacGibbon 2006; Chamandy and others 2012,
"Estimating uncertainty for massive data streams"). So

- records may be read in parts, and sums over the parts added up, in any order;
- all games of a deal, at all tables and in all batches, are drawn together, which makes differences
  between batches on the same deals as sure as they are.
"""

from __future__ import annotations

from functools import cache
from math import exp, factorial
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cardwright.analysis.traces import Integers, Values

RESAMPLES = 1_000
"""Resamples behind an interval, unless another number is asked for."""

_MOST_EMPTY = 0.02

_LANES = 4
"""Weights that are made of one number of 64 bits."""
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


def weights(deals: Integers, resamples: int, seed: int) -> Values:
    """Return how often each resample draws each deal: shape (resamples, deals)."""
    base = _mixed(deals.astype(np.uint64) ^ _mixed(np.array([seed], np.uint64)))
    rounds = np.arange(1, -(-resamples // _LANES) + 1, dtype=np.uint64)
    drawn = _mixed(base + rounds[:, None] * _GOLDEN)
    lanes = [(drawn >> np.uint64(16 * lane)) & np.uint64(0xFFFF) for lane in range(_LANES)]
    counts = _poisson()[np.stack(lanes, axis=1).astype(np.int64)]
    made: Values = counts.reshape(-1, len(deals))[:resamples].astype(np.float64)
    return made


def interval(values: Values, level: float) -> tuple[float, float]:
    """Return the percentile interval of resampled values.

    Resamples without a value, for what was measured did not come up in them, are left out; if they
    are more than `_MOST_EMPTY` of all, both ends are NaN.
    """
    known = values[~np.isnan(values)]
    if len(values) - len(known) > _MOST_EMPTY * len(values) or not len(known):
        return (float("nan"), float("nan"))
    low, high = np.quantile(known, [(1 - level) / 2, (1 + level) / 2])
    return (float(low), float(high))


def _mixed(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return numbers that look random, one for each (Steele and others 2014: SplitMix64)."""
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

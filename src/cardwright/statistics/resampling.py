"""Bootstrap weights of deals: how often each is drawn when deals are drawn anew.

`resamples` draws as many deals as there are, with replacement. `weights` are for sums that are made
in parts. There a deal is drawn as often as Poisson's distribution with mean 1 says, by the deal's
number, the resample's and a seed, and by nothing else (the Poisson bootstrap: Hanley and MacGibbon
2006; Chamandy and others 2012, "Estimating uncertainty for massive data streams"). So

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
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from cardwright.statistics.sample import Values

RESAMPLES = 1_000
"""Resamples behind an interval, unless another number is asked for."""

_BLOCK = 64
"""Resamples of deals that are drawn together; results do not depend on it."""

_MOST_EMPTY = 0.02

_LANES = 4
"""Weights that are made of one number of 64 bits."""
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


def resamples(deals: int, count: int, seed: int) -> Iterator[Values]:
    """Yield bootstrap weights of deals, in blocks of shape (some resamples, deals).

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

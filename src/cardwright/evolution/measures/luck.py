"""Luck: how much of what decides a game is in the deal."""

from __future__ import annotations

from math import exp, log, sqrt
from typing import TYPE_CHECKING

from cardwright.evolution.measures.ratios import clipped
from cardwright.statistics.intervals import LEVEL, t_quantile
from cardwright.statistics.sample import Estimate, Sample, no_spread

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


_FAR = 20.0
"""Half the logarithm of a variance ratio, beyond which no share changes and `exp` overflows."""


def share_between(results: NDArray[np.float64]) -> Estimate | None:
    """Return the share of the variance of results that is between deals: 1 if deals decide.

    `results` has shape (deals, games of a deal, sides), with two games or more. It is the
    intraclass correlation with the unbiased estimators of the variance components (Searle, Casella
    and McCulloch 1992, "Variance components", chapter 3): within deals W, the mean variance of a
    deal's games; between them B, the variance of the deals' means less W / games. Both are added up
    over the sides, each about its own mean: what a side is worth is not luck. A negative B counts
    as 0. The interval is Student's for half the logarithm of the variance ratio 1 + games B / W,
    where its ends are even (Fisher 1925, "Statistical methods for research workers", chapter 7),
    with the standard error of the linearised B / (B + W). None if all results are equal.
    """
    deals, games, _ = results.shape
    if deals < 2 or _same_by_side(results):
        return None
    means = results.mean(axis=1)
    within = results.var(axis=1, ddof=1).sum(axis=1)
    offsets = ((means - means.mean(axis=0)) ** 2).sum(axis=1)
    between = offsets * deals / (deals - 1) - within / games
    total = float(between.mean() + within.mean())
    share = float(between.mean()) / total
    by_deal = share + ((1 - share) * between - share * within) / total
    sample = Sample(deals, share, Sample.of(by_deal).variance)
    above, below = 1 + (games - 1) * share, 1 - share
    if not (sample.variance > 0 and above > 1e-9 and below > 1e-9):
        return clipped(sample, 0.0, 1.0)
    slope = games / (2 * above * below)
    margin = slope * t_quantile(deals - 1, LEVEL) * sqrt(sample.variance / deals)
    low, high = (_share(log(above / below) / 2 + by, games) for by in (-margin, margin))
    return Estimate(max(share, 0.0), max(low, 0.0), max(high, 0.0), deals)


def _share(z: float, games: int) -> float:
    """Return the share between deals whose variance ratio is exp(2 z)."""
    part = exp(-2 * min(max(z, -_FAR), _FAR))
    return (1 - part) / (1 + (games - 1) * part)


def _same_by_side(results: NDArray[np.float64]) -> bool:
    return all(no_spread(results[:, :, side].ravel()) for side in range(results.shape[2]))

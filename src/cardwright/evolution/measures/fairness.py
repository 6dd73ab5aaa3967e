"""Fairness by seat: how close the sides' shares of the wins are to equal ones."""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

from cardwright.evolution.measures.ratios import within
from cardwright.statistics.intervals import LEVEL, t_quantile
from cardwright.statistics.sample import Estimate, Sample

if TYPE_CHECKING:
    from numpy.typing import NDArray


def seat_fairness(wins: NDArray[np.float64]) -> Estimate | None:
    """Return 1 minus the distance of the sides' shares of the wins from equal ones.

    `wins` has shape (deals, sides). The distance is Euclidean, divided by that of a game which
    always the same side wins: so the result is 0 there, and 1 where all sides win equally often.
    For two sides the distance is the difference of their shares.

    The distance of estimated shares is too large by chance: its square by the sum of the shares'
    sampling variances, which is therefore taken off, and what remains below 0 counts as 0. The
    interval allows for as many directions as the shares can vary in: its half width is the standard
    error times the larger of Student's quantile and sqrt(q - k), where q is the quantile of the
    chi-square distribution with k degrees of freedom (k as Satterthwaite 1946). So it covers 1 as
    often as it claims if the sides are equal. None for one side, or fewer than two deals.
    """
    deals, sides = wins.shape
    if sides < 2 or deals < 2:
        return None
    offset = wins.mean(axis=0) - 1 / sides
    furthest = sqrt((sides - 1) / sides)
    covariance = np.cov(wins, rowvar=False) / deals
    noise = float(np.trace(covariance))
    square = float(offset @ offset)
    if noise < 1e-12:
        return within(Sample(deals, max(0.0, 1 - sqrt(square) / furthest), 0.0), 0.0, 1.0)
    distance = sqrt(max(0.0, square - noise))
    directions = noise**2 / float((covariance**2).sum())
    error = sqrt(noise / directions)
    if square > 0:
        along = float(offset @ covariance @ offset) / square  # rounding may make 0 negative
        error = max(error, sqrt(max(0.0, along)))
    reach = max(t_quantile(deals - 1, LEVEL) ** 2, _chi_square(directions) - directions)
    margin = sqrt(reach) * error
    fair, low, high = (
        min(max(1 - away / furthest, 0.0), 1.0)
        for away in (distance, distance + margin, distance - margin)
    )
    return Estimate(fair, low, high, deals)


def _chi_square(freedom: float) -> float:
    """Return the quantile of the chi-square distribution (Wilson and Hilferty 1931)."""
    part = 2 / (9 * freedom)
    return float(freedom * (1 - part + NormalDist().inv_cdf(LEVEL) * sqrt(part)) ** 3)

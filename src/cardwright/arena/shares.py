"""What shares of wins can be at most and at least, given who sits where; and their estimates.

An entrant in three of four seats has a third of the win per seat if it always wins, since a game
has one win to share. Exact bounds make the intervals of a share and of a difference agree: between
two entrants either determines the other, and so do bounds and intervals.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from cardwright.statistics.intervals import LEVEL, bounded_interval
from cardwright.statistics.sample import Sample

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cardwright.statistics.sample import Estimate, Values
    from cardwright.statistics.ties import Ties


def share_estimate(values: Values, least: float, most: float, level: float = LEVEL) -> Estimate:
    """Return the mean of values between two bounds, ignoring NaN.

    A value that the bounds determine has no interval, since it is known without any game.
    """
    sample = Sample.of(values[~np.isnan(values)])
    if not least < most:
        return sample.without_interval()
    least, most = float(least), float(most)
    estimate = bounded_interval(sample, least, most, level)
    return replace(estimate, mean=min(max(estimate.mean, least), most))  # rounding


def win_bounds(cells: NDArray[np.int64], count: int, ties: Ties) -> tuple[Values, Values]:
    """Return the least and the most that the mean of wins can be in each cell of a deal.

    `cells` has a row per table and a column per seat, with numbers from 0, or -1 for seats that are
    in no cell; a cell without seats is NaN.
    """
    found = np.full((2, count), np.nan)
    for cell in np.unique(cells[cells >= 0]):
        seats = (cells == cell).sum(axis=1)
        among_themselves = seats == cells.shape[1]  # there one of them has to win
        wins = seats if ties == "full" else seats > 0
        found[:, cell] = among_themselves.sum() / seats.sum(), wins.sum() / seats.sum()
    return found[0], found[1]


def difference_bounds(
    tables: NDArray[np.int64], one: int, other: int, ties: Ties
) -> tuple[float, float]:
    """Return the bounds of `DealArrays.difference` of wins between two entrants."""
    ones, others = (tables == one).sum(axis=1), (tables == other).sum(axis=1)
    met = (ones > 0) & (others > 0)
    if ties == "full" or not met.any():
        return -1.0, 1.0
    return -float((1 / others[met]).mean()), float((1 / ones[met]).mean())

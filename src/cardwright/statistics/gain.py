"""What playing the same deals at several tables gains.

With a value for each deal and table, the mean of a deal has a variance. If every table had deals of
its own, it would be the sum of the variances at each table over the square of their number: means
of strata, for a table has its own expectation (Cochran 1977, "Sampling techniques", section 5.3).
The gain is the second over the first. What a table is worth to a player, as its seat is, adds to
neither.
"""

from __future__ import annotations

from math import exp, sqrt
from typing import TYPE_CHECKING

import numpy as np

from cardwright.statistics.intervals import LEVEL, t_quantile
from cardwright.statistics.sample import Estimate, no_spread

if TYPE_CHECKING:
    from cardwright.statistics.sample import Values

LEAST_DEALS = 30
"""The fewest deals for which a gain is given: with 20 the ends of its interval are a factor of 3 to
7 apart, with 10 one of 5 to 17."""

_TABLES, _DEALS = "at 1 table in 100", "in 1 deal in 100, at half of its tables"

RARE = ((1_000, 87, _TABLES), (300, 80, _DEALS), (100, 46, _DEALS), (LEAST_DEALS, 26, _DEALS))
"""Numbers of deals, the percentage of intervals that covered the truth there in simulations, and
where values of 26 standard deviations came in these."""


def gain_caveat(deals: int) -> str:
    """Return what was measured of the interval of a gain; for `LEAST_DEALS` or more."""
    least, percent, where = next(one for one in RARE if deals >= one[0])
    return (
        f"The interval of a gain is approximate. In simulations with {least:,} deals it covered "
        f"the truth in {percent} % of cases instead of 95 % where values are 26 standard "
        f"deviations off {where}. That is no lower limit."
    )


def common_gain(values: Values, level: float = LEVEL) -> Estimate | None:
    """Return how many times as many games on deals of their own would be as informative as these.

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

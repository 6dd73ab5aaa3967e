"""Confidence intervals with guaranteed coverage, for means of values between known bounds.

A gambler bets against each candidate for the mean, value by value, at odds that are fair if the
candidate is true. Then the capital is 1/alpha or more with a chance of alpha at most (Markov's
inequality), so the candidates that leave less capital than that cover the truth with a chance of
1 - alpha or more: for any number of values, of any distribution between the bounds, as long as the
mean of each, given those before it, is the same. Student's interval promises that for normal values
alone, and is narrower.
"""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING

import numpy as np

from cardwright.statistics.intervals import LEVEL
from cardwright.statistics.sample import Estimate

if TYPE_CHECKING:
    from cardwright.statistics.sample import Values

_STAKE = 0.75
"""The most that a gambler may lose with a value, as a fraction of the capital."""

_STEPS = 40
"""Bisections with which an end is sought, down to a 10^12th of the range."""


def betting_interval(values: Values, least: float, most: float, level: float = LEVEL) -> Estimate:
    """Return the mean of values from `least` to `most` with an interval that is guaranteed.

    It is the hedged capital interval of Waudby-Smith and Ramdas (2024, "Estimating means of bounded
    random variables by betting", JRSS-B 86, theorem 3 and equation 26) for a fixed number of
    values: half of the capital bets that the mean is higher than the candidate, half that it is
    lower. It depends on the order of the values, as the stakes are chosen by those before, and it
    is widened to contain the values' own mean where it would not. No values have no interval.
    Raises ValueError for a value that is out of the bounds, which would void the guarantee.
    """
    count, width = len(values), most - least
    if not count:
        return Estimate(float("nan"), None, None, 0)
    if (values < least - 1e-9 * width).any() or (values > most + 1e-9 * width).any():
        raise ValueError(
            f"values from {values.min():g} to {values.max():g} are not all from {least:g} to "
            f"{most:g}"
        )
    mean = min(max(float(values.mean()), least), most)
    if not width:
        return Estimate(mean, least, most, count)
    shares = np.clip((values - least) / width, 0.0, 1.0)
    need = log(2 / (1 - level))
    low = _low_end(shares, need)
    high = 1 - _low_end(1 - shares, need)
    return Estimate(mean, min(least + width * low, mean), max(least + width * high, mean), count)


def _low_end(shares: Values, need: float) -> float:
    """Return a candidate such that the bet on more is won against all candidates below it.

    The stakes are those that would be best for the spread of the values before, if that is normal;
    capital never grows with the candidate, so there is one such end.
    """
    counts = np.arange(1, len(shares) + 1)
    means = (0.5 + np.cumsum(shares)) / (counts + 1)
    spread = (0.25 + np.cumsum((shares - means) ** 2)) / (counts + 1)
    before = np.concatenate([[0.25], spread[:-1]])
    stakes = np.sqrt(2 * need / (len(shares) * before))
    low, high = 0.0, 1.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        capital = np.log1p(np.minimum(stakes, _STAKE / middle) * (shares - middle)).sum()
        low, high = (middle, high) if capital >= need else (low, middle)
    return low

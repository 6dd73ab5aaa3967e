"""Caveats: what simulations have shown of intervals that are approximate.

The percentages are those of docs/statistics.md, for the numbers of values and the populations that
are named with them. They are no lower limits: of values that are rare and large enough, hardly any
interval without known bounds covers the mean (Bahadur and Savage 1956).
"""

from __future__ import annotations

FEW, MANY = 30, 1_000
"""Below the first, skewness spoils intervals; below the second, large values of 1 in 100 do."""

SKEWED, SHARES = 82, 77
"""Percent of intervals from 5 values that covered the truth: of lognormal scores, and of shares
with the distribution beta(1, 0.1), which are mostly 1 and sometimes near 0."""

RARE_FEW, RARE, RARER = 43, 73, 10
"""Percent where 1 in 20 of 10 scores is 26 standard deviations off; where 1 in 100 of 100 scores
is; and where 1 in 1,000 of 100 scores is 500 standard deviations off."""

FAMILY_FEW, FAMILY = 43, 62
"""Percent of families of seven whose joint intervals all held: from 10 deals where 1 in 20 values
is 26 standard deviations off, and from 30 where 1 in 100 is."""

_TABLES, _DEALS = "at 1 table in 100", "in 1 deal in 100, at half of its tables"

GAINS = ((1_000, 87, _TABLES), (300, 80, _DEALS), (100, 46, _DEALS), (30, 26, _DEALS))
"""Numbers of deals, the percentage of intervals that covered the truth there in simulations, and
where values of 26 standard deviations came in these."""

_NO_LIMIT = "Neither is a lower limit."


def caveat(count: int, what: str = "deals") -> str:
    """Return what was measured of intervals from few values; empty from `MANY` values on.

    It is shown with means of unbounded values, such as scores, and with the shares in their table.
    """
    if count < 2 or count >= MANY:
        return ""
    if count >= FEW:
        return (
            f"Intervals of scores from fewer than {MANY:,} {what} are approximate. In simulations "
            f"with 100 they covered the truth in {RARE} % of cases instead of 95 % where 1 score "
            f"in 100 is 26 standard deviations off, and in {RARER} % where 1 in 1,000 is 500 off. "
            f"{_NO_LIMIT}"
        )
    return (
        f"Intervals of scores from fewer than {FEW} {what} are approximate. In simulations they "
        f"covered the truth in {SKEWED} % of cases instead of 95 % with 5 lognormal scores, and in "
        f"{RARE_FEW} % with 10 of which 1 in 20 is 26 standard deviations off; those of shares in "
        f"{SHARES} % with 5 that are nearly all alike. None of these is a lower limit."
    )


def share_caveat(count: int, what: str = "deals") -> str:
    """Return the same for shares alone."""
    if not 2 <= count < FEW:
        return ""
    return (
        f"Intervals of shares from fewer than {FEW} {what} are approximate. In simulations they "
        f"covered the truth in {SHARES} % of cases instead of 95 % with 5 that are nearly all "
        "alike. That is no lower limit."
    )


def family_caveat(count: int, what: str = "deals") -> str:
    """Return how often joint intervals held, and what is found by chance; empty if all is well."""
    if count < 2 or count >= MANY:
        return ""
    number, often, percent = (10, 20, FAMILY_FEW) if count < FEW else (30, 100, FAMILY)
    return (
        f"In simulations with {number} {what}, joint intervals of seven effects all held in "
        f"{percent} % of cases instead of 95 % where 1 value in {often} is 26 standard deviations "
        f"off; in the other {100 - percent} % an adjusted p value may be below 0.05 where there is "
        "no effect. That is no lower limit."
    )


def gain_caveat(deals: int) -> str:
    """Return what was measured of the interval of a gain; for 30 deals or more."""
    least, percent, where = next(one for one in GAINS if deals >= one[0])
    return (
        f"The interval of a gain is approximate. In simulations with {least:,} deals it covered "
        f"the truth in {percent} % of cases instead of 95 % where values are 26 standard "
        f"deviations off {where}. That is no lower limit."
    )

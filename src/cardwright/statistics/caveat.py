"""Caveats: what to say with intervals that may cover the truth in less than 95 % of cases.

The percentages are the lowest in the tables of docs/statistics.md.
"""

from __future__ import annotations

FEW, MANY = 30, 1_000
"""Below the first, skewness spoils intervals; below the second, rare large values do."""

SKEWED, SHARES = 82, 76
"""Percent of intervals from few values that cover the truth: of skewed scores, and of shares that
are mostly 1 and sometimes 0."""

RARE_FEW, RARE = 41, 71
"""The same where large scores are rare, for few values and for more."""

FAMILY_FEW, FAMILY = 43, 61
"""Percent of families of seven whose joint intervals all hold, where large scores are rare."""


def caveat(count: int, what: str = "deals") -> str:
    """Return how often intervals from `count` values may cover the truth; empty if often enough.

    It is shown with means of unbounded values, such as scores, and with the shares in their table.
    """
    if count < 2 or count >= MANY:
        return ""
    if count >= FEW:
        return (
            f"Where large scores are rare, as 1 in 100, such intervals of fewer than {MANY:,} "
            f"{what} can cover the truth in as few as {RARE} % of cases instead of 95 %."
        )
    return (
        f"Intervals of scores from fewer than {FEW} {what} can cover the truth in as few as "
        f"{SKEWED} % of cases instead of 95 % where scores are skewed, and in {RARE_FEW} % where "
        f"large ones are rare; those of shares in {SHARES} % where nearly all are alike."
    )


def share_caveat(count: int, what: str = "deals") -> str:
    """Return the same for shares alone."""
    if not 2 <= count < FEW:
        return ""
    return (
        f"Intervals of shares from fewer than {FEW} {what} can cover the truth in as few as "
        f"{SHARES} % of cases instead of 95 % where nearly all are alike."
    )


def family_caveat(count: int, what: str = "deals") -> str:
    """Return how often joint intervals hold, and what is found by chance; empty if all is well."""
    if count < 2 or count >= MANY:
        return ""
    percent = FAMILY_FEW if count < FEW else FAMILY
    return (
        f"Joint intervals of seven effects from so few {what} can all hold in as few as {percent} "
        f"% of cases instead of 95 %; in the other {100 - percent} % an adjusted p value may be "
        "below 0.05 where there is no effect."
    )

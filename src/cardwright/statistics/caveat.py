"""Caveats: what to say beside Student's intervals of means, where they may cover less than 95 %."""

from __future__ import annotations

FEW, MANY = 30, 1_000
"""Below the one skewness spoils intervals, below the other rare large values do."""

SKEWED, RARE_FEW, RARE = 83, 42, 73
"""Percent of intervals that cover the truth at worst, as docs/statistics.md has them: of skewed
values (lognormal) and of rare large ones, where there are few of either, and of rare ones else."""


def caveat(count: int, what: str = "deals") -> str:
    """Return how often intervals of means of so many values may cover the truth; empty if often.

    It is said beside means without bounds, such as scores; those of shares need no such words.
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
        "large ones are rare."
    )

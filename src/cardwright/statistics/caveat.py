"""Caveats: what to say beside Student's intervals of means, where they may cover less than 95 %."""

from __future__ import annotations

FEWEST, FEW, MANY = 12, 30, 1_000
"""Below these skewness spoils intervals of shares, that of scores, and rare large values do."""

SHARES, SKEWED, RARE_FEW, RARE = 84, 82, 42, 73
"""Percent of intervals that cover the truth at worst, as docs/statistics.md has them: of skewed
shares and scores and of rare large ones, where there are few of them, and of rare ones else."""


def caveat(count: int, what: str = "deals") -> str:
    """Return how often intervals of means of so many values may cover the truth; empty if often.

    It is said beside means without bounds, such as scores, and beside shares.
    """
    if count < 2 or count >= MANY:
        return ""
    if count >= FEW:
        return (
            f"Where large scores are rare, as 1 in 100, such intervals of fewer than {MANY:,} "
            f"{what} can cover the truth in as few as {RARE} % of cases instead of 95 %."
        )
    shares = f", those of shares in {SHARES} %" if count < FEWEST else ""
    return (
        f"Intervals of scores from fewer than {FEW} {what} can cover the truth in as few as "
        f"{SKEWED} % of cases instead of 95 % where scores are skewed, and in {RARE_FEW} % where "
        f"large ones are rare{shares}."
    )

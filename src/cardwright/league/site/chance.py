"""Chance: which rank differences of a season are significant.

The places of bots that played in the same games are not independent: when one comes first, the
others do not. So the test of a difference of mean places includes the covariance of both.
"""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from cardwright.statistics.intervals import LEVEL, t_quantile

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.league.site.facts import SeasonFacts

_FEW = (0, 6)
"""Pseudo-counts of a first and a last place added to the variance: few equal games prove
nothing."""


def rank_ranges(facts: SeasonFacts, entries: Sequence[int]) -> list[tuple[int, int]]:
    """Return, for each of some bots, the best first, the range of its possible ranks.

    It ranks below all bots that are significantly better, and above all that are significantly
    worse; its range is right with 95 % confidence, with a Bonferroni correction over its
    comparisons.
    """
    surely = {(one, other): surely_better(facts, one, other, len(entries) - 1)
              for one in entries for other in entries if one != other}  # fmt: skip
    return [
        (
            1 + sum(surely[other, one] for other in entries if other != one),
            len(entries) - sum(surely[one, other] for other in entries if other != one),
        )
        for one in entries
    ]


def surely_better(facts: SeasonFacts, one: int, other: int, comparisons: int) -> bool:
    """Say whether a bot's mean place is significantly better than another's."""
    games = [int(facts.scores.games[entry]) for entry in (one, other)]
    if min(games) < 2:
        return False
    means, spreads = zip(*(_moments(facts, entry) for entry in (one, other)), strict=True)
    duels, common = facts.duels, int(facts.duels.games[one, other])
    together = (
        int(duels.products[one, other])
        - means[1] * int(duels.places[one, other])
        - means[0] * int(duels.places[other, one])
        + means[0] * means[1] * common
    )
    variance = sum(spread / count for spread, count in zip(spreads, games, strict=True))
    variance -= 2 * together / (games[0] * games[1])
    level = 1 - (1 - LEVEL) / max(1, comparisons)
    margin = t_quantile(min(games) - 1, level) * sqrt(max(variance, 0))
    return bool(means[1] - means[0] > margin)


def _moments(facts: SeasonFacts, entry: int) -> tuple[float, float]:
    """Return the mean and the variance of a bot's places, in the units of `scores.halves`."""
    counts = facts.scores.standing[entry]
    places = np.arange(len(counts))
    games = int(counts.sum())
    mean = float((counts * places).sum() / games)
    squares = float((counts * (places - mean) ** 2).sum())
    squares += sum((place - mean) ** 2 for place in _FEW)
    return mean, squares / (games + 1)

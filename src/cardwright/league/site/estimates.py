"""Estimates: means with 95 % intervals, from counts of each value.

Games of a season are dealt independently, so the games of a bot are independent values.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cardwright.league.site.scores import TWELFTHS
from cardwright.statistics.intervals import mean_interval, share_interval
from cardwright.statistics.sample import Estimate, Sample

if TYPE_CHECKING:
    from cardwright.league.block import Column
    from cardwright.league.site.duels import Duels


def mean_of(counts: Column) -> Estimate:
    """Return the mean of the values 0, 1, 2, ... with these counts."""
    return mean_interval(np.repeat(np.arange(len(counts), dtype=float), counts))


def share_of(counts: Column) -> Estimate:
    """Return the mean of shares in twelfths with these counts."""
    return share_interval(np.repeat(np.arange(len(counts)) / TWELFTHS, counts))


@dataclass(frozen=True)
class Duel:
    """A bot's results against an opponent in their common games.

    `share` is the share of games in which it had fewer points, equal points counting half;
    `difference` its mean points per game minus the opponent's: below 0 is better.
    """

    opponent: int
    games: int
    share: Estimate
    difference: Estimate


def duel_of(duels: Duels, entry: int, opponent: int) -> Duel:
    """Return one bot's results against another; without common games the means are NaN."""
    games = int(duels.games[entry, opponent])
    won, level = int(duels.before[entry, opponent]), int(duels.level[entry, opponent])
    values = np.repeat([1.0, 0.5, 0.0], [won, level, games - won - level])
    total = int(duels.difference[entry, opponent])
    squares = int(duels.squares[entry, opponent])
    return Duel(opponent, games, share_interval(values), _mean(games, total, squares))


def _mean(count: int, total: int, squares: int) -> Estimate:
    """Return a mean with Student's t interval from sums of integers and of their squares."""
    mean = total / count if count else float("nan")
    spread = (squares * count - total**2) / (count * (count - 1)) if count > 1 else float("nan")
    return mean_interval(Sample(count, mean, spread))

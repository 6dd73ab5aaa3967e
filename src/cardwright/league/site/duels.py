"""Duels: the results of every pair of bots in the games that both played."""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING

import numpy as np

from cardwright.league.block import SEATS
from cardwright.league.site.scores import halves

if TYPE_CHECKING:
    from cardwright.league.site.part import SeasonPart


class Duels:
    """Counts of common games, added up part by part: a row per bot, a column per opponent.

    `games` counts those that both played, `before` those in which the row's bot had fewer points
    than the column's, `level` those in which both had the same; `difference` is the sum of the
    row's points minus the column's, and `squares` the sum of their squares. `places` is the sum of
    the row's places in common games, and `products` that of the products of both places, in the
    units of `scores.halves`.
    """

    def __init__(self, entries: int) -> None:
        self.games, self.before, self.level, self.difference, self.squares = (
            np.zeros((entries, entries), np.int64) for _ in range(5)
        )
        self.places, self.products = (np.zeros((entries, entries), np.int64) for _ in range(2))

    def add(self, part: SeasonPart) -> None:
        """Count some more games."""
        places = halves(part)
        for one, other in permutations(range(SEATS), 2):
            both = part.credited[:, one] & part.credited[:, other]
            at = part.seats[both, one], part.seats[both, other]
            totals = part.tally.totals[both]
            gap = totals[:, one] - totals[:, other]
            np.add.at(self.games, at, 1)
            np.add.at(self.before, at, gap < 0)
            np.add.at(self.level, at, gap == 0)
            np.add.at(self.difference, at, gap)
            np.add.at(self.squares, at, gap**2)
            np.add.at(self.places, at, places[both, one])
            np.add.at(self.products, at, places[both, one] * places[both, other])

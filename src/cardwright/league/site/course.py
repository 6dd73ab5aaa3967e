"""Courses: points and ratings of bots over a season, at checkpoints."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cardwright.arena.live import LiveStandings
from cardwright.arena.results import Results
from cardwright.league.block import SEATS

if TYPE_CHECKING:
    from cardwright.league.block import Column
    from cardwright.league.site.part import SeasonPart

CHECKPOINTS = 120
"""The most checkpoints."""

MOST_RATED = 20_000
"""The most games that move the ratings: in a longer season every second, third, ... one."""

_AGES = 1e12


class RunningTotals:
    """Points and ratings of bots after some games of a season; games must be added in order.

    Ratings are OpenSkill's, as in `arena.live`; they depend on the order of the games, which is
    that of the season.
    """

    def __init__(self, entries: int, games: int) -> None:
        """Begin a season of `games` games; raises MissingExtraError without openskill."""
        count = min(games, CHECKPOINTS)
        self._ends = np.linspace(games / max(count, 1), games, count).round().astype(np.int64)
        self._points = np.zeros((count, entries), np.int64)
        self._games = np.zeros((count, entries), np.int64)
        self._ratings = np.full((count, entries), np.nan)
        self._stride = -(-games // MOST_RATED)
        ages = iter((0.0,))  # no clock: every game that is added moves the ratings
        self._live = LiveStandings(entries, SEATS, lambda: next(ages, _AGES))

    def add(self, part: SeasonPart) -> None:
        """Add some more games."""
        game = np.arange(part.block.first, part.block.after)
        slots = np.searchsorted(self._ends, game + 1)
        slot = np.broadcast_to(slots[:, None], part.seats.shape)[part.credited]
        entry = part.seats[part.credited]
        np.add.at(self._games, (slot, entry), 1)
        np.add.at(self._points, (slot, entry), part.tally.totals[part.credited])
        for one in np.unique(slots):
            rated = (slots == one) & (game % self._stride == 0)
            if rated.any():
                self._live.add(_results(part.seats[rated], part.tally.totals[rated]))
            for standing in self._live.best_first():
                self._ratings[one, standing.entrant] = standing.mu

    @property
    def played(self) -> Column:
        """The checkpoints, as numbers of games, ascending."""
        return self._ends[self._noted]

    @property
    def points(self) -> Column:
        """Mean points per game at checkpoints, shape (checkpoints, entries); NaN without games."""
        games = self._games[self._noted].cumsum(axis=0)
        points = self._points[self._noted].cumsum(axis=0)
        return np.where(games > 0, points / np.maximum(games, 1), np.nan)

    @property
    def ratings(self) -> Column:
        """Means of the ratings at checkpoints, shape (checkpoints, entries); NaN without games."""
        games = self._games[self._noted].cumsum(axis=0)
        return np.where(games > 0, self._ratings[self._noted], np.nan)

    @property
    def last(self) -> list[tuple[float, float]]:
        """Mean and standard deviation of the rating of each entry after the games so far."""
        found = {one.entrant: (one.mu, one.sigma) for one in self._live.best_first()}
        return [found[entry] for entry in sorted(found)]

    @property
    def _noted(self) -> Column:
        return np.flatnonzero(self._games.sum(axis=1))


def _results(seats: Column, totals: Column) -> Results:
    """Return games as the arena's results; the fewest points win."""
    games = len(seats)
    rank = (totals[:, None, :] < totals[:, :, None]).sum(axis=2)
    first = rank == 0
    win = first / first.sum(axis=1, keepdims=True)
    nothing = np.zeros(games * SEATS, np.int64)
    return Results(
        deal=np.repeat(np.arange(games), SEATS),
        table=nothing,
        seat=np.tile(np.arange(SEATS), games),
        entrant=seats.ravel(),
        score=totals.ravel(),
        rank=rank.ravel(),
        win=win.ravel(),
        decisions=nothing,
        faults=nothing,
        error=np.full(games * SEATS, None, object),
    )

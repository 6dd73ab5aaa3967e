"""Standings of a contest in progress: counts, means and ratings, kept up to date game by game.

The ratings are OpenSkill's (Plackett and Luce's model of Weng and Lin, "A Bayesian approximation
method for online ranking", 2011): each game moves them a little, so they depend on the order in
which games arrive, and with several workers that order varies. They are for display while a contest
runs. The final ratings come from `ratings`, which does not depend on the order.

How a game counts: every seat is a player of its own, with the rating of its entrant, and seats that
tie have equal ranks. The new mean and spread of an entrant at several seats are the means of what
its seats would get, so that a game moves no entrant further than one seat does. A game of one
entrant against itself says nothing about its strength and is left out of everything.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cardwright.extras import missing

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from cardwright.arena.results import Results

RATED_A_SECOND = 500
"""Games that move the ratings, for each second since the beginning: at about 50 us each..."""
RATED_FIRST = 500
"""...and as many at once, however soon they arrive."""


@dataclass(frozen=True)
class LiveStanding:
    """What an entrant (a number from 0) got in the games so far.

    `games` is how many finished games it played with others; `score` and `win`, the share of the
    win, are means over its seats there, None if there are none. `mu` and `sigma` are mean and
    standard deviation of its rating.
    """

    entrant: int
    games: int
    score: float | None
    win: float | None
    mu: float
    sigma: float


class LiveStandings:
    """Standings that are given the results of a contest part by part; not thread-safe.

    Where games are played faster than they can be rated at little cost, a random sample moves the
    ratings: at most `RATED_FIRST` games and `RATED_A_SECOND` more for each second of the clock.
    Counts and means are of all games, except those of one entrant among its own copies and those
    that broke a rule, which are left out of everything. A lone entrant's games count.
    """

    def __init__(
        self, entrants: int, seats: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Begin with no games; raises MissingExtraError if openskill is not installed."""
        try:
            from openskill.models import PlackettLuce
        except ImportError:
            raise missing("openskill") from None
        self._model = PlackettLuce()
        self._seats = seats
        usual = self._model.rating()
        self._ratings: list[tuple[float, float]] = [(usual.mu, usual.sigma)] * entrants
        self._games = np.zeros(entrants, dtype=np.int64)
        self._taken = np.zeros(entrants, dtype=np.int64)
        self._sums = np.zeros((2, entrants))
        self._clock = clock
        self._begun = clock()
        self._rated = 0
        self._generator = np.random.default_rng(0)

    @property
    def rated(self) -> int:
        """How many games have moved the ratings."""
        return self._rated

    def add(self, results: Results) -> None:
        """Count the results of more whole games."""
        many = len(self._games)
        shape = (-1, self._seats)
        seating = results.entrant.reshape(shape).astype(np.int64)
        telling = (seating != seating[:, :1]).any(axis=1)
        counted = results.finished.reshape(shape).all(axis=1) & (telling | (many == 1))
        seating, rank = seating[counted], results.rank.reshape(shape)[counted]
        for row, column in enumerate((results.score, results.win)):
            values = column.reshape(shape)[counted].ravel()
            self._sums[row] += np.bincount(seating.ravel(), weights=values, minlength=many)
        self._taken += np.bincount(seating.ravel(), minlength=many)
        pairs = np.unique(seating + many * np.arange(len(seating))[:, None])
        self._games += np.bincount(pairs % many, minlength=many)
        for game in self._sample(np.flatnonzero(telling[counted])):
            self._rate(seating[game].tolist(), rank[game].tolist())

    def best_first(self) -> list[LiveStanding]:
        """Return the standing of every entrant, those with the highest ratings first."""
        rows = [self._standing(who) for who in range(len(self._games))]
        return sorted(rows, key=lambda row: -row.mu)

    def _standing(self, who: int) -> LiveStanding:
        taken = int(self._taken[who])
        score, win = (float(total) / taken if taken else None for total in self._sums[:, who])
        return LiveStanding(who, int(self._games[who]), score, win, *self._ratings[who])

    def _sample(self, games: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return as many of these games as may still be rated, in their order."""
        allowed = RATED_FIRST + int(RATED_A_SECOND * (self._clock() - self._begun)) - self._rated
        if len(games) <= allowed:
            return games
        return np.sort(self._generator.choice(games, max(0, allowed), replace=False))

    def _rate(self, seating: list[int], ranks: list[int]) -> None:
        """Let one game move the ratings of those who played it."""
        model, ratings = self._model, self._ratings
        before = [[model.rating(*ratings[who])] for who in seating]
        after = model.rate(before, ranks=[float(rank) for rank in ranks])
        moved: dict[int, list[tuple[float, float]]] = {}
        for who, (seat,) in zip(seating, after, strict=True):
            moved.setdefault(who, []).append((seat.mu, seat.sigma))
        for who, seats in moved.items():
            mus, sigmas = zip(*seats, strict=True)
            ratings[who] = sum(mus) / len(mus), sum(sigmas) / len(sigmas)
        self._rated += 1

"""Results of a contest by deal: one value per deal, over all its tables.

A deal with a failed game is left out entirely. Without one of its tables it would favour whoever
did not have to play the bad cards.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from cardwright.arena.bounds import WinRange
from cardwright.arena.schedule import is_among_copies
from cardwright.statistics.resampling import variance_reduction

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cardwright.arena.bounds import ScoreRange
    from cardwright.arena.plan import RunPlan
    from cardwright.arena.results import Column, Results
    from cardwright.arena.schedule import Tables
    from cardwright.statistics.intervals import Estimate, Values
    from cardwright.statistics.ties import Ties


@dataclass(frozen=True)
class DealArrays:
    """The games of all whole deals, in arrays with a row per game and a column per seat.

    `tables` and `exchanged` are the plan's, `seating` says who sat where.
    `numbers` are the deals that are whole; `at` is the index in it of each game's deal. `failed` is
    the number of games that failed, `left_out` that of deals with such a game. `decisions` and
    `faults` are sums for each entrant, over all games, failed ones too.
    """

    tables: Tables
    entrants: int
    exchanged: int
    numbers: NDArray[np.int64]
    at: NDArray[np.int64]
    table: NDArray[np.int64]
    seating: NDArray[np.int64]
    score: Values
    rank: NDArray[np.int64]
    win: Values
    failed: int
    left_out: int
    decisions: NDArray[np.int64]
    faults: NDArray[np.int64]
    seats_taken: NDArray[np.int64]
    """For each entrant, in how many seats it sat, failed games included."""
    ties: Ties
    """How `win` counts a shared win."""

    @classmethod
    def of(cls, results: Results, tables: Tables, entrants: int, exchanged: int = 0) -> DealArrays:
        """Group results by deal; raises ValueError if they are not of these tables.

        The last `exchanged` entrants exchanged their places, as in `RunPlan`.
        """
        shape = (-1, len(tables[0]))
        deal = results.deal.reshape(shape)[:, 0]
        table = results.table.reshape(shape)[:, 0].astype(np.int64)
        seating = results.entrant.reshape(shape).astype(np.int64)
        alike = entrants - exchanged
        planned = np.array(tables, dtype=np.int64)[table]
        if not np.array_equal(np.minimum(seating, alike), np.minimum(planned, alike)):
            raise ValueError("the results are not of these tables")
        failed = ~results.finished.reshape(shape).all(axis=1)
        kept = ~np.isin(deal, deal[failed])
        numbers, at = np.unique(deal[kept], return_inverse=True)

        def total(column: Column) -> NDArray[np.int64]:
            sums = np.bincount(results.entrant, weights=column, minlength=entrants)
            return sums.astype(np.int64)

        return cls(
            tables=tables,
            entrants=entrants,
            exchanged=exchanged,
            numbers=numbers,
            at=at.astype(np.int64),
            table=table[kept],
            seating=seating[kept],
            score=results.score.reshape(shape)[kept].astype(float),
            rank=results.rank.reshape(shape)[kept].astype(np.int64),
            win=results.win.reshape(shape)[kept],
            failed=int(failed.sum()),
            left_out=len(np.unique(deal)) - len(numbers),
            decisions=total(results.decisions),
            faults=total(results.faults),
            seats_taken=total(np.ones(len(results))),
            ties=results.ties,
        )

    @classmethod
    def of_plan(cls, results: Results, plan: RunPlan) -> DealArrays:
        """Group the results of a plan by deal."""
        return cls.of(results, plan.tables, len(plan.entrants), plan.exchanged)

    def __len__(self) -> int:
        """The number of whole deals."""
        return len(self.numbers)

    @property
    def games(self) -> int:
        """The number of games in whole deals."""
        return len(self.at)

    @cached_property
    def tables_played(self) -> NDArray[np.int64]:
        """The seatings of the tables that have games here, a row per table."""
        return np.array(self.tables, dtype=np.int64)[np.unique(self.table)]

    def merged(self, first: int) -> DealArrays:
        """Return the same games with all entrants from number `first` on merged into one.

        What is summed by entrant (`decisions`, `faults`, `seats_taken`) is summed for these too.
        """

        def together(sums: NDArray[np.int64]) -> NDArray[np.int64]:
            return np.append(sums[:first], sums[first:].sum())

        return replace(
            self,
            tables=tuple(tuple(min(who, first) for who in table) for table in self.tables),
            seating=np.minimum(self.seating, first),
            entrants=first + 1,
            exchanged=0,
            decisions=together(self.decisions),
            faults=together(self.faults),
            seats_taken=together(self.seats_taken),
        )

    def among_others(self) -> DealArrays:
        """Return the games that compare entrants, without those of one among its own copies.

        All deals stay, and so do the sums by entrant. A lone entrant keeps its games.
        """
        alone = np.array([is_among_copies(table) for table in self.tables])[self.table]
        if self.entrants == 1 or not alone.any():
            return self
        kept = ~alone
        columns = ("at", "table", "seating", "score", "rank", "win")
        return replace(self, **{name: getattr(self, name)[kept] for name in columns})

    def column(self, name: str) -> Values:
        """Return `score`, `win`, or any other column with a value per game and seat, by name."""
        values: Values = getattr(self, name)
        return values

    def means(self, values: Values, cells: NDArray[np.int64], count: int) -> Values:
        """Return the mean of values for every deal and cell, shape (deals, count).

        `values` and `cells`, which number the cells from 0, have the same shape with a row per
        game; a cell of -1 leaves the value out. A cell without values in a deal is NaN.
        """
        places = self.at.reshape(-1, *[1] * (values.ndim - 1)) * count + cells
        used = cells >= 0
        size = len(self) * count
        sums = np.bincount(places[used], weights=values[used], minlength=size)
        counts = np.bincount(places[used], minlength=size)
        with np.errstate(invalid="ignore"):
            means: Values = (sums / counts).reshape(len(self), count)
        return means

    def by_entrant(self, name: str) -> Values:
        """Return the mean of a column for every deal and entrant, shape (deals, entrants)."""
        return self.means(self.column(name), self.seating, self.entrants)

    def by_seat(self, name: str) -> Values:
        """Return the mean of a column for every deal and seat, shape (deals, seats)."""
        seats = self.score.shape[1]
        cells = np.broadcast_to(np.arange(seats), self.score.shape)
        return self.means(self.column(name), cells, seats)

    @property
    def wins(self) -> WinRange:
        """From where to where a share of the win can be."""
        return WinRange(self.ties)

    def mean_bounds(self, scores: ScoreRange | None = None) -> tuple[Values, Values]:
        """Return the least and the most that each entrant's mean can be in a deal.

        It is the mean of scores in this range, else of shares of the win.
        """
        return (scores or self.wins).mean_bounds(self.tables_played, self.entrants)

    def difference_bounds(
        self, one: int, other: int, scores: ScoreRange | None = None
    ) -> tuple[float, float]:
        """Return the bounds of `difference` in a deal: of scores in this range, else of wins."""
        return (scores or self.wins).difference_bounds(self.tables_played, one, other)

    def difference(self, name: str, one: int, other: int) -> Values:
        """Return the mean of one entrant's values minus another's, for every deal.

        The games of a deal in which both sit have equal weight: in each, it is the mean over the
        one's seats minus that over the other's. Deals in which they do not meet are NaN.
        """
        return self.means(*self._met(name, one, other), 1)[:, 0]

    def duplicate_gain(self, name: str, one: int, other: int) -> Estimate | None:
        """Return by how much duplicate deals cut the variance of a difference between entrants.

        It is the variance that the mean difference would have if every table had cards of its own,
        over the actual one: 2 means that twice as many independent games would be as informative.
        What seats are worth is not luck and does not count. None where they do not meet at two
        tables, for too few deals, and where there is no spread; see `variance_reduction`.
        """
        values, met = self._met(name, one, other)
        cells, count = self._places(met >= 0, one, other)
        return variance_reduction(self.means(values, cells, count))

    def _places(
        self, met: NDArray[np.bool_], one: int, other: int
    ) -> tuple[NDArray[np.int64], int]:
        """Number the games of a deal in which two entrants met, equal numbers for equal seats.

        These are the tables, unless entrants exchange their places at them: then games are in the
        order of who plays, and where the two sit.
        """
        cells = np.full(len(self.at), -1, dtype=np.int64)
        if self.exchanged:
            seats = [(self.seating[met] == who).argmax(axis=1) for who in (other, one)]
            group = np.sort(self.seating[met], axis=1).T
            order = np.lexsort([*seats, *group, self.at[met]])
            here = self.at[met][order]
            number = np.arange(len(here)) - np.searchsorted(here, here)
            cells[np.flatnonzero(met)[order]] = number
            return cells, int(number.max(initial=-1)) + 1
        tables = np.unique(self.table[met])
        cells[met] = np.searchsorted(tables, self.table[met])
        return cells, len(tables)

    def _met(self, name: str, one: int, other: int) -> tuple[Values, NDArray[np.int64]]:
        """Return the difference of two entrants in each game, and -1 where they do not meet."""
        values, seating = self.column(name), self.seating
        ones, others = seating == one, seating == other
        met = ones.any(axis=1) & others.any(axis=1)
        with np.errstate(invalid="ignore"):
            first = (values * ones).sum(axis=1) / ones.sum(axis=1)
            second = (values * others).sum(axis=1) / others.sum(axis=1)
        return np.where(met, first - second, 0.0), np.where(met, 0, -1)

    def places(self) -> Values:
        """Return how often each entrant came in each place, shape (entrants, seats).

        It is a share of its seats in whole deals. Players who tie share the places they fill in
        equal parts: two who are first count for each as half a first place and half a second.
        """
        seats = self.score.shape[1]
        counts = np.zeros((self.entrants, seats))
        tied = (self.rank[:, :, None] == self.rank[:, None, :]).sum(axis=2)
        for place in range(seats):
            share = ((self.rank <= place) & (place < self.rank + tied)) / tied
            counts[:, place] = np.bincount(
                self.seating.ravel(), weights=share.ravel(), minlength=self.entrants
            )
        with np.errstate(invalid="ignore"):
            shares: Values = counts / counts.sum(axis=1, keepdims=True)
        return shares

"""Results: what every seat of every game got, as columns of numbers."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cardwright.arena.faults import PlayerFault
    from cardwright.statistics.ties import Ties

Column: TypeAlias = "NDArray[Any]"

TYPES: dict[str, Any] = {
    "deal": np.int64,
    "table": np.int16,
    "seat": np.int8,
    "entrant": np.int16,
    "score": np.int64,
    "rank": np.int8,
    "win": np.float64,
    "decisions": np.int32,
    "faults": np.int16,
    "error": np.object_,
}
"""The columns of results in their order, and how NumPy holds them."""

NO_SCORE = -(2**63)
"""Stands for the score of a game that broke a rule, and cannot be mistaken for a score."""
NO_RANK = -1


@dataclass(frozen=True)
class Timing:
    """How long an entrant took: its decisions, their total seconds, and the longest."""

    decisions: int = 0
    seconds: float = 0.0
    longest: float = 0.0

    def __add__(self, other: Timing) -> Timing:
        """Return the sum of both."""
        return Timing(
            self.decisions + other.decisions,
            self.seconds + other.seconds,
            max(self.longest, other.longest),
        )


@dataclass(frozen=True)
class NotedFault:
    """A fault, and where it was made."""

    deal: int
    table: int
    entrant: int
    fault: PlayerFault


@dataclass(frozen=True, eq=False)
class Results:
    """What every seat of every game got: one row per game and seat, sorted by deal, table and seat.

    Columns, all of the same length: `deal`, `table`, `seat` and `entrant` (numbers from 0, as in
    the plan); `score`; `rank` (seats with a strictly better score: 0 is a win, perhaps shared);
    `win` (share of the win: 1/k for each of k winners); `decisions` and `faults` of the seat;
    `error`. A game that broke a rule has its message in `error`, `NO_SCORE`, `NO_RANK` and NaN;
    where there is no error `error` is None. `ties` says how `win` counts a shared win: as the
    records do, unless another way was asked for with `counting`.

    Besides the rows, `timing` has a Timing for each entrant and `faults_noted` the first faults of
    each; `stopped` says whether a sequential test ended the run before all its deals.
    """

    deal: Column
    table: Column
    seat: Column
    entrant: Column
    score: Column
    rank: Column
    win: Column
    decisions: Column
    faults: Column
    error: Column
    timing: tuple[Timing, ...] = ()
    faults_noted: tuple[NotedFault, ...] = ()
    stopped: bool = False
    ties: Ties = "shared"

    @classmethod
    def of_columns(cls, columns: dict[str, Any], **beside: Any) -> Results:
        """Return results with these columns, each converted to its NumPy type."""
        made: dict[str, Any] = {
            name: np.asarray(columns[name], kind) for name, kind in TYPES.items()
        }
        return cls(**made, **beside)

    @classmethod
    def joined(cls, parts: Sequence[Results]) -> Results:
        """Return the rows of all parts, sorted; timing and the like are dropped."""
        columns = {
            name: np.concatenate([getattr(part, name) for part in parts] or [np.empty(0, kind)])
            for name, kind in TYPES.items()
        }
        order = np.lexsort((columns["seat"], columns["table"], columns["deal"]))
        return cls.of_columns({name: column[order] for name, column in columns.items()})

    def columns(self) -> dict[str, Column]:
        """Return the columns by name, in order."""
        return {name: getattr(self, name) for name in TYPES}

    def where(self, rows: Column) -> Results:
        """Return the rows that a mask or an array of indices selects; the rest stays as it is."""
        picked: dict[str, Any] = {name: column[rows] for name, column in self.columns().items()}
        beside = {
            one.name: getattr(self, one.name) for one in fields(self) if one.name not in TYPES
        }
        return Results(**picked, **beside)

    def counting(self, ties: Ties) -> Results:
        """Return the same results with shared wins counted in this way."""
        if ties == self.ties:
            return self
        winners = (self.rank == 0).astype(float)
        if ties == "shared":
            games = np.unique(np.stack([self.deal, self.table]), axis=1, return_inverse=True)[1]
            winners /= np.maximum(np.bincount(games.ravel(), winners)[games.ravel()], 1)
        return replace(self, win=np.where(self.finished, winners, np.nan), ties=ties)

    def before(self, deal: int) -> Results:
        """Return the rows of all deals before one."""
        return self.where(np.arange(int(np.searchsorted(self.deal, deal))))

    @property
    def finished(self) -> Column:
        """For every row, whether its game was finished: the others have no score."""
        ended: Column = self.rank != NO_RANK
        return ended

    def same(self, other: Results) -> bool:
        """Say whether all rows are equal, whatever their times."""
        return len(self) == len(other) and all(
            np.array_equal(mine, theirs, equal_nan=mine.dtype == np.float64)
            for mine, theirs in zip(self.columns().values(), other.columns().values(), strict=True)
        )

    def __len__(self) -> int:
        """The number of rows."""
        return len(self.deal)

"""Results: what every seat of every game got, as columns, as packed parts and as frames."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardwright.arena.referee import PlayerFault  # noqa: TC001 - faults are read from files
from cardwright.players.player import SINGLE_NUMBERS
from cardwright.statistics.ties import Ties  # noqa: TC001 - so are results

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import polars as pl

Column: TypeAlias = NDArray[Any]

Table: TypeAlias = dict[str, Column]
"""Columns by name. A column of lists has its items concatenated, and another column, its name with
`_length`, their numbers."""

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

TRACES: dict[str, dict[str, Any]] = {
    "games": {
        "deal": np.int64,
        "table": np.int16,
        "seed": np.uint64,
        "choices": [np.int32],
        "error": np.object_,
    },
    "decisions": {
        "deal": np.int64,
        "table": np.int16,
        "ply": np.int32,
        "seat": np.int8,
        "options": np.int32,
        "chosen": np.int32,
        "spread": np.float64,
        "average": np.float64,
        "best": np.float64,
        "lead": [np.float64],
        "iterations": np.int64,
        "held_out_spread": np.float64,
        "score_spread": np.float64,
    },
}
"""The columns of games, whose seeds and choices replay them, and of decisions; those with a type in
brackets are of lists. Notes that a player did not make are NaN, a length of -1, and -1."""

NO_SCORE = -(2**63)
"""Stands for the score of a game that broke a rule, and cannot be mistaken for a score."""
NO_RANK = -1

FIRST_FAULTS = 5
"""Faults of each entrant that are kept with their reasons."""

_LENGTH = "_length"


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
    def of_columns(cls, columns: Mapping[str, Any]) -> Results:
        """Return results with these columns, each converted to its NumPy type."""
        made: dict[str, Any] = {
            name: np.asarray(columns[name], kind) for name, kind in TYPES.items()
        }
        return cls(**made)

    @classmethod
    def joined(cls, parts: Sequence[Results]) -> Results:
        """Return the rows of all parts, sorted; timing and the like are dropped."""
        columns = {
            name: np.concatenate([getattr(part, name) for part in parts] or [np.empty(0, kind)])
            for name, kind in TYPES.items()
        }
        order = np.lexsort((columns["seat"], columns["table"], columns["deal"]))
        return cls.of_columns({name: column[order] for name, column in columns.items()})

    def columns(self) -> Table:
        """Return the columns by name, in order."""
        return {name: getattr(self, name) for name in TYPES}

    def where(self, rows: Column) -> Results:
        """Return the rows that a mask or an array of indices selects; the rest stays as it is."""
        picked: dict[str, Any] = {name: column[rows] for name, column in self.columns().items()}
        return replace(self, **picked)

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
        """Say whether all rows are equal."""
        return len(self) == len(other) and all(
            np.array_equal(mine, theirs, equal_nan=mine.dtype == np.float64)
            for mine, theirs in zip(self.columns().values(), other.columns().values(), strict=True)
        )

    def __len__(self) -> int:
        """The number of rows."""
        return len(self.deal)


@dataclass(frozen=True, eq=False)
class PlayedDeals:
    """The results of some whole deals, in any order; `timing` has one Timing for each entrant.

    `traces` has the tables of `TRACES` that the plan's detail asks for. `faults` are the first
    ones of each entrant in these deals, in order.
    """

    deals: tuple[int, ...]
    results: Results
    traces: dict[str, Table]
    timing: tuple[Timing, ...]
    faults: tuple[NotedFault, ...]
    seconds: float = 0.0

    @classmethod
    def joined(cls, parts: Sequence[PlayedDeals]) -> PlayedDeals:
        """Return all parts, of which there is at least one, as one."""
        timings = zip(*(part.timing for part in parts), strict=True)
        return cls(
            deals=tuple(sorted(deal for part in parts for deal in part.deals)),
            results=Results.joined([part.results for part in parts]),
            traces={
                name: {
                    column: np.concatenate([part.traces[name][column] for part in parts])
                    for column in table
                }
                for name, table in parts[0].traces.items()
            },
            timing=tuple(sum(ones, Timing()) for ones in timings),
            faults=first_faults(fault for part in parts for fault in part.faults),
            seconds=sum(part.seconds for part in parts),
        )

    def before(self, deal: int) -> PlayedDeals:
        """Return the results of all deals before one; times stay those of all."""
        return replace(
            self,
            deals=tuple(number for number in self.deals if number < deal),
            results=self.results.before(deal),
            traces={name: _rows_before(table, deal) for name, table in self.traces.items()},
            faults=tuple(fault for fault in self.faults if fault.deal < deal),
        )


def first_faults(faults: Iterable[NotedFault]) -> tuple[NotedFault, ...]:
    """Return the first faults of each entrant by deal, table, decision and seat."""
    ordered = sorted(
        faults, key=lambda one: (one.deal, one.table, one.fault.decision, one.fault.seat)
    )
    seen: dict[int, int] = {}
    first = []
    for fault in ordered:
        seen[fault.entrant] = seen.get(fault.entrant, 0) + 1
        if seen[fault.entrant] <= FIRST_FAULTS:
            first.append(fault)
    return tuple(first)


def trace_table(name: str, rows: Sequence[Sequence[Any]]) -> Table:
    """Return rows as a table of `TRACES`; a cell of a column of lists is a list, or None."""
    table: Table = {}
    for at, (column, kind) in enumerate(TRACES[name].items()):
        cells = [row[at] for row in rows]
        if isinstance(kind, list):
            lengths = [-1 if cell is None else len(cell) for cell in cells]
            table[column + _LENGTH] = np.array(lengths, np.int32)
            cells = [item for cell in cells for item in cell or ()]
        table[column] = np.array(cells, kind[0] if isinstance(kind, list) else kind)
    return table


def _rows_before(table: Table, deal: int) -> Table:
    rows = table["deal"] < deal
    kept = {}
    for name, column in table.items():
        lengths = table.get(name + _LENGTH)
        kept[name] = column[rows if lengths is None else np.repeat(rows, np.maximum(lengths, 0))]
    return kept


# Frames -------------------------------------------------------------------------------------------


def results_frame(results: Results, names: Sequence[str] | None = None) -> pl.DataFrame:
    """Return results as a frame; a game that broke a rule has nulls for score, rank and win.

    With the `names` of entrants they are in a column `player` after `entrant`.
    """
    import polars as pl

    frame = pl.DataFrame({name: _series(column) for name, column in results.columns().items()})
    frame = frame.with_columns(
        pl.when(pl.Series(results.finished)).then(pl.col(name)).otherwise(None).alias(name)
        for name in ("score", "rank", "win")
    )
    if names is not None:
        players = pl.Series("player", [names[who] for who in results.entrant.tolist()], pl.String)
        frame.insert_column(frame.get_column_index("entrant") + 1, players)
    return frame


def results_of(frame: pl.DataFrame) -> Results:
    """Return the results that a frame holds."""
    import polars as pl

    filled = frame.with_columns(
        pl.col("score").fill_null(NO_SCORE),
        pl.col("rank").fill_null(NO_RANK),
        pl.col("win").fill_null(float("nan")),
    )
    return Results.of_columns({name: filled[name].to_numpy() for name in filled.columns})


def games_frame(table: Table) -> pl.DataFrame:
    """Return games as a frame, sorted by deal and table, with lists of choices."""
    return _trace_frame("games", table).sort("deal", "table")


def decisions_frame(table: Table) -> pl.DataFrame:
    """Return decisions as a frame, sorted by deal, table and ply; notes not made are null."""
    import polars as pl

    frame = _trace_frame("decisions", table).with_columns(
        pl.col(*SINGLE_NUMBERS).fill_nan(None),
        pl.when(pl.col("iterations") >= 0).then("iterations").alias("iterations"),
    )
    return frame.sort("deal", "table", "ply")


def rows_frame(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> pl.DataFrame:
    """Return rows as a frame; a column in which nothing is known has nulls for numbers."""
    import polars as pl

    frame = pl.DataFrame(rows, schema=list(columns), orient="row", infer_schema_length=None)
    return frame.with_columns(pl.col(pl.Null).cast(pl.Float64))


def _trace_frame(name: str, table: Table) -> pl.DataFrame:
    import polars as pl

    return pl.DataFrame(
        {
            column: _lists(table[column], table[column + _LENGTH])
            if isinstance(kind, list)
            else _series(table[column])
            for column, kind in TRACES[name].items()
        }
    )


def _series(column: Column) -> pl.Series:
    import polars as pl

    if column.dtype == np.object_:
        return pl.Series(column.tolist(), dtype=pl.String)
    return pl.Series(column)


def _lists(items: Column, lengths: Column) -> pl.Series:
    """Return a column of lists from their items end to end; a length of -1 is null."""
    import polars as pl

    ends = np.cumsum(np.maximum(lengths, 0))
    lists = [
        items[end - length : end].tolist() if length >= 0 else None
        for end, length in zip(ends.tolist(), lengths.tolist(), strict=True)
    ]
    inner = pl.Series(items).dtype
    return pl.Series(lists, dtype=pl.List(inner))

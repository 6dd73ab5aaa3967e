"""Results: what every seat of every game got, as columns, as packed parts and as frames."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields, replace
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from cardwright.arena.referee import FaultKind, PlayerFault
from cardwright.extras import missing
from cardwright.jobs.files import pack, told_of, unpack
from cardwright.players.player import SINGLE_NUMBERS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import polars as pl
    from numpy.typing import NDArray

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


Table: TypeAlias = "dict[str, NDArray[Any]]"
"""Columns by name. A column of lists has its items concatenated, and another column their
numbers."""

LENGTH = "_length"
"""The suffix of the column with the lengths of a column of lists."""

GAMES: dict[str, Any] = {
    "deal": np.int64,
    "table": np.int16,
    "seed": np.uint64,
    "choices": np.int32,
    "choices_length": np.int32,
    "error": np.object_,
}
"""The columns of games: the seed and the indices chosen, which replay it."""

DECISIONS: dict[str, Any] = {
    "deal": np.int64,
    "table": np.int16,
    "ply": np.int32,
    "seat": np.int8,
    "options": np.int32,
    "chosen": np.int32,
    "spread": np.float64,
    "average": np.float64,
    "best": np.float64,
    "lead": np.float64,
    "lead_length": np.int32,
    "iterations": np.int64,
    "held_out_spread": np.float64,
    "score_spread": np.float64,
}
"""The columns of decisions; notes that a player did not make are NaN, length -1 and -1."""

TRACES: dict[str, dict[str, Any]] = {"games": GAMES, "decisions": DECISIONS}

FIRST_FAULTS = 5
"""Faults of each entrant that are kept with their reasons."""


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
        tables = {
            name: {
                column: np.concatenate([part.traces[name][column] for part in parts])
                for column in TRACES[name]
            }
            for name in parts[0].traces
        }
        return cls(
            deals=tuple(sorted(deal for part in parts for deal in part.deals)),
            results=Results.joined([part.results for part in parts]),
            traces=tables,
            timing=summed(part.timing for part in parts),
            faults=first_faults(fault for part in parts for fault in part.faults),
            seconds=sum(part.seconds for part in parts),
        )

    def before(self, deal: int) -> PlayedDeals:
        """Return the results of all deals before one; times stay those of all."""
        traces = {name: _rows_before(table, deal) for name, table in self.traces.items()}
        return replace(
            self,
            deals=tuple(one for one in self.deals if one < deal),
            results=self.results.before(deal),
            traces=traces,
            faults=tuple(one for one in self.faults if one.deal < deal),
        )

    def packed(self) -> bytes:
        """Return this as bytes; columns of strings are JSON in them."""
        texts: dict[str, Any] = {
            "timing": [asdict(one) for one in self.timing],
            "faults": [asdict(one) for one in self.faults],
            "seconds": self.seconds,
        }
        arrays: dict[str, Any] = {"deals": np.array(self.deals, np.int64)}
        for name, table in {"results": self.results.columns(), **self.traces}.items():
            for column, values in table.items():
                if values.dtype == np.object_:
                    texts[f"{name}.{column}"] = values.tolist()
                else:
                    arrays[f"{name}.{column}"] = values
        return pack(texts, arrays)

    @classmethod
    def unpacked(cls, content: bytes, name: str) -> PlayedDeals:
        """Return what `packed` was given; raises DamagedError for any other bytes."""
        with told_of(name, "run", "deals"):
            texts, arrays = unpack(content)
            kept = arrays | texts
            columns = {column: kept[f"results.{column}"] for column in TYPES}
            return cls(
                deals=tuple(kept["deals"].tolist()),
                results=Results.of_columns(columns),
                traces={
                    trace: {
                        column: np.asarray(kept[f"{trace}.{column}"], kind)
                        for column, kind in kinds.items()
                    }
                    for trace, kinds in TRACES.items()
                    if f"{trace}.deal" in kept
                },
                timing=tuple(Timing(**one) for one in texts["timing"]),
                faults=tuple(map(noted_fault, texts["faults"])),
                seconds=texts["seconds"],
            )


def summed(timings: Iterable[Sequence[Timing]]) -> tuple[Timing, ...]:
    """Return the times of each entrant over all parts."""
    return tuple(sum(ones, Timing()) for ones in zip(*timings, strict=True))


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


def _rows_before(table: Table, deal: int) -> Table:
    rows = table["deal"] < deal
    kept = {}
    for name, column in table.items():
        lengths = table.get(name + LENGTH)
        kept[name] = column[rows if lengths is None else np.repeat(rows, np.maximum(lengths, 0))]
    return kept


def noted_fault(data: dict[str, Any]) -> NotedFault:
    """Return the fault described by JSON data of its fields."""
    fault = PlayerFault(**{**data["fault"], "kind": FaultKind(data["fault"]["kind"])})
    return NotedFault(data["deal"], data["table"], data["entrant"], fault)


def check_polars() -> None:
    """Raise MissingExtraError if polars is not installed."""
    try:
        import polars  # noqa: F401 - heavy, and an extra
    except ImportError:
        raise missing("polars") from None


def results_frame(results: Results) -> pl.DataFrame:
    """Return results as a frame; a game that broke a rule has nulls for score, rank and win."""
    import polars as pl

    ended = pl.Series(results.finished)
    frame = pl.DataFrame({name: _series(column) for name, column in results.columns().items()})
    return frame.with_columns(
        pl.when(ended).then(pl.col(name)).otherwise(None).alias(name)
        for name in ("score", "rank", "win")
    )


def named_results_frame(results: Results, names: Sequence[str]) -> pl.DataFrame:
    """Return results as a frame with the names of entrants, in a column `player` after them."""
    import polars as pl

    frame = results_frame(results)
    players = pl.Series("player", [names[who] for who in results.entrant.tolist()], pl.String)
    return frame.insert_column(frame.get_column_index("entrant") + 1, players)


def rows_frame(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> pl.DataFrame:
    """Return rows as a frame; a column in which nothing is known has nulls for numbers."""
    import polars as pl

    frame = pl.DataFrame(rows, schema=list(columns), orient="row", infer_schema_length=None)
    return frame.with_columns(pl.col(pl.Null).cast(pl.Float64))


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
    import polars as pl

    columns = {
        name: _lists(column, table[name + LENGTH]) if name == "choices" else _series(column)
        for name, column in table.items()
        if name in GAMES and not name.endswith(LENGTH)
    }
    return pl.DataFrame(columns).sort("deal", "table")


def decisions_frame(table: Table) -> pl.DataFrame:
    """Return decisions as a frame, sorted by deal, table and ply; notes not made are null."""
    import polars as pl

    columns = {
        name: _lists(column, table[name + LENGTH]) if name == "lead" else _series(column)
        for name, column in table.items()
        if name in DECISIONS and not name.endswith(LENGTH)
    }
    frame = pl.DataFrame(columns).with_columns(
        pl.col(*SINGLE_NUMBERS).fill_nan(None),
        pl.when(pl.col("iterations") >= 0).then("iterations").alias("iterations"),
    )
    return frame.sort("deal", "table", "ply")


def _series(column: Any) -> pl.Series:
    import polars as pl

    if column.dtype == np.object_:
        return pl.Series(column.tolist(), dtype=pl.String)
    return pl.Series(column)


def _lists(items: Any, lengths: Any) -> pl.Series:
    """Return a column of lists from their items end to end; a length of -1 is null."""
    import polars as pl

    ends = np.cumsum(np.maximum(lengths, 0))
    lists = [
        items[end - length : end].tolist() if length >= 0 else None
        for end, length in zip(ends.tolist(), lengths.tolist(), strict=True)
    ]
    inner = pl.Series(items).dtype
    return pl.Series(lists, dtype=pl.List(inner))

"""Records of games as columns of numbers, read part by part."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, fields, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from cardwright.analysis import AnalysisError
from cardwright.extras import missing
from cardwright.jobs.files import changed
from cardwright.syntax.data_files import parse_json, read_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import polars as pl
    from numpy.typing import NDArray

    Integers: TypeAlias = NDArray[np.int64]
    Values: TypeAlias = NDArray[np.float64]
    Flags: TypeAlias = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Decisions:
    """The decisions of some games: D rows.

    `game` says which game a decision belongs to, as an index into the games of the `Traces`; `seat`
    who had to choose, and `options` between how many options. The others are what the player noted,
    as `cardwright.players.player.Note` says, `lead` of shape (D, seats); NaN where it did not.
    """

    game: Integers
    seat: Integers
    options: Integers
    spread: Values
    average: Values
    best: Values
    lead: Values
    iterations: Values
    held_out_spread: Values
    score_spread: Values

    def __len__(self) -> int:
        return len(self.game)

    def where(self, rows: Flags) -> Decisions:
        """Return the decisions that a mask selects."""
        picked: dict[str, Any] = {one.name: getattr(self, one.name)[rows] for one in fields(self)}
        return Decisions(**picked)


class OwnEstimates(NamedTuple):
    """Each seat's own estimates, concatenated: by game, then seat, then in order of play.

    `estimate` is what the seat noted of its best option, and `place` counts its estimates in the
    game from 0. `follows` has one item less: whether the next row is of the same seat and game.
    """

    game: Integers
    seat: Integers
    place: Integers
    estimate: Values
    follows: Flags


class EstimateOrder(NamedTuple):
    """The seats in the order of their k-th own estimates, for every game and k.

    `seats` has shape (steps, players), with the best estimate first and equal ones by seat; `game`
    says which game a step is of.
    """

    game: Integers
    seats: Integers


@dataclass(frozen=True, eq=False)
class Traces:
    """Some finished games: G rows.

    `deal` and `table` name them; `scores`, `ranks` (seats with a strictly better score) and
    `entrants` have shape (G, seats); `lengths` is how many decisions each had. `decisions` is None
    where they were not recorded.
    """

    deal: Integers
    table: Integers
    scores: Integers
    ranks: Integers
    entrants: Integers
    lengths: Integers
    decisions: Decisions | None = None

    @property
    def players(self) -> int:
        """The number of seats."""
        return int(self.scores.shape[1])

    def __len__(self) -> int:
        return len(self.deal)

    @property
    def noted(self) -> Decisions:
        """The decisions; raises AnalysisError if they were not recorded."""
        if self.decisions is None:
            raise AnalysisError(
                "these records have no decisions: play the run with detail='decisions'"
            )
        return self.decisions

    @cached_property
    def tries(self) -> float:
        """The mean number of rollouts of an option at decisions with several; NaN if not noted."""
        noted = self.noted
        known = ~np.isnan(noted.iterations) & (noted.options > 1)
        if not known.any():
            return float("nan")
        return float((noted.iterations[known] / noted.options[known]).mean())

    @cached_property
    def ply(self) -> Integers:
        """For every decision the number of decisions before it in its game."""
        game = self.noted.game
        counts = np.bincount(game, minlength=len(self))
        return np.arange(len(game)) - (np.cumsum(counts) - counts)[game]

    @cached_property
    def portion(self) -> Values:
        """For every decision the portion of its game that is over: 0 at the first, 1 at the last.

        The only decision of a game is at 0.
        """
        lengths = np.bincount(self.noted.game, minlength=len(self))
        shares: Values = self.ply / np.maximum(lengths - 1, 1)[self.noted.game]
        return shares

    @cached_property
    def wins(self) -> Values:
        """Shares of the win, of shape (G, seats): 1/k for each of k winners."""
        best = self.ranks == 0
        shares: Values = best / best.sum(axis=1, keepdims=True)
        return shares

    @cached_property
    def winners(self) -> Integers:
        """The winner of every game by its result, the first seat of those that share the win."""
        first: Integers = np.argmax(self.ranks == 0, axis=1)
        return first

    @cached_property
    def last_leaders(self) -> Integers:
        """Who has the largest estimate in each game's last lead vector; -1 where there is none.

        Of seats with equal estimates it is the first.
        """
        led = self.led
        found = np.full(len(self), -1)
        found[led.game] = np.argmax(led.lead, axis=1)  # the last row of a game wins
        return found

    @cached_property
    def led(self) -> Decisions:
        """The decisions with a lead vector."""
        known: Flags = ~np.isnan(self.noted.lead[:, 0])  # a vector is complete or missing
        return self.noted.where(known)

    @cached_property
    def own(self) -> OwnEstimates:
        """Each seat's own estimates."""
        known = np.flatnonzero(~np.isnan(self.noted.best))
        key = self.noted.game[known] * self.players + self.noted.seat[known]
        order = np.argsort(key, kind="stable")
        rows, key = known[order], key[order]
        follows = key[1:] == key[:-1]
        starts = np.flatnonzero(np.r_[True, ~follows]) if len(key) else np.empty(0, np.int64)
        counts = np.diff(np.r_[starts, len(key)])
        place = np.arange(len(key)) - np.repeat(starts, counts)
        noted = self.noted
        return OwnEstimates(noted.game[rows], noted.seat[rows], place, noted.best[rows], follows)

    @cached_property
    def standings(self) -> EstimateOrder | None:
        """The seats by their own estimates, step by step.

        None if the seats of some game have different numbers of estimates.
        """
        own, players = self.own, self.players
        counts = np.bincount(own.game * players + own.seat, minlength=len(self) * players)
        by_seat = counts.reshape(-1, players)
        if (by_seat != by_seat[:, :1]).any():
            return None
        rows = np.lexsort((own.seat, own.place, own.game))
        estimates = own.estimate[rows].reshape(-1, players)
        seats = np.argsort(-estimates, axis=1, kind="stable")
        return EstimateOrder(own.game[rows][::players], seats)

    @cached_property
    def final_places(self) -> Values:
        """Final ranks on the scale of lead vectors, shape (G, seats): 1 for the first, 0 the last.

        Seats that tie have the better place: two that share the win both have 1.
        """
        places: Values = 1 - self.ranks / max(self.players - 1, 1)
        return places

    def take(self, games: Flags | slice) -> Traces:
        """Return some of the games, selected by a mask or a slice, with their decisions."""
        kept = np.zeros(len(self), bool)
        kept[games] = True
        own: dict[str, Any] = {
            name: getattr(self, name)[kept]
            for name in ("deal", "table", "scores", "ranks", "entrants", "lengths")
        }
        decisions = self.decisions
        if decisions is not None:
            decisions = decisions.where(kept[decisions.game])
            decisions = replace(decisions, game=(np.cumsum(kept) - 1)[decisions.game])
        return Traces(**own, decisions=decisions)


PART = 250_000
"""About how many rows a part has: some 30 MB, and as many as a Parquet file has in a row group."""

_RESULTS = ("deal", "table", "seat", "entrant", "score", "rank", "decisions")
_DECISIONS = ("deal", "table", "ply", "seat", "options", "spread", "average", "best", "lead")
_LATER_NOTES = ("iterations", "held_out_spread", "score_spread")
"""What a player may have noted besides; records without these columns are read as well."""


@dataclass(frozen=True)
class RunFrames:
    """A run's results and, optionally, its decisions, as lazy polars frames sorted by deal."""

    results: pl.LazyFrame
    decisions: pl.LazyFrame | None = None
    name: str = "the records"

    @classmethod
    def of_folder(cls, folder: str | Path) -> RunFrames:
        """Return the records of a finished run; raises AnalysisError if they cannot be read."""
        path = Path(folder)
        try:
            manifest = parse_json(read_text(path / "manifest.json"))
            complete, digests = manifest["complete"], dict(manifest.get("digests", {}))
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise AnalysisError(f"{folder} has no records of a run: {error}") from None
        if not complete:
            raise AnalysisError(f"the run in {folder} is not finished: resume it first")
        for name in ("results.parquet", "decisions.parquet"):
            if wrong := changed(path, name, digests):
                raise AnalysisError(
                    f"{path / name} cannot be read: {wrong}; "
                    f"`cardwright records {shlex.quote(str(path))} --set-aside` sets it aside"
                )
        decisions = path / "decisions.parquet"
        return cls.of_files(path / "results.parquet", decisions if decisions.exists() else None)

    @classmethod
    def of_files(cls, results: Path, decisions: Path | None = None) -> RunFrames:
        """Return the records in Parquet files."""
        scan = _polars().scan_parquet
        noted = None if decisions is None else scan(decisions)
        return cls._checked(scan(results), noted, str(results))

    @classmethod
    def of_frames(cls, results: pl.DataFrame, decisions: pl.DataFrame | None = None) -> RunFrames:
        """Return the records in frames that are in memory."""
        noted = None if decisions is None else decisions.lazy()
        return cls._checked(results.lazy(), noted, "the frame of results")

    @classmethod
    def _checked(
        cls, results: pl.LazyFrame, decisions: pl.LazyFrame | None, name: str
    ) -> RunFrames:
        made = cls(results, decisions, name)
        made._check(results, _RESULTS)
        if decisions is None:
            return made
        known = made._check(decisions, _DECISIONS)
        nothing = _polars().lit(None, _polars().Float64)
        absent = [nothing.alias(column) for column in _LATER_NOTES if column not in known]
        return cls(results, decisions.with_columns(absent), name)

    @cached_property
    def players(self) -> int:
        """The number of seats."""
        return self._extent[2]

    @cached_property
    def games(self) -> int:
        """The number of games, including those that broke a rule."""
        return self._extent[3] // max(self.players, 1)

    def parts(
        self, rows: int = PART, progress: Callable[[int, int], object] | None = None
    ) -> Iterator[Traces]:
        """Yield all games in order, in parts of whole deals with about this many rows.

        After each part `progress` is given how many deals were read, and of how many.
        """
        first, last, _, total = self._extent
        if self.decisions is not None:
            total = max(total, self._rows(self.decisions))
        deals = last - first + 1
        step = max(1, rows * deals // max(total, 1))
        for begin in range(first, last + 1, step):
            yield self._between(begin, begin + step - 1)
            if progress is not None:
                progress(min(begin + step - first, deals), deals)

    def first(self, games: int) -> Traces:
        """Return the first games, for a figure; fewer if there are no more."""
        first, last, _, rows = self._extent
        if not rows:
            raise AnalysisError(f"{self.name} has no games")
        tables = max(1, -(-rows // (max(self.players, 1) * max(last - first + 1, 1))))
        need = -(-games // tables)
        while True:
            found = self._between(first, first + need - 1)
            if len(found) >= games or first + need > last:
                return found.take(slice(games))
            need *= 2  # some games broke a rule

    @cached_property
    def _extent(self) -> tuple[int, int, int, int]:
        """The first and the last deal, the number of seats, and of rows."""
        pl = _polars()
        asked = self.results.select(
            pl.col("deal").min().alias("first"),
            pl.col("deal").max().alias("last"),
            pl.col("seat").max(),
            pl.len().alias("rows"),
        )
        row = self._collected(asked).row(0)
        if not row[3]:
            return (0, -1, 0, 0)
        return (int(row[0]), int(row[1]), int(row[2]) + 1, int(row[3]))

    def _rows(self, frame: pl.LazyFrame) -> int:
        return int(self._collected(frame.select(_polars().len())).item())

    def _between(self, first: int, last: int) -> Traces:
        """Return the finished games of some deals."""
        pl = _polars()
        mine = pl.col("deal").is_between(first, last)
        rows = self._collected(self.results.select(_RESULTS).filter(mine))
        seats = self.players
        if rows["seat"].to_list() != list(range(seats)) * (len(rows) // max(seats, 1)):
            raise AnalysisError(f"{self.name} has not one row for each game and seat, in order")
        ended = rows["rank"].is_not_null().to_numpy().reshape(-1, seats).all(axis=1)

        def column(name: str) -> Integers:
            filled = rows[name].cast(pl.Int64).fill_null(0).to_numpy().reshape(-1, seats)
            kept: Integers = filled[ended]
            return kept

        traces = Traces(
            deal=column("deal")[:, 0],
            table=column("table")[:, 0],
            scores=column("score"),
            ranks=column("rank"),
            entrants=column("entrant"),
            lengths=column("decisions").sum(axis=1),
        )
        if self.decisions is None:
            return traces
        noted = self._collected(self.decisions.select(*_DECISIONS, *_LATER_NOTES).filter(mine))
        return _with_decisions(traces, noted)

    def _check(self, frame: pl.LazyFrame, columns: tuple[str, ...]) -> list[str]:
        """Return the columns of a table; raises AnalysisError if some are missing."""
        try:
            names = frame.collect_schema().names()
        except (OSError, _polars().exceptions.PolarsError) as error:
            raise AnalysisError(f"{self.name} cannot be read: {error}") from None
        absent = [name for name in columns if name not in names]
        if absent:
            raise AnalysisError(
                f"{self.name} is not a record of games: it has no {', '.join(absent)}"
            )
        return names

    def _collected(self, frame: pl.LazyFrame) -> pl.DataFrame:
        try:
            return frame.collect()
        except (OSError, _polars().exceptions.PolarsError) as error:
            raise AnalysisError(f"{self.name} cannot be read: {error}") from None


def _with_decisions(traces: Traces, rows: pl.DataFrame) -> Traces:
    """Return the games with their decisions; rows of other games are left out."""
    tables = 1 + max(int(traces.table.max(initial=0)), int(_integers(rows, "table").max(initial=0)))
    keys = traces.deal * tables + traces.table
    mine = _integers(rows, "deal") * tables + _integers(rows, "table")
    at = np.minimum(np.searchsorted(keys, mine), max(len(keys) - 1, 0))
    known = keys[at] == mine if len(keys) else np.zeros(len(mine), bool)
    decisions = Decisions(
        game=at,
        seat=_integers(rows, "seat"),
        options=_integers(rows, "options"),
        spread=_numbers(rows["spread"]),
        average=_numbers(rows["average"]),
        best=_numbers(rows["best"]),
        lead=_leads(rows["lead"], traces.players),
        **{name: _numbers(rows[name]) for name in _LATER_NOTES},
    )
    return Traces(
        traces.deal,
        traces.table,
        traces.scores,
        traces.ranks,
        traces.entrants,
        traces.lengths,
        decisions.where(known),
    )


def _integers(rows: pl.DataFrame, name: str) -> Integers:
    return rows[name].cast(_polars().Int64).to_numpy()


def _numbers(column: pl.Series) -> Values:
    return column.cast(_polars().Float64).fill_null(float("nan")).to_numpy()


def _leads(column: pl.Series, players: int) -> Values:
    """Return lead vectors as rows; NaN where there is none of the right length."""
    whole = (column.list.len() == players).fill_null(value=False)
    leads = np.full((len(column), players), np.nan)
    if whole.any():
        items = column.filter(whole).explode(empty_as_null=True)
        leads[whole.to_numpy()] = _numbers(items).reshape(-1, players)
    return leads


def _polars() -> Any:
    try:
        import polars
    except ImportError:
        raise missing("polars") from None
    return polars

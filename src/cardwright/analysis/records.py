"""Records of games as columns of numbers, read part by part.

Everything in this package is made from `Traces`: statistics, measures and figures. They are read
from tables with the columns that `docs/records.md` lists, the Parquet files of a run or polars
frames, in parts, so that a run of any length can be studied in little memory. Games that broke a
rule are left out.
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass, fields, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from cardwright.analysis.errors import AnalysisError
from cardwright.extras import missing
from cardwright.jobs.files import changed
from cardwright.statistics.measures import ranks, win_shares
from cardwright.syntax.data_files import parse_json, read_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import polars as pl
    from numpy.typing import NDArray

    from cardwright.game.native.random_games import RandomGames

    Integers: TypeAlias = NDArray[np.int64]
    Values: TypeAlias = NDArray[np.float64]
    Flags: TypeAlias = NDArray[np.bool_]

PART = 250_000
"""About how many rows a part has: some 30 MB, and as many as a Parquet file has in a row group."""

_RESULTS = ("deal", "table", "seat", "entrant", "score", "rank", "decisions")
_NOTES = ("spread", "average", "best", "iterations", "held_out_spread", "score_spread")
_DECISIONS = ("deal", "table", "ply", "seat", "options", *_NOTES, "lead")


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
        return Decisions(**{field.name: getattr(self, field.name)[rows] for field in fields(self)})


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


@dataclass(frozen=True, eq=False)
class Traces:
    """Some finished games: G rows, in the order of their deals and tables.

    `deal` and `table` name them; `scores`, `ranks` (seats with a strictly better score) and
    `entrants` have shape (G, seats); `lengths` is how many decisions each had. `decisions` is None
    where they were not recorded; else they are in the order of their games and, in a game, of play.
    """

    deal: Integers
    table: Integers
    scores: Integers
    ranks: Integers
    entrants: Integers
    lengths: Integers
    decisions: Decisions | None = None

    @classmethod
    def of_random(cls, games: RandomGames) -> Traces:
        """Return random games in bulk without their decisions; broken ones are left out."""
        ended = games.ended()
        return cls(
            deal=ended.numbers.astype(np.int64),
            table=np.zeros(len(ended), np.int64),
            scores=ended.scores,
            ranks=ranks(ended.scores, highest_wins=ended.game.highest_wins),
            entrants=np.zeros(ended.scores.shape, np.int64),
            lengths=ended.decisions,
        )

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
        return win_shares(self.ranks == 0)

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
        leaders = np.full(len(self), -1)
        leaders[self.led.game] = np.argmax(self.led.lead, axis=1)  # the last row of a game wins
        return leaders

    @cached_property
    def led(self) -> Decisions:
        """The decisions with a lead vector."""
        known: Flags = ~np.isnan(self.noted.lead[:, 0])  # a vector is complete or missing
        return self.noted.where(known)

    @cached_property
    def own(self) -> OwnEstimates:
        """Each seat's own estimates."""
        noted = self.noted
        known = np.flatnonzero(~np.isnan(noted.best))
        key = noted.game[known] * self.players + noted.seat[known]
        order = np.argsort(key, kind="stable")
        rows, key = known[order], key[order]
        follows = key[1:] == key[:-1]
        starts = np.flatnonzero(np.r_[True, ~follows]) if len(key) else np.empty(0, np.int64)
        counts = np.diff(np.r_[starts, len(key)])
        place = np.arange(len(key)) - np.repeat(starts, counts)
        return OwnEstimates(noted.game[rows], noted.seat[rows], place, noted.best[rows], follows)

    @cached_property
    def final_places(self) -> Values:
        """Final ranks on the scale of lead vectors, shape (G, seats): 1 for the first, 0 the last.

        Seats that tie have the better place: two that share the win both have 1.
        """
        places: Values = 1 - self.ranks / max(self.players - 1, 1)
        return places

    def take(self, games: Flags | Integers | slice) -> Traces:
        """Return some of the games, by a mask, numbers or a slice, with their decisions."""
        kept = np.zeros(len(self), bool)
        kept[games] = True
        columns = {
            field.name: getattr(self, field.name)[kept]
            for field in fields(self)
            if field.name != "decisions"
        }
        decisions = self.decisions
        if decisions is not None:
            decisions = decisions.where(kept[decisions.game])
            decisions = replace(decisions, game=(np.cumsum(kept) - 1)[decisions.game])
        return Traces(**columns, decisions=decisions)


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
        return cls(scan(results), noted, str(results))._checked()

    @classmethod
    def of_frames(cls, results: pl.DataFrame, decisions: pl.DataFrame | None = None) -> RunFrames:
        """Return the records in frames that are in memory."""
        noted = None if decisions is None else decisions.lazy()
        return cls(results.lazy(), noted, "the frame of results")._checked()

    def _checked(self) -> RunFrames:
        """Return these records; raises AnalysisError if columns are missing."""
        for frame, columns in ((self.results, _RESULTS), (self.decisions, _DECISIONS)):
            if frame is not None:
                names = self._read(frame.collect_schema).names()
                if absent := [name for name in columns if name not in names]:
                    raise AnalysisError(
                        f"{self.name} is not a record of games: it has no {', '.join(absent)}"
                    )
        return self

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
            total = max(total, self._collected(self.decisions.select(_polars().len())).item())
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
            traces = self._between(first, first + need - 1)
            if len(traces) >= games or first + need > last:
                return traces.take(slice(games))
            need *= 2  # some games broke a rule

    @cached_property
    def _extent(self) -> tuple[int, int, int, int]:
        """The first and the last deal, the number of seats, and of rows."""
        pl = _polars()
        deal = pl.col("deal")
        asked = self.results.select(
            deal.min().alias("first"), deal.max().alias("last"), pl.col("seat").max(), pl.len()
        )
        first, last, seat, rows = self._collected(asked).row(0)
        return (int(first), int(last), int(seat) + 1, int(rows)) if rows else (0, -1, 0, 0)

    def _between(self, first: int, last: int) -> Traces:
        """Return the finished games of some deals."""
        pl = _polars()
        mine = pl.col("deal").is_between(first, last)
        rows = self._collected(self.results.select(_RESULTS).filter(mine))
        seats = self.players
        if rows["seat"].to_list() != list(range(seats)) * (len(rows) // max(seats, 1)):
            raise AnalysisError(f"{self.name} has not one row for each game and seat, in order")
        ended = rows["rank"].is_not_null().to_numpy().reshape(-1, seats).all(axis=1)
        deal, table, score, rank, entrant, decisions = (
            _integers(rows[name].fill_null(0)).reshape(-1, seats)[ended]
            for name in ("deal", "table", "score", "rank", "entrant", "decisions")
        )
        traces = Traces(deal[:, 0], table[:, 0], score, rank, entrant, decisions.sum(axis=1))
        if self.decisions is None:
            return traces
        noted = self._collected(self.decisions.select(_DECISIONS).filter(mine))
        return _with_decisions(traces, noted)

    def _collected(self, frame: pl.LazyFrame) -> pl.DataFrame:
        collected: pl.DataFrame = self._read(frame.collect)
        return collected

    def _read(self, read: Callable[[], Any]) -> Any:
        try:
            return read()
        except (OSError, _polars().exceptions.PolarsError) as error:
            raise AnalysisError(f"{self.name} cannot be read: {error}") from None


def _with_decisions(traces: Traces, rows: pl.DataFrame) -> Traces:
    """Return the games with their decisions; rows of other games are left out."""
    deal, table, seat, options = (
        _integers(rows[name]) for name in ("deal", "table", "seat", "options")
    )
    tables = 1 + max(int(traces.table.max(initial=0)), int(table.max(initial=0)))
    keys, mine = traces.deal * tables + traces.table, deal * tables + table
    at = np.minimum(np.searchsorted(keys, mine), max(len(keys) - 1, 0))
    known = keys[at] == mine if len(keys) else np.zeros(len(mine), bool)
    notes = {name: _numbers(rows[name]) for name in _NOTES}
    leads = np.full((len(rows), traces.players), np.nan)  # where there is none of the right length
    whole = (rows["lead"].list.len() == traces.players).fill_null(value=False)
    if whole.any():
        items = rows["lead"].filter(whole).explode(empty_as_null=True)
        leads[whole.to_numpy()] = _numbers(items).reshape(-1, traces.players)
    decisions = Decisions(game=at, seat=seat, options=options, lead=leads, **notes)
    return replace(traces, decisions=decisions.where(known))


def _integers(column: pl.Series) -> Integers:
    return column.cast(_polars().Int64).to_numpy()


def _numbers(column: pl.Series) -> Values:
    return column.cast(_polars().Float64).fill_null(float("nan")).to_numpy()


def _polars() -> Any:
    try:
        import polars
    except ImportError:
        raise missing("polars") from None
    return polars

"""Runs of seasons: blocks of games are played by an executor, kept, and written as tables.

The tables depend on the plan alone: not on the executor, the number of its workers, or how often
the run was killed and resumed. Every game has its seeds by its number, and every bot is started for
a block, its file run again for each game. (Late answers are the exception: time is the machine's.)
"""

from __future__ import annotations

import warnings
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from cardwright.extras import need
from cardwright.game.seeds import drawn_seed
from cardwright.jobs.executor import SerialExecutor
from cardwright.jobs.job import Job, carry_out, executor as executor_of
from cardwright.jobs.settings import check_keywords, filled
from cardwright.league.block import ROUND, TIMES, SeasonBlock, Timings, time_columns
from cardwright.league.dealer import Dealer
from cardwright.league.outputs import OutputWriter
from cardwright.league.plan import RANDOM, SeasonError, game_chances
from cardwright.league.records import OUTPUTS, Season, kept_seed, read_season, salted
from cardwright.league.season import WeakSandboxError, bot_level, prepare, read_plan
from cardwright.league.settings import LeagueRules, SeasonSettings
from cardwright.league.tables import ConcurrentTables, MatchPlan
from cardwright.sandbox.allowance import one_processor
from cardwright.syntax.suggest import advice_on

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Unpack

    from cardwright.jobs.executor import Executor
    from cardwright.league.block import BotFault
    from cardwright.league.outputs import LeagueStandings
    from cardwright.league.plan import SeasonPlan
    from cardwright.league.play import BotPenalties

    Progress: TypeAlias = Callable[[int, int, LeagueStandings], object]


@dataclass(frozen=True)
class PlayBlocks:
    """Plays blocks of a season; it can be pickled and used by many threads."""

    plan: SeasonPlan

    def __call__(self, numbers: range) -> dict[int, SeasonBlock]:
        """Return these blocks as played.

        Raises LevelError on a machine that does not offer the season's sandbox: bots that could not
        be started there would lose games through no fault of their own.
        """
        if self.plan.level and self.plan.files:
            require_level(self.plan.level)
        dealer = Dealer(self.plan.rules)
        return {number: play_block(self.plan, dealer, number) for number in numbers}


def require_level(level: int) -> None:
    """Raise LevelError if this machine does not offer a level of the sandbox."""
    from cardwright.sandbox.levels import SandboxLevel, require

    require(SandboxLevel(level))


def play_block(plan: SeasonPlan, dealer: Dealer, number: int) -> SeasonBlock:
    """Play a block of a season."""
    games = plan.block(number)
    seats = plan.schedule[games.start : games.stop]
    seeds = game_chances(plan.seed, games, plan.salt)
    rounds = np.zeros(len(games), np.uint16)
    bulk = np.array([bot.builtin == RANDOM for bot in plan.bots])[seats].all(axis=1)
    played: dict[int, np.ndarray[Any, Any]] = {}
    if bulk.any():
        rows, counts = dealer.random_games(seeds[bulk])
        rounds[bulk] = counts
        if bulk.all():
            return SeasonBlock(games.start, rounds, rows)
        ends = np.cumsum(counts)[:-1]
        played.update(zip(np.flatnonzero(bulk).tolist(), np.split(rows, ends), strict=True))
    faults: list[BotFault] = []
    games_of = [
        MatchPlan(at, games[at], tuple(seats[at].tolist()), *seeds[at].tolist())
        for at in np.flatnonzero(~bulk).tolist()
    ]
    with (
        one_processor() as processor,
        closing(ConcurrentTables(plan, dealer, processor)) as tables,
    ):
        for one in tables.play(games_of):
            at = one.plan.at
            played[at] = np.frombuffer(one.record, np.uint8).reshape(-1, ROUND)
            rounds[at] = len(played[at])
            faults += one.faults
        timings = _timings(plan, tables.penalties)
    plays = np.concatenate([played[at] for at in range(len(games))])
    return SeasonBlock(games.start, rounds, plays, tuple(faults), timings)


def _timings(plan: SeasonPlan, penalties: dict[int, BotPenalties]) -> Timings:
    """Return the times of the bots that are files; those of library players are not recorded."""
    rows = sorted(
        (entry, np.array(one.times, np.int64))
        for entry, one in penalties.items()
        if plan.bots[entry].text is not None and one.times
    )
    if not rows:
        return Timings.none()
    times = [taken for _, taken in rows]
    return Timings(
        np.array([entry for entry, _ in rows], np.int64),
        np.array([len(taken) for taken in times], np.int64),
        np.array([taken.sum() for taken in times], np.int64),
        np.array([taken.max() for taken in times], np.int64),
        np.stack([np.bincount(time_columns(taken), minlength=TIMES) for taken in times]),
    )


def run_season(
    folder: Path,
    plan: SeasonPlan,
    executor: Executor | None = None,
    *,
    resume: bool = False,
    again: bool = False,
    progress: Progress | None = None,
) -> Season:
    """Play a season in its folder, and write its `Outputs`.

    With `resume` a season that was begun goes on, with `again` it is played anew. `progress` is
    told how many games are done, of how many, and the standings after those before the first that
    is missing. Raises MissingExtraError, before anything is written, RecordsError, ExecutorError,
    WorkerError and LeagueFileError; KeyboardInterrupt leaves a folder that can be resumed.
    """
    need("polars")
    with Season.of_plan(folder, plan).opened(resume=resume, again=again) as season:
        if season.complete and (folder / OUTPUTS).is_dir():
            season.check_unchanged()
            return season
        prepare(plan.rules)
        with OutputWriter(folder / OUTPUTS, plan.name, plan.roster, plan.schedule) as writer:
            carry_out(_SeasonJob(plan, season, writer, progress), executor or SerialExecutor())
            writer.finish()
        season.end(writer.digests)
    return read_season(folder)


def fitting(
    plan: SeasonPlan,
    workers: int | None = None,
    kind: str | None = None,
    scheduler: str | None = None,
) -> Executor:
    """Return the executor of a kind, with so many workers; the fastest for a plan if none is named.

    Random players are played by threads, for that is machine code, all others by processes; by a
    cluster if it has a `scheduler`.
    """
    return executor_of(kind, workers, scheduler, "threads" if plan.bulk else "processes")


class _SeasonJob(Job[dict[int, SeasonBlock]]):
    """A season as a job, whose tasks are blocks of games; the first ones are in the tables."""

    noun = "game"
    most = 32  # so that memory is bounded

    def __init__(
        self,
        plan: SeasonPlan,
        season: Season,
        writer: OutputWriter,
        progress: Progress | None,
    ) -> None:
        self.tasks = plan.blocks
        self._plan = plan
        self._blocks = season.blocks
        self._writer = writer
        self._progress = progress
        self._games = 0
        self._written = 0

    def span(self, batch: range) -> range:
        """Return the games of some blocks, counted from 1."""
        return range(self._plan.block(batch[0]).start + 1, self._plan.block(batch[-1]).stop + 1)

    def ready(self) -> PlayBlocks:
        """Return what plays blocks."""
        return PlayBlocks(self._plan)

    def kept(self) -> Iterator[range]:
        """Count the blocks that are in the folder."""
        for number in self._blocks.numbers():
            block = range(number, number + 1)
            self._games += len(self.span(block))
            yield block

    def add(self, batch: range, part: dict[int, SeasonBlock]) -> None:
        """Write blocks down, and count them."""
        self._blocks.write(part)
        self._games += len(self.span(batch))

    def reach(self, tasks: int) -> None:
        """Write the tables of the blocks whose turn it is."""
        while self._written < tasks:
            self._writer.add(self._blocks.read(self._written))
            self._written += 1

    def tell(self) -> None:
        """Say how many games are finished."""
        if self._progress is not None:
            self._progress(self._games, self._plan.games, self._writer.standings)


def play_season(folder: str | Path, /, **settings: Unpack[SeasonSettings]) -> Season:
    """Play the season in a folder and write its tables: the command `cardwright league run`.

    See `SeasonSettings` for the keywords. What is strange in the roster is a warning.

    Raises SeasonError, LeagueFileError, RecordsError if there are games and neither `resume` nor
    `again` is set, LevelError for a level that this machine has not, and MissingExtraError without
    the extra `arena`. KeyboardInterrupt leaves a folder that can be resumed.
    """
    check_keywords("play_season", SeasonSettings, settings)
    need("polars")
    place, given = Path(folder), filled(SeasonSettings, settings)
    if given["resume"] and given["again"]:
        raise SeasonError("a season goes on or begins anew: not both resume and again")
    try:
        plan, strange = season_plan(place, given)
    except WeakSandboxError as error:
        advice = "If all bots are your own, give trusted=True, or level=1 for limits only"
        raise WeakSandboxError(f"{error}\n{advice}") from None
    for warning in strange:
        warnings.warn(warning, stacklevel=2)
    return run_season(
        place,
        plan,
        fitting(plan, settings.get("workers", 1), given["executor"], given["scheduler"]),
        resume=given["resume"],
        again=given["again"],
        progress=given["progress"],
    )


def season_plan(season: Path, settings: SeasonSettings) -> tuple[SeasonPlan, tuple[str, ...]]:
    """Return what settings, which are all there, mean for a season in a folder, and warnings."""
    rules, resume, seed = settings["rules"], settings["resume"], settings["seed"]
    if rules not in list(LeagueRules):
        raise SeasonError(f"rules cannot be {rules!r}; {advice_on(rules, LeagueRules)}")
    if seed is None and resume:
        seed = kept_seed(season)
    plan, strange = read_plan(
        season,
        name=settings["name"],
        rules=LeagueRules(rules),
        seed=drawn_seed() if seed is None else seed,
        limits=settings["limits"],
        allow_files=settings["allow_files"] or (),
    )
    if plan.files:
        level = bot_level(settings["level"], trusted=settings["trusted"])
        plan = replace(plan, level=level)
    return salted(season, plan, settings["salt"], resume=resume), strange

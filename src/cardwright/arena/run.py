"""Runs: the deals of a plan are played by an executor, recorded and perhaps stopped early.

The resulting rows depend on the plan and the stopping rule alone: not on the executor, the number
of its workers, the size of batches, or how often the run was killed and resumed. (Late answers are
the exception: see `referee`.)

Each deal has its game seed by its number, every player is made anew for every game, and each seat
of each table draws from a stream of its own. So it does not matter where, when, and together with
which others a deal is played; and a player's random draws differ between tables even with the same
cards.
"""

from __future__ import annotations

import time
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from cardwright.arena.entrants import tried_spec
from cardwright.arena.plan import PlanError, loaded
from cardwright.arena.player_process import EntrantSeating, end_idle_processes
from cardwright.arena.records import RunFolder, StopRule
from cardwright.arena.referee import FaultRules, RefereedPlayer, referee_game
from cardwright.arena.results import (
    NO_RANK,
    NO_SCORE,
    TYPES,
    NotedFault,
    PlayedDeals,
    Results,
    Timing,
    first_faults,
    trace_table,
)
from cardwright.extras import need
from cardwright.game.seeds import game_seeds
from cardwright.interpreter.stream import Stream
from cardwright.jobs.executor import ExecutorError, SerialExecutor
from cardwright.jobs.job import KEEP_SECONDS, EarlyStop, Job, carry_out
from cardwright.players.player import Note

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cardwright.arena.plan import RunPlan
    from cardwright.arena.referee import GameRecord
    from cardwright.arena.schedule import Seating
    from cardwright.game.game import Game
    from cardwright.jobs.executor import Executor
    from cardwright.players.kind import Trust
    from cardwright.players.player import Player

    Progress: TypeAlias = Callable[[int, int], object]
    Stop: TypeAlias = Callable[[Results], bool]
    Watch: TypeAlias = Callable[[Results], object]

_NO_NOTE = Note()

Maker: TypeAlias = "Callable[[], Player]"


@dataclass(frozen=True)
class PlanParts:
    """What a plan names: the game, and for each entrant what makes a new player.

    A plan's texts lead to them. Games and players at hand, of which a text may know nothing, are
    given beside the plan.
    """

    game: Game
    makers: tuple[Maker, ...]


@lru_cache(maxsize=16)
def parts_of(plan: RunPlan, trust: Trust) -> PlanParts:
    """Return the parts that a plan's texts lead to, as far as they are trusted, once a process.

    Raises ChangedGameError for another game than the plan's, PlayerSpecError for an entrant that is
    none, and whatever loading the game may raise.
    """
    return PlanParts(
        loaded(plan.game), tuple(tried_spec(entrant, trust) for entrant in plan.entrants)
    )


def table_chances(seed: int, seats: int, table: int) -> int:
    """Return the seed of the streams from which players draw at a table of a deal.

    `seed` is the deal's game seed, `table` the table's number in the plan, from 0. It is the first
    draw of a stream that belongs to no seat, so that it is independent of the cards and of what is
    drawn at the other tables.
    """
    return Stream.of_seat(seed, seats + table).next()


@dataclass(frozen=True)
class PlayRunDeals:
    """Plays deals of a plan; it can be sent to other processes and used by many threads.

    Without `parts` they are what the plan's texts lead to, wherever it plays.
    """

    plan: RunPlan
    parts: PlanParts | None = None

    def __call__(self, deals: range) -> PlayedDeals:
        """Return the results of these deals, each played at all tables."""
        plan = self.plan
        parts = self.parts or parts_of(plan, plan.trust)
        begun = time.perf_counter()
        rules = FaultRules(plan.most_faults, plan.move_seconds)
        rows = _Rows(plan)
        seeds = game_seeds(plan.seed, len(deals), deals.start)
        with EntrantSeating(parts.game, parts.makers, plan.move_seconds) as seating:
            for deal, seed in zip(deals, seeds, strict=True):
                for number, table in enumerate(plan.seated(deal)):
                    chances = table_chances(seed, len(table), number)
                    seats = [
                        RefereedPlayer(
                            make,
                            rules,
                            chances,
                            seat,
                            name=plan.entrants[table[seat]],
                            where=f"deal {deal}, table {number}, p{seat + 1}",
                        )
                        for seat, make in enumerate(seating.makers(table))
                    ]
                    try:
                        record = referee_game(parts.game, seed, seats, chances)
                    except MemoryError:
                        raise ExecutorError(_no_memory(plan, deal, number, table)) from None
                    rows.add(deal, number, table, record, seats)
        return rows.played(deals, time.perf_counter() - begun)


def _no_memory(plan: RunPlan, deal: int, number: int, table: Seating) -> str:
    texts = ", ".join(plan.entrants[who] for who in table)
    return (
        f"out of memory in deal {deal} at table {number} ({texts}); play with fewer workers, or "
        "find the player that uses so much"
    )


@dataclass
class _Rows:
    """Rows of results, games and decisions that are being gathered."""

    plan: RunPlan
    results: list[tuple[Any, ...]] = field(default_factory=list)
    games: list[tuple[Any, ...]] = field(default_factory=list)
    decisions: list[tuple[Any, ...]] = field(default_factory=list)
    faults: list[NotedFault] = field(default_factory=list)
    timing: list[Timing] = field(init=False)

    def __post_init__(self) -> None:
        self.timing = [Timing() for _ in self.plan.entrants]

    def add(
        self,
        deal: int,
        number: int,
        table: Seating,
        record: GameRecord,
        seats: list[RefereedPlayer],
    ) -> None:
        """Add one game, at the table with this number."""
        wins = record.wins
        for seat, (player, who) in enumerate(zip(seats, table, strict=True)):
            got: tuple[Any, ...] = NO_SCORE, NO_RANK, float("nan")
            if record.error is None:
                got = record.scores[seat], record.ranks[seat], wins[seat]
            self.results.append(
                (deal, number, seat, who, *got, player.decisions, len(player.faults), record.error)
            )
            self.timing[who] += Timing(player.asked, player.seconds, player.longest)
            self.faults += [NotedFault(deal, number, who, fault) for fault in player.faults]
        if self.plan.detail != "scores":
            self.games.append((deal, number, record.seed, record.choices, record.error))
        if self.plan.detail == "decisions":
            notes = [iter(player.notes) for player in seats]
            for ply, (seat, options, chosen) in enumerate(record.decisions):
                note = next(notes[seat]) or _NO_NOTE
                self.decisions.append(
                    (
                        deal, number, ply, seat, options, chosen,
                        _real(note.spread), _real(note.average), _real(note.best), note.lead,
                        -1 if note.iterations is None else note.iterations,
                        _real(note.held_out_spread), _real(note.score_spread),
                    )
                )  # fmt: skip

    def played(self, deals: range, seconds: float) -> PlayedDeals:
        """Return everything that was added."""
        traces = {}
        if self.plan.detail != "scores":
            traces["games"] = trace_table("games", self.games)
        if self.plan.detail == "decisions":
            traces["decisions"] = trace_table("decisions", self.decisions)
        columns = {name: [row[at] for row in self.results] for at, name in enumerate(TYPES)}
        return PlayedDeals(
            deals=tuple(deals),
            results=Results.of_columns(columns),
            traces=traces,
            timing=tuple(self.timing),
            faults=first_faults(self.faults),
            seconds=seconds,
        )


def _real(number: float | None) -> float:
    return float("nan") if number is None else number


def run(
    plan: RunPlan,
    folder: str | Path | None = None,
    executor: Executor | None = None,
    *,
    parts: PlanParts | None = None,
    resume: bool = False,
    progress: Progress | None = None,
    watch: Watch | None = None,
    stop: Stop | None = None,
    check_every: int = 100,
    stop_name: str = "",
    keep_seconds: float = KEEP_SECONDS,
) -> Results:
    """Play a plan and return its results.

    With a `folder` they are recorded there as the run is played; with `resume` a run that was begun
    there is continued, and one that is finished is only read. Without an `executor` it is played in
    this process. `parts` are the game and the players of the plan, if they are at hand; it names
    them. `progress` is given the number of finished deals, and of all. `watch` is given the
    results of each part of the run as it arrives: whole deals, each once, in any order and in parts
    of any size; in a resumed run first those that were played before. If `stop` ends the
    run, these may have been more deals than the results that are returned.

    `stop` ends the run early: after every `check_every` deals it is given the results of all deals
    so far, and if it returns true the run ends with just these. It must depend on nothing else;
    `stop_name` is its name in the manifest. A crash loses no more than `keep_seconds`, or one
    hundredth of the time taken.

    Raises ChangedGameError, PlayerSpecError, RecordsError, ExecutorError and WorkerError, and
    whatever loading the game may raise. KeyboardInterrupt leaves a folder that can be resumed.
    """
    if check_every < 1:
        raise PlanError(f"a test can be made every 1 deal or more, not every {check_every}")
    if parts is None:
        plan.game.load()  # found out here if it has changed, and not only by workers
        parts_of(plan, plan.trust)
    opening: Any = nullcontext()
    if folder is not None:
        need("polars")
        rule = None if stop is None else StopRule(check_every, stop_name)
        opening = RunFolder.of_plan(Path(folder), plan, rule).opened(resume=resume)
    with opening as records:
        if records is not None and records.manifest.complete:
            records.check_unchanged()
            recorded: Results = records.results()
            return recorded
        job = _RunJob(
            PlayRunDeals(plan, parts), records, progress=progress, watch=watch,
            stop=stop, check_every=check_every,
        )  # fmt: skip
        try:
            carry_out(job, executor or SerialExecutor(), keep_seconds=keep_seconds)
        finally:
            end_idle_processes()
        whole = job.whole()
        if records is not None:
            records.write_tables(whole)
    return replace(
        whole.results, timing=whole.timing, faults_noted=whole.faults, stopped=job.stopped
    )


class _RunJob(Job[PlayedDeals]):
    """A run as a job: its tasks are deals, and what it keeps are parts of any size."""

    def __init__(
        self,
        play: PlayRunDeals,
        records: RunFolder | None,
        *,
        progress: Progress | None,
        watch: Watch | None,
        stop: Stop | None,
        check_every: int,
    ) -> None:
        self.tasks = play.plan.deals
        self._play = play
        self._records = records
        self._progress = progress
        self._watch = watch
        self._parts: list[PlayedDeals] = []
        self._unkept: list[PlayedDeals] = []
        self._finished = 0
        if stop is not None:
            unchecked = self._unchecked = [Results.joined(())]

            def enough(deals: int) -> bool:
                unchecked[:] = [Results.joined(unchecked)]
                return stop(unchecked[0].before(deals))

            self.early = EarlyStop(range(check_every, self.tasks, check_every), enough)

    def ready(self) -> PlayRunDeals:
        """Compile the game once, before workers do, and return what plays deals."""
        plan = self._play.plan
        (self._play.parts or parts_of(plan, plan.trust)).game.prepare()
        return self._play

    def kept(self) -> Iterator[tuple[int, ...]]:
        """Count the parts that are in the folder."""
        for part in () if self._records is None else self._records.parts():
            self._count(part)
            yield part.deals

    def add(self, batch: range, part: PlayedDeals) -> None:
        """Count what was just played."""
        del batch  # the part knows it
        self._unkept.append(part)
        self._count(part)

    def reach(self, tasks: int) -> None:
        """Make the checks that are due."""
        if self.early is not None:
            self.early.reach(tasks)

    def keep(self) -> None:
        """Store what is not stored yet, as one part."""
        if self._records is not None and self._unkept:
            self._records.add(PlayedDeals.joined(self._unkept))
        self._unkept = []

    def tell(self) -> None:
        """Report how many deals are finished."""
        if self._progress is not None:
            self._progress(self._finished, self.tasks)

    def whole(self) -> PlayedDeals:
        """Return all results of the run."""
        whole = PlayedDeals.joined(self._parts)
        return whole if self.early is None or self.early.at is None else whole.before(self.early.at)

    def _count(self, part: PlayedDeals) -> None:
        self._parts.append(part)
        self._finished += len(part.deals)
        if self._watch is not None:
            self._watch(part.results)
        if self.early is not None:
            self._unchecked.append(part.results)

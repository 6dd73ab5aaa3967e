"""Runs: the deals of a plan are played by an executor, recorded and perhaps stopped early."""

from __future__ import annotations

import time
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from cardwright.arena.entrants import tried_spec
from cardwright.arena.plan import PlanError, loaded
from cardwright.arena.player_process import EntrantSeating, end_idle_processes
from cardwright.arena.records import RunRecords, StopRule, check_unchanged, load_results, opened
from cardwright.arena.referee import FaultRules, RefereedPlayer, referee_game
from cardwright.arena.results import (
    DECISIONS,
    GAMES,
    LENGTH,
    NO_RANK,
    NO_SCORE,
    TRACES,
    TYPES,
    NotedFault,
    PlayedDeals,
    Results,
    Timing,
    first_faults,
)
from cardwright.game.seeds import game_seeds
from cardwright.interpreter.stream import Stream
from cardwright.jobs.executor import ExecutorError, SerialExecutor
from cardwright.jobs.job import KEEP_SECONDS, EarlyStop, carry_out
from cardwright.players.player import SINGLE_NUMBERS, Note

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cardwright.arena.plan import RunPlan
    from cardwright.arena.referee import GameRecord
    from cardwright.arena.results import Table
    from cardwright.arena.schedule import Seating
    from cardwright.game.game import Game
    from cardwright.jobs.executor import Executor
    from cardwright.players.kind import Trust
    from cardwright.players.player import Player

    Progress: TypeAlias = Callable[[int, int], object]
    Stop: TypeAlias = Callable[[Results], bool]
    Watch: TypeAlias = Callable[[Results], object]

_NOTHING = Note()

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
    return PlanParts(loaded(plan.game), tuple(tried_spec(one, trust) for one in plan.entrants))


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
        game, makes = parts.game, parts.makers
        begun = time.perf_counter()
        rules = FaultRules(plan.most_faults, plan.move_seconds)
        columns = _GameColumns(plan)
        with EntrantSeating(game, makes, plan.move_seconds) as seating:
            for deal, seed in zip(
                deals, game_seeds(plan.seed, len(deals), deals.start), strict=True
            ):
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
                        record = referee_game(game, seed, seats, chances)
                    except MemoryError:
                        raise ExecutorError(_no_memory(plan, deal, number, table)) from None
                    columns.add(deal, number, table, record, seats)
        return columns.played(deals, time.perf_counter() - begun)


def _no_memory(plan: RunPlan, deal: int, number: int, table: Seating) -> str:
    texts = ", ".join(plan.entrants[who] for who in table)
    return (
        f"out of memory in deal {deal} at table {number} ({texts}); play with fewer workers, or "
        "find the player that uses so much"
    )


@dataclass
class _GameColumns:
    """Columns that are being filled."""

    plan: RunPlan
    results: dict[str, list[Any]] = field(default_factory=lambda: {name: [] for name in TYPES})
    games: dict[str, list[Any]] = field(default_factory=lambda: {name: [] for name in GAMES})
    decisions: dict[str, list[Any]] = field(
        default_factory=lambda: {name: [] for name in DECISIONS}
    )
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
        ended = record.error is None
        winners = record.ranks.count(0)
        for seat, (judged, who) in enumerate(zip(seats, table, strict=True)):
            rank = record.ranks[seat] if ended else NO_RANK
            row = {
                "deal": deal,
                "table": number,
                "seat": seat,
                "entrant": who,
                "score": record.scores[seat] if ended else NO_SCORE,
                "rank": rank,
                "win": (0.0 if rank else 1 / winners) if ended else float("nan"),
                "decisions": judged.decisions,
                "faults": len(judged.faults),
                "error": record.error,
            }
            for name, value in row.items():
                self.results[name].append(value)
            self.timing[who] += Timing(judged.asked, judged.seconds, judged.longest)
            self.faults += [NotedFault(deal, number, who, fault) for fault in judged.faults]
        if self.plan.detail != "scores":
            self._add_game(deal, number, record)
        if self.plan.detail == "decisions":
            self._add_decisions(deal, number, record, seats)

    def _add_game(self, deal: int, table: int, record: GameRecord) -> None:
        games = self.games
        games["deal"].append(deal)
        games["table"].append(table)
        games["seed"].append(record.seed)
        games["choices"] += record.choices
        games["choices" + LENGTH].append(len(record.choices))
        games["error"].append(record.error)

    def _add_decisions(
        self, deal: int, table: int, record: GameRecord, seats: list[RefereedPlayer]
    ) -> None:
        rows = self.decisions
        notes = [iter(judged.notes) for judged in seats]
        for ply, (seat, options, chosen) in enumerate(record.decisions):
            rows["deal"].append(deal)
            rows["table"].append(table)
            rows["ply"].append(ply)
            rows["seat"].append(seat)
            rows["options"].append(options)
            rows["chosen"].append(chosen)
            note = next(notes[seat]) or _NOTHING
            for name in SINGLE_NUMBERS:
                number = getattr(note, name)
                rows[name].append(float("nan") if number is None else number)
            rows["lead"] += note.lead or ()
            rows["lead" + LENGTH].append(-1 if note.lead is None else len(note.lead))
            rows["iterations"].append(-1 if note.iterations is None else note.iterations)

    def played(self, deals: range, seconds: float) -> PlayedDeals:
        """Return everything that was added."""
        written = {"games": self.games, "decisions": self.decisions}
        kept = {"scores": (), "games": ("games",), "decisions": ("games", "decisions")}
        traces: dict[str, Table] = {
            name: {
                column: np.array(written[name][column], kind)
                for column, kind in TRACES[name].items()
            }
            for name in kept[self.plan.detail]
        }
        return PlayedDeals(
            deals=tuple(deals),
            results=Results.of_columns(self.results),
            traces=traces,
            timing=tuple(self.timing),
            faults=first_faults(self.faults),
            seconds=seconds,
        )


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
    rule = None if stop is None else StopRule(check_every, stop_name)
    target = None if folder is None else Path(folder)
    opening = nullcontext() if target is None else opened(target, plan, rule, resume=resume)
    with opening as records:
        if records is not None and records.manifest.complete:
            records.clear()
            check_unchanged(records.folder, records.manifest)
            return load_results(records.folder)
        job = _RunJob(plan, parts, records, progress, watch, stop, check_every)
        try:
            carry_out(job, executor or SerialExecutor(), keep_seconds=keep_seconds)
        finally:
            end_idle_processes()
        whole = job.whole()
        if records is not None:
            records.finish(whole)
    return replace(
        whole.results, timing=whole.timing, faults_noted=whole.faults, stopped=job.stopped
    )


@dataclass
class _RunJob:
    """A run as a job: its tasks are deals, and what it keeps are parts of any size."""

    plan: RunPlan
    parts: PlanParts | None
    records: RunRecords | None
    progress: Progress | None
    watch: Watch | None
    stop: Stop | None
    check_every: int
    noun: str = field(default="deal", init=False)
    most: None = field(default=None, init=False)
    _parts: list[PlayedDeals] = field(default_factory=list, init=False)
    _unkept: list[PlayedDeals] = field(default_factory=list, init=False)
    _unchecked: list[Results] = field(default_factory=list, init=False)
    _finished: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        looks = range(self.check_every, self.tasks, self.check_every) if self.stop else ()
        self._early = EarlyStop(looks, self._enough)

    @property
    def tasks(self) -> int:
        """How many deals there are."""
        return self.plan.deals

    @property
    def stopped(self) -> bool:
        """Whether the test has stopped the run."""
        return self._early.at is not None

    def span(self, batch: range) -> range:
        """Return the deals of a batch."""
        return batch

    def ready(self) -> PlayRunDeals:
        """Compile the game once, before workers do, and return what plays deals."""
        (self.parts or parts_of(self.plan, self.plan.trust)).game.prepare()
        return PlayRunDeals(self.plan, self.parts)

    def kept(self) -> Iterator[tuple[int, ...]]:
        """Count the parts that are in the folder."""
        for part in () if self.records is None else self.records.parts():
            self._count(part)
            yield part.deals

    def add(self, batch: range, part: PlayedDeals) -> None:
        """Count what was just played."""
        del batch  # the part knows it
        self._unkept.append(part)
        self._count(part)

    def reach(self, tasks: int) -> None:
        """Make the checks that are due."""
        self._early.reach(tasks)

    def keep(self) -> None:
        """Store what is not stored yet, as one part."""
        if self.records is not None and self._unkept:
            self.records.add(PlayedDeals.joined(self._unkept))
        self._unkept = []

    def tell(self) -> None:
        """Report how many deals are finished."""
        if self.progress is not None:
            self.progress(self._finished, self.plan.deals)

    def whole(self) -> PlayedDeals:
        """Return all results of the run."""
        whole = PlayedDeals.joined(self._parts)
        return whole if self._early.at is None else whole.before(self._early.at)

    def _count(self, part: PlayedDeals) -> None:
        self._parts.append(part)
        self._finished += len(part.deals)
        if self.watch is not None:
            self.watch(part.results)
        if self.stop is not None:
            self._unchecked.append(part.results)

    def _enough(self, deals: int) -> bool:
        """Ask the test about the first deals."""
        rows = Results.joined(self._unchecked)
        self._unchecked = [rows]
        return self.stop is not None and self.stop(rows.before(deals))

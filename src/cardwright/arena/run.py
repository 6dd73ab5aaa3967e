"""Runs: a plan is played by an executor, optionally recorded in a folder and stopped early.

The resulting rows depend on the plan and the stopping rule alone: not on the executor, the number
of its workers, the size of batches, or how often the run was killed and resumed. (Late answers are
the exception: see `faults`.)
"""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from cardwright.arena.manifest import StopRule
from cardwright.arena.plan import PlanError
from cardwright.arena.played import PlayedDeals
from cardwright.arena.player_process import end_idle_processes
from cardwright.arena.reading import check_unchanged, load_results
from cardwright.arena.records import RunRecords, opened
from cardwright.arena.results import Results
from cardwright.arena.task import PlayRunDeals, parts_of
from cardwright.jobs.executor import SerialExecutor
from cardwright.jobs.job import KEEP_SECONDS, carry_out
from cardwright.jobs.stopping import EarlyStop

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cardwright.arena.plan import RunPlan
    from cardwright.arena.task import PlanParts
    from cardwright.jobs.executor import Executor

    Progress: TypeAlias = Callable[[int, int], object]
    Stop: TypeAlias = Callable[[Results], bool]
    Watch: TypeAlias = Callable[[Results], object]


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

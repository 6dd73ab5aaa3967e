"""Runs: a plan is played by an executor, perhaps recorded in a folder, perhaps stopped early.

The rows that come of it depend on the plan alone, and on the rule by which it is stopped: not on
the executor, the number of its workers, the size of batches, or how often the run was killed and
resumed. (Late answers are the exception: see `faults`.)
"""

from __future__ import annotations

import time
from contextlib import closing, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from cardwright.arena.executor import Here
from cardwright.arena.manifest import StopRule
from cardwright.arena.plan import PlanError, loaded
from cardwright.arena.played import Played
from cardwright.arena.reading import check_unchanged, load_results
from cardwright.arena.records import Records, opened
from cardwright.arena.results import Results
from cardwright.arena.unit import PlayDeals, makers

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Sequence

    from cardwright.arena.executor import Executor
    from cardwright.arena.plan import Plan

    Progress: TypeAlias = Callable[[int, int], object]
    Stop: TypeAlias = Callable[[Results], bool]
    Watch: TypeAlias = Callable[[Results], object]

BATCH_SECONDS = 0.25
"""What batches aim at: much more than it costs to hand them about, and not long to wait for."""
_GROWTH = 4
"""As many times as large as the largest measured may a batch be."""

KEEP_SECONDS = 2.0
"""Seconds of play that are kept in one part, and so the most that a crash loses..."""
_KEEP_SHARE = 0.01
"""...or this share of the time that the run has taken, if that is more: for fewer parts."""


def run(
    plan: Plan,
    folder: str | Path | None = None,
    executor: Executor | None = None,
    *,
    resume: bool = False,
    progress: Progress | None = None,
    watch: Watch | None = None,
    stop: Stop | None = None,
    check_every: int = 100,
    stop_name: str = "",
    keep_seconds: float = KEEP_SECONDS,
) -> Results:
    """Play a plan and return its results.

    With a `folder` they are recorded there as the run goes on; with `resume` a run that was begun
    there goes on, and one that is finished is only read. `executor` plays in this process if it is
    not given. `progress` is told the number of finished deals, and of all. `watch` is given the
    results of each part of the run as it comes: whole deals, each once, in any order and parts of
    any size; first, in a run that is resumed, those that were played before. If `stop` ends the
    run, these may have been more deals than the results that are returned.

    `stop` ends the run early: after every `check_every` deals it is given the results of all deals
    till then, and if it says so the run ends with just these. It must depend on nothing else;
    `stop_name` says in the manifest what it does. A crash loses no more than `keep_seconds`, or one
    hundredth of the time taken.

    Raises ChangedGameError, PlayerSpecError, RecordsError, ExecutorError and WorkerError, and
    whatever loading the game may raise. KeyboardInterrupt leaves a folder that can be resumed.
    """
    if check_every < 1:
        raise PlanError(f"a test can be made every 1 deal or more, not every {check_every}")
    plan.game.load()  # found out here if it has changed, and not only by workers
    makers(plan)
    rule = None if stop is None else StopRule(check_every, stop_name)
    player = executor or Here()
    target = None if folder is None else Path(folder)
    opening = nullcontext() if target is None else opened(target, plan, rule, resume=resume)
    with opening as records:
        if records is not None and records.manifest.complete:
            records.clear()
            check_unchanged(records.folder, records.manifest)
            return load_results(records.folder)
        going = _Going(plan, records, progress, watch, stop, check_every, keep_seconds)
        going.take_up(() if records is None else records.parts())
        if going.open:
            loaded(plan.game).prepare()
            going.play(player)
        whole = going.whole()
        if records is not None:
            records.finish(whole)
    return replace(
        whole.results,
        timing=whole.timing,
        faults_noted=whole.faults,
        stopped=going.stopped_at is not None,
    )


@dataclass
class _Going:
    """A run that is going on."""

    plan: Plan
    records: Records | None
    progress: Progress | None
    watch: Watch | None
    stop: Stop | None
    check_every: int
    keep_seconds: float
    stopped_at: int | None = None
    done: bytearray = field(init=False)
    finished: int = 0
    _parts: list[Played] = field(default_factory=list)
    _unkept: list[Played] = field(default_factory=list)
    _unchecked: list[Results] = field(default_factory=list)
    _checked: int = 0
    _prefix: int = 0

    def __post_init__(self) -> None:
        self.done = bytearray(self.plan.deals)

    @property
    def open(self) -> bool:
        """Whether there are deals to be played."""
        return self.stopped_at is None and self.finished < self.plan.deals

    def take_up(self, parts: Sequence[Played]) -> None:
        """Count deals that were played before."""
        for part in parts:
            self._count(part)
        self._tell()

    def play(self, executor: Executor) -> None:
        """Play all deals that are left, until the run is stopped."""
        begun = kept = time.monotonic()
        batches = Batches(self.done, executor.workers)
        try:
            with closing(_iterator(executor, PlayDeals(self.plan), batches)) as results:
                for _, part in results:
                    batches.measured(part)
                    self._unkept.append(part)
                    self._count(part)
                    self._tell()
                    now = time.monotonic()
                    if now - kept >= max(self.keep_seconds, _KEEP_SHARE * (now - begun)):
                        self._keep()
                        kept = now
                    if not self.open:
                        break
        finally:
            self._keep()

    def whole(self) -> Played:
        """Return all that came of the run."""
        whole = Played.joined(self._parts)
        return whole if self.stopped_at is None else whole.before(self.stopped_at)

    def _count(self, part: Played) -> None:
        """Count some deals, and make the checks that they complete."""
        self._parts.append(part)
        for deal in part.deals:
            self.done[deal] = 1
        self.finished += len(part.deals)
        first = self.done.find(0, self._prefix)
        self._prefix = first if first >= 0 else self.plan.deals
        if self.watch is not None:
            self.watch(part.results)
        if self.stop is not None:
            self._unchecked.append(part.results)
            self._check(self.stop)

    def _check(self, stop: Stop) -> None:
        """Ask the test about each number of deals at which it is due, in order."""
        while self.stopped_at is None and self._checked + self.check_every <= self._prefix:
            self._checked += self.check_every
            rows = Results.joined(self._unchecked)
            self._unchecked = [rows]
            if self._checked < self.plan.deals and stop(rows.before(self._checked)):
                self.stopped_at = self._checked

    def _tell(self) -> None:
        if self.progress is not None:
            self.progress(self.finished, self.plan.deals)

    def _keep(self) -> None:
        """Write down what is not written yet."""
        if self.records is not None and self._unkept:
            self.records.add(Played.joined(self._unkept))
        self._unkept = []


def _iterator(
    executor: Executor, function: PlayDeals, batches: Batches
) -> Generator[tuple[int, Played], None, None]:
    """Return what an executor gives as a generator, which can be closed."""
    yield from executor.run(function, batches)


class Batches:
    """Batches of the deals that are not done yet, sized by how long deals have taken so far.

    The first ones are single deals, and towards the end they become small again, so that all
    workers end at about the same time.
    """

    def __init__(self, done: bytearray, workers: int) -> None:
        self._done = done
        self._workers = workers
        self._at = 0
        self._seconds = 0.0
        self._deals = 0
        self._largest = 0

    def measured(self, part: Played) -> None:
        """Take note of how long a batch took."""
        self._seconds += part.seconds
        self._deals += len(part.deals)
        self._largest = max(self._largest, len(part.deals))

    def _size(self) -> int:
        if not self._deals:
            return 1
        mean = max(self._seconds / self._deals, 1e-9)
        fair = -(-(len(self._done) - self._at) // (2 * self._workers))
        return max(1, min(int(BATCH_SECONDS / mean), _GROWTH * self._largest, fair))

    def __iter__(self) -> Iterator[range]:
        """Yield batches in order; each is sized when it is asked for."""
        while (first := self._done.find(0, self._at)) >= 0:
            most = min(first + self._size(), len(self._done))
            done = self._done.find(1, first, most)
            self._at = done if done >= 0 else most
            yield range(first, self._at)

"""Jobs: work that is cut into tasks, and the loop that plays, stores and counts them.

The result of a job depends on the job alone: not on the executor, the number of its workers, the
size of batches, or how often it was killed and resumed. A kind of job says what a task is, how it
is played, stored and counted; everything else is here.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from bisect import bisect_right
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from cardwright._version import __version__
from cardwright.english import listed
from cardwright.jobs.executor import (
    ExecutorError,
    SerialExecutor,
    ThreadExecutor,
    WorkerError,
    processors,
)
from cardwright.jobs.settings import KINDS

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator

    from cardwright.jobs.executor import Batch, Call, Executor

Part = TypeVar("Part")

KEEP_SECONDS = 2.0
"""Seconds of play that may be lost in a crash..."""

KEEP_SHARE = 0.01
"""...or this share of the time that the job has taken, if that is more: for fewer files."""

BATCH_SECONDS = 0.25
"""The time a batch aims at: far more than it costs to hand out, but not long to wait for."""

_GROWTH = 4
"""How many times larger than the largest one measured a batch may be."""


def executor(
    kind: str | None = None,
    workers: int | None = None,
    scheduler: str | None = None,
    usual: str = "processes",
) -> Executor:
    """Return an executor by name, with `workers` workers, or one for each processor.

    `scheduler` is the address of a dask scheduler, for a cluster only. Without a name it is a
    cluster if there is a scheduler, this process for one worker, and else the `usual` one. Raises
    ExecutorError for a name that does not exist.
    """
    if workers is not None and workers < 1:
        raise ExecutorError(f"there must be 1 worker or more, not {workers}")
    count = workers or processors()
    if kind is None:
        kind = "cluster" if scheduler is not None else "here" if count == 1 else usual
    if scheduler is not None and kind != "cluster":
        raise ExecutorError(f"a scheduler is for the executor 'cluster', not for {kind!r}")
    match kind:
        case "here":
            return SerialExecutor()
        case "threads":
            return ThreadExecutor(count)
        case "processes":
            from cardwright.jobs.processes import ProcessExecutor

            return ProcessExecutor(count)
        case "cluster":
            from cardwright.jobs.cluster import DaskExecutor

            return DaskExecutor(scheduler, workers)
    raise ExecutorError(f"there is no executor {kind!r}; choose from {listed(KINDS)}")


class Job(ABC, Generic[Part]):
    """Work in tasks, numbered from 0, played in batches; a part is the result of one batch."""

    noun = "deal"
    """What people count in such a job."""

    most: int | None = None
    """The largest number of tasks in a batch; None if it does not matter."""

    tasks: int
    """How many tasks there are."""

    early: EarlyStop | None = None
    """What may end the job before all tasks are played; `reach` asks it."""

    @property
    def stopped(self) -> bool:
        """Whether the job was ended before all tasks were played."""
        return self.early is not None and self.early.at is not None

    def span(self, batch: Batch) -> range:
        """Return the deals, or whatever people count, that a batch of tasks covers."""
        return batch

    @abstractmethod
    def ready(self) -> Call[Part]:
        """Prepare to play, and return what plays a batch; it can be sent to other processes."""

    def kept(self) -> Iterable[Iterable[int]]:
        """Count what was played before; yield the tasks of each part once it is counted."""
        return ()

    @abstractmethod
    def add(self, batch: Batch, part: Part) -> None:
        """Count a part that was just played; it must be stored now, or by `keep`."""

    def reach(self, tasks: int) -> None:
        """Process, in order, all results before a task: there is no gap."""

    def keep(self) -> None:
        """Store what is not stored yet."""

    def tell(self) -> None:
        """Report how far the job is."""


class EarlyStop:
    """Asks a rule at each of its looks, in order, as soon as there are enough deals without a gap.

    So where a job stops depends on the rule alone: not on the executor, or how often the job was
    killed. `at` is the number of deals at which the rule said to stop; None if it did not.
    """

    def __init__(self, looks: Iterable[int], enough: Callable[[int], bool]) -> None:
        self._looks = iter(looks)
        self._enough = enough
        self._next = next(self._looks, None)
        self.at: int | None = None

    def reach(self, deals: int) -> None:
        """Ask the rule at all looks that are due after this many deals."""
        while self.at is None and self._next is not None and self._next <= deals:
            if self._enough(self._next):
                self.at = self._next
            self._next = next(self._looks, None)


@dataclass(frozen=True)
class Timed(Generic[Part]):
    """Plays batches wherever it is sent, and says how many seconds each took."""

    play: Call[Part]
    version: str = __version__

    def __call__(self, batch: Batch) -> tuple[float, Part]:
        """Return the seconds that a batch took, and its result."""
        if self.version != __version__:
            raise ExecutorError(
                f"a worker has Cardwright {__version__}, but its work comes from {self.version}; "
                "all must have the same version"
            )
        begun = time.perf_counter()
        part = self.play(batch)
        return time.perf_counter() - begun, part


def carry_out(
    job: Job[Part],
    executor: Executor,
    *,
    keep_seconds: float = KEEP_SECONDS,
    keep_share: float = KEEP_SHARE,
) -> None:
    """Play what is left of a job, until all tasks are done or a rule stops it.

    A crash loses no more than `keep_seconds`, or `keep_share` of the time taken if that is more;
    an interrupt, or an error, loses only the batches under way.
    """
    progress = _JobProgress(job, executor.workers)
    for tasks in job.kept():
        progress.count(tasks)
    job.tell()
    if not progress.open:
        return
    begun = kept = time.monotonic()
    try:
        with closing(progress.results(executor)) as results:
            for number, (seconds, part) in results:
                batch = progress.measured(number, seconds)
                job.add(batch, part)
                progress.count(batch)
                job.tell()
                now = time.monotonic()
                if now - kept >= max(keep_seconds, keep_share * (now - begun)):
                    job.keep()
                    kept = now
                if not progress.open:
                    break
    finally:
        job.keep()


class _JobProgress(Generic[Part]):
    """A job in progress: which of its tasks are done, and the batches that are under way."""

    def __init__(self, job: Job[Part], workers: int) -> None:
        self._job = job
        self._done = bytearray(job.tasks)
        self._reached = 0
        self._batches = Batches(self._done, workers, self._size, job.most)
        self._given: dict[int, Batch] = {}

    @property
    def open(self) -> bool:
        """Whether there are tasks left to play."""
        return not self._job.stopped and self._reached < len(self._done)

    def count(self, tasks: Iterable[int]) -> None:
        """Count tasks, and let the job process those that no longer have a gap before them."""
        for task in tasks:
            self._done[task] = 1
        gap = self._done.find(0, self._reached)
        self._reached = gap if gap >= 0 else len(self._done)
        self._job.reach(self._reached)

    def results(self, executor: Executor) -> Generator[tuple[int, tuple[float, Part]], None, None]:
        """Yield an executor's results: a generator, so that it can be closed."""
        job = self._job
        try:
            yield from executor.run(Timed(job.ready()), self._numbered())
        except WorkerError as error:
            raise WorkerError(job.span(error.batch), error.last, job.noun) from None

    def measured(self, number: int, seconds: float) -> Batch:
        """Return the batch with this number, and note how long it took."""
        batch = self._given.pop(number)
        self._batches.measured(batch, seconds)
        return batch

    def _size(self, batch: Batch) -> int:
        return len(self._job.span(batch))

    def _numbered(self) -> Iterator[Batch]:
        for number, batch in enumerate(self._batches):
            self._given[number] = batch
            yield batch


class Batches:
    """Batches of the tasks that are not done yet, sized by how long they have taken so far.

    The first ones are single tasks, and towards the end they become small again, so that all
    workers finish at about the same time. `done` has a byte for each task, and may change
    meanwhile. `size` says how much work some tasks are, in any unit; `most` is the largest number
    of tasks in a batch.
    """

    def __init__(
        self,
        done: bytearray,
        workers: int,
        size: Callable[[range], int] = len,
        most: int | None = None,
    ) -> None:
        self._done = done
        self._workers = workers
        self._size = size
        self._most = most or len(done)
        self._at = 0
        self._seconds = 0.0
        self._work = 0
        self._largest = 0

    def measured(self, batch: range, seconds: float) -> None:
        """Note how long a batch took."""
        work = self._size(batch)
        self._seconds += seconds
        self._work += work
        self._largest = max(self._largest, work)

    def _budget(self) -> int:
        """Return how much work a batch may be; it always has at least one task."""
        if not self._work:
            return 0
        mean = max(self._seconds / self._work, 1e-9)
        return min(int(BATCH_SECONDS / mean), _GROWTH * self._largest)

    def __iter__(self) -> Iterator[range]:
        """Yield batches in order; each is sized when it is asked for."""
        while (first := self._done.find(0, self._at)) >= 0:
            fair = -(-(len(self._done) - first) // (2 * self._workers))
            last = first + min(fair, self._most)
            done = self._done.find(1, first, last)
            ends = range(first + 1, (done if done >= 0 else last) + 1)
            fitting = bisect_right(
                ends, self._budget(), key=lambda end: self._size(range(first, end))
            )
            self._at = ends[max(fitting, 1) - 1]
            yield range(first, self._at)

"""Jobs: work that is cut into tasks, and the loop that plays, stores and counts them.

The result of a job depends on the job alone: not on the executor, the number of its workers, the
size of batches, or how often it was killed and resumed. A kind of job says what a task is, how it
is played, stored and counted; everything else is here.
"""

from __future__ import annotations

import time
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from cardwright._version import __version__
from cardwright.jobs.batches import Batches
from cardwright.jobs.executor import ExecutorError, WorkerError

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator

    from cardwright.jobs.executor import Batch, Call, Executor

Part = TypeVar("Part")

KEEP_SECONDS = 2.0
"""Seconds of play that may be lost in a crash..."""

KEEP_SHARE = 0.01
"""...or this share of the time that the job has taken, if that is more: for fewer files."""


class Job(Protocol[Part]):
    """Work in tasks, numbered from 0, played in batches; a part is the result of one batch."""

    @property
    def tasks(self) -> int:
        """How many tasks there are."""
        ...

    @property
    def most(self) -> int | None:
        """The largest number of tasks in a batch; None if it does not matter."""
        ...

    @property
    def stopped(self) -> bool:
        """Whether a rule has ended the job before all tasks were played."""
        ...

    @property
    def noun(self) -> str:
        """What people count in such a job, such as `deal`."""
        ...

    def span(self, batch: Batch) -> range:
        """Return the deals, or whatever people count, that a batch of tasks covers."""
        ...

    def ready(self) -> Call[Part]:
        """Prepare to play, and return what plays a batch; it can be sent to other processes."""
        ...

    def kept(self) -> Iterable[Iterable[int]]:
        """Count what was played before; yield the tasks of each part once it is counted."""
        ...

    def add(self, batch: Batch, part: Part) -> None:
        """Count a part that was just played; it must be stored now, or by `keep`."""
        ...

    def reach(self, tasks: int) -> None:
        """Process, in order, all results before a task: there is no gap."""
        ...

    def keep(self) -> None:
        """Store what is not stored yet."""
        ...

    def tell(self) -> None:
        """Report how far the job is."""
        ...


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

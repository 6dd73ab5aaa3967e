"""Runs: an experiment is played by an executor, optionally recorded and stopped early.

Its outcomes depend on the plan alone: not on the executor, the number of its workers, or how often
the run was killed and resumed.

Its tasks are blocks of deals. A deal of slow players may be hundreds of games that take seconds
each: then its tables are divided into as many pieces as the plan says, which are stored separately,
so that a crash loses little, and the sums of a deal are those of its pieces. Blocks are still made
of whole deals: they do not show how they were played.
"""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from cardwright.arena.plan import loaded
from cardwright.jobs.executor import SerialExecutor
from cardwright.jobs.job import KEEP_SECONDS, EarlyStop, Job, carry_out
from cardwright.jobs.job import executor as executor_of
from cardwright.lab.cell import try_players
from cardwright.lab.layout import layout_of
from cardwright.lab.records import DealOutcomes, ExperimentFolder
from cardwright.lab.stopping import decided, looks
from cardwright.lab.task import PlayLabDeals, all_native, narrowed, pieces, together

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path
    from typing import TypeAlias

    from cardwright.jobs.executor import Call, Executor
    from cardwright.lab.outcomes import Outcomes, Part
    from cardwright.lab.plan import LabPlan

    Progress: TypeAlias = Callable[[int, int], object]


def run(
    plan: LabPlan,
    folder: Path | None = None,
    executor: Executor | None = None,
    *,
    resume: bool = False,
    progress: Progress | None = None,
    keep_seconds: float = KEEP_SECONDS,
) -> Outcomes:
    """Play an experiment and return its outcomes.

    With a `folder` it is recorded there as it is played; with `resume` one that was begun there is
    continued, and one that is finished is only read. Without an `executor` it is played in this
    process: see `fitting`. `progress` is given the number of finished deals, and of those planned.
    A crash loses the blocks under way; with slow players, no more than `keep_seconds`.

    Players load what `plan.trust` allows. Raises LabError for anything wrong with the plan or its
    players, RecordsError for the folder,
    and ChangedGameError, ExecutorError and WorkerError. KeyboardInterrupt leaves a folder that can
    be resumed.
    """
    layout = layout_of(plan)
    there = None if folder is None or not resume else ExperimentFolder.kept(folder)
    if there is None or not there.manifest.complete:
        try_players(layout.players, plan.trust)  # found out here, and not only by workers
    for game in layout.games:
        loaded(game).prepare()
    opening: Any = nullcontext()
    if folder is not None:
        opening = ExperimentFolder.of_plan(folder, plan, together(plan)).opened(resume=resume)
    with opening as records:
        if records is not None and records.manifest.complete:
            outcomes: Outcomes = records.outcomes()
            return outcomes
        job = (PiecesJob if pieces(plan) > 1 else BlocksJob)(plan, records, progress)
        carry_out(job, executor or SerialExecutor(), keep_seconds=keep_seconds, keep_share=0)
        if records is not None:
            records.close(job.deals)
    return job.outcomes()


def fitting(
    plan: LabPlan,
    workers: int | None = None,
    kind: str | None = None,
    scheduler: str | None = None,
) -> Executor:
    """Return an executor of this kind, with `workers` workers; by default the fastest for the plan.

    Machine code is played by threads, all else by processes; or by a cluster, given a `scheduler`.
    """
    return executor_of(kind, workers, scheduler, "threads" if all_native(plan) else "processes")


@dataclass(frozen=True)
class PlayBlock:
    """Plays one block of deals, by its number; it can be sent to other processes."""

    play: PlayLabDeals
    together: int

    def __call__(self, numbers: range) -> Part:
        """Return the sums of a block."""
        (number,) = numbers
        first = number * self.together
        return self.play(range(first, min(first + self.together, self.play.plan.deals)))


@dataclass(frozen=True)
class PlayPiece:
    """Plays one piece of a deal, by its number: those of deal 0 come first.

    It can be sent to other processes.
    """

    play: PlayLabDeals

    def __call__(self, numbers: range) -> Part:
        """Return the sums of a piece, with the other tables of its deal counted as zero."""
        (number,) = numbers
        deal, piece = divmod(number, pieces(self.play.plan))
        return self.play.piece(range(deal, deal + 1), piece, pieces(self.play.plan))


class BlocksJob(Job["Part"]):
    """An experiment whose tasks are blocks of deals; those in `counted` are the first ones."""

    most = 1

    def __init__(
        self, plan: LabPlan, records: ExperimentFolder | None, progress: Progress | None
    ) -> None:
        self.counted = DealOutcomes(layout_of(plan))
        self.early = EarlyStop(looks(plan), self._decided)
        self._plan = plan
        self._records = records
        self._progress = progress
        self._together = together(plan)
        self._finished = 0
        self._next = 0
        self._waiting: dict[int, Part] = {}
        self.tasks = self._tasks(-(-plan.deals // self._together) - 1).stop

    @property
    def deals(self) -> int:
        """How many deals were counted, once it is over."""
        stopped = None if self.early is None else self.early.at
        return self.counted.deals if stopped is None else stopped

    def outcomes(self) -> Outcomes:
        """Return the outcomes of the experiment, once it is over."""
        return self.counted.outcomes(self.deals)

    def span(self, batch: range) -> range:
        """Return the deals of a block."""
        first = batch[0] * self._together
        return range(first, min(first + self._together, self._plan.deals))

    def ready(self) -> Call[Part]:
        """Return what plays a block."""
        return PlayBlock(PlayLabDeals(self._plan), self._together)

    def kept(self) -> Iterator[range]:
        """Count the blocks that are in the folder."""
        for number, part in () if self._records is None else self._records.whole():
            self._count(number, part)
            yield self._tasks(number)

    def add(self, batch: range, part: Part) -> None:
        """Store a block, and count it."""
        self._write(batch[0], part)

    def reach(self, tasks: int) -> None:
        """Process the blocks that have no gap before them, and make the looks that are due."""
        while self._next in self._waiting and self._tasks(self._next).stop <= tasks:
            self.counted.add(self._waiting.pop(self._next))
            self._next += 1
        if self.early is not None:
            self.early.reach(self.counted.deals)

    def tell(self) -> None:
        """Say how many deals are finished."""
        if self._progress is not None:
            self._progress(self._finished, self._plan.deals)

    def _decided(self, deals: int) -> bool:
        return decided(self._plan, self.counted.outcomes(deals))

    def _tasks(self, block: int) -> range:
        """Return the tasks of a block."""
        return range(block, block + 1)

    def _write(self, number: int, part: Part) -> None:
        if self._records is not None:
            self._records.blocks.write({number: part})
        self._count(number, part)

    def _count(self, number: int, part: Part) -> None:
        self._waiting[number] = part
        self._finished += len(part[0])


class PiecesJob(BlocksJob):
    """An experiment whose tasks are pieces of deals; those of blocks that are not whole wait."""

    def __init__(
        self, plan: LabPlan, records: ExperimentFolder | None, progress: Progress | None
    ) -> None:
        self._pieces = pieces(plan)
        self._there: dict[int, Part] = {}
        self._unkept: dict[int, Part] = {}
        super().__init__(plan, records, progress)

    def span(self, batch: range) -> range:
        """Return the deal of a piece."""
        deal = batch[0] // self._pieces
        return range(deal, deal + 1)

    def ready(self) -> Call[Part]:
        """Return what plays a piece."""
        return PlayPiece(PlayLabDeals(self._plan))

    def kept(self) -> Iterator[range]:
        """Count the blocks that are in the folder, and the pieces of other blocks."""
        done = set[int]()
        for tasks in super().kept():
            done.update(tasks)
            yield tasks
        if self._records is None or self.stopped or len(done) == self.tasks:
            return
        for number in self._records.pieces.numbers():
            if number not in done:
                self._add(number, self._records.pieces.read(number))
                yield range(number, number + 1)

    def add(self, batch: range, part: Part) -> None:
        """Take a piece; once its block is whole, store and count the block."""
        self._unkept[batch[0]] = part
        self._add(batch[0], part)

    def keep(self) -> None:
        """Store the pieces of blocks that are not whole."""
        if self._records is not None and self._unkept:
            self._records.pieces.write(self._unkept)
        self._unkept = {}

    def _tasks(self, block: int) -> range:
        deals = super().span(range(block, block + 1))
        return range(deals.start * self._pieces, deals.stop * self._pieces)

    def _add(self, number: int, part: Part) -> None:
        """Take a piece, and its block with all its pieces if that is whole now."""
        self._there[number] = part
        block = number // self._pieces // self._together
        numbers = self._tasks(block)
        if not all(piece in self._there for piece in numbers):
            return
        parts = [self._there.pop(piece) for piece in numbers]
        size = self._pieces
        deals = [_added(parts[first : first + size]) for first in range(0, len(parts), size)]
        self._write(block, tuple(np.concatenate(ones) for ones in zip(*deals, strict=True)))
        for piece in numbers:
            self._unkept.pop(piece, None)
        if self._records is not None:
            self._records.pieces.remove(numbers)


def _added(parts: Sequence[Part]) -> Part:
    """Return the sums of a deal from those of its pieces."""
    return tuple(
        narrowed(np.stack(ones).sum(axis=0, dtype=np.int64)) for ones in zip(*parts, strict=True)
    )

"""Runs: an experiment is played by an executor, optionally recorded and stopped early.

Its outcomes depend on the plan alone: not on the executor, the number of its workers, or how often
the run was killed and resumed.
"""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cardwright.arena.plan import loaded
from cardwright.jobs.executor import SerialExecutor
from cardwright.jobs.job import KEEP_SECONDS, EarlyStop, Job, carry_out, executor as executor_of
from cardwright.lab.cell import try_players
from cardwright.lab.layout import layout_of
from cardwright.lab.records import DealOutcomes, ExperimentFolder
from cardwright.lab.stopping import decided, looks
from cardwright.lab.task import PlayLabDeals, all_native, narrowed, pieces, together

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager
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
    players, RecordsError for the folder, and ChangedGameError, ExecutorError and WorkerError.
    KeyboardInterrupt leaves a folder that can be resumed.
    """
    layout = layout_of(plan)
    there = None if folder is None or not resume else ExperimentFolder.kept(folder)
    if there is None or not there.manifest.complete:
        try_players(layout.players, plan.trust)  # found out here, and not only by workers
    for game in layout.games:
        loaded(game).prepare()
    opening: AbstractContextManager[ExperimentFolder | None] = nullcontext()
    if folder is not None:
        opening = ExperimentFolder.of_plan(folder, plan, together(plan)).opened(resume=resume)
    with opening as records:
        if records is not None and records.manifest.complete:
            return records.outcomes()
        job = ExperimentJob(plan, records, progress)
        carry_out(job, executor or SerialExecutor(), keep_seconds=keep_seconds, keep_share=0)
        outcomes = job.outcomes()
        if records is not None:
            records.close(outcomes.deals)
    return outcomes


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
class PlayPiece:
    """Plays one piece of a block of deals, by its number; it can be sent to other processes.

    A block has `together` deals and as many `pieces`; those of the first block come first.
    """

    deals: PlayLabDeals
    together: int
    pieces: int

    def __call__(self, numbers: range) -> Part:
        """Return the sums of a piece, with the other tables of its deals counted as zero."""
        (number,) = numbers
        return self.deals.piece(self.deals_of(number), number % self.pieces, self.pieces)

    def deals_of(self, number: int) -> range:
        """Return the deals of a piece: those of its block."""
        first = number // self.pieces * self.together
        return range(first, min(first + self.together, self.deals.plan.deals))


class ExperimentJob(Job["Part"]):
    """An experiment as a job: its tasks are the pieces of blocks of deals, mostly one of each."""

    most = 1
    early: EarlyStop

    def __init__(
        self, plan: LabPlan, records: ExperimentFolder | None, progress: Progress | None
    ) -> None:
        self._plan = plan
        self._records = records
        self._progress = progress
        self._play = PlayPiece(PlayLabDeals(plan), together(plan), pieces(plan))
        self._counted = DealOutcomes(layout_of(plan))
        self.tasks = -(-plan.deals // self._play.together) * self._play.pieces
        self.early = EarlyStop(looks(plan), self._decided)
        self._pieces: dict[int, Part] = {}
        self._unkept: dict[int, Part] = {}
        self._blocks: dict[int, Part] = {}
        self._finished = 0
        self._next = 0

    def outcomes(self) -> Outcomes:
        """Return the outcomes of the experiment, once it is over."""
        return self._counted.outcomes(self.early.at)

    def span(self, batch: range) -> range:
        """Return the deals of a piece."""
        return self._play.deals_of(batch[0])

    def ready(self) -> Call[Part]:
        """Return what plays a piece."""
        return self._play

    def kept(self) -> Iterator[range]:
        """Count the blocks that are in the folder, and take the pieces of other blocks."""
        if self._records is None:
            return
        done = set[int]()
        for block, sums in self._records.whole():
            self._count(block, sums)
            done.add(block)
            yield self._tasks(block)
        if not self.stopped:
            for number in self._records.pieces.numbers():
                if number // self._play.pieces not in done:
                    self._take(number, self._records.pieces.read(number))
                    yield range(number, number + 1)

    def add(self, batch: range, part: Part) -> None:
        """Take a piece; once its block is whole, store and count the block."""
        self._unkept[batch[0]] = part
        self._take(batch[0], part)

    def reach(self, tasks: int) -> None:
        """Process the blocks that have no gap before them, and make the looks that are due."""
        while self._next in self._blocks and self._tasks(self._next).stop <= tasks:
            self._counted.add(self._blocks.pop(self._next))
            self._next += 1
        self.early.reach(self._counted.deals)

    def keep(self) -> None:
        """Store the pieces of blocks that are not whole."""
        if self._records is not None and self._unkept:
            self._records.pieces.write(self._unkept)
        self._unkept = {}

    def tell(self) -> None:
        """Say how many deals are finished."""
        if self._progress is not None:
            self._progress(self._finished, self._plan.deals)

    def _decided(self, deals: int) -> bool:
        return decided(self._plan, self._counted.outcomes(deals))

    def _tasks(self, block: int) -> range:
        return range(block * self._play.pieces, (block + 1) * self._play.pieces)

    def _take(self, number: int, part: Part) -> None:
        """Take a piece, and store and count the block that it completes."""
        self._pieces[number] = part
        block = number // self._play.pieces
        tasks = self._tasks(block)
        if not all(task in self._pieces for task in tasks):
            return
        parts = [self._pieces.pop(task) for task in tasks]
        for task in tasks:
            self._unkept.pop(task, None)
        sums = parts[0]
        if len(parts) > 1:
            classes = zip(*parts, strict=True)
            sums = tuple(
                narrowed(np.stack(class_).sum(axis=0, dtype=np.int64)) for class_ in classes
            )
        if self._records is not None:
            self._records.blocks.write({block: sums})
            if len(parts) > 1:
                self._records.pieces.remove(tasks)
        self._count(block, sums)

    def _count(self, block: int, sums: Part) -> None:
        self._blocks[block] = sums
        self._finished += len(sums[0])

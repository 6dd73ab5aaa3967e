"""Runs: an experiment is played by an executor, optionally recorded and stopped early."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cardwright.arena.plan import loaded
from cardwright.jobs.executor import SerialExecutor
from cardwright.jobs.job import KEEP_SECONDS, EarlyStop, carry_out
from cardwright.jobs.job import executor as executor_of
from cardwright.lab.cell import try_players
from cardwright.lab.layout import layout_of
from cardwright.lab.records import DealOutcomes, LabManifest, is_complete, opened
from cardwright.lab.stopping import decided, looks
from cardwright.lab.task import PlayLabDeals, all_native, narrowed, pieces, together

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path
    from typing import TypeAlias

    from cardwright.jobs.executor import Call, Executor
    from cardwright.lab.outcomes import Outcomes
    from cardwright.lab.plan import LabPlan
    from cardwright.lab.records import LabRecords
    from cardwright.lab.task import Part

    Progress: TypeAlias = Callable[[int, int], object]


@dataclass(frozen=True)
class PlayPiece:
    """Plays one piece of a deal, by its number: those of deal 0 come first.

    It can be sent to other processes.
    """

    deals: PlayLabDeals

    def __call__(self, numbers: range) -> Part:
        """Return the sums of a piece, with the other tables of its deal counted as zero."""
        (number,) = numbers
        deal, piece = divmod(number, pieces(self.deals.plan))
        return self.deals.piece(range(deal, deal + 1), piece, pieces(self.deals.plan))


class Gathered:
    """The pieces of blocks that are not whole."""

    def __init__(self, plan: LabPlan, manifest: LabManifest, records: LabRecords | None) -> None:
        self._plan = plan
        self._manifest = manifest
        self._records = records
        self._pieces = pieces(plan)
        self._there: dict[int, Part] = {}
        self._unkept: dict[int, Part] = {}

    def of_block(self, block: int) -> range:
        """Return the numbers of the pieces of a block."""
        deals = self._manifest.deals(self._plan, block)
        return range(deals.start * self._pieces, deals.stop * self._pieces)

    def kept(self) -> Iterator[tuple[int, Part]]:
        """Yield the pieces that are in the folder."""
        return iter(()) if self._records is None else self._records.pieces(self._pieces)

    def add(self, number: int, part: Part, *, new: bool) -> tuple[int, Part] | None:
        """Take a piece, and return the number and the sums of the block that it completes.

        A `new` piece is stored by `keep`, unless its block is forgotten before.
        """
        self._there[number] = part
        if new:
            self._unkept[number] = part
        block = number // self._pieces // self._manifest.together
        if all(one in self._there for one in self.of_block(block)):
            return block, self._joined(block)
        return None

    def forget(self, block: int) -> None:
        """Drop the pieces of a block that was stored."""
        numbers = self.of_block(block)
        for number in numbers:
            self._there.pop(number, None)
            self._unkept.pop(number, None)
        if self._records is not None:
            self._records.drop_pieces(numbers)

    def keep(self) -> None:
        """Store what is not stored yet."""
        if self._records is not None and self._unkept:
            self._records.add_pieces(self._pieces, self._unkept)
        self._unkept = {}

    def _joined(self, block: int) -> Part:
        parts = [self._there[number] for number in self.of_block(block)]
        size = self._pieces
        deals = [_added(parts[first : first + size]) for first in range(0, len(parts), size)]
        return tuple(np.concatenate(ones) for ones in zip(*deals, strict=True))


def _added(parts: Sequence[Part]) -> Part:
    """Return the sums of a deal from those of its pieces."""
    return tuple(
        narrowed(np.stack(ones).sum(axis=0, dtype=np.int64)) for ones in zip(*parts, strict=True)
    )


@dataclass(frozen=True)
class PlayBlock:
    """Plays one block of deals, by its number; it can be sent to other processes."""

    deals: PlayLabDeals
    manifest: LabManifest

    def __call__(self, numbers: range) -> Part:
        """Return the sums of a block."""
        (number,) = numbers
        return self.deals(self.manifest.deals(self.deals.plan, number))


class BlocksJob:
    """An experiment whose tasks are blocks of deals; those in `counted` are the first ones."""

    noun = "deal"
    most = 1

    def __init__(
        self, plan: LabPlan, records: LabRecords | None, progress: Progress | None
    ) -> None:
        self.counted = DealOutcomes(layout_of(plan))
        self._plan = plan
        self._records = records
        self._progress = progress
        self._manifest = LabManifest.new("", together(plan), ())
        self._early = EarlyStop(looks(plan), self._decided)
        self._finished = 0
        self._next = 0
        self._waiting: dict[int, Part] = {}

    @property
    def tasks(self) -> int:
        """How many tasks there are."""
        return self._tasks(self._manifest.blocks(self._plan) - 1).stop

    @property
    def stopped(self) -> bool:
        """Whether a look has ended the experiment."""
        return self._early.at is not None

    @property
    def deals(self) -> int:
        """How many deals were counted, once it is over."""
        return self.counted.deals if self._early.at is None else self._early.at

    def outcomes(self) -> Outcomes:
        """Return the outcomes of the experiment, once it is over."""
        return self.counted.outcomes(self.deals)

    def span(self, batch: range) -> range:
        """Return the deals of a block."""
        return self._manifest.deals(self._plan, batch[0])

    def ready(self) -> Call[Part]:
        """Return what plays a block."""
        return PlayBlock(PlayLabDeals(self._plan), self._manifest)

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
        self._early.reach(self.counted.deals)

    def keep(self) -> None:
        """Do nothing: blocks are written as they come."""

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
            self._records.add(number, part)
        self._count(number, part)

    def _count(self, number: int, part: Part) -> None:
        self._waiting[number] = part
        self._finished += len(part[0])


class PiecesJob(BlocksJob):
    """An experiment whose tasks are pieces of deals."""

    def __init__(
        self, plan: LabPlan, records: LabRecords | None, progress: Progress | None
    ) -> None:
        super().__init__(plan, records, progress)
        self._gathered = Gathered(plan, self._manifest, records)

    def span(self, batch: range) -> range:
        """Return the deal of a piece."""
        deal = batch[0] // pieces(self._plan)
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
        if self.stopped or len(done) == self.tasks:
            return
        for number, part in self._gathered.kept():
            if number not in done:
                self._add(number, part, new=False)
                yield range(number, number + 1)

    def add(self, batch: range, part: Part) -> None:
        """Take a piece; once its block is whole, store and count the block."""
        self._add(batch[0], part, new=True)

    def keep(self) -> None:
        """Store the pieces of blocks that are not whole."""
        self._gathered.keep()

    def _tasks(self, block: int) -> range:
        return self._gathered.of_block(block)

    def _add(self, number: int, part: Part, *, new: bool) -> None:
        block = self._gathered.add(number, part, new=new)
        if block is not None:
            self._write(*block)
            self._gathered.forget(block[0])


def job_of(plan: LabPlan, records: LabRecords | None, progress: Progress | None) -> BlocksJob:
    """Return the job of an experiment."""
    kind = PiecesJob if pieces(plan) > 1 else BlocksJob
    return kind(plan, records, progress)


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
    if not (resume and folder is not None and is_complete(folder)):
        try_players(layout.players, plan.trust)  # found out here, and not only by workers
    for game in layout.games:
        loaded(game).prepare()
    size = together(plan)
    opening = nullcontext() if folder is None else opened(folder, plan, size, resume=resume)
    with opening as records:
        if records is not None and records.manifest.complete:
            return records.outcomes()
        job = job_of(plan, records, progress)
        carry_out(job, executor or SerialExecutor(), keep_seconds=keep_seconds, keep_share=0)
        if records is not None:
            records.finish(job.deals)
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
    fastest = "threads" if all_native(plan) else "processes"
    return executor_of(kind or ("cluster" if scheduler else fastest), workers, scheduler)

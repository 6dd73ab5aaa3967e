"""Experiments as jobs: their tasks are blocks of deals, or pieces of a deal if players are slow."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright.jobs.stopping import EarlyStop
from cardwright.lab.deal_outcomes import DealOutcomes
from cardwright.lab.manifest import LabManifest
from cardwright.lab.pieces import Gathered, PlayPiece, pieces
from cardwright.lab.sequential import decided, looks
from cardwright.lab.tables import layout_of
from cardwright.lab.task import PlayLabDeals, together

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TypeAlias

    from cardwright.jobs.executor import Call
    from cardwright.lab.outcomes import Outcomes
    from cardwright.lab.plan import LabPlan
    from cardwright.lab.records import LabRecords
    from cardwright.lab.task import Part

    Progress: TypeAlias = Callable[[int, int], object]


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

"""Runs: an experiment is played by an executor, perhaps recorded, perhaps stopped early.

Its outcomes depend on the plan alone: not on the executor, the number of its workers, or how often
the run was killed and resumed.
"""

from __future__ import annotations

from contextlib import closing, nullcontext
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from cardwright.arena.executor import Here, WorkerError
from cardwright.arena.executor import executor as executor_of
from cardwright.arena.plan import loaded
from cardwright.lab.ledger import Ledger
from cardwright.lab.native import all_native
from cardwright.lab.pieces import Gathered, PlayPiece, pieces
from cardwright.lab.records import opened
from cardwright.lab.sequential import decided, looks
from cardwright.lab.sheet import Sheet
from cardwright.lab.tables import layout_of
from cardwright.lab.unit import PlayDeals, together

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Sequence
    from pathlib import Path

    from cardwright.arena.executor import Executor
    from cardwright.lab.outcomes import Outcomes
    from cardwright.lab.plan import LabPlan
    from cardwright.lab.records import LabRecords
    from cardwright.lab.unit import Part

    Progress: TypeAlias = Callable[[int, int], object]


def run(
    plan: LabPlan,
    folder: Path | None = None,
    executor: Executor | None = None,
    *,
    resume: bool = False,
    progress: Progress | None = None,
) -> Outcomes:
    """Play an experiment and return its outcomes.

    With a `folder` it is recorded there as it goes on; with `resume` one that was begun there goes
    on, and one that is finished is only read. `executor` plays in this process if it is not given:
    see `fitting`. `progress` is told the number of finished deals, and of those planned.

    Raises LabError for whatever is wrong with the plan, its players or the folder, and
    ChangedGameError, ExecutorError and WorkerError. KeyboardInterrupt leaves a folder that can be
    resumed.
    """
    layout = layout_of(plan)
    for game in layout.games:
        loaded(game).prepare()
    size = together(plan)
    opening = nullcontext() if folder is None else opened(folder, plan, size, resume=resume)
    with opening as records:
        if records is not None and records.ledger.complete:
            return records.outcomes()
        going = _Going(plan, Ledger.new("", size, ()), records, progress)
        going.take_up()
        if going.open:
            going.play(executor or Here())
        if records is not None:
            records.finish(going.deals)
    return going.sheet.outcomes(going.deals)


def fitting(plan: LabPlan, workers: int | None = None) -> Executor:
    """Return the executor that plays a plan fastest, with so many workers or all processors.

    Machine code is played by threads, all else by processes.
    """
    return executor_of("threads" if all_native(plan) else "processes", workers)


@dataclass
class _Going:
    """An experiment that is being played; the deals in its sheet are the first ones."""

    plan: LabPlan
    ledger: Ledger
    records: LabRecords | None
    progress: Progress | None
    sheet: Sheet = field(init=False)
    stopped_at: int | None = None
    finished: int = 0
    _next: int = 0
    _early: dict[int, Part] = field(default_factory=dict)
    _looks: Iterator[int] = field(init=False)
    _look: int | None = field(init=False)

    def __post_init__(self) -> None:
        self.sheet = Sheet(layout_of(self.plan))
        self._looks = looks(self.plan)
        self._look = next(self._looks, None)

    @property
    def open(self) -> bool:
        """Whether there are deals to be played."""
        return self.stopped_at is None and self.sheet.deals < self.plan.deals

    @property
    def deals(self) -> int:
        """How many deals the outcomes have, when it is over."""
        return self.sheet.deals if self.stopped_at is None else self.stopped_at

    def take_up(self) -> None:
        """Count the blocks that were played before."""
        if self.records is not None:
            for number, part in self.records.whole():
                self._count(number, part)
        self._tell()

    def play(self, executor: Executor) -> None:
        """Play all blocks that are left, until a look decides."""
        there = {*range(self._next), *self._early}
        left = [n for n in range(self.ledger.blocks(self.plan)) if n not in there]
        if pieces(self.plan) > 1:
            self._play_pieces(executor, left)
        else:
            self._play_blocks(executor, left)

    def _play_blocks(self, executor: Executor, left: Sequence[int]) -> None:
        batches = (self.ledger.deals(self.plan, number) for number in left)
        with closing(_iterator(executor, PlayDeals(self.plan), batches)) as results:
            for at, part in results:
                self._keep(left[at], part)
                if not self.open:
                    break

    def _play_pieces(self, executor: Executor, left: Sequence[int]) -> None:
        """Play blocks whose deals are played piece by piece."""
        gathered = Gathered(self.plan, self.ledger, self.records)
        whole = dict(gathered.whole(left))
        for number, part in whole.items():
            self._keep(number, part)
            gathered.forget(number)
        numbers = list(gathered.left(number for number in left if number not in whole))
        if not self.open:
            return
        batches = (range(number, number + 1) for number in numbers)
        play = PlayPiece(PlayDeals(self.plan))
        with closing(_iterator(executor, play, batches)) as results:
            try:
                for at, part in results:
                    block = gathered.add(numbers[at], part)
                    if block is not None:
                        self._keep(*block)
                        gathered.forget(block[0])
                        if not self.open:
                            break
            except WorkerError as error:
                deal = error.batch[0] // pieces(self.plan)
                raise WorkerError(range(deal, deal + 1), error.last) from None
            finally:
                gathered.keep()

    def _keep(self, number: int, part: Part) -> None:
        """Write a block down, and count it."""
        if self.records is not None:
            self.records.add(number, part)
        self._count(number, part)
        self._tell()

    def _count(self, number: int, part: Part) -> None:
        """Count a block, and look at the deals without a gap as often as is due."""
        self._early[number] = part
        self.finished += len(part[0])
        while self._next in self._early:
            self.sheet.add(self._early.pop(self._next))
            self._next += 1
        while self.stopped_at is None and self._look is not None and self._look <= self.sheet.deals:
            if decided(self.plan, self.sheet.outcomes(self._look)):
                self.stopped_at = self._look
            self._look = next(self._looks, None)

    def _tell(self) -> None:
        if self.progress is not None:
            self.progress(self.finished, self.plan.deals)


def _iterator(
    executor: Executor, function: PlayDeals | PlayPiece, batches: Iterator[range]
) -> Generator[tuple[int, Part], None, None]:
    """Return what an executor gives as a generator, which can be closed."""
    yield from executor.run(function, batches)

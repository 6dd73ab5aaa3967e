"""A generation as a job: its tasks are candidates, each made and measured on its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cardwright.evolution.evaluation import Evaluated, FunnelStep
    from cardwright.evolution.records import EvolutionRecords
    from cardwright.evolution.task import Outcome
    from cardwright.jobs.executor import Call

    TellCount = Callable[[int], object]


class CandidatesJob:
    """The candidates of a block of the records; `number` is the block's.

    `first` is the number of its first candidate among all of the search. `tell` is given how many
    are finished, `spent` the seconds of each step of a candidate that was finished here.
    """

    noun = "candidate"
    most = None
    stopped = False

    def __init__(
        self,
        call: Call[list[Outcome]],
        *,
        count: int,
        number: int,
        first: int,
        records: EvolutionRecords | None,
        tell: TellCount,
        spent: Callable[[dict[FunnelStep, float]], object],
    ) -> None:
        self.tasks = count
        self._call = call
        self._number = number
        self._first = first
        self._records = records
        self._tell = tell
        self._spent = spent
        self._there: dict[int, Evaluated] = {}
        self._unkept: dict[int, Evaluated] = {}

    def span(self, batch: range) -> range:
        """Return the numbers of candidates among all of the search."""
        return range(self._first + batch.start, self._first + batch.stop)

    def ready(self) -> Call[list[Outcome]]:
        """Return what makes or measures candidates."""
        return self._call

    def kept(self) -> Iterator[range]:
        """Count the candidates that are in the folder."""
        if self._records is None:
            return
        for at, one in self._records.pieces(self._number):
            if at < self.tasks:
                self._there[at] = one
                yield range(at, at + 1)

    def add(self, batch: range, part: list[Outcome]) -> None:
        """Take what became of some candidates."""
        for at, outcome in zip(batch, part, strict=True):
            self._there[at] = self._unkept[at] = outcome.evaluated
            self._spent(outcome.seconds)

    def reach(self, tasks: int) -> None:
        """Do nothing: a generation is judged when it is whole."""

    def keep(self) -> None:
        """Store what is not stored yet; a whole generation becomes a block instead."""
        if self._records is not None and self._unkept and len(self._there) < self.tasks:
            self._records.add_pieces(self._number, self._unkept)
            self._unkept = {}

    def tell(self) -> None:
        """Say how many candidates are finished."""
        self._tell(len(self._there))

    def evaluated(self) -> list[Evaluated]:
        """Return all candidates in order, once it is over."""
        return [self._there[at] for at in range(self.tasks)]

"""Batches: the tasks of a job that are not done yet, as they are handed to an executor."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

BATCH_SECONDS = 0.25
"""The time a batch aims at: far more than it costs to hand out, but not long to wait for."""

_GROWTH = 4
"""How many times larger than the largest one measured a batch may be."""


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

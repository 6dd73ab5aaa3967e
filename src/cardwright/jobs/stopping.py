"""Stopping early: a rule is asked, after set numbers of deals, whether they are enough."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


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

"""How many deals each measure of some games rests on: the number of independent values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from cardwright.analysis.traces import Flags, Integers


@dataclass(frozen=True, eq=False)
class NotableDeals:
    """Numbers of deals that say something about each measure.

    `first` and `last` are the deals at both ends, with whether each measure had a value there:
    later games may continue the last deal, which still counts once.
    """

    counts: Integers
    first: tuple[int, Flags]
    last: tuple[int, Flags]

    @classmethod
    def of(cls, deal: Integers, told: Flags) -> NotableDeals:
        """Return those of games of these deals; `told`, (games, measures), is which have values."""
        order = np.argsort(deal, kind="stable")
        numbers, starts = np.unique(deal[order], return_index=True)
        seen = np.logical_or.reduceat(told[order], starts, axis=0)
        ends = ((int(numbers[at]), seen[at]) for at in (0, -1))
        return cls(seen.sum(axis=0), *ends)

    def __add__(self, other: NotableDeals) -> NotableDeals:
        """Return those of both; the other's deals come later, except one that they may share."""
        (mine, seen), (theirs, more) = self.last, other.first
        if mine != theirs:
            return NotableDeals(self.counts + other.counts, self.first, other.last)
        either = mine, seen | more
        return NotableDeals(
            self.counts + other.counts - (seen & more),
            either if self.first[0] == mine else self.first,
            either if other.last[0] == mine else other.last,
        )

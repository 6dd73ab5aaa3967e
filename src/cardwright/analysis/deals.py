"""How many deals stand behind each measure of some games: so many values are independent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from cardwright.analysis.traces import Flags, Integers


@dataclass(frozen=True, eq=False)
class NotableDeals:
    """Numbers of deals that tell something of each measure.

    `first` and `last` are the deals at both ends, with whether each measure was told there: games
    that come later may go on with the last deal, which counts once all the same.
    """

    counts: Integers
    first: tuple[int, Flags]
    last: tuple[int, Flags]

    @classmethod
    def of(cls, deal: Integers, told: Flags) -> NotableDeals:
        """Return those of games of these deals; `told`, (games, measures), is what each tells."""
        order = np.argsort(deal, kind="stable")
        numbers, starts = np.unique(deal[order], return_index=True)
        seen = np.logical_or.reduceat(told[order], starts, axis=0)
        ends = ((int(numbers[at]), seen[at]) for at in (0, -1))
        return cls(seen.sum(axis=0), *ends)

    def __add__(self, other: NotableDeals) -> NotableDeals:
        """Return those of both, of which the other's deals come later, but for one they share."""
        (mine, seen), (theirs, more) = self.last, other.first
        if mine != theirs:
            return NotableDeals(self.counts + other.counts, self.first, other.last)
        either = mine, seen | more
        return NotableDeals(
            self.counts + other.counts - (seen & more),
            either if self.first[0] == mine else self.first,
            either if other.last[0] == mine else other.last,
        )

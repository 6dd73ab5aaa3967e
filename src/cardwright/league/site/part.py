"""Parts of a season: the games of a block, with their results and seats."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from cardwright.league.block import SEATS
from cardwright.league.tally import BlockTally

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cardwright.league.block import Column, SeasonBlock


@dataclass(frozen=True, eq=False)
class SeasonPart:
    """A block of games and its results.

    `seats`, shape (games, 4), has the roster rows of the bots, `credited` whether a seat is the
    first one of its bot in the game: a bot in several seats is credited only with the first, as in
    the league's standings. `by_round` and `credited_by_round` are the same with a row per round.
    """

    block: SeasonBlock
    tally: BlockTally
    seats: Column
    credited: Column

    @classmethod
    def of(cls, block: SeasonBlock, schedule: Column) -> SeasonPart:
        """Count a block of a season with this schedule; raises BlockError if it is damaged."""
        seats = schedule[block.first : block.after].astype(np.int64)
        credited = np.ones(seats.shape, bool)
        for seat in range(1, SEATS):
            credited[:, seat] = (seats[:, :seat] != seats[:, seat, None]).all(axis=1)
        return cls(block, BlockTally.of(block), seats, credited)

    @property
    def by_round(self) -> Column:
        """The roster rows of the bots of every round."""
        return self.seats[self.tally.game]

    @property
    def credited_by_round(self) -> Column:
        """Whether the seats of every round are credited."""
        return self.credited[self.tally.game]


def count_into(counts: NDArray[np.int64], *at: Any) -> None:
    """Add 1 to an array at each of some places, given as index arrays of equal shapes."""
    given = np.broadcast_arrays(*at)
    flat = np.ravel_multi_index([one.ravel() for one in given], counts.shape)
    counts += np.bincount(flat, minlength=counts.size).reshape(counts.shape)

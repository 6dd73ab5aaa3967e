"""Bounds: from where to where mean scores and shares of wins can be, given who sits where.

An entrant in three of four seats has a third of the win per seat if it always wins, since a game
has one win to share; and where the scores of all seats always add up to the same, a player in three
seats cannot have the lowest score in all of them. Exact bounds make the intervals of a share and of
a difference agree: between two entrants either determines the other, and so do bounds and
intervals.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from math import inf
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from cardwright.game.errors import CardwrightError
from cardwright.statistics.intervals import LEVEL, Sample, bounded_interval

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cardwright.arena.results import Results
    from cardwright.game.game import Game
    from cardwright.statistics.intervals import Estimate, Values
    from cardwright.statistics.ties import Ties

RangeBasis: TypeAlias = Literal["proved", "declared"]
"""How a range of scores is known: proved from the rules, or by the word of the game's author."""


class ScoreRangeError(CardwrightError):
    """A score that the game's own file says cannot be."""


class SeatRange:
    """From where to where the value of a seat can be in a game: its score, or its share of the win.

    `sums` is from where to where the values of all seats together can be.
    """

    __slots__ = ()

    least: float
    most: float

    @property
    def sums(self) -> tuple[float, float]:
        """From where to where the values of all seats together can be."""
        raise NotImplementedError

    def mean_bounds(self, cells: NDArray[np.int64], count: int) -> tuple[Values, Values]:
        """Return the least and the most that the mean value can be in each cell of a deal.

        `cells` has a row per table and a column per seat, with numbers from 0, or -1 for seats that
        are in no cell; a cell without seats is NaN.
        """
        bounds = np.full((2, count), np.nan)
        players = cells.shape[1]
        for cell in np.unique(cells[cells >= 0]):
            seats = (cells == cell).sum(axis=1)
            sums = self._sums(seats, players - seats)
            bounds[:, cell] = [side[seats > 0].sum() / seats.sum() for side in sums]
        return bounds[0], bounds[1]

    def difference_bounds(
        self, tables: NDArray[np.int64], one: int, other: int
    ) -> tuple[float, float]:
        """Return the bounds of `DealArrays.difference` between two entrants."""
        seats = tables.shape[1]
        ones, others = (tables == one).sum(axis=1), (tables == other).sum(axis=1)
        met = (ones > 0) & (others > 0)
        if not met.any():
            return float(self.least - self.most), float(self.most - self.least)
        (low, high), (lowest, highest) = (
            [side / some for side in self._sums(some, seats - some)]
            for some in (ones[met], others[met])
        )
        return float((low - highest).mean()), float((high - lowest).mean())

    def _sums(self, seats: NDArray[np.int64], rest: NDArray[np.int64]) -> tuple[Values, Values]:
        """Return the least and the most that the values of some seats add up to, by table."""
        low, high = self.sums
        return (
            np.maximum(seats * float(self.least), low - rest * float(self.most)),
            np.minimum(seats * float(self.most), high - rest * float(self.least)),
        )


@dataclass(frozen=True, slots=True)
class WinRange(SeatRange):
    """The share of the win of a seat: all shares of a game add up to 1, unless ties count in full.

    Then one seat wins, or more do.
    """

    ties: Ties
    least: float = 0.0
    most: float = 1.0

    @property
    def sums(self) -> tuple[float, float]:
        """From where to where the shares of all seats together can be."""
        return 1.0, inf if self.ties == "full" else 1.0


@dataclass(frozen=True, slots=True)
class ScoreRange(SeatRange):
    """The lowest and the highest score that a seat can end with, and how that is known.

    `total` is what the scores of all seats add up to in every game, if that was proved.
    """

    least: int
    most: int
    basis: RangeBasis
    total: int | None = None

    @classmethod
    def of(cls, game: Game) -> ScoreRange | None:
        """Return the range of a game's scores: the proved one, else the declared one, else None.

        The proof takes up to some seconds, once for a game.
        """
        if game.score_range is not None:
            return cls(*game.score_range, "proved", game.constant_sum)
        if game.declared_scores is not None:
            return cls(*game.declared_scores, "declared", game.constant_sum)
        return None

    @property
    def sums(self) -> tuple[float, float]:
        """From where to where the scores of all seats together can be."""
        return (-inf, inf) if self.total is None else (self.total, self.total)

    def __str__(self) -> str:
        return f"{self.least:g} to {self.most:g}"

    def record(self) -> dict[str, Any]:
        """Return this as a JSON object."""
        return asdict(self)

    def check(self, results: Results, game: str) -> None:
        """Raise ScoreRangeError for the first score of a finished game that is out of the range."""
        out = results.finished & ((results.score < self.least) | (results.score > self.most))
        if not out.any():
            return
        at = int(np.argmax(out))
        raise ScoreRangeError(
            f"seat p{results.seat[at] + 1} got {results.score[at]:g} in deal {results.deal[at]} at "
            f"table {results.table[at]}, but the file beside {game} declares scores from {self}: "
            "correct [[scores]] there, as intervals and tests rest on it"
        )

    def seat_bounds(self, seats: int) -> tuple[float, float]:
        """Return the bounds of a seat's score minus the mean of its table."""
        if self.total is None:
            width = (self.most - self.least) * (1 - 1 / seats)
            return -width, width
        (low,), (high,) = self._sums(np.array([1]), np.array([seats - 1]))
        return float(low) - self.total / seats, float(high) - self.total / seats


def share_estimate(values: Values, least: float, most: float, level: float = LEVEL) -> Estimate:
    """Return the mean of values between two bounds, ignoring NaN.

    A value that the bounds determine has no interval, since it is known without any game.
    """
    sample = Sample.of(values[~np.isnan(values)])
    if not least < most:
        return sample.without_interval()
    least, most = float(least), float(most)
    estimate = bounded_interval(sample, least, most, level)
    return replace(estimate, mean=min(max(estimate.mean, least), most))  # rounding


def guarantee(scores: ScoreRange, plus: str = "±") -> str:
    """Return a sentence on which interval of a score is guaranteed, and which is approximate."""
    source = {
        "proved": "as is proved from the rules",
        "declared": "as the game's file declares",
    }[scores.basis]
    return (
        f"Guaranteed: an interval by betting that holds the true score with a probability of 95 % "
        f"or more, for any distribution, as deals are independent and scores are from {scores}, "
        f"{source}. {plus} for scores is Student's interval, which is approximate."
    )

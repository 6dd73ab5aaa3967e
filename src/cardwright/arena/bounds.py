"""Bounds: from where to where mean scores and shares of wins can be, given who sits where."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
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


def win_bounds(cells: NDArray[np.int64], count: int, ties: Ties) -> tuple[Values, Values]:
    """Return the least and the most that the mean of wins can be in each cell of a deal.

    `cells` has a row per table and a column per seat, with numbers from 0, or -1 for seats that are
    in no cell; a cell without seats is NaN.
    """
    found = np.full((2, count), np.nan)
    for cell in np.unique(cells[cells >= 0]):
        seats = (cells == cell).sum(axis=1)
        among_themselves = seats == cells.shape[1]  # there one of them has to win
        wins = seats if ties == "full" else seats > 0
        found[:, cell] = among_themselves.sum() / seats.sum(), wins.sum() / seats.sum()
    return found[0], found[1]


def difference_bounds(
    tables: NDArray[np.int64], one: int, other: int, ties: Ties
) -> tuple[float, float]:
    """Return the bounds of `DealArrays.difference` of wins between two entrants."""
    ones, others = (tables == one).sum(axis=1), (tables == other).sum(axis=1)
    met = (ones > 0) & (others > 0)
    if ties == "full" or not met.any():
        return -1.0, 1.0
    return -float((1 / others[met]).mean()), float((1 / ones[met]).mean())


RangeBasis: TypeAlias = Literal["proved", "declared"]
"""How a range of scores is known: proved from the rules, or by the word of the game's author."""


class ScoreRangeError(CardwrightError):
    """A score that the game's own file says cannot be."""


@dataclass(frozen=True, slots=True)
class ScoreRange:
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

    def mean_bounds(self, cells: NDArray[np.int64], count: int) -> tuple[Values, Values]:
        """Return the least and the most that the mean score can be in each cell of a deal.

        `cells` is as in `win_bounds`: a row per table and a column per seat, with numbers from 0,
        or -1 for seats that are in no cell; a cell without seats is NaN.
        """
        found = np.full((2, count), np.nan)
        players = cells.shape[1]
        for cell in np.unique(cells[cells >= 0]):
            seats = (cells == cell).sum(axis=1)
            sums = self._sums(seats, players - seats)
            found[:, cell] = [side[seats > 0].sum() / seats.sum() for side in sums]
        return found[0], found[1]

    def difference_bounds(
        self, tables: NDArray[np.int64], one: int, other: int
    ) -> tuple[float, float]:
        """Return the bounds of `DealArrays.difference` of scores between two entrants."""
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

    def seat_bounds(self, seats: int) -> tuple[float, float]:
        """Return the bounds of a seat's score minus the mean of its table."""
        if self.total is None:
            width = (self.most - self.least) * (1 - 1 / seats)
            return -width, width
        (low,), (high,) = self._sums(np.array([1]), np.array([seats - 1]))
        return float(low) - self.total / seats, float(high) - self.total / seats

    def _sums(self, seats: NDArray[np.int64], rest: NDArray[np.int64]) -> tuple[Values, Values]:
        """Return the least and the most that the scores of some seats add up to, by table."""
        least, most = (seats.astype(np.float64) * end for end in (self.least, self.most))
        if self.total is not None:
            least = np.maximum(least, self.total - rest * float(self.most))
            most = np.minimum(most, self.total - rest * float(self.least))
        return least, most


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

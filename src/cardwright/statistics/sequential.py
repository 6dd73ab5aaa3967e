"""A sequential test: play until it is clear enough whether one entrant is better than another.

It is the generalised sequential probability ratio test for the mean of values with an unknown
spread, in its normal approximation (M. Van den Bergh, "A practical introduction to the GSPRT";
Wald 1945 for the bounds). A value is that of a whole deal, with all its tables: what chess testers
do with pairs of games.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cardwright.statistics.sample import Values

Answer: TypeAlias = Literal["H0", "H1", "undecided"]

LEAST_DEALS = 100
"""Deals before the first look, unless more are asked for: the spread has to be known by then."""

EVERY = 10
"""Deals from one look to the next."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a test says after so many deals; `llr` is None while there is no spread to measure.

    `accepted` is a hypothesis or `undecided`; `low` and `high` are the bounds of the logarithm of
    the likelihood ratio.
    """

    accepted: Answer
    llr: float | None
    low: float
    high: float
    deals: int

    def record(self) -> dict[str, Any]:
        """Return this as a JSON object."""
        return {
            "accepted": self.accepted,
            "llr": self.llr,
            "low": self.low,
            "high": self.high,
            "deals": self.deals,
        }


@dataclass(frozen=True, slots=True)
class Sprt:
    """A test of H0, the mean is `h0`, against H1, the mean is `h1`, which is greater.

    `alpha` is the chance to accept H1 where H0 is true, `beta` that to accept H0 where H1 is. The
    test looks after every so many deals, from the `least` on: at fixed numbers, whoever plays them.
    Raises ValueError for numbers that make no test.
    """

    h0: float
    h1: float
    alpha: float = 0.05
    beta: float = 0.05
    least: int = LEAST_DEALS
    every: int = EVERY

    def __post_init__(self) -> None:
        if not self.h0 < self.h1:
            raise ValueError(f"H0 is to be less than H1: {self.h0:g} is not less than {self.h1:g}")
        for name, chance in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < chance < 0.5:
                raise ValueError(f"{name} is a chance between 0 and 0.5, not {chance:g}")
        if self.least < 2 or self.every < 1:
            raise ValueError("a test looks after 2 deals or more, and then after every 1 or more")

    def __str__(self) -> str:
        chances = f"alpha {self.alpha:g}, beta {self.beta:g}"
        return f"SPRT of {self.h0:g} against {self.h1:g} ({chances}, from {self.least} deals on)"

    @property
    def low(self) -> float:
        """Where H0 is accepted: log(beta / (1 - alpha))."""
        return log(self.beta / (1 - self.alpha))

    @property
    def high(self) -> float:
        """Where H1 is accepted: log((1 - beta) / alpha)."""
        return log((1 - self.beta) / self.alpha)

    def judge(self, values: Values, numbers: NDArray[np.int64], played: int) -> Verdict:
        """Return the verdict of the first look that accepts a hypothesis, or else the last look's.

        `values` are those of the deals `numbers`, in this order, out of deals 0 to `played` - 1;
        of the others there is none, because a game failed. The last look is when all are played.
        """
        looks = np.array([*range(self._first(), played, self.every), played])
        counts = np.searchsorted(numbers, looks)
        llrs = self.llrs(values, counts)
        enough = counts >= self.least
        for look, llr in zip(looks[enough], llrs[enough], strict=True):
            if llr >= self.high or llr <= self.low:  # neither is true of NaN
                answer: Answer = "H1" if llr >= self.high else "H0"
                return Verdict(answer, float(llr), self.low, self.high, int(look))
        last = None if np.isnan(llrs[-1]) else float(llrs[-1])
        return Verdict("undecided", last, self.low, self.high, played)

    def llrs(self, values: Values, counts: NDArray[np.int64]) -> Values:
        """Return the logarithms of the likelihood ratio of H1 to H0 for the first n values each.

        It is n (h1 - h0) (2 m - h0 - h1) / (2 s²), with mean m and sample variance s² of the n
        values; NaN where these show no spread.
        """
        shifted = values - (self.h0 + self.h1) / 2
        sums = np.concatenate([[0.0], np.cumsum(shifted)])[counts]
        squares = np.concatenate([[0.0], np.cumsum(shifted**2)])[counts]
        number = np.maximum(counts, 1)
        spread = (squares - sums**2 / number) / np.maximum(counts - 1, 1)
        known = (counts > 1) & (spread > 1e-12 * squares / number)
        return np.where(known, (self.h1 - self.h0) * sums / np.where(known, spread, 1.0), np.nan)

    def _first(self) -> int:
        """Return the number of deals at the first look: a multiple of `every`."""
        return -(-self.least // self.every) * self.every

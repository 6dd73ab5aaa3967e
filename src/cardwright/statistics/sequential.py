"""A sequential test: play until it is clear enough whether one player is better than another.

It is a test by betting (Shafer 2021, "Testing by betting"; Waudby-Smith and Ramdas 2024,
"Estimating means of bounded random variables by betting"). A gambler bets against "the mean is h0
or less", deal by deal, at odds that are fair if the mean is h0; another one against "the mean is h1
or more". If what the first bets against is true, the gambler's capital exceeds 1/alpha with a
chance of alpha or less, however long the play and however often one looks (Ville 1939). That holds
for values of any distribution between known bounds, for any number of deals: rare large values,
such as the moons of Hearts, do not spoil it, while they spoil tests that estimate the spread, or
the bounds, from the data. Without bounds there is no such test: a value that is rare and large
enough moves the mean anywhere and is not seen (Bahadur and Savage 1956).

The stakes are those of the sequential probability ratio test of h0 against h1 for normal values
with the spread seen so far. So where values are about normal, and their bounds not too wide, it
takes about as many deals as that test, which takes the fewest of all (Wald 1945).
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from math import log
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cardwright.statistics.intervals import Values

Answer: TypeAlias = Literal["H0", "H1", "undecided"]

LEAST_DEALS = 100
"""Deals before the first look, unless more are asked for."""

EVERY = 10
"""Deals between one look and the next."""

_STAKE = 0.75
"""The most that a gambler may lose in a deal, as a fraction of the capital."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a test says after some number of deals.

    `accepted` is a hypothesis or `undecided`. `against_h0` and `against_h1` are logarithms of the
    capital of those who bet against either; H1 is accepted when the first has reached `need_h0`, H0
    when the second has reached `need_h1`. `bound` is the most that a value can be from 0.
    """

    accepted: Answer
    against_h0: float
    against_h1: float
    need_h0: float
    need_h1: float
    deals: int
    bound: float

    def record(self) -> dict[str, Any]:
        """Return this as a JSON object."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class SequentialTest:
    """A test of H0, the mean is `h0` or less, against H1, the mean is `h1` or more, with h0 < h1.

    `alpha` is the chance to accept H1 where H0 is true, `beta` that to accept H0 where H1 is. The
    test looks after multiples of `every` deals, from `least` on, whichever executor plays them.
    `bound` is how far from 0 a value can be; a contest finds it, where it is known, for a test
    without it. Raises ValueError for numbers that make no test.
    """

    h0: float
    h1: float
    alpha: float = 0.05
    beta: float = 0.05
    least: int = LEAST_DEALS
    every: int = EVERY
    bound: float | None = None

    def __post_init__(self) -> None:
        if not self.h0 < self.h1:
            raise ValueError(f"H0 must be less than H1: {self.h0:g} is not less than {self.h1:g}")
        for name, chance in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < chance < 0.5:
                raise ValueError(f"{name} must be a probability between 0 and 0.5, not {chance:g}")
        if self.least < 2 or self.every < 1:
            raise ValueError("a test looks after 2 deals or more, and then after every 1 or more")
        most = max(abs(self.h0), abs(self.h1))
        if self.bound is not None and not most <= self.bound < float("inf"):
            raise ValueError(
                f"the bound is how far from 0 the value of a deal can be: it is {most:g} or more "
                f"to tell {self.h0:g} from {self.h1:g}, not {self.bound:g}"
            )

    def __str__(self) -> str:
        chances = f"alpha {self.alpha:g}, beta {self.beta:g}"
        bound = "" if self.bound is None else f", values within {self.bound:g}"
        return (
            f"sequential test of {self.h0:g} against {self.h1:g} "
            f"({chances}, from {self.least} deals on{bound})"
        )

    @property
    def need_h0(self) -> float:
        """The logarithm of the capital against H0 with which H1 is accepted: log(1 / alpha)."""
        return -log(self.alpha)

    @property
    def need_h1(self) -> float:
        """The logarithm of the capital against H1 with which H0 is accepted: log(1 / beta)."""
        return -log(self.beta)

    def looks(self, played: int) -> NDArray[np.int64]:
        """Return the numbers of deals after which the test looks; the last is all deals."""
        first = -(-self.least // self.every) * self.every  # a multiple of `every`
        return np.array([*range(first, played, self.every), played], dtype=np.int64)

    def judge(
        self,
        values: Values,
        looks: NDArray[np.int64],
        counts: NDArray[np.int64] | None = None,
    ) -> Verdict:
        """Return the verdict of the first look that accepts a hypothesis, or else the last look's.

        `looks` are numbers of deals, and `counts` how many of the values belong to those deals, if
        some deals have none. Raises ValueError for a value beyond the bound, up to where the test
        ends, and for a test without one.
        """
        if self.bound is None:
            raise ValueError("a test needs a bound: how far from 0 the value of a deal can be")
        counts = looks if counts is None else counts
        enough = counts >= self.least
        looks, counts = looks[enough], counts[enough]
        if not len(looks):
            self._check(values)
            return self._verdict("undecided", 0.0, 0.0, len(values))
        with np.errstate(invalid="ignore", divide="ignore"):  # beyond the bound, see below
            against_h0, against_h1 = self.capital(values)
        over = np.stack([against_h0 - self.need_h0, against_h1 - self.need_h1])[:, counts]
        decided = np.flatnonzero((over >= 0).any(axis=0))
        at = int(decided[0]) if len(decided) else len(looks) - 1
        count = int(counts[at])
        self._check(values[:count])
        answer: Answer = "undecided"
        if len(decided):
            answer = "H1" if over[0, at] >= over[1, at] else "H0"
        found = float(against_h0[count]), float(against_h1[count])
        return self._verdict(answer, *found, int(looks[at]))

    def capital(self, values: Values) -> tuple[Values, Values]:
        """Return the logarithms of both capitals after 0, 1, 2, ... values.

        Before each value the one against H0 stakes the fraction min(d / s², 3/4 / (b + h0)) of its
        capital for each unit by which the value exceeds h0, with d = h1 - h0, b the bound, and s²
        the mean squared distance of the earlier values from the midpoint of the hypotheses, where
        (b/2)² counts as one more value. The one against H1 does the same from the other side.
        """
        bound = self.bound
        assert bound is not None
        step, middle = self.h1 - self.h0, (self.h0 + self.h1) / 2
        squares = np.concatenate([[0.0], np.cumsum((values - middle) ** 2)])[:-1]
        spread = ((bound / 2) ** 2 + squares) / np.arange(1, len(values) + 1)
        stake = step / np.maximum(spread, 1e-300)

        def grown(hypothesis: float, sign: float) -> Values:
            room = max(bound + sign * hypothesis, step)
            part = np.minimum(stake, _STAKE / room)
            gain = np.log1p(part * sign * (values - hypothesis))
            return np.concatenate([[0.0], np.cumsum(gain)])

        return grown(self.h0, 1.0), grown(self.h1, -1.0)

    def _check(self, values: Values) -> None:
        """Raise ValueError if a value is beyond the bound, by more than rounding."""
        assert self.bound is not None
        most = float(np.abs(values).max(initial=0.0))
        if most > self.bound * (1 + 1e-9):
            raise ValueError(
                f"a deal is worth {most:g} to the test, which is beyond its bound of "
                f"{self.bound:g}: what it has found so far shows nothing"
            )

    def _verdict(self, answer: Answer, against_h0: float, against_h1: float, deals: int) -> Verdict:
        assert self.bound is not None
        needs = self.need_h0, self.need_h1
        return Verdict(answer, against_h0, against_h1, *needs, deals, self.bound)

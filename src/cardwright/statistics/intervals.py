"""Confidence intervals for means of independent values, and for differences of two numbers.

There is one value per deal, or per separately dealt game. Games of one deal are correlated, for the
cards are the same; deals are independent. So where deals are played more than once, every interval
is made of one value per deal, never one per game. docs/statistics.md says how often the intervals
cover the truth, and in which cases that is less often than they claim.

Student's distribution is written here, to far more digits than are printed: every command that
prints an interval needs it, and most of them need nothing else from a numerics library.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import cos, erfc, exp, lgamma, log, log1p, pi, sin, sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    Values: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over `count` deals and its interval; None where the values do not determine it.

    As text it is both, `8.13 (7.90 to 8.35)`; a format is that of each number: `f"{one:.1f}"`.
    """

    mean: float
    low: float | None
    high: float | None
    count: int

    @property
    def margin(self) -> float | None:
        """Half the interval's width."""
        if self.low is None or self.high is None:
            return None
        return (self.high - self.low) / 2

    def __format__(self, spec: str) -> str:
        mean, low, high = (
            "unknown" if one is None else format(one, spec or ".2f")
            for one in (self.mean if self.count else None, self.low, self.high)
        )
        return mean if self.low is None and self.high is None else f"{mean} ({low} to {high})"

    def __str__(self) -> str:
        return format(self, "")

    def negated(self) -> Estimate:
        """Return the estimate of the number with the opposite sign."""
        low = None if self.high is None else -self.high
        high = None if self.low is None else -self.low
        return Estimate(-self.mean, low, high, self.count)

    def record(self) -> dict[str, Any]:
        """Return this as a JSON object; a mean of no deals is null."""
        mean = self.mean if self.count else None
        return {"mean": mean, "low": self.low, "high": self.high, "deals": self.count}


@dataclass(frozen=True, slots=True)
class Sample:
    """The count, the mean and the sample variance of independent values.

    The mean of no values is NaN, and the variance of fewer than two is too. A variance of 0 says
    that all values are equal. They lie between the `bounds`, if these are known.
    """

    count: int
    mean: float
    variance: float
    bounds: tuple[float, float] | None = None

    @classmethod
    def of(cls, values: Values) -> Sample:
        """Return the sample of some values; values that differ only by rounding count as equal."""
        count = len(values)
        mean = float(values.mean()) if count else float("nan")
        if count < 2:
            return cls(count, mean, float("nan"))
        return cls(count, mean, 0.0 if no_spread(values) else float(values.var(ddof=1)))

    @classmethod
    def of_sums(
        cls,
        count: int,
        total: int,
        squares: int,
        divisor: int = 1,
        bounds: tuple[float, float] | None = None,
    ) -> Sample:
        """Return the sample of integers, each divided, from their sum and that of their squares.

        It is exact: what does not vary has a variance of 0.
        """
        mean = total / (count * divisor) if count else float("nan")
        if count < 2:
            return cls(count, mean, float("nan"), bounds)
        variance = (count * squares - total**2) / (count * (count - 1) * divisor**2)
        return cls(count, mean, variance, bounds)

    def estimate(self, level: float) -> Estimate:
        """Return the mean with the interval of values with these bounds, or without any."""
        if self.bounds is None:
            return mean_interval(self, level)
        return bounded_interval(self, *self.bounds, level)

    def without_interval(self) -> Estimate:
        """Return the mean alone."""
        return Estimate(self.mean, None, None, self.count)


def no_spread(values: Values) -> bool:
    """Say whether all values are equal, apart from rounding errors."""
    least, most = float(values.min()), float(values.max())
    return most - least <= 1e-9 * max(1.0, -least, most)


_MANY = 2_000
"""Degrees of freedom from which approximations by the normal distribution are accurate enough."""

_TINY, _CLOSE = 1e-300, 1e-15


def two_sided(t: float, freedom: int) -> float:
    """Return the two-sided tail probability: that Student's t is at least this far from 0."""
    square = t * t
    if freedom >= _MANY:
        return erfc(_normal(square, freedom) / sqrt(2))
    inside = freedom / (freedom + square)
    return _beta(inside, square / (freedom + square), freedom / 2, 0.5)


@lru_cache(maxsize=256)
def quantile(freedom: int, share: float) -> float:
    """Return the t below which this share of the distribution lies, from one half up.

    It is the expansion about the normal quantile (Abramowitz and Stegun 1964, 26.7.5). For few
    degrees of freedom it is Newton's method from the normal quantile: that is too small, and tails
    are convex, so no step goes too far.
    """
    z = NormalDist().inv_cdf(share)
    if freedom >= _MANY:
        return _expanded(z, freedom)
    t, wanted = z, 2 * (1 - share)
    density = exp(lgamma((freedom + 1) / 2) - lgamma(freedom / 2)) / sqrt(freedom * pi)
    while True:
        here = density * exp(-(freedom + 1) / 2 * log1p(t * t / freedom))
        step = (two_sided(t, freedom) - wanted) / (2 * here)
        t += step
        if step <= 1e-13 * t:
            return t


def _expanded(z: float, freedom: int) -> float:
    terms: tuple[float, ...] = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + sum(term / float(freedom) ** power for power, term in enumerate(terms, 1))


def _normal(square: float, freedom: int) -> float:
    """Return the normal deviate with the same tail probability (Hill 1970, "Algorithm 395")."""
    a = freedom - 0.5
    b = 48 * a * a
    y = a * log1p(square / freedom)
    inner = (((-0.4 * y - 3.3) * y - 24) * y - 85.5) / (0.8 * y * y + 100 + b)
    return ((inner + y + 3) / b + 1) * sqrt(y)


def _beta(x: float, rest: float, a: float, b: float) -> float:
    """Return the regularized incomplete beta function at `x`, which is 1 - `rest`."""
    if x == 0 or rest == 0:
        return 0.0 if x == 0 else 1.0
    front = exp(a * log(x) + b * log(rest) + lgamma(a + b) - lgamma(a) - lgamma(b))
    if x < (a + 1) / (a + b + 2):
        return front * _fraction(x, a, b) / a
    return 1 - front * _fraction(rest, b, a) / b


def _fraction(x: float, a: float, b: float) -> float:
    """Return the continued fraction of the function (DLMF 8.17.22), by Lentz's method."""
    value, upper, lower, step, n = 1.0, 1.0, 0.0, 0.0, 0
    while abs(step - 1) > _CLOSE:
        n += 1
        m = n // 2
        if n % 2:
            term = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        else:
            term = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        lower = 1 / ((1 + term * lower) or _TINY)
        upper = (1 + term / upper) or _TINY
        step = upper * lower
        value *= step
    return 1 / value


LEVEL = 0.95
"""The share of intervals that cover the truth, unless another level is asked for."""


def mean_interval(values: Values | Sample, level: float = LEVEL) -> Estimate:
    """Return the mean of independent values with Student's t interval.

    Fewer than two values have no interval, and equal ones have none either: they show no spread,
    and without bounds on what a value can be nothing follows from that (Bahadur and Savage 1956).
    Where there are bounds, take `bounded_interval`.
    """
    sample = _sample(values)
    if sample.count < 2 or sample.variance == 0:
        return sample.without_interval()
    margin = t_quantile(sample.count - 1, level) * sqrt(sample.variance / sample.count)
    return Estimate(sample.mean, sample.mean - margin, sample.mean + margin, sample.count)


def share_interval(values: Values | Sample, level: float = LEVEL) -> Estimate:
    """Return the mean of independent values from 0 to 1 with an interval that stays there.

    See `bounded_interval`.
    """
    return bounded_interval(values, 0.0, 1.0, level)


def bounded_interval(
    values: Values | Sample, least: float, most: float, level: float = LEVEL
) -> Estimate:
    """Return the mean of independent values between two bounds with an interval that stays there.

    Put on the scale from 0 to 1, it is the interval of Agresti and Coull (1998), which contains
    Wilson's and does not fall short near 0 and 1 as that does (Brown, Cai and DasGupta 2001). It
    uses the number of trials that would have the same standard error, as surveys with clusters do
    (Korn and Graubard 1998; Franco et al. 2019, "Comparative study of confidence intervals for
    proportions in complex sample surveys"), with Student's quantile for the normal one. If all
    values are equal they show no spread; then it is Clopper and Pearson's bound on how often
    another value, even one at a bound, may occur. No interval has zero width, unless the bounds are
    equal. Raises ValueError if the mean is not between them.
    """
    sample = _sample(values)
    if sample.count < 2:
        return sample.without_interval()
    width = most - least
    if not -1e-9 * width <= sample.mean - least <= width * (1 + 1e-9):
        raise ValueError(f"the mean {sample.mean:g} is not from {least:g} to {most:g}")
    if not width:
        return Estimate(sample.mean, least, most, sample.count)
    share = min(max((sample.mean - least) / width, 0.0), 1.0)
    low, high = _share_ends(share, sample.variance / width**2, sample.count, level)
    return Estimate(
        sample.mean,
        least if low <= 0 else least + width * low,
        most if high >= 1 else least + width * high,
        sample.count,
    )


def _share_ends(share: float, variance: float, count: int, level: float) -> tuple[float, float]:
    if variance == 0 or not 0 < share < 1:
        other = 1 - ((1 - level) / 2) ** (1 / count)
        return share * (1 - other), share + other * (1 - share)
    trials = count * share * (1 - share) / variance
    square = t_quantile(count - 1, level) ** 2
    centre = (share * trials + square / 2) / (trials + square)
    margin = sqrt(square * centre * (1 - centre) / (trials + square))
    return max(0.0, centre - margin), min(1.0, centre + margin)


def t_quantile(freedom: int, level: float) -> float:
    """Return how many standard errors lie on either side of a mean (Student's distribution)."""
    return quantile(freedom, (1 + level) / 2)


def _sample(values: Values | Sample) -> Sample:
    return values if isinstance(values, Sample) else Sample.of(values)


_STAKE = 0.75
"""The most that a gambler may lose with a value, as a fraction of the capital."""

_BISECTIONS = 40
"""Bisections with which an end is sought, down to a 10^12th of the range."""


def betting_interval(values: Values, least: float, most: float, level: float = LEVEL) -> Estimate:
    """Return the mean of values from `least` to `most` with an interval that is guaranteed.

    A gambler bets against each candidate for the mean, value by value, at odds that are fair if the
    candidate is true. Then the capital is 1/alpha or more with a chance of alpha at most (Markov's
    inequality), so the candidates that leave less capital cover the truth with a chance of 1 -
    alpha or more: for any number of values of any distribution between the bounds, as long as the
    mean of each, given those before it, is the same. Student's interval promises that for normal
    values alone, and is narrower.

    It is the hedged capital interval of Waudby-Smith and Ramdas (2024, "Estimating means of bounded
    random variables by betting", JRSS-B 86, theorem 3 and equation 26) for a fixed number of
    values: half of the capital bets that the mean is higher than the candidate, half that it is
    lower. It depends on the order of the values, as the stakes are chosen by those before, and it
    is widened to contain the values' own mean where it would not. No values have no interval.
    Raises ValueError for a value that is out of the bounds, which would void the guarantee.
    """
    count, width = len(values), most - least
    if not count:
        return Estimate(float("nan"), None, None, 0)
    if (values < least - 1e-9 * width).any() or (values > most + 1e-9 * width).any():
        raise ValueError(
            f"values from {values.min():g} to {values.max():g} are not all from {least:g} to "
            f"{most:g}"
        )
    mean = min(max(float(values.mean()), least), most)
    if not width:
        return Estimate(mean, least, most, count)
    shares = ((values - least) / width).clip(0.0, 1.0)
    need = log(2 / (1 - level))
    low = _low_end(shares, need)
    high = 1 - _low_end(1 - shares, need)
    return Estimate(mean, min(least + width * low, mean), max(least + width * high, mean), count)


def _low_end(shares: Values, need: float) -> float:
    """Return a candidate such that the bet on more is won against all candidates below it.

    The stakes are those that would be best for the spread of the values before, if that is normal;
    capital never grows with the candidate, so there is one such end.
    """
    import numpy as np

    counts = np.arange(1, len(shares) + 1)
    means = (0.5 + np.cumsum(shares)) / (counts + 1)
    spread = (0.25 + np.cumsum((shares - means) ** 2)) / (counts + 1)
    before = np.concatenate([[0.25], spread[:-1]])
    stakes = np.sqrt(2 * need / (len(shares) * before))
    low, high = 0.0, 1.0
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        capital = np.log1p(np.minimum(stakes, _STAKE / middle) * (shares - middle)).sum()
        low, high = (middle, high) if capital >= need else (low, middle)
    return low


Reach: TypeAlias = "Callable[[float], tuple[float, float]]"
"""The bounds of a number, from a fraction (0 to 1) of the way to the ends of its interval."""

_ANGLES = 90


def difference_ends(first: Reach, second: Reach) -> tuple[float, float]:
    """Return the ends of the interval of the second number minus the first.

    They are the extremes over all pairs of parts whose squares add up to 1. Where reaches grow as
    the parts do, these are the ends' distances squared and added (Newcombe 1998; Zou and Donner
    2008, "Construction of confidence limits about effect measures"); but a number may also be a
    function with a turn within its interval. Numbers that rise and fall together differ by less.
    """
    angles = [pi / 2 * step / _ANGLES for step in range(_ANGLES + 1)]
    pairs = [(first(cos(angle)), second(sin(angle))) for angle in angles]
    return min(two[0] - one[1] for one, two in pairs), max(two[1] - one[0] for one, two in pairs)

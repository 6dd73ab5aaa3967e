"""Student's t distribution, to far more digits than are printed.

Every command that prints an interval needs it, and most of them need nothing else from a numerics
library; so it is written here.
"""

from __future__ import annotations

from functools import lru_cache
from math import erfc, exp, lgamma, log, log1p, pi, sqrt
from statistics import NormalDist

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

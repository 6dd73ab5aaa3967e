"""Curves through points, against values that R publishes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from cardwright.analysis.errors import AnalysisError
from cardwright.analysis.figures.curves import loess


def numbers(text):
    return np.array([float(word) for word in text.split()])


# Ezekiel's stopping distances (1930), which R calls `cars`.
SPEED = numbers(
    "4 4 7 7 8 9 10 10 10 11 11 12 12 12 12 13 13 13 13 14 14 14 14 15 15 15 16 16 17 17 17 18 18 "
    "18 18 19 19 19 20 20 20 20 20 22 23 24 24 24 24 25"
)
DISTANCE = numbers(
    "2 10 4 22 16 10 18 26 34 17 28 14 20 24 28 26 34 34 46 26 36 60 80 20 26 54 32 40 32 40 50 42 "
    "56 76 84 36 46 68 32 48 52 56 64 66 54 70 92 93 120 85"
)


def test_values_of_r():
    """R's manual prints `predict(loess(dist ~ speed, cars), se = TRUE)`.

    R fits exactly at vertices of a tree, where its values are ours, and interpolates elsewhere; it
    approximates the residuals' standard error, of which it prints 15.29496.
    """
    at = np.array([8.0, 12, 13, 14, 15, 17, 19, 22])
    curve = loess(SPEED, DISTANCE, at)
    printed = [
        15.281082,
        29.350386,
        33.230660,
        37.167935,
        41.205226,
        48.355889,
        51.986702,
        68.569313,
    ]
    assert curve.y == pytest.approx(printed, abs=1e-5)
    assert curve.scale == pytest.approx(15.29496, rel=1e-3)
    assert curve.error[0] == pytest.approx(4.545204, rel=1e-3)


def test_equal_points_stand_for_each_other():
    """Points at one place are put together; the curve does not depend on their order."""
    x, y = np.repeat(SPEED, 3), np.repeat(DISTANCE, 3)
    shuffled = np.random.default_rng(0).permutation(len(x))
    at = np.linspace(4, 25, 9)
    assert loess(x, y, at).y == pytest.approx(loess(SPEED, DISTANCE, at).y)
    assert loess(x[shuffled], y[shuffled], at).y == pytest.approx(loess(x, y, at).y)


@given(st.tuples(*[st.integers(-5, 5)] * 3), st.integers(0, 2))
def test_polynomials_are_kept(parts, degree):
    """A polynomial of the local degree is its own curve, and there is no doubt about it."""
    x = np.linspace(0, 10, 40)
    parts = [part if power <= degree else 0 for power, part in enumerate(parts)]
    at = np.linspace(0.3, 9.7, 11)
    curve = loess(x, np.polyval(parts[::-1], x), at, degree=degree)
    assert curve.y == pytest.approx(np.polyval(parts[::-1], at), abs=1e-6)
    assert curve.error == pytest.approx(0, abs=1e-6)


def test_the_band_covers_the_truth():
    """Of many noisy samples, the 95 % band holds the true line at a point in about 95 %."""
    rng = np.random.default_rng(6)
    x, at = np.repeat(np.arange(20.0), 10), np.array([9.5])
    covered = 0
    for _ in range(300):
        low, high = loess(x, x + rng.normal(0, 3, len(x)), at).band()
        covered += low[0] <= 9.5 <= high[0]
    assert 270 <= covered <= 299


def test_little_data():
    """One point, one place and two places have a curve; none has not."""
    assert loess(np.array([3.0]), np.array([5.0]), np.array([1.0, 3])).y == pytest.approx([5, 5])
    x = np.array([3.0, 3, 3, 4, 4])
    y = np.array([1.0, 2, 3, 9, 11])
    assert loess(x, y, np.array([3.0, 4]), span=1).y == pytest.approx([2, 10])
    # Nine of ten points lie at 3: a fit at 3.5 must look beyond them.
    x, y = np.array([3.0] * 9 + [4]), np.array([2.0] * 9 + [10])
    assert loess(x, y, np.array([3.0, 3.5, 4])).y == pytest.approx([2, 6, 10])
    with pytest.raises(AnalysisError, match="no points"):
        loess(np.empty(0), np.empty(0), np.array([1.0]))


def test_many_places_are_put_together():
    """Of thousands of different x only some hundred neighbourhoods are kept apart."""
    x = np.linspace(0, 1, 30_000)
    curve = loess(x, np.sin(6 * x), np.linspace(0.05, 0.95, 7), span=0.2)
    assert curve.y == pytest.approx(np.sin(6 * curve.x), abs=5e-3)

"""Intervals of differences, from those of two numbers."""

from __future__ import annotations

from math import hypot

import pytest

from cardwright.statistics.intervals import difference_ends


def test_distances_of_ends_are_squared_and_added() -> None:
    """Where reaches are straight: 0.5 (0.4 to 0.55) less 0.2 (0.15 to 0.4)."""

    def first(part: float) -> tuple[float, float]:
        return 0.2 - 0.05 * part, 0.2 + 0.2 * part

    def second(part: float) -> tuple[float, float]:
        return 0.5 - 0.1 * part, 0.5 + 0.05 * part

    low, high = difference_ends(first, second)
    assert low == pytest.approx(0.3 - hypot(0.1, 0.2), abs=1e-4)
    assert high == pytest.approx(0.3 + hypot(0.05, 0.05), abs=1e-4)


def test_a_turn_near_by_costs_the_other_number_nothing() -> None:
    """A number that soon is at its most leaves nearly the whole reach to the other."""

    def peaked(part: float) -> tuple[float, float]:
        return 0.9 - 0.3 * part, min(1.0, 0.9 + 2 * part)

    def sure(part: float) -> tuple[float, float]:
        return 0.8 - 0.2 * part, 0.8 + 0.2 * part

    low, _ = difference_ends(peaked, sure)
    assert low == pytest.approx(0.8 - 0.2 - 1.0, abs=0.001)
    assert low < -0.1 - hypot(0.2, 0.1)

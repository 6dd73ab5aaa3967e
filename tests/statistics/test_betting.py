"""Intervals by betting cover the mean as often as they promise, whatever the values are."""

from __future__ import annotations

from math import log

import numpy as np
import pytest
from hypothesis import given, strategies as st
from interval_coverage import coverage
from populations import BOUNDED

from cardwright.statistics.intervals import betting_interval, mean_interval
from deep import mostly_deep, usually

RUNS = usually(100, 300)
SHARES = st.lists(st.floats(0, 1, width=32), min_size=1, max_size=40)


@pytest.mark.sweep
@pytest.mark.slow
@pytest.mark.parametrize("count", mostly_deep([5, 30, 100], lambda count: count != 30))
@pytest.mark.parametrize(("population", "least", "most"), BOUNDED)
def test_they_cover_what_they_promise(population, least, most, count) -> None:
    """Of 80 %, which is missed sooner; Student's of 95 % covers 10 % of the last population."""

    def interval(values):
        return betting_interval(values, least, most, 0.8)

    found = coverage(interval, population, count, RUNS)
    assert found.printed == 1
    assert found.covered >= 0.8 - 3 * (0.8 * 0.2 / RUNS) ** 0.5


def test_they_are_not_much_wider_than_students_where_that_is_right() -> None:
    values = np.random.default_rng(1).random(1_000)
    wide, student = betting_interval(values, 0, 1), mean_interval(values)
    assert 1 < wide.margin / student.margin < 1.6


@given(SHARES, st.floats(-50, 50), st.floats(0.1, 100))
def test_they_contain_the_mean_stay_in_the_range_and_move_with_it(shares, least, width) -> None:
    values = np.array(shares)
    found = betting_interval(values, 0.0, 1.0)
    assert 0 <= found.low <= found.mean <= found.high <= 1
    assert found.mean == pytest.approx(values.mean())
    assert found.count == len(shares)
    moved = betting_interval(least + width * values, least, least + width)
    ends = [least + width * end for end in (found.low, found.mean, found.high)]
    assert [moved.low, moved.mean, moved.high] == pytest.approx(ends, abs=1e-6 * width)
    turned = betting_interval(1 - values, 0.0, 1.0)
    assert [1 - turned.high, 1 - turned.low] == pytest.approx([found.low, found.high], abs=1e-9)
    wider = betting_interval(values, 0.0, 1.0, 0.99)
    assert wider.low <= found.low
    assert found.high <= wider.high


@given(st.lists(st.floats(0, 1, width=32), min_size=2, max_size=12))
def test_an_end_is_where_a_bet_on_more_is_just_won(shares) -> None:
    """Reckoned value by value, at a candidate on either side of the end."""
    found = betting_interval(np.array(shares), 0.0, 1.0, 0.5)

    def capital(candidate: float) -> float:
        log_capital, total, spread = 0.0, 0.5, 0.25
        for at, value in enumerate(shares, 1):
            stake = (2 * log(4) / (len(shares) * spread / at)) ** 0.5
            log_capital += np.log1p(min(stake, 0.75 / candidate) * (value - candidate))
            total += value
            spread += (value - total / (at + 1)) ** 2
        return log_capital

    if 1e-6 < found.low < found.mean - 1e-6:
        assert capital(found.low * (1 - 1e-6)) >= log(4) - 1e-6
        assert capital(found.low + 1e-6) < log(4) + 1e-6


def test_few_values_say_little_and_none_nothing() -> None:
    none = betting_interval(np.empty(0), 0.0, 1.0)
    assert (none.low, none.high, none.count) == (None, None, 0)
    one = betting_interval(np.array([0.5]), 0.0, 1.0)
    assert (one.low, one.high) == pytest.approx((0, 1))
    sure = betting_interval(np.array([3.0, 3.0]), 3.0, 3.0)
    assert (sure.low, sure.mean, sure.high) == (3, 3, 3)
    same = betting_interval(np.zeros(50), 0.0, 1.0)
    assert same.low == 0
    assert 0.04 < same.high < 0.2


@pytest.mark.parametrize("value", [-0.1, 1.1])
def test_a_value_out_of_the_bounds_is_refused(value: float) -> None:
    with pytest.raises(ValueError, match="are not all from 0 to 1"):
        betting_interval(np.array([0.5, value]), 0.0, 1.0)

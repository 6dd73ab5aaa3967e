from __future__ import annotations

import math
from importlib import import_module

import numpy as np
import pytest
from hypothesis import given, strategies as st

from cardwright.statistics.intervals import (
    Estimate,
    bounded_interval,
    mean_interval,
    share_interval,
)
from cardwright.statistics.resampling import resamples


def covered(estimate: Estimate, truth: float) -> bool:
    assert estimate.low is not None
    assert estimate.high is not None
    return estimate.low <= truth <= estimate.high


def test_the_interval_of_a_mean_is_scipys() -> None:
    stats = import_module("scipy.stats")
    values = np.random.default_rng(1).normal(3, 2, 40)
    estimate = mean_interval(values, 0.9)
    low, high = stats.ttest_1samp(values, 0).confidence_interval(0.9)
    assert (estimate.low, estimate.high) == pytest.approx((low, high))
    assert estimate.mean == pytest.approx(values.mean())
    assert estimate.margin == pytest.approx((high - low) / 2)


@pytest.mark.parametrize("interval", [mean_interval, share_interval])
def test_one_deal_has_no_interval(interval) -> None:
    estimate = interval(np.array([0.25]))
    assert (estimate.mean, estimate.low, estimate.high, estimate.margin) == (0.25, None, None, None)
    assert interval(np.array([])).record() == {"mean": None, "low": None, "high": None, "deals": 0}


def test_a_share_of_many_noughts_and_ones_has_wilsons_interval() -> None:
    stats = import_module("scipy.stats")
    values = np.repeat([0.0, 1.0], [7000, 3000])
    wilson = stats.binomtest(3000, 10000).proportion_ci(method="wilson")
    estimate = share_interval(values)
    assert (estimate.low, estimate.high) == pytest.approx((wilson.low, wilson.high), abs=1e-4)


@pytest.mark.parametrize("won", [0, 1])
def test_a_share_without_exception_has_clopper_and_pearsons_interval(won: int) -> None:
    stats = import_module("scipy.stats")
    exact = stats.binomtest(20 * won, 20).proportion_ci(method="exact")
    estimate = share_interval(np.full(20, float(won)))
    assert (estimate.low, estimate.high) == pytest.approx((exact.low, exact.high))


@given(st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), min_size=2, max_size=30))
def test_an_interval_of_shares_stays_in_bounds_and_has_width(values: list[float]) -> None:
    estimate = share_interval(np.array(values))
    assert estimate.low is not None
    assert estimate.high is not None
    assert 0 <= estimate.low < estimate.high <= 1
    assert estimate.low - 1e-12 <= estimate.mean <= estimate.high + 1e-12


def test_intervals_of_shares_cover_the_truth_where_games_of_a_deal_hang_together() -> None:
    generator = np.random.default_rng(3)
    hits = 0
    for _ in range(1500):
        chance = generator.beta(0.4, 3.6, size=60)  # of a win in the deal; 0.1 on average
        hits += covered(share_interval(generator.binomial(4, chance) / 4), 0.1)
    assert 0.93 < hits / 1500 < 0.975


def test_intervals_of_bounded_means_are_those_of_shares_on_another_scale() -> None:
    values = np.array([0.5, -0.5, 0.25, 1.0])
    estimate, share = bounded_interval(values, -1, 1), share_interval((values + 1) / 2)
    assert share.low is not None
    assert share.high is not None
    assert estimate.low == pytest.approx(2 * share.low - 1)
    assert estimate.high == pytest.approx(2 * share.high - 1)


def test_bounded_means_without_spread_have_an_interval() -> None:
    estimate = bounded_interval(np.full(50, 1.0), -1, 1)
    assert estimate.mean == 1.0
    assert estimate.low == pytest.approx(2 * 0.025 ** (1 / 50) - 1)
    assert estimate.high == 1.0


def test_means_without_bounds_or_spread_have_no_interval() -> None:
    """That ten scores are 1 says nothing of how far off an eleventh may be."""
    assert mean_interval(np.full(10, 1.0)).record() == {
        "mean": 1.0,
        "low": None,
        "high": None,
        "deals": 10,
    }


def test_a_mean_outside_of_its_bounds_is_refused() -> None:
    with pytest.raises(ValueError, match="the mean 2 is not from 0 to 1"):
        share_interval(np.array([1.0, 3.0]))


def test_an_estimate_is_written_with_its_interval() -> None:
    """Each number in the format that is asked for; what is not known is said."""
    estimate = Estimate(8.125, 7.9, -0.5, 4)
    assert str(estimate) == f"{estimate}" == "8.12 (7.90 to -0.50)"
    assert f"{estimate:.1f}" == "8.1 (7.9 to -0.5)"
    assert f"{Estimate(0.25, 0, 1, 9):.0%}" == "25% (0% to 100%)"
    assert str(Estimate(2.0, None, None, 1)) == "2.00"
    assert str(Estimate(2.0, 1.0, None, 5)) == "2.00 (1.00 to unknown)"
    assert str(Estimate(math.nan, None, None, 0)) == "unknown"


def test_an_interval_turned_round_is_that_of_the_values_turned_round() -> None:
    values = np.array([1.0, 2.0, 4.0])
    turned, straight = mean_interval(values).negated(), mean_interval(-values)
    assert turned.record() == pytest.approx(straight.record())


def test_resamples_draw_all_deals_alike_and_always_the_same() -> None:
    blocks = np.concatenate(list(resamples(7, 500, seed=5)))
    again = np.concatenate(list(resamples(7, 500, seed=5)))
    assert blocks.shape == (500, 7)
    assert np.array_equal(blocks, again)
    assert not np.array_equal(blocks, np.concatenate(list(resamples(7, 500, seed=6))))
    assert (blocks.sum(axis=1) == 7).all()
    assert np.abs(blocks.mean(axis=0) - 1).max() < 0.15
    assert 0.7 < blocks.var() < 1.0  # 1 - 1/7 for draws with replacement

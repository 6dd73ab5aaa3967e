from __future__ import annotations

from collections.abc import Callable
from math import log, sqrt

import numpy as np
import pytest

from cardwright.statistics.caveat import gain_caveat
from cardwright.statistics.intervals import t_quantile
from cardwright.statistics.resampling import LEAST_DEALS, variance_reduction

Draw = Callable[[np.random.Generator, tuple[int, int]], np.ndarray]


def gain_of(values: np.ndarray) -> float:
    return float(
        (values.var(axis=0, ddof=1) / values.shape[1] ** 2).sum() / values.mean(1).var(ddof=1)
    )


def test_the_interval_is_the_jackknifes_of_the_logarithm() -> None:
    values = np.random.default_rng(1).exponential(size=(40, 3)).cumsum(axis=1)
    found = variance_reduction(values, 0.9)
    assert found is not None
    assert (found.mean, found.count) == (pytest.approx(gain_of(values)), 40)
    logs = np.array([log(gain_of(np.delete(values, deal, axis=0))) for deal in range(40)])
    error = sqrt(39 / 40 * ((logs - logs.mean()) ** 2).sum())
    ends = np.log([found.low, found.high]) - log(found.mean)
    assert ends == pytest.approx(np.array([-1, 1]) * t_quantile(39, 0.9) * error)


@pytest.mark.parametrize("worth", [0.0, 0.5, 1.0, 2.0])
def test_what_tables_are_worth_counts_for_nothing(worth: float) -> None:
    values = np.random.default_rng(2).normal(size=(500, 4)) + worth * np.arange(4)
    found, same = variance_reduction(values), variance_reduction(values - values.mean(axis=0))
    assert found is not None
    assert same is not None
    assert found.mean == pytest.approx(same.mean)
    assert found.mean == pytest.approx(1.0, abs=0.15)


def normal(generator: np.random.Generator, shape: tuple[int, int]) -> np.ndarray:
    return generator.normal(size=shape)


def skewed(generator: np.random.Generator, shape: tuple[int, int]) -> np.ndarray:
    return generator.exponential(size=shape)


@pytest.mark.parametrize(("draw", "won"), [(normal, False), (skewed, False), (normal, True)])
@pytest.mark.parametrize("deals", [LEAST_DEALS, 100])
def test_intervals_cover_the_true_gain_at_their_rate(draw: Draw, won: bool, deals: int) -> None:
    """Two seats: cards of variance 1 that go with the seat, and noise of variance 1, or of wins."""
    generator = np.random.default_rng(3)

    def play(many: int) -> np.ndarray:
        luck = draw(generator, (many, 2)) @ np.array([[1.0, -1.0], [-1.0, 1.0]]) / sqrt(2)
        values: np.ndarray = 0.3 + luck + draw(generator, (many, 2))
        return np.sign(values) if won else values

    truth, hits = gain_of(play(200_000)), 0
    for _ in range(300):
        found = variance_reduction(play(deals))
        assert found is not None
        assert found.low is not None
        assert found.high is not None
        hits += found.low <= truth <= found.high
    assert 0.91 < hits / 300 < 0.99


def test_nothing_is_said_without_tables_deals_or_spread() -> None:
    values = np.random.default_rng(4).normal(size=(LEAST_DEALS, 2))
    assert variance_reduction(values) is not None
    assert variance_reduction(values[1:]) is None
    assert variance_reduction(values[:, :1]) is None
    assert variance_reduction(values * [[1, 0]] - values[:, :1] * [[0, 1]]) is None


def test_a_gain_that_no_deal_moves_has_no_interval() -> None:
    same = np.random.default_rng(5).normal(size=(40, 1)).repeat(2, axis=1)
    found = variance_reduction(same)
    assert found is not None
    assert (found.mean, found.low, found.high) == (pytest.approx(0.5), None, None)


def test_a_gain_that_hangs_on_one_deal_has_no_interval() -> None:
    values = np.random.default_rng(6).normal(size=(40, 1)) * [[1.0, -1.0]]
    values[7] += 1
    found = variance_reduction(values)
    assert found is not None
    assert (found.low, found.high) == (None, None)


@pytest.mark.parametrize(("deals", "percent"), [(LEAST_DEALS, 26), (100, 46)])
def test_the_words_beside_a_gain_say_how_little_its_interval_may_cover(
    deals: int, percent: int
) -> None:
    """Noise, and 26 points away at each of four tables by a coin in one deal of 100."""
    generator = np.random.default_rng(7)

    def play(many: int) -> np.ndarray:
        rare = (generator.random((many, 1)) < 0.01) & (generator.random((many, 4)) < 0.5)
        return generator.normal(size=(many, 4)) - 26 * rare

    truth, hits = gain_of(play(500_000)), 0
    for _ in range(300):
        found = variance_reduction(play(deals))
        assert found is not None
        assert found.low is not None
        assert found.high is not None
        hits += found.low <= truth <= found.high
    assert 100 * hits / 300 == pytest.approx(percent, abs=8)
    assert f"with {deals} deals it covered the truth in {percent} %" in gain_caveat(deals)

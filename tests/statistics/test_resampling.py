"""Standard errors from resampled sums."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from cardwright.statistics.intervals import Sample
from cardwright.statistics.resampling import deviations, linear_sample, weights

if TYPE_CHECKING:
    from cardwright.statistics.intervals import Values


def mean(sums: Values) -> Values:
    with np.errstate(invalid="ignore", divide="ignore"):
        values: Values = sums[:, 0] / sums[:, 1]
    return values


def sums_of(terms: Values, resamples: int = 20_000) -> Values:
    drawn = weights(np.arange(len(terms)), resamples, 3)
    return np.vstack([terms.sum(axis=0), drawn @ terms])


@pytest.mark.parametrize("count", [3, 12])
def test_a_mean_has_the_variance_of_its_values(count: int) -> None:
    """Also of so few that some resamples draw nothing, where quotients have no value."""
    values = np.random.default_rng(1).normal(5, 2, count)
    sums = sums_of(np.stack([values, np.ones(count)], axis=1))
    moved = deviations(mean, sums)
    assert np.isfinite(moved).all()
    sample, expected = linear_sample(values.mean(), moved, count), Sample.of(values)
    assert sample.variance == pytest.approx(expected.variance, rel=0.05)
    assert (sample.count, sample.mean) == (count, pytest.approx(expected.mean))


def test_a_ratio_has_the_variance_of_its_residuals() -> None:
    """Cochran's linear approximation: residuals of numerators by the mean denominator."""
    rng = np.random.default_rng(2)
    below = rng.integers(1, 9, 50).astype(float)
    above = rng.binomial(below.astype(int), 0.3).astype(float)
    value = above.sum() / below.sum()
    residuals = (above - value * below) / below.mean()
    moved = deviations(mean, sums_of(np.stack([above, below], axis=1)))
    variance = (residuals**2).sum() / 49
    assert linear_sample(value, moved, 50).variance == pytest.approx(variance, rel=0.05)


def test_equal_values_do_not_vary() -> None:
    terms = np.column_stack([np.full(40, 1e6 / 3), np.ones(40)])
    assert linear_sample(1e6 / 3, deviations(mean, sums_of(terms, 100)), 40).variance == 0
    assert np.isnan(linear_sample(1.0, np.zeros(5), 1).variance)

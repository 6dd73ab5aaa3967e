from __future__ import annotations

from importlib import import_module

import pytest

from cardwright.statistics.intervals import quantile, two_sided

FREEDOM = (1, 2, 3, 4, 7, 29, 500, 1_999, 2_000, 10**5, 10**9)


@pytest.mark.parametrize("freedom", FREEDOM)
def test_quantiles_are_scipys(freedom: int) -> None:
    """Up to the levels that families of hundreds of intervals ask for."""
    stats = import_module("scipy.stats")  # not while collecting: it takes a second
    for level in (0.0, 0.5, 0.8, 0.95, 0.99, 0.95**0.002, 1 - 1e-9):
        expected = stats.t.isf(1 - (1 + level) / 2, freedom)
        assert quantile(freedom, (1 + level) / 2) == pytest.approx(expected, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("freedom", FREEDOM)
def test_chances_are_scipys(freedom: int) -> None:
    stats = import_module("scipy.stats")
    for t in (0.0, 1e-6, 0.3, -1.0, 1.96, -4.0, 12.0, 200.0):
        expected = 2 * stats.t.sf(abs(t), freedom)
        assert two_sided(t, freedom) == pytest.approx(expected, rel=1e-9, abs=1e-250)

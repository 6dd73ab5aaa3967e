"""Intervals of an experiment that stops by their width cover what is said of them."""

from __future__ import annotations

import numpy as np
from populations import SCORES

from cardwright.lab.report.words import STOPPED
from cardwright.statistics.intervals import Sample, mean_interval, t_quantile

RUNS = 800
LOOKS = np.arange(400, 6_001, 200)


def test_what_stops_by_its_width_covers_as_little_as_is_said() -> None:
    """Looked at from the 400th of 6,000 deals on, after every 200; 1,000 are enough on average."""
    covered, quantiles = [], np.array([t_quantile(int(look) - 1, 0.95) for look in LOOKS])
    for population in SCORES[:5]:
        generator = np.random.default_rng(6)
        wide = 1.96 * population.draw(generator, 100_000).std() / 1_000**0.5
        hits = 0
        for _ in range(RUNS):
            values = population.draw(generator, 6_000)
            sums, squares = np.cumsum(values), np.cumsum(values**2)
            means = sums[LOOKS - 1] / LOOKS
            spreads = (squares[LOOKS - 1] - LOOKS * means**2) / (LOOKS - 1)
            narrow = quantiles * np.sqrt(spreads / LOOKS) <= wide
            at = int(np.argmax(narrow)) if narrow.any() else len(LOOKS) - 1
            found = mean_interval(Sample(int(LOOKS[at]), means[at], spreads[at]))
            assert found.low is not None
            assert found.high is not None
            hits += found.low <= population.mean <= found.high
        covered.append(hits / RUNS)
    assert covered[0] > 0.93
    assert abs(min(covered) - STOPPED / 100) < 0.035

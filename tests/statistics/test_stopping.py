"""Intervals of an experiment that stops by their width cover what is said of them."""

from __future__ import annotations

import numpy as np
from populations import SCORES

from cardwright.lab.report.words import STOPPED
from cardwright.statistics.intervals import Sample, mean_interval

RUNS = 800


def test_what_stops_by_its_width_covers_as_little_as_is_said() -> None:
    """Looked at from the 400th of 6,000 deals on, after every 200; 1,000 are enough on average."""
    covered = []
    for population in SCORES[:5]:
        generator = np.random.default_rng(6)
        wide = 1.96 * population.draw(generator, 100_000).std() / 1_000**0.5
        hits = 0
        for _ in range(RUNS):
            values = population.draw(generator, 6_000)
            sums, squares = np.cumsum(values), np.cumsum(values**2)
            for look in range(400, 6_001, 200):
                mean = sums[look - 1] / look
                spread = (squares[look - 1] - look * mean**2) / (look - 1)
                found = mean_interval(Sample(look, mean, spread))
                assert found.margin is not None
                if found.margin <= wide:
                    break
            assert found.low is not None
            assert found.high is not None
            hits += found.low <= population.mean <= found.high
        covered.append(hits / RUNS)
    assert covered[0] > 0.93
    assert abs(min(covered) - STOPPED / 100) < 0.035

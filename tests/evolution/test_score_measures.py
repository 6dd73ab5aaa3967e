"""Measures of scores, against scores whose sums are known."""

from __future__ import annotations

import pytest

from cardwright import Game
from cardwright.evolution.measures.evidence import Evidence
from cardwright.evolution.measures.table import measured

NAMES = ("score", "highest-score", "lowest-score", "score-range")


def test_chips_change_hands():
    """Chips that one of two wins the other loses: the mean is 0, and the range twice the best."""
    game = Game.load("kuhn", engine="interpreter")
    found = measured(Evidence(game, games=60), NAMES)
    assert found["score"].mean == 0
    assert found["highest-score"].mean == -found["lowest-score"].mean > 0
    assert found["score-range"].mean == 2 * found["highest-score"].mean


def test_points_of_all_seats():
    """In Polignac five points are paid in each deal, whoever pays them."""
    game = Game.load("polignac", engine="interpreter")
    found = measured(Evidence(game, games=20), NAMES)
    assert found["score"].mean == pytest.approx(5 / 4)
    assert found["highest-score"].mean > 5 / 4 > found["lowest-score"].mean

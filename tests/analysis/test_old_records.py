"""Records that the first version wrote stay readable, and say the same as then.

The folders were left by runs of version 0.1.0; only the name of the machine's system was shortened.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from cardwright.analysis.records import RunFrames
from cardwright.analysis.results import found, heuristics, tallied
from cardwright.analysis.statistics import statistics

OLD = Path(__file__).parent / "data" / "records-v1"


def test_a_run_with_every_decision():
    """Six games of Hearts in which the first seat thinks: results, options and notes."""
    records = RunFrames.of_folder(OLD / "hearts-one-thinks")
    traces = records.first(100)
    assert (records.players, records.games, len(traces)) == (4, 6, 6)
    assert traces.scores.tolist() == [
        [1, 5, 13, 7],
        [1, 8, 14, 3],
        [3, 5, 13, 5],
        [1, 22, 0, 3],
        [5, 3, 16, 2],
        [0, -26, 0, 0],
    ]
    assert traces.ranks[2].tolist() == [0, 1, 3, 1]
    assert traces.entrants[0].tolist() == [0, 1, 1, 1]
    noted = traces.noted
    assert noted.options[:8].tolist() == [10, 3, 1, 4, 10, 1, 2, 4]
    assert noted.spread[:3] == pytest.approx([2 / 3, np.nan, np.nan], nan_ok=True)
    assert noted.average[0] == pytest.approx(0.7222222)
    assert noted.best[0] == 1
    assert len(traces.led) == 6 * 13
    assert traces.led.lead[0] == pytest.approx([1, 2 / 9, 4 / 9, 4 / 9])
    assert statistics(records.parts()).branching == pytest.approx(1225 / 312)
    rows = heuristics({"AR": tallied(records.parts())})
    assert found(rows, "articles", "spread", "AR").value == pytest.approx(0.2592593)
    assert found(rows, "articles", "order", "AR").value == pytest.approx(1 / 3)


def test_a_run_of_scores_alone():
    """Twelve games of Crazy Eights: lengths, scores and ranks; no options."""
    records = RunFrames.of_folder(OLD / "crazyeights-scores")
    found_then = statistics(records.parts())
    assert (found_then.players, found_then.games) == (3, 12)
    assert found_then.lengths == {
        26: 2,
        33: 2,
        37: 1,
        19: 1,
        44: 1,
        98: 1,
        13: 1,
        122: 1,
        31: 1,
        63: 1,
    }
    assert found_then.wins.tolist() == [4, 5, 3]
    assert found_then.ranks.tolist() == [[4, 6, 2], [5, 3, 4], [3, 3, 6]]
    assert np.isnan(found_then.branching)
    rows = heuristics({"RR": tallied(records.parts())})
    assert found(rows, "shape", "decisions", "RR").value == pytest.approx(45.4166667)
    assert "no decisions" in found(rows, "articles", "convergence", "RR").note

"""Hearts as CardStock's program was seen to play it, from recorded runs to heuristics.

The expected numbers are those of a program written for the comparison, from 200 000 random games
and some thousand of players that think; `bench/pipmc_heuristics.py` plays more games than these.
Tolerances are four standard errors for the games played here, and what the expected number lacks
in digits.
"""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest

from cardwright import Game, play_random
from cardwright.analysis.figures.curves import finishing_order
from cardwright.analysis.records import RunFrames
from cardwright.analysis.results import heuristics, row_of, tallied
from cardwright.analysis.statistics import Statistics, statistics, tricks
from cardwright.arena.plan import GameRef, RunPlan
from cardwright.arena.run import run
from cardwright.game import game_seeds
from deep import usually

DEALS = usually({"RR": 300, "AR": 64, "AA": 25}, {"RR": 1_200, "AR": 250, "AA": 100})
WIDER = usually(2.0, 1.0)
"""How much wider intervals are than those of all deals, for which errors are given here."""
SEATS = {"RR": (1, 1, 1, 1), "AR": (0, 1, 1, 1), "AA": (0, 0, 0, 0)}
MOON = -26

LEADER = [9.75, 8.81, 7.96, 7.21, 6.58, 6.07, 5.68, 5.29, 4.78, 3.98, 3.00, 2.00, 1.00]
OTHERS = [3.29, 3.34, 3.41, 3.48, 3.53, 3.54, 3.47, 3.32, 3.07, 2.73, 2.29, 1.74, 1.00]


@pytest.fixture(scope="module")
def records(tmp_path_factory):
    """The three batches of Hearts."""
    folder, game = tmp_path_factory.mktemp("runs"), GameRef.of("hearts")
    for batch, deals in DEALS.items():
        players = ("cardstock-pipmc:tests=10", "random")
        run(RunPlan(game, players, (SEATS[batch],), deals, 11, detail="decisions"), folder / batch)
    return {batch: RunFrames.of_folder(folder / batch) for batch in DEALS}


@pytest.fixture(scope="module")
def table(records):
    """The heuristics of the batches."""
    return heuristics({batch: tallied(one.parts()) for batch, one in records.items()})


@pytest.mark.slow
@pytest.mark.parametrize(
    ("row", "expected", "digits", "error"),
    [
        (("shape", "branching", "RR"), 3.592, 0.0005, 0.012),
        (("shape", "forced", "RR"), 0.225, 0.0005, 0.002),
        (("articles", "convergence", "RR"), 0.538, 0.0005, 0.0004),
        (("shape", "first_seat_wins", "AR"), 0.584, 0.009, 0.04),  # expected from 3 000 games
        (("shape", "first_seat_wins_shared", "AR"), 0.466, 0.009, 0.04),
        (("shape", "first_seat_score", "AR"), 3.01, 0.12, 0.6),
        (("articles", "spread", "AA"), 0.133, 0.002, 0.005),
        (("articles", "spread", "AR"), 0.143, 0.002, 0.005),
        (("articles", "drama", "AA"), 0.478, 0.005, 0.012),
        (("articles", "security", "AA"), 0.393, 0.008, 0.02),
        (("engine", "drama", "AA"), 0.397, 0.02, 0.04),
        (("engine", "decisiveness", "AA"), 0.275, 0.02, 0.04),
        (("engine", "coolness", "AA"), 0.640, 0.005, 0.009),
    ],
)
def test_heuristics(table, row, expected, digits, error):
    """Each is near what is expected, and its interval is as narrow as the games allow."""
    value = row_of(table, *row)
    found_error = (value.high - value.low) / (2 * 1.96)
    assert 0 < found_error < WIDER * error
    assert abs(value.value - expected) < 4 * found_error + digits


def test_constants_of_hearts(table):
    """All games have 52 decisions, and it says so instead of an interval without width."""
    row = row_of(table, "shape", "decisions", "RR")
    assert (row.value, row.constant, np.isnan([row.low, row.high]).all()) == (52, True, True)


def test_options_by_trick(records):
    """Leaders are free to choose from trick 10 on; at the end everybody has one card."""
    means = tricks(records["RR"].parts()).means()
    deviation = 3.0  # of a leader's options in a trick; others are three a trick
    assert means[:, 0] == pytest.approx(LEADER, abs=4 * deviation / sqrt(DEALS["RR"]))
    assert means[:, 1] == pytest.approx(OTHERS, abs=4 * deviation / sqrt(2 * DEALS["RR"]))
    assert means[10:, 0].tolist() == [3, 2, 1]
    assert means[12, 1] == 1


def test_moons(records):
    """One random game in a hundred, one in ten of players that look for it."""
    for batch, expected in (("RR", 0.0109), ("AA", 0.101)):
        share = statistics(records[batch].parts()).share_with(MOON)
        games = DEALS[batch]
        assert share == pytest.approx(expected, abs=4 * sqrt(expected / games))


def test_ends_of_lead_histories(records):
    """Those who come second tie the winner so often that they end at 0.79, and so on."""
    traces = records["AA"].first(DEALS["AA"])
    order = finishing_order(traces)
    ends = np.take_along_axis(traces.final_places, order, axis=1).mean(axis=0)
    assert ends[0] == 1
    assert ends[1:] == pytest.approx([0.788, 0.391, 0.072], abs=4 * 0.2 / sqrt(DEALS["AA"]) + 0.01)


def test_random_games_in_bulk():
    """A great many games without records: means, moons, and the first leader's disadvantage."""
    games = 40_000
    found_here = Statistics.of_random(play_random(Game.load("hearts"), game_seeds(3, games)))
    assert found_here.games == games
    assert found_here.branching == pytest.approx(3.592, abs=0.003 + 4 * 0.36 / sqrt(games))
    assert found_here.forced == pytest.approx(0.225, abs=0.002)
    assert found_here.share_with(MOON) == pytest.approx(0.0109, abs=4 * sqrt(0.0109 / games))
    error = 6.93 / sqrt(games)
    expected = [6.40, 6.345, 6.345, 6.345]
    assert found_here.mean_scores() == pytest.approx(expected, abs=4 * error + 0.02)
    wins = found_here.wins[0] / games
    assert wins == pytest.approx(0.310, abs=4 * sqrt(0.2 / games) + 0.001)
    assert found_here.shared[0] / games == pytest.approx(0.248, abs=4 * sqrt(0.2 / games) + 0.001)
    scores = found_here.all_scores()
    shares = {score: scores[score] / (4 * games) for score in (0, 1, 4, 13, 17)}
    expected_shares = {0: 0.228, 1: 0.093, 4: 0.114, 13: 0.047, 17: 0.032}
    assert shares == pytest.approx(expected_shares, abs=0.005)

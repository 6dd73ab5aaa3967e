"""Intervals of measures: they hold the truth as often as they say, at the edges of scales too."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, strategies as st
from made_games import game_lists, led, outcomes, plain, traces_of

from cardwright.analysis.formulas import fairness, order
from cardwright.analysis.measures import FORMULAS
from cardwright.analysis.results import (
    MeasureSums,
    NotableDeals,
    Study,
    compared,
    heuristics,
    row_of,
)
from cardwright.statistics.caveat import SKEWED

TRIALS = 250
deep = pytest.mark.deep


def wins(rng, chance, games, seats=4):
    """Return games of which the first seat wins a share, the second seat all others."""
    first = rng.random(games) < chance
    scores = np.zeros((games, seats), np.int64)
    scores[:, 0], scores[:, 1] = first, ~first
    return outcomes(scores)


def measured_row(traces, family, name, batch="RR", seed=0):
    tally = MeasureSums.of(traces, Study(resamples=200, seed=seed))
    return row_of(heuristics({batch: tally}), family, name, batch)


def coverage(games, truth, family, name):
    """Return the share of intervals that hold the truth; `games` makes some from a generator."""
    rng = np.random.default_rng(7)
    rows = [measured_row(games(rng), family, name, seed=trial) for trial in range(TRIALS)]
    assert not any(np.isnan(row.low) for row in rows)
    return sum(row.low - 1e-9 <= truth <= row.high + 1e-9 for row in rows) / TRIALS


def test_eight_wins_of_eight_leave_a_doubt():
    """They are no proof of a player that always wins: the bound is Clopper and Pearson's."""
    games = wins(np.random.default_rng(0), 1.0, 8)
    row = measured_row(games, "shape", "first_seat_wins")
    low = 0.025 ** (1 / 8)  # with this chance eight of eight are won in one of forty times
    assert (row.low, row.high, row.method) == (pytest.approx(low), 1, "agresti-coull")
    row = measured_row(games, "articles", "order", "AR")
    assert (row.low, row.high) == (pytest.approx(order(low, 4)), 1)


@pytest.mark.parametrize(
    ("chance", "games"), [(0.97, 30), pytest.param(0.9, 10, marks=deep), (0.5, 10)]
)
def test_intervals_of_shares_hold_the_truth(chance, games):
    """Near the end of the scale, and with few games: in 94 to 99 of 100 cases."""
    here = coverage(lambda rng: wins(rng, chance, games), chance, "shape", "first_seat_wins_shared")
    assert here >= 0.92


@pytest.mark.parametrize(
    ("games", "law"),
    [
        pytest.param(5, "exponential", marks=deep),
        (5, "lognormal"),
        pytest.param(30, "lognormal", marks=deep),
    ],
)
def test_intervals_of_skewed_scores_cover_what_is_said_of_them(games, law):
    """Scores without bounds: the caution beside them tells of 83 in 100, two errors are 5."""
    truth = 1000 * (1 if law == "exponential" else np.exp(0.5)) - 0.5

    def drawn(rng):
        return outcomes((1000 * getattr(rng, law)(size=(games, 2))).astype(np.int64))

    assert coverage(drawn, truth, "shape", "first_seat_score") >= (SKEWED - 5) / 100


@pytest.mark.parametrize(
    ("chance", "games"),
    [
        pytest.param(0.25, 10, marks=deep),
        (0.25, 100),
        pytest.param(0.3, 100, marks=deep),
        (0.1, 30),
    ],
)
def test_fairness_holds_the_truth_at_its_peak_and_beside_it(chance, games):
    """Of a fair game the interval holds 1, though every estimate lies below it."""
    truth = float(fairness(chance, 4))
    assert coverage(lambda rng: wins(rng, chance, games), truth, "articles", "fairness") >= 0.92


def test_fairness_is_never_more_than_fair():
    games = wins(np.random.default_rng(5), 0.24, 100)
    row = measured_row(games, "articles", "fairness")
    assert row.low < row.value < row.high == 1
    unfair = measured_row(wins(np.random.default_rng(5), 0.9, 100), "articles", "fairness")
    assert unfair.high < 0.5


def test_differences_of_shares_hold_the_truth():
    """Of independent games, near the end of the scale; and equal ones leave a doubt too."""
    rng, held = np.random.default_rng(2), 0
    for trial in range(TRIALS):
        study = Study(resamples=200, seed=trial)
        sides = [{"RR": MeasureSums.of(wins(rng, chance, 30), study)} for chance in (0.95, 0.85)]
        row = row_of(compared(*sides), "shape", "first_seat_wins", "RR")
        held += row.low <= -0.1 <= row.high
    assert held / TRIALS >= 0.92
    for name in ("first_seat_wins", "shared_wins"):
        row = row_of(compared(sides[0], sides[0]), "shape", name, "RR")
        assert row.low < row.value == 0 < row.high
    row = row_of(compared(*sides), "articles", "fairness", "RR")
    assert row.low < row.value < row.high


@pytest.mark.parametrize(("first", "second"), [pytest.param(0.25, 0.25, marks=deep), (0.25, 0.4)])
def test_differences_of_fairness_hold_the_truth(first, second):
    rng, held = np.random.default_rng(3), 0
    truth = float(fairness(second, 4) - fairness(first, 4))
    for trial in range(TRIALS):
        study = Study(resamples=200, seed=trial)
        sides = [{"RR": MeasureSums.of(wins(rng, chance, 60), study)} for chance in (first, second)]
        row = row_of(compared(*sides), "articles", "fairness", "RR")
        held += row.low <= truth <= row.high
    assert held / TRIALS >= 0.92


def test_equal_lengths_have_no_interval():
    """A mean without bounds of values that do not vary: they are alike, and no more is known."""
    games = traces_of([plain([0, 1], (0, 2), (1, 2))] * 5)
    row = measured_row(games, "shape", "decisions")
    assert (row.value, row.constant, row.deals) == (2, True, 5)
    assert np.isnan([row.low, row.high]).all()
    assert row.side(1) == 0  # five of one sign can be an accident
    games = traces_of([plain([0, 1], (0, 2), (1, 2))] * 6)
    sides = [measured_row(games, "shape", "decisions").side(middle) for middle in (1, 2, 3)]
    assert sides == [1, 0, -1]


def test_a_single_deal_has_no_interval():
    """Also if many games say nothing of the measure, and one alone does."""
    quiet, behind = led([0, 1], [0.5, 0.5], [1, 0]), led([0, 1], [0.2, 0.8], [1, 0])
    row = measured_row(traces_of([quiet] * 50 + [behind]), "articles", "behind", "AA")
    assert (row.value, row.deals, row.games) == (pytest.approx(0.3), 1, 51)
    assert np.isnan([row.low, row.high]).all()
    row = measured_row(traces_of([quiet] * 50 + [behind, behind]), "articles", "behind", "AA")
    assert row.deals == 2
    assert row.high - row.low > 0.3  # two equal values of a scale from 0 to 0.5


@given(game_lists(noted=True, most=6))
def test_intervals_lie_within_bounds_around_the_value(games):
    """For all measures that have bounds; made-up notes may break those of clarity alone."""
    tally = MeasureSums.of(traces_of(games), Study(resamples=20))
    rows = heuristics({"AA": tally, "RR": tally, "AR": tally})
    for formula in FORMULAS.values():
        if formula.bounds is None or formula.key == "browne clarity":
            continue
        least, most = formula.bounds(tally.players)
        for row in rows:
            if row.measure.key == formula.key and row.method:
                assert row.method == "agresti-coull"
                assert least <= row.low < row.high <= most, row
                assert row.low - 1e-9 <= row.value <= row.high + 1e-9, row


@given(
    st.lists(st.tuples(st.integers(0, 4), st.booleans(), st.booleans()), min_size=1, max_size=12),
    st.data(),
)
def test_deals_count_once_however_they_are_cut(games, data):
    """A deal of several games, in one part or in two, is one."""
    games = sorted(games, key=lambda one: one[0])
    deal = np.array([one[0] for one in games])
    told = np.array([one[1:] for one in games])
    cuts = sorted(data.draw(st.sets(st.integers(1, len(games)), max_size=3)) | {0, len(games)})
    whole = None
    for begin, end in pairwise(cuts):
        part = NotableDeals.of(deal[begin:end], told[begin:end])
        whole = part if whole is None else whole + part
    expected = [len(set(deal[told[:, column]])) for column in (0, 1)]
    assert whole.counts.tolist() == expected

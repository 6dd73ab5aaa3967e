"""Measures of games, on values worked out by hand and against plain definitions."""

from __future__ import annotations

from math import isnan, sqrt
from statistics import fmean

import plain_measures as plainly
import pytest
from hypothesis import given
from made_games import game_lists, led, plain, traces_of

from cardwright.analysis import formulas
from cardwright.analysis.formulas import MeasureRules
from cardwright.analysis.results import MeasureSums, Study, heuristics, row_of


def rows_of(games, batch="AA", **rules):
    """Return the table of heuristics of some games of one batch."""
    study = Study(MeasureRules(**rules), resamples=4)
    return heuristics({batch: MeasureSums.of(traces_of(games), study)})


def value(games, family, name, batch="AA", **rules):
    return row_of(rows_of(games, batch, **rules), family, name, batch).value


def test_published_values():
    """The values of CardStock's articles for given rates of wins."""
    assert [formulas.threshold(players) for players in range(2, 7)] == pytest.approx(
        [0.5, 0.75, 5 / 6, 0.875, 0.9]
    )
    assert formulas.fairness(0.35, 4) == pytest.approx(0.8667, abs=1e-4)
    assert formulas.order(0.61, 4) == pytest.approx(0.48)
    assert formulas.convergence(0.0) == 0.5


def test_order_and_fairness_at_their_ends():
    """0 for no better than random and 1 for always; fair is a share of wins, unfair none or all."""
    assert formulas.order(0.25, 4) == 0
    assert formulas.order(1, 4) == 1
    assert formulas.order(0, 4) < 0
    assert formulas.fairness(0.25, 4) == 1
    assert formulas.fairness(0, 4) == formulas.fairness(1, 4) == 0
    assert formulas.fairness(0.125, 4) == 0.5


def test_nothing_is_said_of_one_player():
    """Who plays alone cannot be better than the others."""
    for call in (formulas.order, formulas.fairness):
        with pytest.raises(ValueError, match="two players or more"):
            call(1.0, 1)
    with pytest.raises(ValueError, match="two players or more"):
        formulas.threshold(1)


@pytest.mark.parametrize(
    ("counts", "expected"),
    [([4, 3, 2, 1], 1), ([1, 2, 3], 0), ([1, 2, 1], 0.5), ([2, 0, 1], 0.75), ([7], 0.5)],
)
def test_convergence_is_a_slope(counts, expected):
    """Options that fall by one a decision have slope -1."""
    game = plain([0, 1], *((0, count) for count in counts))
    assert value([game], "articles", "convergence") == pytest.approx(expected)


def test_drama_and_security_by_hand():
    """Two players, so a player is behind below 0.5; the last leader is the winner."""
    games = [
        led([1, 0], [0.25, 0.75], [0.5, 0.5], [0.41, 0.3], [1, 0]),
        led([0, 1], [0.1, 0.6], [0.3, 0.8]),
    ]
    assert traces_of(games).last_leaders.tolist() == [0, 1]
    first = (sqrt(0.25) + sqrt(0.09)) / 2
    assert value(games, "articles", "drama") == pytest.approx(first / 2)
    assert value(games, "articles", "security") == pytest.approx((0.5 + 1) / 2)
    other = (sqrt(0.2) + sqrt(0.5)) / 2
    assert value(games[:1], "articles", "drama", winner="result") == pytest.approx(other)
    assert traces_of([led([0, 0], [0.5, 0.5])]).last_leaders.tolist() == [0]
    assert value(games, "articles", "behind") == pytest.approx((0.25 + 0.09) / 2)
    assert isnan(value(games[1:], "articles", "behind"))


def test_ties_in_full_or_shared():
    """A first place that four share is a win, or a quarter of one."""
    games = [plain([0, 0, 0, 0], (0, 2)), plain([1, 0, 0, 0], (0, 2))]
    assert value(games, "articles", "order", "AR") == pytest.approx(formulas.order(0.5, 4))
    shared = value(games, "articles", "order", "AR", ties="shared")
    assert shared == pytest.approx(formulas.order(1 / 8, 4))
    assert value(games, "articles", "fairness", "RR") == pytest.approx(2 / 3)
    assert value(games, "articles", "fairness", "RR", ties="shared") == pytest.approx(0.5)


def test_the_programs_fairness_and_its_slip():
    """A win shared by all counts as a whole one, by some in parts; none at all is unfair."""
    assert value([plain([0, 1]), plain([1, 0])], "engine", "fairness", "RR") == 1
    assert value([plain([1, 0]), plain([1, 0])], "engine", "fairness", "RR") == 0
    assert value([plain([0, 0]), plain([0, 0])], "engine", "fairness", "RR") == 0
    three = [plain([0, 0, 2]), plain([1, 0, 2]), plain([2, 0, 1])]
    assert value(three, "engine", "fairness", "RR") == pytest.approx(0.5)


def test_measures_of_the_program_by_hand():
    """Own estimates only, and other thresholds than the articles'."""
    first = led(
        [0, 1], *[[x, y] for x, y in [(0.34, 0), (0.6, 0), (0.9, 0), (0.85, 0)]], seats=[0] * 4
    )
    second = led([1, 0], [0.5, 0.41], [0.4, 0.8], seats=[1, 1])
    games = [first, second]
    assert value(games, "engine", "drama") == pytest.approx((0.4 + 0.3) / 2)
    assert value([led([0, 1], [0.5, 0])], "engine", "drama") == 0
    assert value(games, "engine", "decisiveness") == pytest.approx(1 - (2 / 4 + 1 / 2) / 2)
    assert value(games, "engine", "coolness") == pytest.approx(1 - 1 / 4)


def test_corrected_measures_by_hand():
    """Browne's measures of one game of two players, which seat 0 wins."""
    game = led([0, 1], [0.25, 0.5], [0.5, 0.75], [0.5, 0.59], [0.9, 0.1], [0.9, 0.1])
    # His own decisions are the first, third and fifth; he trails at the first two of them.
    assert value([game], "browne", "drama") == pytest.approx((0.5 + 0.3) / 2)
    assert value([game], "browne", "decisiveness") == pytest.approx(2 / 5)
    assert value([game], "browne", "clarity") == pytest.approx(0.5)
    gaps = [0.25, 0.25, 0.09, 0.8, 0.8]
    assert value([game], "browne", "uncertainty") == pytest.approx(1 - fmean(gaps))
    assert value([game], "browne", "lead_change") == pytest.approx(1 / 4)
    assert value([game], "browne", "killer_moves") == pytest.approx(0.49)
    # Own estimates: 0.25 0.5 0.9 and 0.75 0.1: one of three steps falls, none is taken back.
    assert value([game], "browne", "coolness") == pytest.approx(1 / 3)
    assert value([game], "browne", "permanence") == 1


def test_uncertainty_is_between_the_best_two():
    """Whoever is far behind makes nothing more certain."""
    game = led([0, 1, 2], [0.9, 0.7, 0.0])
    assert value([game], "browne", "uncertainty") == pytest.approx(0.8)


def test_permanence_counts_what_is_taken_back():
    """A rise that the next step undoes is not lasting, one that it halves is."""
    undone = led([0, 1], *[[x, 0] for x in (0.25, 0.75, 0.25)], seats=[0] * 3)
    halved = led([0, 1], *[[x, 0] for x in (0.25, 0.75, 0.5)], seats=[0] * 3)
    assert value([undone], "browne", "permanence") == 0
    assert value([halved], "browne", "permanence") == 1
    assert value([undone, halved], "browne", "permanence") == 0.5


def test_nonloss_and_other_shapes():
    """The worst rank that anybody has in the batch is a loss, for the first seat too."""
    games = [
        plain([2, 0, 1], (0, 1), (1, 3)),
        plain([1, 0, 2], (0, 2)),
        plain([0, 0, 2], (0, 4)),
        plain([0, 0, 0], (2, 1)),
    ]
    rows = rows_of(games, "RR")
    expected = {
        "decisions": 5 / 4,
        "branching": 11 / 5,
        "forced": 2 / 5,
        "first_seat_wins": 1 / 2,
        "first_seat_wins_shared": (1 / 2 + 1 / 3) / 4,
        "first_seat_score": 3 / 4,
        "first_seat_nonloss": 3 / 4,
        "shared_wins": 1 / 2,
    }
    for name, number in expected.items():
        assert row_of(rows, "shape", name, "RR").value == pytest.approx(number), name


@given(game_lists(noted=True))
def test_all_agree_with_plain_definitions(games):
    """Columns of numbers give what loops over games and decisions give."""
    results = [game.ranks.index(0) for game in games]
    leads, owns = [game.leads for game in games], [game.own for game in games]
    lasts = [plainly.last_leader(rows) for rows in leads]
    options = [[row[1] for row in game.decisions] for game in games]
    table = rows_of(games)
    expected = {
        ("articles", "convergence"): fmean(plainly.convergence(counts) for counts in options),
        ("articles", "spread"): fmean(row[2][0] for game in games for row in game.decisions),
        ("articles", "drama"): plainly.drama(leads, lasts),
        ("articles", "behind"): plainly.behind(leads, lasts),
        ("articles", "security"): plainly.security(leads, lasts),
        ("engine", "drama"): plainly.engine_drama(owns, results),
        ("engine", "decisiveness"): plainly.engine_decisiveness(owns, results),
        ("engine", "coolness"): plainly.engine_coolness(owns),
        ("browne", "decisiveness"): fmean(map(plainly.sure_left, leads, results)),
    }
    for (family, name), number in expected.items():
        here = row_of(table, family, name, "AA").value
        assert here == pytest.approx(number, nan_ok=True), name
    by_result = rows_of(games, winner="result")
    drama = plainly.drama(leads, results)
    assert row_of(by_result, "articles", "drama", "AA").value == pytest.approx(drama)
    changes = [plainly.lead_change(rows) for rows in leads if len(rows) > 1]
    found_changes = row_of(table, "browne", "lead_change", "AA").value
    assert found_changes == (
        pytest.approx(fmean(changes)) if changes else pytest.approx(float("nan"), nan_ok=True)
    )

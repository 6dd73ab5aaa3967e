from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from contests import noisy, results_of

from cardwright.arena.findings import BoundedTest
from cardwright.arena.plan import GameRef, RunPlan
from cardwright.arena.report import contest_report
from cardwright.arena.results import Timing
from cardwright.arena.schedule import (
    Tables,
    ladder_tables,
    match_tables,
    one_against_rest,
    tournament_tables,
)
from cardwright.statistics.sequential import SequentialTest

if TYPE_CHECKING:
    from collections.abc import Sequence


def plan_of(tables: Tables, deals: int, entrants: Sequence[str] = ("a", "b")) -> RunPlan:
    game = GameRef("hearts", len(tables[0]), "digest")
    return RunPlan(game, tuple(entrants), tables, deals, seed=3)


def test_a_match_finds_the_skill_that_was_put_in() -> None:
    tables = one_against_rest(4)
    scores = noisy([2.0, 0.0], seats=[1.0, 0.0, 0.0, -1.0])
    plan = plan_of(tables, 400)
    report = contest_report(plan, results_of(tables, 400, scores), highest_wins=True)
    assert (report.played, report.counted, report.left_out, report.games) == (400, 400, 0, 1600)
    (difference,) = report.differences
    assert difference.score.low < 200 < difference.score.high
    assert difference.score.margin < 15
    assert difference.win.low > 0.1
    assert difference.gain.low > 3
    one, other = report.standings
    assert one.score.mean - other.score.mean == pytest.approx(difference.score.mean)
    assert one.win.mean + 3 * other.win.mean == pytest.approx(1)
    assert sum(one.places) == pytest.approx(1)
    assert one.places[0] == pytest.approx(one.win.mean)
    effects = [seat.effect for seat in report.seats]
    for effect, truth in zip(effects, [100, 0, 0, -100], strict=True):
        assert abs(effect.mean - truth) < 3 * effect.margin / 1.96
    assert sum(effect.mean for effect in effects) == pytest.approx(0, abs=1e-9)


def test_the_records_of_reports_are_json() -> None:
    tables = tournament_tables(3, 2)
    plan = plan_of(tables, 5, "abc")
    report = contest_report(
        plan, results_of(tables, 5, noisy([0, 1, 2])), highest_wins=True, rated="score"
    )
    record = json.loads(json.dumps(report.record()))
    assert set(record) == {
        "plan", "highest_wins", "field", "neighbours_balanced", "deals", "games", "failed_games",
        "score_range", "standings", "seats", "differences", "sprt", "ratings", "matrix",
    }  # fmt: skip
    assert record["plan"] == plan.data()
    assert record["deals"] == {"played": 5, "counted": 5, "left_out": 0}
    assert [row["entrant"] for row in record["standings"]] == ["a", "b", "c"]
    assert record["matrix"]["kind"] == "alone"


def test_no_deal_that_counts_is_told_in_nulls() -> None:
    tables = tournament_tables(2, 2)
    results = results_of(tables, 1, noisy([0, 1]), failed=[(0, 0)])
    report = contest_report(plan_of(tables, 1), results, highest_wins=True, rated="score")
    assert (report.counted, report.left_out, report.failed) == (0, 1, 1)
    record = json.loads(json.dumps(report.record(), allow_nan=False))
    assert record["standings"][0]["score"]["mean"] is None
    assert record["ratings"] is None
    assert record["standings"][0]["places"] is None


def test_where_the_lowest_score_wins_a_lower_score_is_an_advantage() -> None:
    tables = one_against_rest(3)
    plan = plan_of(tables, 200)
    test = BoundedTest(SequentialTest(0.0, 50.0, bound=1000.0), "score", "stated")
    results = results_of(tables, 200, noisy([-1.0, 0.0]), highest=False)
    tested = contest_report(plan, results, highest_wins=False, test=test).tested
    assert tested is not None
    assert tested.verdict.accepted == "H1"
    assert tested.estimate.low < 100 < tested.estimate.high
    turned = contest_report(plan, results, highest_wins=True, test=test).tested
    assert turned is not None
    assert turned.verdict.accepted == "H0"


def test_a_test_may_be_about_shares_of_wins() -> None:
    tables = match_tables(2, 2)
    results = results_of(tables, 200, noisy([-3.0, 0.0]), highest=False)
    report = contest_report(
        plan_of(tables, 200),
        results,
        highest_wins=False,
        test=BoundedTest(SequentialTest(0.0, 0.2, bound=1.0), "win", "shares"),
    )
    assert report.tested is not None
    assert report.tested.verdict.accepted == "H1"
    assert report.tested.estimate.mean == pytest.approx(report.differences[0].win.mean)
    assert report.tested.record()["measure"] == "win"


def test_a_ladder_is_about_the_field() -> None:
    tables = ladder_tables(2, 2, 3)
    plan = plan_of(tables, 300, "abcd")
    results = results_of(tables, 300, noisy([1.0, 3.0, 0.0, 2.0]))
    report = contest_report(plan, results, field=2, highest_wins=True)
    first, second, *field = report.standings
    for standing, truth in ((first, 0.0), (second, 200.0)):
        assert standing.over_field is not None
        assert standing.over_field.low < truth < standing.over_field.high
    assert all(standing.over_field is None for standing in field)
    (difference,) = report.differences
    assert (difference.one, difference.other, difference.gain) == (0, 1, None)
    assert difference.score.low < -200 < difference.score.high
    assert report.field == 2


def test_games_among_copies_rank_nobody() -> None:
    """Half of the wins among copies would pull 100 % of the others down; seats know of them."""
    tables = tournament_tables(2, 2)
    plan = plan_of(tables, 6)
    results = results_of(tables, 6, lambda _, table: [9 * table[0] + 2, 9 * table[1]])
    report = contest_report(plan, results, highest_wins=True, rated="score")
    assert report.among_copies == 2
    first, second = report.standings
    assert (first.win.mean, second.win.mean) == (0, 1)
    assert (first.places, second.places) == ((0, 1), (1, 0))
    assert second.score.mean - first.score.mean == report.differences[0].score.mean * -1 == 9
    assert (first.seats, first.decisions) == (24, 240)
    assert [seat.win.mean for seat in report.seats] == [0.75, 0.25]
    assert report.matrix is not None
    assert report.matrix.means() == [[1, 1], [10, 10]]
    alone = replace(plan, tables=tables[1:3])
    met = results.where(np.isin(results.table, [1, 2]))
    other = contest_report(
        alone, replace(met, table=met.table - 1), highest_wins=True, rated="score"
    )
    assert [one.score for one in other.standings] == [one.score for one in report.standings]
    assert other.differences == report.differences
    assert other.among_copies == 0


def test_who_only_met_itself_has_no_standing() -> None:
    tables = ((0, 0), (1, 2), (2, 1))
    results = results_of(tables, 40, noisy([0, 1, 2]))
    report = contest_report(plan_of(tables, 40, "abc"), results, highest_wins=True, rated="score")
    record = json.loads(json.dumps(report.record(), allow_nan=False))
    first, second, _ = record["standings"]
    assert first["score"] == first["win_share"] == {
        "mean": None, "low": None, "high": None, "deals": 0,
    }  # fmt: skip
    assert (first["places"], first["seats"]) == (None, 80)
    assert second["score"]["deals"] == 40
    assert record["differences"][0]["score"]["mean"] is None
    nobody = contest_report(
        plan_of(((0, 0), (1, 1)), 2),
        results_of(((0, 0), (1, 1)), 2, noisy([0, 1])),
        highest_wins=True,
    )
    assert [one.score.count for one in nobody.standings] == [0, 0]
    json.dumps(nobody.record(), allow_nan=False)


def test_a_lone_entrants_games_are_its_own() -> None:
    tables = ((0, 0),)
    report = contest_report(
        plan_of(tables, 3, "a"), results_of(tables, 3, noisy([0])), highest_wins=True
    )
    (standing,) = report.standings
    assert (standing.score.count, report.among_copies) == (3, 0)
    assert (standing.win.mean, standing.win.low) == (0.5, None)


def test_entrants_of_one_name_are_numbered() -> None:
    tables = ladder_tables(3, 1, 2)
    plan = plan_of(tables, 2, ["a", "b", "a", "a"])
    report = contest_report(plan, results_of(tables, 2, noisy([0] * 4)), field=1, highest_wins=True)
    assert report.names == ["a #1", "b", "a #2", "a"]


def test_a_decision_takes_what_the_timing_says() -> None:
    tables = match_tables(2, 2)
    results = results_of(tables, 2, noisy([0, 0]))
    timed = replace(results, timing=(Timing(10, 2.5, 1.0), Timing()))
    report = contest_report(plan_of(tables, 2), timed, highest_wins=True)
    assert [standing.seconds for standing in report.standings] == [0.25, None]
    plain = contest_report(plan_of(tables, 2), results, highest_wins=True)
    assert [standing.seconds for standing in plain.standings] == [None, None]


def test_together_the_matrix_is_of_differences() -> None:
    tables = tournament_tables(3, 3, together=True)
    plan = plan_of(tables, 30, "abc")
    results = results_of(tables, 30, noisy([0.0, 1.0, 2.0], noise=0.0))
    matrix = contest_report(plan, results, highest_wins=True, rated="score").matrix
    assert matrix is not None
    assert matrix.kind == "difference"
    assert np.array(matrix.means())[2, 0] == pytest.approx(200, abs=1)

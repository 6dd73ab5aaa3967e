from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from contests import results_of

from cardwright.arena.bounds import WinRange, share_estimate
from cardwright.arena.deals import DealArrays
from cardwright.arena.findings import BoundedTest
from cardwright.arena.plan import GameRef, RunPlan
from cardwright.arena.report import contest_report
from cardwright.arena.schedule import (
    Tables,
    balanced,
    ladder_tables,
    one_against_rest,
    rotations,
    tournament_tables,
)
from cardwright.statistics.sequential import SequentialTest

if TYPE_CHECKING:
    from cardwright.arena.results import Results
    from cardwright.statistics.intervals import Estimate
    from cardwright.statistics.ties import Ties


def small_match(tables: Tables, deals: int, seed: int) -> tuple[RunPlan, Results]:
    """Return a match of few deals with ties, in which one entrant may be much the better."""
    generator = np.random.default_rng(seed)
    skill = generator.choice([0, 0, 1, 2, 6], 8)
    seats = generator.choice([0, 1, 3], len(tables[0]))
    spread = int(generator.integers(1, 4))

    def play(_deal: int, table: object) -> list[float]:
        return list(generator.integers(spread, size=len(seats)) + seats + skill[list(table)])

    entrants = "abcdefgh"[: 1 + max(map(max, tables))]
    plan = RunPlan(GameRef("x", len(seats), "digest"), tuple(entrants), tables, deals, seed=1)
    return plan, results_of(tables, deals, play)


def side(estimate: Estimate, value: float) -> int:
    """Return on which side of a value an interval lies; 0 if it holds the value."""
    assert estimate.low is not None
    assert estimate.high is not None
    return int(estimate.low > value) - int(estimate.high < value)


@pytest.mark.parametrize("tables", [rotations((0, 1)), one_against_rest(4), balanced(4)])
def test_share_and_difference_of_two_never_disagree(tables: Tables) -> None:
    """What leaves the fair share out leaves out a difference of 0, and the ends are the same."""
    told = 0
    taken = [sum(table.count(who) for table in tables) for who in (0, 1)]
    fair = len(tables) / sum(taken)
    for seed in range(120):
        plan, results = small_match(tables, 2 + seed % 11, seed)
        test = BoundedTest.of(SequentialTest(0, 0.1), "win", "shared", plan, None)
        assert test.basis == "shares"
        assert test.test.bound == (0.5 if len(tables) == 6 else 1)
        report = contest_report(plan, results, highest_wins=True, test=test)
        (difference,), standings = report.differences, report.standings
        sides = {side(standings[0].win, fair), -side(standings[1].win, fair)}
        assert len(sides | {side(difference.win, 0)}) == 1
        told += 0 not in sides
        for end in ("low", "mean", "high"):
            share = getattr(standings[0].win, end)
            other = (len(tables) - taken[0] * share) / taken[1]
            assert getattr(difference.win, end) == pytest.approx(share - other, abs=1e-12)
            assert -taken[0] / taken[1] <= getattr(difference.win, end) <= 1
        assert report.tested is not None
        assert report.tested.estimate == difference.win or len(tables[0]) > 2
    assert 20 < told < 110


@pytest.mark.parametrize("ties", ["shared", "full"])
def test_no_interval_leaves_what_is_possible(ties: Ties) -> None:
    """Where winning each table alone has a share of a third, no interval of wins is above it."""
    for seed in range(30):
        plan, results = small_match(ladder_tables(2, 1, 4), 2 + seed % 4, seed)
        results = results.counting(ties)
        report = contest_report(plan, results, field=1, highest_wins=True)
        one, other, field = (standing.win for standing in report.standings)
        for win, most in ((one, 1), (other, 1), (field, 1 if ties == "full" else 1 / 3)):
            assert 0 <= win.low <= win.mean <= win.high <= most + 1e-12
        (difference,) = report.differences
        assert -1 <= difference.win.low < difference.win.high <= 1
        for together in (False, True):
            tables = tournament_tables(3, 3, together=together)
            plan, results = small_match(tables, 2, seed)
            matrix = contest_report(
                plan, results.counting(ties), highest_wins=True, rated="win", resamples=2
            ).matrix
            assert matrix is not None
            for cell in (cell for row in matrix.cells for cell in row if cell and cell.low):
                assert -1 <= cell.low <= cell.mean <= cell.high <= 1


@pytest.mark.parametrize("ties", ["shared", "full"])
@pytest.mark.parametrize(
    "tables", [((0, 0, 1), (1, 0, 2), (1, 1, 1)), balanced(3), one_against_rest(4, 1, 0)]
)
def test_bounds_are_those_of_all_outcomes(tables: Tables, ties: Ties) -> None:
    """Found by going through every set of winners at every table."""
    seats = len(tables[0])
    winners = [[bool(mask >> seat & 1) for seat in range(seats)] for mask in range(1, 2**seats)]

    def play(deal: int, _table: object) -> list[float]:
        return [float(one) for one in winners[deal]]

    results = results_of(tables, len(winners), play).counting(ties)
    seating = np.array(tables)
    win = results.win.reshape(len(winners), len(tables), seats)
    least, most = WinRange(ties).mean_bounds(seating, 3)
    for who in set(seating.ravel()):
        mine = (win * (seating == who)).sum(axis=2) / (seating == who).sum()
        ends = (mine.min(axis=0).sum(), mine.max(axis=0).sum())
        assert (least[who], most[who]) == pytest.approx(ends)
    met = [table for table in tables if {0, 1} <= set(table)]
    deals = DealArrays.of(results_of(met, len(winners), play).counting(ties), tuple(met), 3)
    by_table = [
        DealArrays.of(results_of([table], len(winners), play).counting(ties), (table,), 3)
        for table in met
    ]
    values = np.array([one.difference("win", 0, 1) for one in by_table])
    bounds = (values.min(axis=1).mean(), values.max(axis=1).mean())
    assert WinRange(ties).difference_bounds(seating, 0, 1) == pytest.approx(bounds)
    assert deals.difference_bounds(0, 1) == pytest.approx(bounds)


def test_what_is_known_without_play_has_no_interval() -> None:
    estimate = share_estimate(np.full(9, 0.25), 0.25, 0.25)
    assert (estimate.mean, estimate.low, estimate.high, estimate.count) == (0.25, None, None, 9)
    nobody = share_estimate(np.full(3, np.nan), float("nan"), float("nan"))
    assert nobody.record() == {"mean": None, "low": None, "high": None, "deals": 0}

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from contests import noisy, results_of

from cardwright.arena.deals import DealArrays
from cardwright.arena.schedule import balanced, one_against_rest, rotations
from cardwright.statistics.intervals import mean_interval
from cardwright.statistics.resampling import LEAST_DEALS

TABLES = ((0, 1, 1), (1, 0, 1), (1, 1, 0))


def test_values_by_entrant_and_seat_are_means_over_the_tables_of_a_deal() -> None:
    points = {(0, 1, 1): [9, 0, 3], (1, 0, 1): [6, 3, 0], (1, 1, 0): [0, 0, 6]}
    deals = DealArrays.of(
        results_of(TABLES, 2, lambda deal, table: [p + deal for p in points[tuple(table)]]),
        TABLES, 2,
    )  # fmt: skip
    assert deals.by_entrant("score").tolist() == [[6, 1.5], [7, 2.5]]
    assert deals.by_seat("score").tolist() == [[5, 1, 3], [6, 2, 4]]
    assert deals.difference("score", 0, 1).tolist() == [4.5, 4.5]
    assert deals.difference("score", 1, 0).tolist() == [-4.5, -4.5]
    assert deals.difference("win", 0, 1).tolist() == pytest.approx([0.5, 0.5])
    assert (len(deals), deals.games, deals.failed, deals.left_out) == (2, 6, 0, 0)
    assert deals.decisions.tolist() == [60, 120]
    assert deals.seats_taken.tolist() == [6, 12]


def test_a_deal_with_a_failed_game_is_left_out_whole() -> None:
    play = noisy([0.0, 1.0])
    failed = [(1, 2), (3, 0), (3, 1)]
    deals = DealArrays.of(results_of(TABLES, 5, play, failed=failed), TABLES, 2)
    assert deals.numbers.tolist() == [0, 2, 4]
    assert (deals.games, deals.failed, deals.left_out) == (9, 3, 2)
    assert not np.isnan(deals.by_entrant("score")).any()
    assert np.abs(deals.score).max() < 1e6
    assert deals.faults.tolist() == [1, 2]
    assert deals.decisions.tolist() == [150, 300]


def test_no_whole_deal_at_all() -> None:
    results = results_of(TABLES, 1, noisy([0.0, 0.0]), failed=[(0, 0)])
    deals = DealArrays.of(results, TABLES, 2)
    assert (len(deals), deals.games, deals.left_out) == (0, 0, 1)
    assert deals.by_entrant("score").shape == (0, 2)
    assert np.isnan(deals.places()).all()


def test_results_of_other_tables_are_refused() -> None:
    results = results_of(TABLES, 2, noisy([0.0, 0.0]))
    with pytest.raises(ValueError, match="not of these tables"):
        DealArrays.of(results, balanced(3)[:3][::-1], 2)


def test_places_of_players_who_tie_are_shared() -> None:
    tables = ((0, 1, 2, 3),)
    deals = DealArrays.of(results_of(tables, 1, lambda _deal, _table: [7, 7, 7, 1]), tables, 4)
    third = pytest.approx([1 / 3, 1 / 3, 1 / 3, 0])
    assert [row.tolist() for row in deals.places()] == [third, third, third, [0, 0, 0, 1]]
    deals = DealArrays.of(results_of(tables, 1, lambda _deal, _table: [7, 3, 3, 9]), tables, 4)
    assert deals.places().tolist() == [
        [0, 1, 0, 0], [0, 0, 0.5, 0.5], [0, 0, 0.5, 0.5], [1, 0, 0, 0],
    ]  # fmt: skip


@pytest.mark.parametrize("tables", [one_against_rest(4), balanced(4)])
def test_the_interval_of_equal_players_covers_nought_at_its_rate(tables) -> None:
    hits = 0
    for seed in range(300):
        deals = DealArrays.of(results_of(tables, 12, noisy([0, 0], seed)), tables, 2)
        estimate = mean_interval(deals.difference("score", 0, 1))
        assert estimate.low is not None
        assert estimate.high is not None
        hits += estimate.low <= 0 <= estimate.high
    assert 0.91 < hits / 300 < 0.99


def test_duplicate_deals_gain_what_the_cards_hide() -> None:
    """With luck of variance L a seat and noise of N, a pair has 2N/2 instead of 2(L + N)/2."""
    tables = rotations((0, 1))
    results = results_of(tables, 3000, noisy([0.0, 0.5], luck=2.0, noise=1.0))
    deals = DealArrays.of(results, tables, 2)
    gain = deals.duplicate_gain("score", 0, 1)
    assert gain is not None
    assert gain.mean == pytest.approx(5.0, rel=0.12)
    assert gain.low is not None
    assert gain.high is not None
    assert 4.5 < gain.low < 5 < gain.high < 5.5
    none = DealArrays.of(results_of(tables, 3000, noisy([0.0, 0.5], luck=0.0)), tables, 2)
    gain = none.duplicate_gain("score", 0, 1)
    assert gain is not None
    assert gain.mean == pytest.approx(1.0, rel=0.12)


@pytest.mark.sweep
@pytest.mark.parametrize("tables", [rotations((0, 1)), one_against_rest(4), balanced(4)])
@pytest.mark.parametrize("worth", [0.0, 0.5, 1.0, 2.0])
def test_what_seats_are_worth_is_no_luck_of_the_cards(tables, worth) -> None:
    """Without luck there is no gain, whatever the seats are worth."""
    seats = [worth * (-1) ** seat for seat in range(4)]
    play = noisy([0.0, 0.5], luck=0.0, seats=seats)
    gain = DealArrays.of(results_of(tables, 600, play), tables, 2).duplicate_gain("score", 0, 1)
    assert gain is not None
    assert gain.mean == pytest.approx(1.0, abs=0.15)
    assert gain.low is not None
    assert gain.high is not None
    assert gain.low < 1 < gain.high


def test_only_games_in_which_both_sit_tell_of_a_gain() -> None:
    tables = ((0, 1), (0, 2), (1, 0), (2, 0))
    play = noisy([0.0, 0.0, 9.0], luck=2.0)
    results = results_of(tables, 300, play)
    pair = tuple(table for table in tables if set(table) == {0, 1})
    alone = results.where(np.isin(results.table, [0, 2]))
    alone = replace(alone, table=alone.table // 2)
    expected = DealArrays.of(alone, pair, 2).duplicate_gain("score", 0, 1)
    assert DealArrays.of(results, tables, 3).duplicate_gain("score", 0, 1) == expected
    assert expected is not None


def test_there_is_no_gain_to_tell_of_without_spread() -> None:
    tables = rotations((0, 1))
    same = DealArrays.of(results_of(tables, 40, lambda _deal, _table: [1, 1]), tables, 2)
    assert same.duplicate_gain("score", 0, 1) is None
    few = DealArrays.of(results_of(tables, LEAST_DEALS - 1, noisy([0, 0])), tables, 2)
    assert few.duplicate_gain("score", 0, 1) is None


def test_entrants_that_never_meet_have_no_difference() -> None:
    tables = ((0, 1), (1, 0), (0, 2), (2, 0))
    deals = DealArrays.of(results_of(tables, 40, noisy([0, 0, 0])), tables, 3)
    assert np.isnan(deals.difference("score", 1, 2)).all()
    assert deals.duplicate_gain("score", 1, 2) is None


def test_shared_wins_can_be_counted_in_full_and_back() -> None:
    """Counting again gives what the records have, and a failed game has no win either way."""

    def play(deal: int, _table: object) -> list[int]:
        return [[7, 7, 1, 1], [9, 3, 3, 3], [5, 5, 5, 5]][deal % 3]

    results = results_of(balanced(4)[:2], 6, play, failed=[(4, 1)])
    full = results.counting("full")
    ended = results.finished
    assert full.win[ended].tolist() == (results.rank[ended] == 0).astype(float).tolist()
    assert np.isnan(full.win[~ended]).all()
    again = full.counting("shared")
    assert np.array_equal(again.win, results.win, equal_nan=True)
    assert full.before(2).ties == "full"

from __future__ import annotations

import math
import statistics

import numpy as np
import pytest
from hypothesis import given, strategies as st

from cardwright import Game
from cardwright.arena.referee import GameRecord, referee_game
from cardwright.arena.simulation import FULL_MESSAGES, Running, SeatSummary, Summary
from cardwright.game.native.bulk import Bulk
from cardwright.players.player import RandomPlayer
from cardwright.statistics.intervals import Estimate

GAMES = [
    GameRecord(1, ((0, 4, 1), (1, 1, 0), (0, 3, 2)), (10, 4), (0, 1)),
    GameRecord(2, ((0, 2, 1),), (5, 5), (0, 0)),
    GameRecord(3, ((0, 1, 0), (1, 13, 0)), (1, 7), (1, 0)),
]


def summed(records: list[GameRecord], players: int = 2) -> Summary:
    summary = Summary(players)
    for record in records:
        summary.add(record)
    return summary


@given(st.lists(st.integers(-(10**12), 10**12), min_size=2, max_size=40))
def test_running_statistics_are_those_of_the_list(values: list[int]) -> None:
    running = Running()
    for value in values:
        running.add(value)
    sd = statistics.stdev(values)
    assert running.count == len(values)
    assert running.mean == pytest.approx(statistics.fmean(values), rel=1e-9, abs=1e-3)
    assert running.sd == pytest.approx(sd, rel=1e-9, abs=1e-3)
    sample = running.sample
    assert (sample.count, sample.mean) == (running.count, running.mean)
    assert math.sqrt(sample.variance) == running.sd
    assert (running.least, running.most) == (min(values), max(values))


def test_numbers_far_from_zero_keep_their_spread() -> None:
    running = Running()
    for value in (4, 7, 13, 16):
        running.add(10**17 + value)
    assert running.sd == math.sqrt(30)


@given(st.lists(st.integers(-(2**63), 2**63 - 1) | st.integers(-9, 9), max_size=40))
def test_many_numbers_count_as_one_by_one(values: list[int]) -> None:
    """Nothing is lost where squares, sums or the numbers themselves leave 64 bits."""
    one_by_one, together = Running(), Running()
    for value in values:
        one_by_one.add(value)
    half = len(values) // 2
    together.add_all(values[:half])
    together.add_all(values[half:])
    assert one_by_one == together


def test_one_number_has_no_spread() -> None:
    running = Running()
    running.add(3)
    assert (running.mean, running.sd) == (3, None)
    seat = SeatSummary(Running(2), running)
    seat.win.add(2)
    assert seat.mean_score == Estimate(3, None, None, 1)
    assert seat.win_share == Estimate(1, None, None, 1)


def test_no_number_has_no_mean() -> None:
    assert SeatSummary(Running(2)).mean_score.record() == {
        "mean": None, "low": None, "high": None, "deals": 0,
    }  # fmt: skip


@pytest.mark.parametrize("games", [2, 3, 5])
def test_mean_scores_of_few_games_are_covered_as_often_as_said(games: int) -> None:
    """Of normal scores; 1.96 standard errors would cover 70, 81 and 87 %."""
    inside, runs = 0, 1_500
    for scores in np.random.default_rng(games).normal(1_000, 300, (runs, games)).round():
        seat = SeatSummary(Running())
        seat.score.add_all(scores.astype(int).tolist())
        low, high = seat.mean_score.low, seat.mean_score.high
        assert low is not None
        assert high is not None
        inside += low <= 1_000 <= high
    assert 0.93 <= inside / runs <= 0.97


def test_a_share_of_few_games_is_covered_as_often_as_said() -> None:
    """Nine of ten games won, as a mean; 1.96 standard errors would cover 66 %."""
    inside, runs = 0, 1_500
    for won in np.random.default_rng(0).binomial(10, 0.9, runs).tolist():
        seat = SeatSummary(Running(2))
        seat.win.add(2, won)
        seat.win.add(0, 10 - won)
        low, high = seat.win_share.low, seat.win_share.high
        assert low is not None
        assert high is not None
        assert 0 <= low < high <= 1
        inside += low <= 0.9 <= high
    assert inside / runs >= 0.92


def test_equal_scores_have_no_interval_but_equal_shares_have() -> None:
    """All games won: the next one need not be."""
    seat = SeatSummary(Running(2))
    seat.score.add(26, 8)
    seat.win.add(2, 8)
    assert seat.mean_score == Estimate(26, None, None, 8)
    assert seat.win_share.low == pytest.approx(0.025 ** (1 / 8))
    assert seat.win_share.high == 1


def test_scores_and_shares_of_wins() -> None:
    summary = summed(GAMES)
    assert [seat.score.mean for seat in summary.seats] == pytest.approx([16 / 3, 16 / 3])
    assert summary.seats[0].score.sd == pytest.approx(statistics.stdev([10, 5, 1]))
    assert [seat.win.mean for seat in summary.seats] == pytest.approx([0.5, 0.5])
    assert summary.seats[1].win.sd == pytest.approx(statistics.stdev([0, 0.5, 1]))


def test_a_win_of_three_is_a_third_for_each() -> None:
    summary = summed([GameRecord(1, (), (2, 2, 2, 1), (0, 0, 0, 3))], players=4)
    assert [seat.win.mean for seat in summary.seats] == pytest.approx([1 / 3, 1 / 3, 1 / 3, 0])


def test_decisions_and_options() -> None:
    summary = summed(GAMES)
    assert (summary.decisions.mean, summary.decisions.least, summary.decisions.most) == (2, 1, 3)
    assert summary.option_mean == pytest.approx(24 / 6)
    assert summary.option_most == 13
    assert summary.single_share == pytest.approx(2 / 6)


def test_a_game_with_an_error_counts_as_such_alone() -> None:
    summary = summed([*GAMES, GameRecord(9, ((0, 99, 3),), (), (), "it broke\nhere")])
    whole = summed(GAMES)
    assert (summary.games, summary.finished) == (4, 3)
    assert summary.errors == [(9, "it broke\nhere")]
    assert summary.option_most == 13
    assert summary.seats == whole.seats


def test_nothing_is_known_of_no_games() -> None:
    summary = summed([])
    assert (summary.option_mean, summary.single_share, summary.finished) == (None, None, 0)


def test_games_without_decisions() -> None:
    summary = summed([GameRecord(1, (), (0, 1), (1, 0))])
    assert summary.decisions.most == 0
    assert summary.option_mean is None


def test_all_errors_stay_but_only_the_first_in_full() -> None:
    records = [GameRecord(n, (), (), (), "short\nlong") for n in range(FULL_MESSAGES + 5)]
    errors = summed(records).errors
    assert [seed for seed, _ in errors] == list(range(FULL_MESSAGES + 5))
    assert errors[FULL_MESSAGES - 1][1] == "short\nlong"
    assert errors[FULL_MESSAGES][1] == "short"


@pytest.mark.parametrize(("name", "declared"), [("hearts", {}), ("president", {"PLAYERS": 5})])
def test_games_played_in_bulk_count_as_others(name: str, declared: dict[str, int]) -> None:
    """All figures are exactly the same, shared wins included."""
    game = Game.load(name, **declared)
    players = [RandomPlayer()] * game.players
    whole = Summary(game.players)
    for part in (range(70), range(70, 100)):
        for block in Bulk(game, part).blocks():
            whole.add_all(block)
    assert whole == summed([referee_game(game, seed, players) for seed in range(100)], game.players)


LARGE = """
(game
  (setup (create players 3) (create deck (game iloc STOCK) (deck (RANK (A, K)))))
  (stage player (end (== (game sto DONE) 3)) (choice ((inc (game sto DONE)))))
  (scoring WINS (* (random 3) SCORE)))
"""


@pytest.mark.parametrize("wins", ["min", "max"])
@pytest.mark.parametrize("score", ["1", f"(- 0 {2**31})", f"{2**61}"])
def test_sums_of_games_in_bulk_are_exact(wins: str, score: str) -> None:
    """By machine code, also where sums of squares need more than 64 bits."""
    game = Game.from_text(LARGE.replace("WINS", wins).replace("SCORE", score))
    players = [RandomPlayer()] * game.players
    whole = Summary(game.players)
    for block in Bulk(game, range(130)).blocks():
        whole.add_all(block)
    assert whole == summed([referee_game(game, seed, players) for seed in range(130)], game.players)
    assert all(seat.score.sd for seat in whole.seats)

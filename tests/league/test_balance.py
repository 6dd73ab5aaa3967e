"""Balanced schedules: seats exactly, meetings nearly, equally often, for all bots and rounds."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from cardwright.league.balance import MOST_GAMES, BalanceError, balance_report, balanced
from deep import mostly_deep, usually

ALWAYS_EQUAL = (4, 5, 7, 13)
"""Numbers of bots for which there are blocks that have every distance equally often."""


@settings(max_examples=usually(20, 60))
@given(bots=st.integers(4, 60), rounds=st.integers(1, 40), seed=st.integers(0, 2**32))
def test_bots_sit_and_meet_equally_often(bots: int, rounds: int, seed: int) -> None:
    """Every bot is in every seat once a round; meetings and neighbours differ by little."""
    schedule = balanced(bots, rounds, seed)
    assert schedule.shape == (bots * rounds, 4)
    assert schedule.dtype == np.int32
    for part in schedule.reshape(rounds, bots, 4):
        assert (np.sort(part, axis=0) == np.arange(bots)[:, None]).all()
    assert (np.diff(np.sort(schedule, axis=1), axis=1) > 0).all()
    report = balance_report(schedule, bots)
    fewest, most = report.between_two(report.meetings)
    assert most - fewest <= 2
    # All meetings together, 6 a game, lie between the fewest and the most.
    mean = 12 * rounds / (bots - 1)
    assert fewest <= mean <= most
    if bots in ALWAYS_EQUAL:
        assert fewest == most == mean
    # Who sits after whom is balanced too, and opposite whom: by chance some would be far apart.
    assert report.next.sum() == 4 * bots * rounds
    across = report.meetings - report.next - report.next.T
    spread = np.ptp(across[~np.eye(bots, dtype=bool)])
    fewest, most = report.between_two(report.next)
    assert max(most - fewest, spread) <= 4
    if bots == 5 or (bots, rounds % 6) == (4, 0):
        assert (most, spread) == (fewest, 0)


@pytest.mark.parametrize("bots", mostly_deep([6, 8, 9, 20, 33, 64, 200], lambda bots: bots < 64))
def test_meetings_differ_by_one_after_most_rounds(bots: int) -> None:
    """Two is the exception."""
    schedule = balanced(bots, 20)
    reports = [balance_report(schedule[: bots * after], bots) for after in range(1, 21)]
    spread = [int(np.ptp(one.between_two(one.meetings))) for one in reports]
    assert sum(one <= 1 for one in spread) >= 12
    assert max(spread) <= 2


def test_four_bots_play_all_orders() -> None:
    """After six rounds each once, after twelve each twice."""
    orders = Counter(map(tuple, balanced(4, 6, 3).tolist()))
    assert len(orders) == 24
    assert set(Counter(map(tuple, balanced(4, 12).tolist())).values()) == {2}


def test_seeds() -> None:
    """The same seed gives the same schedule; another one, another."""
    assert (balanced(9, 5, 1) == balanced(9, 5, 1)).all()
    assert (balanced(9, 5, 1) != balanced(9, 5, 2)).any()


@pytest.mark.parametrize(
    ("bots", "rounds", "message"),
    [
        (3, 1, "four bots, and there are only 3"),
        (10_001, 1, "10,001 bots are too many; the limit is 10,000"),
        (4, 0, "at least one round, not 0"),
        (1000, MOST_GAMES // 1000 + 1, "10,001,000 games; the limit is 10,000,000"),
    ],
)
def test_what_there_is_no_schedule_for(bots: int, rounds: int, message: str) -> None:
    with pytest.raises(BalanceError, match=message):
        balanced(bots, rounds)


@given(
    st.lists(st.lists(st.integers(0, 5), min_size=4, max_size=4), min_size=1, max_size=9),
)
def test_the_report_counts(games: list[list[int]]) -> None:
    """Whatever the schedule, with bots in several seats of a game too."""
    report = balance_report(np.array(games, np.int32), 6)
    for bot in range(6):
        assert report.games[bot] == sum(bot in game for game in games)
        for seat in range(4):
            assert report.seats[bot, seat] == sum(game[seat] == bot for game in games)
        for other in range(6):
            if other != bot:
                together = sum(bot in game and other in game for game in games)
                assert report.meetings[bot, other] == together
            following = sum(
                (game[seat], game[(seat + 1) % 4]) == (bot, other)
                for game in games
                for seat in range(4)
            )
            assert report.next[bot, other] == following
    meetings = [
        sum(one in game and other in game for game in games)
        for one, other in combinations(range(6), 2)
    ]
    assert report.between_two(report.meetings) == (min(meetings), max(meetings))


def test_the_report_of_one_bot() -> None:
    """It meets nobody."""
    report = balance_report(np.zeros((2, 4), np.int32), 1)
    assert report.games.tolist() == [2]
    assert report.between_two(report.meetings) == report.between_two(report.next) == (0, 0)

"""Trials say about how long a game takes, and take no longer than they may."""

from __future__ import annotations

import time
from itertools import permutations

import pytest

from cardwright import Game
from cardwright.arena import estimate
from cardwright.arena.estimate import game_seconds, is_quick, showing_all
from cardwright.arena.referee import referee_game
from cardwright.players.player import RandomPlayer

KUHN = Game.load("kuhn", engine="interpreter")
NAP = 0.02


class Sleepy(RandomPlayer):
    """Thinks for a while."""

    def choose(self, decision):
        time.sleep(NAP)
        return super().choose(decision)


class Broken(RandomPlayer):
    def choose(self, decision):
        raise SystemError


def test_a_short_game_is_measured_whole():
    seconds = game_seconds(KUHN, [Sleepy, Sleepy], 1)
    assert seconds is not None
    assert seconds >= 2 * NAP


class Clock:
    """A clock that only players move."""

    now = 0.0

    def perf_counter(self):
        return self.now


class Timed(RandomPlayer):
    """Takes some seconds of a clock for the first decision, and others for each later one."""

    def __init__(self, clock, first, later):
        self.clock, self.first, self.later = clock, first, later
        self.asked = 0

    def choose(self, decision):
        self.clock.now += self.later if self.asked else self.first
        self.asked += 1
        return super().choose(decision)


EIGHTS = Game.load("crazyeights", engine="interpreter")


@pytest.fixture
def tried(monkeypatch):
    """Return a function that estimates a game of Crazy Eights, and says how long that took."""
    clock = Clock()
    monkeypatch.setattr(estimate, "time", clock)

    def estimated(seats, most):
        makers = [lambda pair=pair: Timed(clock, *pair) for pair in seats]
        begun = clock.now
        seconds = game_seconds(EIGHTS, makers, 5, most)
        assert seconds is not None
        return seconds, clock.now - begun

    return estimated


def decisions(seed=5):
    record = referee_game(EIGHTS, seed, [RandomPlayer()] * EIGHTS.players)
    return [[seat for seat, *_ in record.decisions].count(at) for at in range(EIGHTS.players)]


def test_a_long_game_is_broken_off_and_guessed(tried):
    """Crazy Eights has dozens of decisions: two of each seat are enough."""
    counts = decisions()
    assert min(counts) > 4
    seconds, taken = tried([(1.0, 1.0)] * 3, 2.5)
    assert seconds == pytest.approx(sum(counts))
    assert taken <= 7


@pytest.mark.parametrize("first", [0.5, 5.0, 90.0, 600.0])
@pytest.mark.parametrize("most", [0.5, 1_000_000.0])
def test_what_is_done_once_does_not_count(tried, first, most):
    """As compiling machine code, however long that takes, by one seat for all or by each."""
    counts = decisions()
    seconds, _ = tried([(first, 0.25), (0.25, 0.25), (0.25, 0.25)], most)
    assert seconds == pytest.approx(0.25 * sum(counts))
    if first <= 5:
        seconds, _ = tried([(first, 0.25)] * 3, most)
        assert seconds == pytest.approx(0.25 * sum(counts))


def test_seats_take_their_own_time(tried):
    """A slow player among quick ones is asked twice, though these have decided many times."""
    counts = decisions()
    for slow in range(3):
        seats = [(30.0, 2.0) if seat == slow else (0.001, 0.001) for seat in range(3)]
        seconds, taken = tried(seats, 0.5)
        expected = sum(count * seats[seat][1] for seat, count in enumerate(counts))
        assert seconds == pytest.approx(expected)
        assert taken < 33


def test_slow_players_are_not_tried_for_ever(tried):
    seconds, taken = tried([(100.0, 100.0)] * 3, 2.0)
    assert seconds == pytest.approx(100 * sum(decisions()))
    assert taken == 200


def test_what_goes_wrong_in_a_trial_is_not_told():
    assert game_seconds(KUHN, [Broken, Broken], 1) is None


def test_ctrl_c_ends_a_trial():
    def press():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        game_seconds(KUHN, [press, press], 1)


def test_players_are_quick_by_their_kind():
    assert is_quick("rule")
    assert is_quick("hierarchy:mine.toml")
    assert not is_quick("expert:iterations=5")
    assert not is_quick("python:mine.py:Quick")


def test_few_tables_show_all_who_play():
    tables = list(permutations(range(4), 2))
    assert showing_all(tables) == [(0, 1), (0, 2), (0, 3)]
    assert showing_all([]) == []

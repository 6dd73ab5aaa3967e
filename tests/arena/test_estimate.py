"""Trials say about how long a game takes, and take no longer than they may."""

from __future__ import annotations

import time
from itertools import permutations

import pytest

from cardwright import Game
from cardwright.arena import estimate
from cardwright.arena.estimate import game_seconds, is_quick, showing_all
from cardwright.arena.referee import referee_game
from cardwright.players.random import RandomPlayer

KUHN = Game.load("kuhn", engine="interpreter")
NAP = 0.02


class Sleepy(RandomPlayer):
    """Thinks for a while, and counts how often."""

    calls = 0

    def choose(self, decision):
        Sleepy.calls += 1
        time.sleep(NAP)
        return super().choose(decision)


class Broken(RandomPlayer):
    def choose(self, decision):
        raise SystemError


def test_a_short_game_is_measured_whole():
    seconds = game_seconds(KUHN, [Sleepy, Sleepy], 1)
    assert seconds is not None
    assert seconds >= 2 * NAP


def test_a_long_game_is_broken_off_and_guessed():
    """Crazy Eights has dozens of decisions: three of them are enough, after the first of each."""
    game = Game.load("crazyeights", engine="interpreter")
    Sleepy.calls = 0
    seconds = game_seconds(game, [Sleepy] * game.players, 5, most=2.5 * NAP)
    assert Sleepy.calls <= game.players + 3
    decisions = len(referee_game(game, 5, [RandomPlayer()] * game.players).decisions)
    assert decisions > 20
    assert seconds is not None
    assert seconds >= decisions * NAP


def test_what_a_player_needs_once_does_not_count(monkeypatch):
    """As machine code that it makes when it is asked for the first time."""

    class Slow(RandomPlayer):
        def __init__(self):
            self.asked = 0

        def choose(self, decision):
            self.asked += 1
            time.sleep(15 * NAP if self.asked == 1 else NAP)
            return super().choose(decision)

    game = Game.load("crazyeights", engine="interpreter")
    monkeypatch.setattr(estimate, "_COLD", 100)
    for most in (2.5 * NAP, 60):
        seconds = game_seconds(game, [Slow] * game.players, 1, most)
        decisions = len(referee_game(game, 5, [RandomPlayer()] * game.players).decisions)
        assert seconds is not None
        assert seconds < decisions * 4 * NAP


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

"""Measures of games, on values worked out by hand and on some real games."""

from __future__ import annotations

from math import sqrt

import pytest

from cardwright import Game, game_seeds
from cardwright.analysis import heuristics as h
from cardwright.arena.referee import play_game
from cardwright.players.cardstock import CardStockPipmc


def test_published_values():
    """The values of CardStock's articles for given rates of wins."""
    assert [h.threshold(players) for players in range(2, 7)] == pytest.approx(
        [0.5, 0.75, 5 / 6, 0.875, 0.9]
    )
    assert h.fairness(0.35, 4) == pytest.approx(0.8667, abs=1e-4)
    assert h.order(0.61, 4) == pytest.approx(0.48)
    assert h.convergence([3, 3, 3]) == 0.5


def test_order_and_fairness_at_their_ends():
    """0 for no better than random and 1 for always; fair is a share of wins, unfair none or all."""
    assert h.order(0.25, 4) == 0
    assert h.order(1, 4) == 1
    assert h.order(0, 4) < 0
    assert h.fairness(0.25, 4) == 1
    assert h.fairness(0, 4) == h.fairness(1, 4) == 0
    assert h.fairness(0.125, 4) == 0.5


def test_convergence_is_a_slope():
    """Options that fall by one a decision have slope -1."""
    assert h.convergence([4, 3, 2, 1]) == 1
    assert h.convergence([1, 2, 3]) == 0
    assert h.convergence([1, 2, 1]) == 0.5
    assert h.convergence([2, 0, 1]) == pytest.approx(0.75)
    assert h.convergence([7]) == 0.5


def test_drama_and_security_by_hand():
    """Two players, so a player is behind below 0.5; the last leader is the winner."""
    games = [[[0.25, 0.75], [0.5, 0.5], [0.41, 0.3], [1, 0]], [[0.1, 0.6], [0.3, 0.8]]]
    assert [h.last_leader(leads) for leads in games] == [0, 1]
    first = (sqrt(0.25) + sqrt(0.09)) / 2
    assert h.drama(games) == pytest.approx(first / 2)
    assert h.security(games) == pytest.approx((0.5 + 1) / 2)
    assert h.drama(games[:1], winners=[1]) == pytest.approx((sqrt(0.2) + sqrt(0.5)) / 2)
    assert h.last_leader([[0.5, 0.5]]) == 0
    assert h.spread([0.1, 0.3]) == pytest.approx(0.2)


def test_measures_of_the_program_by_hand():
    """Own estimates only, other thresholds, and the slips that are part of them."""
    games = [[[0.34, 0.6, 0.9, 0.85], [0.2, 0.3]], [[0.5, 0.4], [0.41, 0.8]]]
    assert h.engine_drama(games, [0, 1]) == pytest.approx((0.4 + 0.3) / 2)
    assert h.engine_drama(games[:1], [1]) == pytest.approx((sqrt(0.3) + sqrt(0.2)) / 2)
    assert h.engine_drama([[[0.5], [0.9]]], [0]) == 0
    assert h.engine_decisiveness(games, [0, 1]) == pytest.approx(1 - (2 / 4 + 1 / 2) / 2)
    assert h.engine_coolness(games) == pytest.approx(1 - 2 / 6)
    assert h.engine_coolness([[[0.5, 0.5, 0.4]]]) == 0.5
    assert h.engine_clarity([(1, 0.5), (0.5, 0.25)]) == 0.5
    assert h.engine_fairness([[0, 1], [1, 0]]) == 1
    assert h.engine_fairness([[1, 0], [1, 0]]) == 0
    assert h.engine_fairness([[0, 0], [0, 0]]) == 0
    assert h.engine_fairness([[0, 0, 2], [1, 0, 2], [2, 0, 1]]) == pytest.approx(0.5)


def test_what_cannot_be_said():
    """One player, no games, and no decisions."""
    for call in (lambda: h.order(0.5, 1), lambda: h.threshold(1), lambda: h.fairness(1, 1)):
        with pytest.raises(ValueError, match="two players or more"):
            call()
    with pytest.raises(ValueError, match="without decisions"):
        h.convergence([])
    with pytest.raises(ValueError, match="nothing to take the mean"):
        h.spread([])


class Watched:
    """A player whose reports are kept."""

    def __init__(self, player, notes):
        self.player = player
        self.notes = notes

    def choose(self, decision):
        chosen = self.player.choose(decision)
        self.notes += decision.notes
        return chosen


def test_hearts_of_cardstocks_players():
    """A small version of the comparison in `bench/pipmc_heuristics.py`: about five deviations."""
    game = Game.load("hearts")
    notes = []
    for seed in game_seeds(5, 60):
        mine = []
        play_game(game, seed, [Watched(CardStockPipmc(), mine) for _ in range(4)])
        notes.append(mine)
    leads = [[note.lead for note in mine] for mine in notes]
    assert {len(mine) for mine in notes} == {52}
    assert 0.115 < h.spread([note.spread for mine in notes for note in mine]) < 0.150
    assert 0.40 < h.drama(leads) < 0.56
    assert 0.22 < h.security(leads) < 0.56

"""How strong the players are, as far as some deals can show it: nobody plays at random by mistake.

The figures to be had were measured by an independent program with 100 000 deals of each: points a
deal by the rules that the two of clubs leads, no points fall in the first trick, any penalty card
breaks hearts and the moon costs the others 26, without passing.
"""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING

import pytest

from cardwright import Game
from cardwright.arena.referee import referee_game
from cardwright.hearts.hierarchy import Hierarchy, HierarchyPlayer
from cardwright.hearts.rule import CorinPlayer, FirstPlayer, LowestPlayer, RulePlayer
from cardwright.players.player import RandomPlayer

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.players.player import Player

DEALS = 120
TOLERANCE = 0.15


@cache
def game() -> Game:
    return Game.load("hearts", OPENING="LOWCLUB", FIRSTTRICK="FORCE", BREAKS="PENALTY", MOON="PLUS")


def points(one: Callable[[], Player], others: Callable[[], Player]) -> tuple[float, float]:
    """Return the mean points of one player against three others, and the standard error."""
    scores = []
    for seed in range(DEALS):
        players = [others() for _ in range(4)]
        players[seed % 4] = one()
        record = referee_game(game(), seed, players)
        assert record.error is None
        scores.append(record.scores[seed % 4])
    mean = sum(scores) / DEALS
    spread = sum((score - mean) ** 2 for score in scores) / (DEALS - 1)
    return mean, math.sqrt(spread / DEALS)


def default() -> Player:
    return HierarchyPlayer(Hierarchy.load("default"))


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("one", "others", "expected"),
    [
        (RulePlayer, RandomPlayer, 3.06),
        (RulePlayer, RulePlayer, 6.94),
        (RandomPlayer, RulePlayer, 11.64),
        (FirstPlayer, RulePlayer, 11.56),
        (LowestPlayer, RulePlayer, 10.10),
        (CorinPlayer, RandomPlayer, 6.65),
        (default, RandomPlayer, 3.1),
        (default, RulePlayer, 6.6),
    ],
)
def test_points_a_deal(
    one: Callable[[], Player], others: Callable[[], Player], expected: float
) -> None:
    mean, error = points(one, others)
    assert abs(mean - expected) < TOLERANCE + 3 * error


def test_a_hierarchy_without_lists_is_a_random_player() -> None:
    """It draws as the random player does, one draw a decision, so that it plays the same games."""
    for seed in range(20):
        chance = referee_game(game(), seed, [HierarchyPlayer(Hierarchy())] * 4)
        assert chance == referee_game(game(), seed, [RandomPlayer()] * 4)

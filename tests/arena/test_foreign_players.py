"""What players whose code is not ours can learn from what they draw: nothing of the cards."""

from __future__ import annotations

import sys

import pytest

from cardwright import Game
from cardwright.arena.entrants import player
from cardwright.arena.plan import GameRef, RunPlan
from cardwright.arena.referee import referee_game
from cardwright.arena.run import PlayRunDeals
from cardwright.game.seeds import game_seeds
from cardwright.players.kind import FULL_TRUST
from turned_back import before, numbers

WATCHING = """
SEEN = []

class Watching:
    def choose(self, decision):
        words = decision.stream.words
        SEEN.append((decision.seat, [*words, decision.stream.next()]))
        return decision.stream.below(decision.option_count)

from cardwright.players.player import RandomPlayer as ours
"""


@pytest.fixture
def file(tmp_path):
    (tmp_path / "mine.py").write_text(WATCHING, encoding="utf-8")
    return f"python:{tmp_path / 'mine.py'}:"


def seeds_behind(seen):
    """Return all that the streams that were seen may have been made of."""
    return {
        seed for seat, held in seen for number in numbers(held) for seed in before(number, seat)
    }


def seen_by(player):
    """Return what has been seen by all players of the module of one."""
    return sys.modules[type(player).__module__].SEEN


@pytest.mark.parametrize("paired", [False, True], ids=["by seat", "by decision"])
def test_the_seed_of_a_game_does_not_follow_from_what_a_player_draws(file, paired):
    """It does from the streams that players of ours are given."""
    game, spec = Game.load("kuhn"), player(file + "Watching")
    players = [spec.build() for _ in range(game.players)]
    seen = seen_by(players[0].player)
    record = referee_game(game, 2**63 + 77, players, paired=paired)
    assert len(seen) == len(record.decisions)
    assert record.seed not in seeds_behind(seen)
    seen.clear()
    referee_game(game, record.seed, [one.player for one in players], paired=paired)
    assert record.seed in seeds_behind(seen)


def test_nor_does_it_in_a_contest(file):
    plan = RunPlan(GameRef.of("kuhn"), ("random", file + "Watching"), ((0, 1), (1, 0)), 3, 5,
                   trust=FULL_TRUST)  # fmt: skip
    seen = seen_by(player(file + "Watching").build().player)
    PlayRunDeals(plan)(range(3))
    assert seen
    assert not seeds_behind(seen) & set(game_seeds(5, 3))


def test_a_game_is_played_again_as_it_was(file):
    """And a game with other chances otherwise; each decision has draws of its own."""
    game, spec = Game.load("leduc"), player(file + "Watching")
    seen = seen_by(spec.build().player)

    def played(chances):
        seen.clear()
        referee_game(game, 4, [spec.build(), spec.build()], chances)
        return [tuple(held) for _, held in seen]

    first = played(1)
    assert len(first) == len(set(first)) > 1
    assert played(1) == first
    assert not set(played(2)) & set(first)


def test_a_player_of_ours_that_a_file_makes_is_ours(file):
    game = Game.load("leduc")
    mine, ours = ([player(one).build()] * 2 for one in (file + "ours", "random"))
    assert referee_game(game, 4, mine) == referee_game(game, 4, ours)

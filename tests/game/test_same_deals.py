"""Random games with draws of their own: the same deals, other choices."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from broken_rules import BREAKS
from cardwright import Game, play_random
from cardwright.game.native.bulk import random_error
from cardwright.game.native.random_games import singly
from cardwright.syntax.source import Source

if TYPE_CHECKING:
    from cardwright.game import RandomGames

SEEDS = range(3, 15)
OTHERS = range(103, 115)


def text(games: RandomGames) -> tuple[object, ...]:
    fields = ("decisions", "options", "most", "single", "broken")
    return (games.scores.tolist(), *(games.tallies[name].tolist() for name in fields))


@pytest.mark.parametrize("name", ["leduc", "agram", "gofish"])
def test_both_engines_play_the_same_games(name: str) -> None:
    game = Game.load(name)
    slow = game.with_engine("interpreter")
    assert text(singly(slow, SEEDS)) == text(play_random(game, SEEDS, threads=1))
    fast = play_random(game, SEEDS, draws=OTHERS, threads=1)
    assert text(singly(slow, SEEDS, OTHERS)) == text(fast)
    assert text(fast) != text(play_random(game, SEEDS, threads=1))


def test_draws_change_choices_alone() -> None:
    """In one deal games differ by the draws, and they do not depend on the number of threads."""
    game = Game.load("leduc")
    once = play_random(game, [7] * 300, draws=range(300), threads=1)
    again = play_random(game, [7] * 300, draws=range(300), threads=3)
    assert text(once) == text(again)
    assert len(set(map(tuple, once.scores.tolist()))) > 1


def test_an_error_is_that_of_the_game_played() -> None:
    game = Game.from_source(Source("breaks.rcy", BREAKS))
    games = play_random(game, SEEDS, draws=OTHERS, threads=1)
    rows = games.broken.nonzero()[0]
    errors = [str(error) for error in games.errors()]
    assert errors == [str(random_error(game, SEEDS[row], OTHERS[row])) for row in rows]
    assert errors
    assert games.take(slice(2)).draws.tolist() == list(OTHERS[:2])


def test_there_are_as_many_draws_as_games() -> None:
    with pytest.raises(ValueError, match="12 games need as many draws, not 3"):
        play_random(Game.load("leduc"), SEEDS, draws=[1, 2, 3], threads=1)

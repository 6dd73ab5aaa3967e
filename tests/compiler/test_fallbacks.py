"""What goes the fast way goes the same way without it: each optimisation is left out in turn.

So the slow way of everything is played too, and what happens where the fast one gives up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from cardwright import Game, Stream
from cardwright.compiler import native
from cardwright.game.native.random_games import play_random
from deep import mostly_deep, usually
from fallbacks import OF_GROUPS, PLAIN, without

if TYPE_CHECKING:
    from collections.abc import Iterable

pytestmark = pytest.mark.optimised(False)
"""Every optimisation of ours that is left out is another program to compile."""

GAMES = ("hearts", "durak", "coup")

GROUPS = ("president", "gofish", "golfsix")
"""Games whose choices are between groups of cards, or whose actions need tests."""


def played(name: str, *, on: bool) -> tuple[Any, ...]:
    """Play some random games, perhaps on from states within them, and return all about them."""
    game = Game.load(name, engine="native")
    games = play_random(game, range(12), threads=1)
    tallies = games.option_sums, games.option_most, games.single_sums
    return games.scores, games.decisions, *tallies, *(ends(game) if on else ())


def ends(game: Game) -> tuple[object, ...]:
    """Play on from some states at random, to the end and for a few decisions."""
    state, stream = game.start(3), Stream(3)
    found: list[object] = []
    for _ in range(9):
        if state.player is None:
            break
        found.append(state.rollouts(3, Stream(5)))
        found.append(state.flat(state.player, Stream(6), 1, limit=3))
        state.play(stream.below(state.option_count))
    return tuple(found)


@pytest.mark.slow
@pytest.mark.parametrize("name", mostly_deep(GAMES, {"durak"}.__contains__))
def test_games_go_alike_without(name: str) -> None:
    play_without(name, PLAIN, on=name != "coup")


@pytest.mark.slow
@pytest.mark.parametrize("name", mostly_deep(GROUPS, {"gofish"}.__contains__))
def test_games_with_groups_go_alike_without(name: str) -> None:
    play_without(name, OF_GROUPS, on=False)


def play_without(name: str, optimisations: Iterable[str], *, on: bool) -> None:
    """Play a game without each half of some optimisations, and compare what becomes of it.

    In a deep run they are left out one by one.
    """
    names = list(optimisations)
    with without(()):
        expected = played(name, on=on)
    for left_out in usually([names[::2], names[1::2]], [[one] for one in names]):
        with without(left_out):
            found = played(name, on=on)
        for mine, its in zip(expected, found, strict=True):
            assert np.array_equal(mine, its), left_out


def test_what_is_left_out_is_not_used() -> None:
    """Else the comparisons would compare the fast way with itself."""
    sizes = []
    for names in ((), ("masks",), ()):
        with without(names):
            sizes.append(native.native(Game.load("hearts").program).state_bytes)
    assert sizes[0] == sizes[2] < sizes[1]


def test_games_that_are_left_are_played_otherwise_in_their_places() -> None:
    """Progress counts each once, and Ctrl-C leaves those before the first that is missing."""
    with without(["rounds that have not begun"]):
        told: list[int] = []
        games = play_random(Game.load("whist", engine="native"), range(70), progress=told.append)
    assert max(told) == len(games) == 70
    assert not games.broken.any()
    with without(()):
        whole = play_random(Game.load("whist", engine="native"), range(70))
    assert np.array_equal(games.scores, whole.scores)
    assert np.array_equal(games.tallies, whole.tallies)

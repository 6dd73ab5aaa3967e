"""Hierarchies in batches: they are those of Python, with the same streams."""

from __future__ import annotations

import numpy as np
import pytest
from hierarchy_games import UNLIKE, game_of

from cardwright import Game
from cardwright.hearts.hierarchy import Hierarchy, HierarchyPlayer, order
from cardwright.hearts.native import BatchPlayers, UnsuitedGameError
from cardwright.hearts.rule import RulePlayer
from cardwright.interpreter.stream import Stream
from cardwright.players.player import Decision

DRAWS = Hierarchy(pass_=order("void_suit", tie="random"), second=order("duck", tie="random"))
"""It draws, also where lists are left out."""


@pytest.mark.sweep
@pytest.mark.parametrize("name", UNLIKE)
def test_every_choice_is_that_of_python(name: str) -> None:
    game = game_of(name)
    players = dict(
        zip(range(game.players), [DRAWS, Hierarchy.load("default"), "rule"] * 2, strict=False)
    )
    seeds = [0, 2**64 - 1, 5]
    batch = game.batch(3, seeds)
    streams = batch.seat_streams(seeds)
    machine = BatchPlayers(game, players)
    states = [game.start(seed) for seed in seeds]
    own = [[Stream.of_seat(seed, seat) for seat in range(game.players)] for seed in seeds]
    steps = 0
    while not batch.finished.all() and steps < 200:
        where = np.array([True, steps % 2 == 0, True])
        before = streams.copy()
        choices = machine.step(batch, streams, where)
        for at, (state, mine) in enumerate(zip(states, own, strict=True)):
            if state.player is None or not where[at]:
                assert choices[at] == -1
                assert (streams[at] == before[at]).all()
                continue
            player = players[state.player]
            seated = HierarchyPlayer(player) if isinstance(player, Hierarchy) else RulePlayer()
            stream = mine[state.player]
            decision = Decision(state.player, state.option_count, stream, state, len(state.choices))
            assert choices[at] == seated.choose(decision)
            assert tuple(streams[at, state.player].tolist()) == stream.words
            state.play(int(choices[at]))
        steps += 1
    assert batch.scores[batch.finished].tolist() == [
        list(state.scores) for state in states if state.finished
    ]


def test_others_decide_for_their_seats() -> None:
    batch = Game.load("hearts").batch(2, 1)
    machine = BatchPlayers(batch.game, {1: "rule"})
    everywhere = np.ones(2, np.bool_)
    assert machine.step(batch, batch.seat_streams(1), everywhere).tolist() == [-1, -1]
    batch.step([0, 0])
    assert (machine.step(batch, batch.seat_streams(1), everywhere) >= 0).all()
    assert batch.players.tolist() == [2, 2]


def test_games_that_it_cannot_play_are_refused() -> None:
    with pytest.raises(UnsuitedGameError, match="machine code plays only hearts"):
        BatchPlayers(Game.load("polignac"), {1: "rule"})

"""Sampled worlds have the information key of the seat for which they are made, in any game.

A world is one that a history leads to which the seat cannot tell from the true one. Where the rules
tell of hidden cards, worlds come with their histories, or it is told that none was found. Elsewhere
they are drawn by where cards may lie, and a history is looked for.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, assume, given, settings
from relabelling import TrueGame
from retracing import retraced, signature

from cardwright.game.errors import GameError
from cardwright.game.game import Game
from cardwright.game.information.knowledge import KnowledgeMode
from cardwright.interpreter.machine import GameLimits
from cardwright.interpreter.stream import Stream
from cardwright.interpreter.world import Fault
from cardwright.library import catalogue
from cardwright.syntax.source import Source
from deep import usually
from generated import programs

CONSISTENT = KnowledgeMode.CONSISTENT
LONGEST = 400
USUAL = {"coup", "kuhn"}
SECRET = Path(__file__).parents[1] / "conformance" / "programs" / "secrets.rcy"


def length(game: Game, seed: int) -> int:
    """Return how many decisions a random game has, up to a limit."""
    state, chance = game.start(seed), Random(seed)
    while not state.finished and len(state.choices) < LONGEST:
        state.play(chance.randrange(state.option_count))
    return len(state.choices)


def agree(game: Game, seed: int, points: int) -> int:
    """Look at worlds at some decisions of a random game; return how many decisions had any."""
    state, true, chance = game.start(seed), TrueGame(game, seed), Random(seed)
    looks, decisions, found = Random(-seed), length(game, seed), 0
    wanted = {at * decisions // points for at in range(points)}
    while len(state.choices) < decisions:
        if len(state.choices) in wanted:
            seat = looks.choice([state.player, *range(game.players)])
            stream = Stream(len(state.choices))
            if game.tells:
                found += told_agree(game, state, seat, stream)
            else:
                found += 1
                for _ in range(2):
                    world = state.determinise(seat, stream, CONSISTENT)._board.world()
                    where = f"decision {len(state.choices)} of seed {seed}, seat {seat}"
                    assert true.leads_to(world, seat), where
        choice = chance.randrange(state.option_count)
        state.play(choice)
        true.play(choice)
    return found


def told_agree(game, state, seat, stream):
    """Look at worlds that come with histories; return whether there are any."""
    histories = state._histories(seat)
    if histories is None:
        if seat == state.player:
            assert state.trials(seat, stream, CONSISTENT).worlds.fallbacks == 1
        return False
    chain = histories.copy()
    for _ in range(2):
        world = chain.world(stream).world()
        other = retraced(game, state, chain.history)
        assert other.key(seat) == state.information(seat)
        assert signature(other.world) == signature(world)
    return True


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=() if name in USUAL else pytest.mark.deep)
        for name in catalogue.names()
    ],
)
def test_worlds_of_library_games(name):
    """At fifty decisions of each game, in several games where one is short."""
    game, seed, looked = Game.load(name), 1, 0
    points = usually(4, 50)
    while looked < points:
        looked += min(points - looked, max(1, length(game, seed)))
        assert agree(game, seed, min(points, max(1, length(game, seed))))
        seed += 1


def test_worlds_of_games_with_secrets():
    game = Game.load(SECRET)
    assert sum(agree(game, seed, 2) for seed in range(usually(3, 25)))


@pytest.mark.deep
@settings(max_examples=20, suppress_health_check=list(HealthCheck))
@given(programs())
def test_worlds_of_generated_games(text):
    try:
        source = Source("generated", text)
        game = Game.from_source(source, limits=GameLimits(300, 40))
        decisions = length(game, 1)
    except GameError:
        assume(False)
    assume(decisions)
    try:
        agree(game, 1, min(decisions, 3))
    except Fault:  # retracing lists options with lots that are then drawn anew
        assert "(random" in text
        assume(False)

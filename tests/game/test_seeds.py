"""Every door that takes a seed: any kind of integer means the same, and nothing else is taken."""

from __future__ import annotations

import numpy as np
import pytest

from cardwright import Game, Stream, play_random
from cardwright.arena.plan import GameRef, PlanError, RunPlan
from cardwright.arena.referee import referee_game
from cardwright.game import game_seeds
from cardwright.hearts.native import ManyGames
from cardwright.players.player import RandomPlayer

LEDUC = Game.load("leduc")
BY_HAND = LEDUC.with_engine("interpreter")
PLAYERS = [RandomPlayer(), RandomPlayer()]


def started(seed, game=LEDUC):
    state = game.start(seed)
    return state.seed, state.position(), state.choices


def batch_of(seeds, count=1):
    batch = LEDUC.batch(count, seeds)
    return batch.state(0).position(), batch.seat_streams(seeds).tolist()


def reset_with(seeds):
    batch = LEDUC.batch(1, 0)
    batch.reset(np.array([True]), seeds)
    return batch.state(0).position()


def at_random(seeds):
    games = play_random(LEDUC, seeds, threads=1)
    return games.seeds.tolist(), games.scores.tolist()


DOORS = {
    "Stream": lambda seed: Stream(seed).words,
    "Stream.at": lambda seed: [Stream.at((seed, 1, 2, 3)).next() for _ in range(3)],
    "of_seat": lambda seed: Stream.of_seat(seed, 1).words,
    "of_decision": lambda seed: Stream.of_decision(seed, 1, 2).words,
    "start": started,
    "start by hand": lambda seed: started(seed, BY_HAND),
    "replay": lambda seed: LEDUC.replay(seed, [0]).position(),
    "referee_game": lambda seed: referee_game(LEDUC, seed, PLAYERS),
    "chances": lambda seed: referee_game(LEDUC, 1, PLAYERS, seed),
    "paired": lambda seed: referee_game(LEDUC, 1, PLAYERS, seed, paired=True),
    "play_random": lambda seed: at_random([seed]),
    "batch": lambda seed: batch_of([seed]),
    "reset": lambda seed: reset_with([seed]),
}
"""Doors for the seed of a game or a stream."""

JOBS = {
    "game_seeds": lambda seed: list(game_seeds(seed, 3)),
    "job": lambda seed: at_random(game_seeds(seed, 3)),
    "batch of a job": batch_of,
    "plan": lambda seed: RunPlan(GameRef.of("leduc"), ("random",), ((0, 0),), 1, seed).data(),
}
"""Doors for the seed of a job, which may have more bits."""

NUMBERS = {
    "of_seat": lambda number: Stream.of_seat(7, number).words,
    "of_decision": lambda number: Stream.of_decision(7, 1, number).words,
    "game_seeds": lambda number: list(game_seeds(1, 2, number)),
    "count": lambda number: list(game_seeds(1, number)),
}


def same(one, other):
    """Say whether two results are equal, in their types as well: text tells them apart."""
    return one == other and repr(one) == repr(other)


@pytest.mark.parametrize("door", [*DOORS.values(), *JOBS.values()], ids=[*DOORS, *JOBS])
@pytest.mark.parametrize("kind", [np.uint64, np.int64, np.uint8])
def test_an_integer_of_numpy_is_the_same_seed(door, kind):
    assert same(door(kind(200)), door(200))


@pytest.mark.parametrize("door", DOORS.values(), ids=DOORS)
def test_the_largest_seed_of_numpy_too(door):
    assert same(door(np.uint64(2**64 - 1)), door(2**64 - 1))


@pytest.mark.parametrize("door", NUMBERS.values(), ids=NUMBERS)
def test_an_integer_of_numpy_is_the_same_number(door):
    assert same(door(np.uint64(3)), door(3))
    with pytest.raises((ValueError, TypeError), match="integer"):
        door(-1)


@pytest.mark.parametrize("door", [*DOORS.values(), *JOBS.values()], ids=[*DOORS, *JOBS])
def test_a_truth_value_is_the_integer_that_it_is_in_python(door):
    assert same(door(True), door(1))


@pytest.mark.parametrize("door", DOORS.values(), ids=DOORS)
@pytest.mark.parametrize("seed", [-1, 2**64, np.int64(-5), 10**30])
def test_a_seed_out_of_range_is_refused(door, seed):
    with pytest.raises(ValueError, match=r"is an integer from 0 to 2\^64 - 1"):
        door(seed)


@pytest.mark.parametrize("door", DOORS.values(), ids=DOORS)
@pytest.mark.parametrize("seed", [1.0, np.float64(1), "1", 1j, np.bool_(1)], ids=repr)
def test_what_is_no_integer_is_refused(door, seed):
    with pytest.raises(TypeError, match=r"integers? from 0 to 2\^64 - 1"):
        door(seed)


@pytest.mark.parametrize("seed", [-1, 1.5, "1", None, np.int64(-1)], ids=repr)
def test_a_job_has_an_integer_from_0(seed):
    with pytest.raises(ValueError, match="are integers from 0, not"):
        game_seeds(seed, 3)
    with pytest.raises(PlanError, match="is an integer of 0 or more, not"):
        JOBS["plan"](seed)
    if seed != "1":
        with pytest.raises(ValueError, match="are integers from 0, not"):
            LEDUC.batch(1, seed)


def test_seeds_of_played_games_start_these_games():
    """As they are given, without turning them into anything."""
    games = play_random(LEDUC, game_seeds(3, 20), threads=1)
    for seed, scores in zip(games.seeds, games.scores.tolist(), strict=True):
        assert list(referee_game(LEDUC, seed, PLAYERS).scores) == scores
    again = play_random(LEDUC, games.seeds, threads=1)
    assert (again.scores == games.scores).all()


def test_an_integer_is_no_list_of_seeds():
    with pytest.raises(
        TypeError, match="seeds are integers from 0 to 2\\^64 - 1, one for each game"
    ):
        play_random(LEDUC, 5)


def test_seeds_of_many_games_of_hearts():
    games = ManyGames(Game.load("hearts"), ("random",))
    table = [0] * games.game.players
    assert games.choices(np.uint64(2**63 + 9), table) == games.choices(2**63 + 9, table)
    by_list, by_array = (
        games.play(seeds, [table]).scores for seeds in ([3, 4], np.array([3, 4], np.int64))
    )
    assert (by_list == by_array).all()
    for wrong in (-1, 2**64):
        with pytest.raises(ValueError, match=r"from 0 to 2\^64 - 1"):
            games.play([wrong], [table])
        with pytest.raises(ValueError, match=r"from 0 to 2\^64 - 1"):
            games.choices(wrong, table)


@pytest.mark.parametrize("bound", [0, -1, 2**64 + 1, np.int64(-1)])
def test_a_bound_out_of_range_is_refused(bound):
    with pytest.raises(ValueError, match=r"a bound is an integer from 1 to 2\^64, not"):
        Stream(1).below(bound)


def test_bounds_are_integers_of_any_kind():
    for bound in (1, 2, 52, 2**63):
        assert same(Stream(5).below(np.uint64(bound)), Stream(5).below(bound))
    assert Stream(5).below(2**64) == Stream(5).next()
    with pytest.raises(TypeError, match="a bound is an integer"):
        Stream(1).below(2.0)

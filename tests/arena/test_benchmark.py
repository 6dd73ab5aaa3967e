"""What benchmarks play are games like all others, and figures are made of all of them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from cardwright import Game, GameError, Stream
from cardwright.arena.benchmark import REPEATS, TimedGame, machine, measure, rate, rates_in_turns

if TYPE_CHECKING:
    from collections.abc import Callable

STUCK = """
(game
  (setup (create players 2)
    (create deck (game iloc STOCK) (deck (SUIT (MOON, STAR)))))
  (stage player
    (end (> (game sto TURNS) 2))
    (do ((inc (game sto TURNS))))
    (choice ((move (top (game iloc STOCK)) (top ((current player) iloc HAND))))))
  (scoring max (size ((current player) iloc HAND))))
"""


@pytest.mark.parametrize("name", ["leduc", "hearts", "gofish"])
def test_traced_games_are_games_of_random_players(name: str) -> None:
    """The trace has the numbers of options and the choices of the game that a seed gives."""
    game = Game.load(name, engine="native")
    measured = TimedGame(game)
    for seed in range(5):
        trace, scores = measured.traced(seed)
        state = game.start(seed)
        streams = [Stream.of_seat(seed, seat) for seat in range(game.players)]
        for options, choice in trace:
            assert state.player is not None
            assert options == state.option_count
            assert choice == streams[state.player].below(options)
            state.play(choice)
        assert state.finished
        assert tuple(scores) == state.scores


def test_an_engine_has_the_figures_that_it_can_have() -> None:
    """The native engine has all figures, and each is positive; the interpreter has one rate.

    Hearts is also played by a kernel written by hand.
    """
    native = measure(Game.load("hearts", engine="native"), 0.01).record()
    assert all(value > 0 for name, value in native.items() if name not in {"game", "engine"})
    slow = measure(Game.load("leduc", engine="interpreter"), 0.01).record()
    known = {name for name, value in slow.items() if value is not None}
    assert known == {"game", "engine", "python_per_second", "decisions"}
    assert slow["python_per_second"] > 0


@pytest.mark.parametrize("engine", ["native", "interpreter"])
def test_a_game_that_stops_is_not_measured(engine: str) -> None:
    with pytest.raises(GameError, match="there is no card to move"):
        measure(Game.from_text(STUCK, engine=engine), 0.01)


def test_a_rate_counts_what_was_done() -> None:
    done: list[int] = []
    found = rate(lambda count: done.append(sum(range(1000 * count))), 0.01)
    assert found > 0
    assert len(done) > 5


def test_things_are_measured_in_turns() -> None:
    """A turn does each of them once; before that each was done for a while, to see how long."""
    done: list[str] = []

    def does(name: str) -> Callable[[int], object]:
        return lambda count: (done.append(name), sum(range(1000 * count)))

    turns = rates_in_turns([does("a"), does("b")], 0.01)
    assert len(turns) == REPEATS
    assert all(len(turn) == 2 and min(turn) > 0 for turn in turns)
    assert done[-2 * REPEATS :] == ["a", "b"] * REPEATS


def test_the_games_measured_are_new_ones_each_time() -> None:
    """A processor would learn the branches of a few that are played again and again."""
    measured = TimedGame(Game.load("leduc", engine="native"))
    first = [measured._seeds_at() for _ in range(4)]
    assert len(set(first)) == 4


def test_the_machine_is_described() -> None:
    found = machine()
    assert list(found) == ["cpu", "cores", "system", "python", "cardwright"]
    assert json.loads(json.dumps(found)) == found
    assert all(found.values())

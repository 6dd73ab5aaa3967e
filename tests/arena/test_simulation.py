"""Simulations from Python: the same games for any way of playing them, and what is said of them."""

from __future__ import annotations

import pickle
import signal
from pathlib import Path

import pytest
from own_players import Drawing, Last, Raising

from cardwright import Game, play_game, simulate
from cardwright.errors import PlanError, PlayerSpecError
from cardwright.game import game_seeds

KUHN = Game.load("kuhn", engine="interpreter")


def test_games_are_those_of_their_seeds():
    records = []
    found = simulate(KUHN, [Drawing, "random"], 20, seed=3, keep=records.append)
    assert records == [play_game(KUHN, [Drawing, "random"], seed=s) for s in game_seeds(3, 20)]
    assert found.games == 20
    assert found.seats[0].mean_score.mean == sum(one.scores[0] for one in records) / 20
    listed = simulate(KUHN, [Drawing, "random"], seeds=iter(game_seeds(3, 20)))
    assert listed.rows() == found.rows()
    assert (listed.job.seed, listed.job.games, found.job.seed) == (None, 20, 3)


def test_bulk_is_the_same_as_game_by_game():
    """Games that machine code plays are those that are kept one by one."""
    leduc = Game.load("leduc")
    records = []
    one_by_one = simulate(leduc, games=50, seed=2, keep=records.append)
    assert one_by_one.rows() == simulate(leduc, games=50, seed=2, workers=2).rows()
    assert len(records) == 50


class Backwards:
    """An executor that hands over the last batch first, and may be interrupted before the first."""

    workers = 3

    def __init__(self, stop=0):
        self.stop = stop

    def run(self, function, batches):
        for number, batch in reversed(list(enumerate(batches))[self.stop :]):
            yield number, pickle.loads(pickle.dumps(function))(batch)
        if self.stop:
            raise KeyboardInterrupt


@pytest.mark.parametrize("player", ["random", "first"])
@pytest.mark.parametrize("name", ["leduc", "kuhn"])
def test_games_that_are_played_elsewhere_are_the_same(name, player):
    """In whatever order batches arrive, in bulk or one by one, by a seed or by listed ones."""
    game, seeds = Game.load(name), [7, 2**63, 5, 1]
    here = simulate(game, player, 50, seed=3)
    told = []
    there = here.job.play(bulk=here.job.bulk, executor=Backwards(), progress=told.append)
    assert there.summary == here.summary
    assert (told[-1], there.partial) == (50, False)
    here = simulate(game, player, seeds=seeds, ties="full")
    assert here.job.play(bulk=False, executor=Backwards()).rows() == here.rows()


def test_errors_elsewhere_are_told_in_order():
    breaks = Game.load(Path(__file__).parents[1] / "interfaces" / "data" / "breaks.rcy")
    here = simulate(breaks, games=30, seed=1)
    assert here.summary.errors
    assert here.job.play(bulk=here.job.bulk, executor=Backwards()).summary == here.summary


def test_what_came_before_an_interrupt_counts():
    job = simulate(KUHN, "first", 50, seed=3).job
    found = job.play(bulk=False, executor=Backwards(stop=4))
    assert (found.partial, found.games) == (True, 50 - 4 * 3)
    with pytest.raises(PlanError, match="keeps no records"):
        simulate(KUHN, games=2, scheduler="tcp://x:1", keep=print)

    class Local(Last):
        pass

    with pytest.raises(PlayerSpecError, match="cannot be sent to workers"):
        simulate(KUHN, Local, games=2, scheduler="tcp://x:1")


def test_rows_are_a_frame():
    found = simulate(KUHN, [Last, "random"], 10, seed=1)
    frame = found.to_polars()
    assert frame["player"].to_list() == ["Last", "random"]
    assert frame["score_mean"].to_list() == [seat.mean_score.mean for seat in found.seats]
    assert frame.columns[-1] == "games"
    assert repr(found) == "<SimulationResult of kuhn, 10 games: Last, random>"


def test_a_seed_is_drawn_and_kept():
    one = simulate(KUHN, games=10)
    assert one.rows() == simulate(KUHN, games=10, seed=one.job.seed).rows()


def test_what_does_not_go_together_is_refused():
    with pytest.raises(PlayerSpecError, match="did you mean random"):
        simulate(KUHN, "rnd")
    with pytest.raises(PlanError, match="play_match lets other players have them"):
        simulate(KUHN, Last, workers=2)
    with pytest.raises(PlanError, match="ties is one of 'shared', 'full', not 'half'"):
        simulate(KUHN, games=2, ties="half")  # type: ignore[arg-type]
    with pytest.raises(PlanError, match="seeds has a seed for every game"):
        simulate(KUHN, seeds=[1, 2], seed=3)
    with pytest.raises(ValueError, match="no idea"):
        simulate(KUHN, Raising, 3, seed=1)


def test_an_interrupt_returns_what_is_counted():
    """The game in play is dropped, and Ctrl-C means again what it did before."""
    pressed = []

    class Pressing(Last):
        def choose(self, decision):
            pressed.append(decision)
            if len(pressed) == 20:
                signal.raise_signal(signal.SIGINT)
            return super().choose(decision)

    found = simulate(KUHN, [Pressing, "random"], 1000, seed=1)
    assert found.partial
    assert 5 < found.games < 20
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_an_interrupt_that_a_player_makes_up_is_raised():
    class Interrupting(Last):
        def choose(self, decision):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        simulate(KUHN, Interrupting, 3, seed=1)


def test_progress_is_told_and_nothing_printed(capfd: pytest.CaptureFixture[str]):
    told = []
    simulate(KUHN, games=5, seed=1, progress=told.append)
    assert told == [1, 2, 3, 4, 5]
    assert capfd.readouterr() == ("", "")

"""Batches: every game in them is played as a state is, and nothing wrong changes anything."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from cardwright import Batch, CardwrightError, Game, GameError, IllegalOptionError, Stream
from cardwright.game import game_seeds
from cardwright.game.find import library_names
from cardwright.syntax.source import Source
from deep import some_games, usually

LEDUC = Game.load("leduc", engine="native")
HEARTS = Game.load("hearts", engine="native")

STOPS = """(game
 (setup (create players 2) (create deck (game iloc STOCK) (deck (VAL (A, B)))))
 (choice ((set (game sto END) 0) (set (game sto END) 1) (set (game sto END) 2)))
 (do (((== (game sto END) 1) (move (top (game iloc NOWHERE)) (top (game iloc STOCK))))))
 (choice ((turn pass)))
 (scoring max (+ (// 4 (- (game sto END) 2)) (pid (current player)))))"""


def everything(batch):
    """All that a batch is made of."""
    return batch._boards.tobytes(), batch._notes.tobytes()


def test_random_choices_may_be_made_in_some_games():
    """Nothing is drawn in the others."""
    batch = Game.load("kuhn").batch(4, seeds=1)
    streams = batch.seat_streams(1)
    before, whole, own = streams.copy(), batch.copy(), streams.copy()
    some = np.array([True, False, True, False])
    choices = batch.random_step(streams, where=some)
    assert (choices >= 0).tolist() == some.tolist()
    assert (streams == before).all(axis=(1, 2)).tolist() == (~some).tolist()
    rest = batch.random_step(streams, where=~some)
    assert np.where(some, choices, rest).tolist() == whole.random_step(own).tolist()
    assert (streams == own).all()


@pytest.mark.parametrize("name", some_games(library_names()))
def test_a_batch_plays_as_states_do(name):
    """With the seeds and seat streams of states, every game goes through their positions."""
    game = Game.load(name, engine="native")
    seeds = [3, 2**64 - 1, 17, 0]
    batch = game.batch(4, seeds)
    streams = batch.seat_streams(seeds)
    states = [game.start(seed) for seed in seeds]
    own = [[Stream.of_seat(seed, seat) for seat in range(game.players)] for seed in seeds]
    steps = 0
    while not batch.finished.all():
        assert batch.players.tolist() == [-1 if s.player is None else s.player for s in states]
        assert batch.option_counts.tolist() == [state.option_count for state in states]
        if steps % 10 == 0:
            assert [batch.state(at) for at in range(4)] == states
        choices = batch.random_step(streams)
        for state, mine, chosen in zip(states, own, choices, strict=True):
            if state.player is None:
                assert chosen == -1
            else:
                assert chosen == mine[state.player].below(state.option_count)
                state.play(int(chosen))
        steps += 1
    assert (batch.players == -1).all()
    assert not batch.option_counts.any()
    assert [tuple(scores) for scores in batch.scores] == [state.scores for state in states]
    assert [tuple(shares) for shares in batch.wins] == [state.wins for state in states]
    assert not batch.faults
    assert len({tuple(state.choices) for state in states}) > 1 or name == "blackjack"


@settings(max_examples=usually(5, 30), suppress_health_check=list(HealthCheck))
@given(st.data())
def test_any_play_of_a_batch(data):
    """Steps, resets and copies in any order, in one thread or more, leave what states have."""
    count = data.draw(st.integers(1, 5))
    numbers = st.integers(0, 2**64 - 1)
    seeds = data.draw(st.lists(numbers, min_size=count, max_size=count))
    batch = LEDUC.batch(count, seeds)
    states = [LEDUC.start(seed) for seed in seeds]
    for _ in range(data.draw(st.integers(1, 12))):
        threads = data.draw(st.integers(1, 3))
        match data.draw(st.sampled_from(["step", "step", "step", "reset", "copy"])):
            case "step":
                choices = [data.draw(st.integers(0, max(0, s.option_count - 1))) for s in states]
                batch.step(choices, threads=threads)
                for state, chosen in zip(states, choices, strict=True):
                    if not state.finished:
                        state.play(chosen)
            case "reset":
                mask = data.draw(st.lists(st.booleans(), min_size=count, max_size=count))
                new = [data.draw(numbers) for one in mask if one]
                batch.reset(np.array(mask), new, threads=threads)
                for at in np.flatnonzero(mask):
                    states[at] = LEDUC.start(new.pop(0))
            case "copy":
                other = batch.copy()
                other.reset(np.ones(count, bool), 1)
        assert [batch.state(at) for at in range(count)] == states
        assert batch.finished.tolist() == [state.finished for state in states]
        for state, scores in zip(states, batch.scores, strict=True):
            assert tuple(scores) == (state.scores if state.finished else (0, 0))
        assert everything(Batch.of(states)) == everything(batch)


def test_masks():
    """The first so many columns are true; a width that does not fit is refused."""
    batch = HEARTS.batch(50, 4)
    streams = batch.seat_streams(4)
    for _ in range(30):
        batch.random_step(streams)
    counts = batch.option_counts
    assert len(set(counts.tolist())) > 3
    mask = batch.legal()
    assert mask.shape == (50, counts.max())
    assert (mask.sum(1) == counts).all()
    wide = batch.legal(52)
    assert (wide[:, : mask.shape[1]] == mask).all()
    assert not wide[:, mask.shape[1] :].any()
    worst = int(counts.argmax())
    with pytest.raises(
        ValueError,
        match=f"game {worst} has {counts.max()} options, which do not fit in a width of 2",
    ):
        batch.legal(2)
    with pytest.raises(ValueError, match="do not fit in a width of 0"):
        batch.picks(0)
    while not batch.finished.all():
        batch.random_step(streams)
    assert batch.legal().shape == (50, 0)
    assert not batch.legal(3).any()


@pytest.mark.parametrize("wrong", [-1, 10_000, 2**62])
def test_a_wrong_choice_changes_nothing(wrong):
    """One option that is not there, and no game of the batch is played; it is named."""
    batch = HEARTS.batch(4, 1)
    before, count = everything(batch), batch.option_counts[2]
    with pytest.raises(
        IllegalOptionError,
        match=f"game 2 has no option {wrong}: options are numbered 0 to {count - 1}",
    ):
        batch.step([0, 0, wrong, -1])
    assert everything(batch) == before
    batch.step([0, 0, 0, 0])
    assert everything(batch) != before


def test_where_a_game_is_over_any_choice_will_do():
    """Games that are over are left alone, whatever is chosen for them."""
    batch = LEDUC.batch(40, 2)
    streams = batch.seat_streams(2)
    while not batch.finished.any():
        batch.random_step(streams)
    over = batch.finished
    assert not over.all()
    before = batch._boards[over].copy(), batch.scores[over]
    batch.step(np.where(over, -77, 0))
    assert (batch._boards[over] == before[0]).all()
    assert (batch.scores[over] == before[1]).all()
    assert (batch.wins[over].sum(1) == 1).all()
    assert not batch.wins[~batch.finished].any()


def test_broken_rules_are_kept_apart():
    """A game that breaks a rule is over with an error; the others go on. It can be started anew."""
    game = Game.from_source(Source("stops", STOPS), engine="native")
    batch = game.batch(4, [1, 2, 3, 4])
    batch.step([0, 1, 2, 1])
    assert batch.players.tolist() == [0, -1, 0, -1]
    assert not batch.finished.any()
    assert sorted(batch.faults) == [1, 3]
    batch.step([0, 0, 0, 0])
    assert batch.finished.tolist() == [True, False, False, False]
    rules = {at: error.rule for at, error in batch.faults.items()}
    assert rules == {1: "empty-move", 2: "division", 3: "empty-move"}
    for at, choices in ((1, [1]), (2, [2, 0])):
        with pytest.raises(GameError) as caught:
            game.replay(batch_seed(at), choices)
        mine = batch.faults[at]
        assert (mine.rule, mine.reason, mine.place) == (
            caught.value.rule, caught.value.reason, caught.value.place,
        )  # fmt: skip
        with pytest.raises(GameError, match=mine.rule):
            batch.state(at)
    assert batch.scores.tolist() == [[-1, 0], [0, 0], [0, 0], [0, 0]]
    assert not batch.observe().any()
    batch.reset(np.array([False, True, True, True]), [7, 8, 9])
    assert not batch.faults
    assert batch.players.tolist() == [-1, 0, 0, 0]


def batch_seed(at):
    return at + 1


def test_a_game_can_break_a_rule_at_once():
    """A game that stops before its first decision is in `faults` from the beginning."""
    text = STOPS.replace("(choice ((set", "(do ((move (top (game iloc X)) (top (game iloc X)))))"
                         " (choice ((set", 1)  # fmt: skip
    batch = Game.from_source(Source("stops", text), engine="native").batch(2, 1)
    assert sorted(batch.faults) == [0, 1]
    assert not batch.finished.any()


def test_one_seed_makes_many():
    """An integer is the seed of a job, as for `game_seeds`; the same for resets and streams."""
    batch = HEARTS.batch(9, 5)
    seeds = list(game_seeds(5, 9))
    assert everything(batch) == everything(HEARTS.batch(9, seeds))
    assert everything(batch) == everything(HEARTS.batch(9, game_seeds(5, 9)))
    assert everything(batch) == everything(HEARTS.batch(9, np.array(seeds, np.uint64)))
    assert everything(batch) != everything(HEARTS.batch(9, 6))
    assert (batch.seat_streams(5) == batch.seat_streams(seeds)).all()
    streams = batch.seat_streams(5)
    assert tuple(map(int, streams[4, 2])) == Stream.of_seat(seeds[4], 2).words
    mask = np.arange(9) % 2 == 0
    batch.reset(mask, 8)
    assert [batch.state(at) for at in (0, 2)] == [HEARTS.start(s) for s in game_seeds(8, 2)]
    batch.reset(np.zeros(9, bool), [])


def test_arrays_are_the_callers_own():
    """What was returned does not change when the batch is played on, nor the other way round."""
    batch = LEDUC.batch(3, 1)
    kept = batch.players, batch.option_counts, batch.scores, batch.legal(), batch.observe()
    before = [array.copy() for array in kept]
    streams = batch.seat_streams(1)
    for _ in range(6):
        batch.random_step(streams)
    assert all((one == two).all() for one, two in zip(kept, before, strict=True))
    batch.scores[:] = 99
    batch.players[:] = 99
    assert not (batch.scores == 99).any()
    assert not (batch.players == 99).any()


def test_copies_are_independent():
    """A copy goes on as the original would, which stays where it was."""
    batch = HEARTS.batch(5, 3)
    streams = batch.seat_streams(3)
    copy, before = batch.copy(), everything(batch)
    given = [copy.random_step(streams) for _ in range(12)]
    assert everything(batch) == before
    for choices in given:
        batch.step(choices)
    assert everything(batch) == everything(copy)


def test_a_state_of_a_batch_is_a_state():
    """It can be looked at, played on, determinised and put in a batch again."""
    batch = HEARTS.batch(3, 1)
    state = batch.state(1)
    assert (state.seed, state.choices) == (None, [])
    assert state == HEARTS.start(next(iter(game_seeds(1, 1, 1))))
    before = everything(batch)
    state.play(state.options()[2])
    assert everything(batch) == before
    worlds = Batch.of([state.determinise(state.player, Stream(at)) for at in range(4)])
    assert (worlds.option_counts == state.option_count).all()
    assert batch.state(-1) == batch.state(2)
    with pytest.raises(IndexError):
        batch.state(3)


def test_threads_make_no_difference():
    """Games do not depend on how many threads play them."""
    batches = [HEARTS.batch(101, 1) for _ in range(3)]
    streams = [batch.seat_streams(1) for batch in batches]
    for _ in range(20):
        for threads, batch, own in zip((1, 2, 7), batches, streams, strict=True):
            batch.random_step(own, threads=threads)
    assert len({everything(batch) for batch in batches}) == 1
    assert len({batch.observe(threads=threads).tobytes() for threads in (1, 5)
                for batch in batches}) == 1  # fmt: skip
    # More threads than games are no harm either.
    small = LEDUC.batch(2, 1)
    small.step([0, 0], threads=5)


def test_the_interpreter_has_no_batches():
    """It is said what to do instead."""
    game = Game.load("leduc", engine="interpreter")
    with pytest.raises(CardwrightError, match=r"need the native engine.* by the interpreter"):
        game.batch(2, 1)
    with pytest.raises(CardwrightError, match="need the native engine"):
        Batch.of([game.start(1)])
    with pytest.raises(CardwrightError, match="states of one native game"):
        Batch.of([LEDUC.start(1), HEARTS.start(1)])


def test_wrong_arguments_are_refused():
    """Numbers of games, seeds, choices, masks, streams, seats and threads are looked at first."""
    batch = LEDUC.batch(3, 1)
    before = everything(batch)
    refused = [
        (lambda: LEDUC.batch(0, 1), "1 game or more, not 0"),
        (lambda: Batch.of([]), "1 game or more"),
        (lambda: LEDUC.batch(2, [1]), "2 games need as many seeds, not 1"),
        (lambda: LEDUC.batch(2, [1, -1]), "seed is an integer from 0"),
        (lambda: LEDUC.batch(2, [1, 2**64]), "seed is an integer from 0"),
        (lambda: LEDUC.batch(2, -1), "from 0"),
        (lambda: batch.step([0, 0]), r"3 integers, one for each game, not int64 of shape \(2,\)"),
        (lambda: batch.step([0.0, 0.0, 0.0]), "3 integers.* not float64"),
        (lambda: batch.step([True] * 3), "3 integers.* not bool"),
        (lambda: batch.step([0] * 3, threads=0), "1 thread or more"),
        (lambda: batch.random_step(batch.seat_streams(1), threads=0), "1 thread or more"),
        (lambda: batch.reset([1, 1, 1], 1), "3 booleans"),
        (lambda: batch.reset(np.ones(2, bool), 1), "3 booleans"),
        (lambda: batch.random_step(np.zeros((3, 2, 3), np.uint64)), r"of shape \(3, 2, 4\)"),
        (lambda: batch.random_step(np.zeros((3, 2, 4))), "numpy.uint64"),
        (lambda: batch.random_step(batch.seat_streams(1)[:, :, ::-1]), "streams are"),
    ]
    for call, message in refused:
        with pytest.raises(ValueError, match=message):
            call()
    with pytest.raises(IllegalOptionError, match="no seat 2"):
        batch.observe(2)
    assert everything(batch) == before


def test_it_says_what_it_is():
    assert repr(LEDUC.batch(3, 1)) == "<Batch of 3 games of leduc, 0 finished>"
    assert len(LEDUC.batch(3, 1)) == 3

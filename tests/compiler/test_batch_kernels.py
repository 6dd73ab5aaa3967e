"""The kernels of rollouts and batches do as plain Python what they do natively."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from plain_kernels import PlainEngine, words_in

from cardwright import Stream
from cardwright.compiler.intrinsics import Pointer
from cardwright.compiler.kernels import batches, engine, observe, rollouts
from cardwright.compiler.kernels.batches import cw_option_picks
from cardwright.game.native.batch import Batch
from deep import mostly_deep
from loaded import NATIVE

NAMES = ("leduc", "agram", "euchre", "gofish", "golfsix", "scarto", "scopa", "rummy")


@pytest.fixture(params=mostly_deep(NAMES, {"leduc", "scopa"}.__contains__))
def game(request):
    return NATIVE[request.param]


@pytest.fixture
def plain(game, monkeypatch):
    return PlainEngine(game._engine, monkeypatch)


def played(game, seed, decisions):
    state, stream = game.start(seed), Stream(seed)
    for _ in range(decisions):
        if not state.finished:
            state.play(stream.below(state.option_count))
    return state


def some_batch(game, count=3):
    return Batch.of([played(game, seed, 4 * seed) for seed in range(count)], history=2)


def words_of(memory, shape):
    return np.frombuffer(memory.buffer, np.int64).reshape(shape)


@pytest.mark.sweep
@pytest.mark.parametrize("known", [None, 0, 1])
def test_rollouts(game, plain, known):
    """The sums, what is left of the stream, and the number done are the same."""
    state = played(game, 3, 1)
    assert not state.finished
    count = 2 if game.name == "rummy" else 6
    stream = Stream(11)
    mode = "known" if known else "basic"
    expected = state.rollouts(count, stream, seat=None if known is None else 1, mode=mode)
    board = plain.board(state._board.state[: game._engine.native.state_bytes])
    work = plain.board(bytes(game._engine.native.state_bytes))
    drawn = plain.stream(Stream(11).words)
    streams = plain.stream((0,) * 4 * game.players)
    ends, sums = words_in([0] * game.players), words_in([0] * game.players * (3 + game.players))
    before = bytes(board._pointer.buffer)
    how = int(game.highest_wins), ends, sums
    world = 1, 3 if known is None else known, ends, ends
    done = rollouts.cw_rollouts(board, plain.context, work, drawn, streams, 1, *world, count, *how)
    assert bytes(board._pointer.buffer) == before
    rows = words_of(sums, (game.players, 3 + game.players)).tolist()
    assert done == expected.count == count
    assert tuple((row[0] << 32) + row[1] for row in rows) == expected.scores
    assert tuple(row[2] for row in rows) == expected.ranks
    assert tuple(tuple(row[3:]) for row in rows) == expected.won
    assert tuple(drawn.words[i] % 2**64 for i in range(4)) == stream.words


@pytest.mark.sweep
def test_steps(game, plain):
    """From the start on, boards and notes are the same byte by byte."""
    seeds = [5, 6, 7]
    batch = game.batch(3, seeds)
    boards = plain.boards([bytes(batch._stride)] * 3)
    notes = words_in([0] * batch._notes.size)
    wanted = Pointer(bytearray([1, 1, 1]), 0)
    batches.cw_batch_start(boards, plain.context, notes, wanted, words_in(seeds), 0, 3)
    streams = batch.seat_streams(seeds)
    own = plain.stream((0,) * 4 * 3 * game.players)
    batches.cw_seat_streams(own, words_in(seeds), 3)
    for _ in range(20):
        assert (words_of(notes, batch._notes.shape) == batch._notes).all()
        assert bytes(boards._pointer.buffer)[: batch._boards.size] == batch._boards.tobytes()
        assert bytes(own._pointer.buffer) == streams.tobytes()
        choices = words_in([0] * 3)
        batches.cw_batch_choose(notes, own, wanted, choices, 3)
        given = batch.random_step(streams)
        assert words_of(choices, 3).tolist() == given.tolist()
        assert batches.cw_batch_refused(notes, choices, 3) == 3
        batches.cw_batch_step(boards, plain.context, notes, choices, choices, choices, 0, 0, 2)
        batches.cw_batch_step(boards, plain.context, notes, choices, choices, choices, 0, 2, 3)


@pytest.mark.parametrize("seat", [-1, 0, 1])
def test_observations(game, plain, seat):
    """The observations of all games are the same."""
    batch = some_batch(game)
    out = Pointer(bytearray(b"\1" * 4 * batch.observation.size * len(batch)), 0)
    boards = plain.boards([row.tobytes() for row in batch._boards])
    notes = words_in(batch._notes.reshape(-1))
    layout = game.observation_layout(2)
    words = words_in(game._engine.observed(layout).array[:])
    entries = words_in(batch._recalled.reshape(-1))
    observe.cw_observe(boards, notes, seat, words, entries, out, 0, len(batch))
    expected = batch.observe(None if seat < 0 else seat)
    assert bytes(out.buffer) == expected.tobytes()


def test_picks(game, plain):
    """The picks of all options are the same."""
    plain.lists = True
    batch = some_batch(game)
    expected = batch.picks()
    forms = game._engine.pick_forms
    width, cards = expected.branches.shape[1], len(game.cards)
    items = words_in([-1] * len(batch) * width * (1 + forms.most))
    hot = Pointer(bytearray(len(batch) * width * cards), 0)
    boards = plain.boards([row.tobytes() for row in batch._boards])
    notes, words = words_in(batch._notes.reshape(-1)), words_in(np.array(forms.array))
    sizes = width, forms.most, cards
    cw_option_picks(boards, plain.context, notes, words, *sizes, items, hot, 0, len(batch))
    found = words_of(items, (len(batch), width, 1 + forms.most))
    assert (found[:, :, 0] == expected.branches).all()
    assert (found[:, :, 1:] == expected.items).all()
    assert bytes(hot.buffer) == expected.cards.tobytes()


def added_up(scores, highest):
    """What `add_up` adds for one game, as a list of rows."""
    sums = words_in([0] * len(scores) * (3 + len(scores)))
    rollouts.add_up(words_in(scores), highest, sums)
    return words_of(sums, (len(scores), 3 + len(scores))).tolist()


@settings(suppress_health_check=list(HealthCheck))
@given(
    st.lists(st.integers(-(2**63), 2**63 - 1) | st.integers(-1, 1), min_size=1, max_size=5),
    st.booleans(),
)
def test_any_scores_add_up(scores, highest):
    """Scores of any size are split and put together again; the best ones share the win."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "PLAYERS", len(scores))
        rows = added_up(scores, int(highest))
    best = max(scores) if highest else min(scores)
    for score, row in zip(scores, rows, strict=True):
        assert (row[0] << 32) + row[1] == score
        assert row[2] == sum(one > score if highest else one < score for one in scores)
        won = [0] * len(scores)
        if score == best:
            won[scores.count(best) - 1] = 1
        assert row[3:] == won

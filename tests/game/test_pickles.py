"""States, games, batches and streams copied by Python's means, and pickled for other processes."""

from __future__ import annotations

import copy
import pickle
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import TYPE_CHECKING

import pytest

from cardwright import Batch, Game, GameError, State, Stream
from cardwright.errors import EngineError, UndoError, UnreadablePickleError
from cardwright.game import KnowledgeMode, game as games
from cardwright.game.pickles import BoardBytes, content_of_board
from cardwright.game.reference import ReferenceBoard
from cardwright.interpreter.world import WorldContent
from cardwright.library.catalogue import names
from deep import GAMES

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np

ENGINES = ("native", "interpreter")
EVERY_GAME = [
    pytest.param(name, engine, marks=() if name in GAMES else pytest.mark.deep)
    for name in names()
    for engine in ENGINES
]

BREAKS = """(game (setup (create players 2) (create deck (game iloc STOCK) (deck (V (A, B)))))
  (stage player (end (== 1 0))
    (choice ((turn pass) (move (top (game iloc STOCK)) (top ((current player) iloc HAND)))))
    (do ((move (top (game iloc STOCK)) (top ((current player) iloc HAND))))))
  (scoring max 0))"""


def sent(state: State) -> State:
    again = pickle.loads(pickle.dumps(state))
    assert isinstance(again, State)
    return again


MEANS: list[Callable[[State], State]] = [copy.copy, copy.deepcopy, sent]


def played(state: State, stream: Stream, decisions: int) -> State:
    while decisions and not state.finished:
        state.play(stream.below(state.option_count))
        decisions -= 1
    return state


def in_the_middle(name: str, engine: str, seed: int = 1) -> State:
    return played(Game.load(name, engine=engine).start(seed), Stream(seed), 11)


def go_on_alike(one: State, other: State, decisions: int = 40) -> None:
    """Play two states on by the same choices, and hold them against each other at every one."""
    stream = Stream(5)
    for _ in range(decisions):
        assert one == other
        assert (one.seed, one.choices, one.player) == (other.seed, other.choices, other.player)
        assert one.contents() == other.contents()
        if one.finished:
            assert one.scores == other.scores
            return
        choice = stream.below(one.option_count)
        one.play(choice)
        other.play(choice)


@pytest.mark.parametrize(("name", "engine"), EVERY_GAME)
def test_it_goes_on_identically(name: str, engine: str) -> None:
    """At the start, in the middle and at the end of a game, whatever it is copied by."""
    state = Game.load(name, engine=engine).start(3)
    for decisions in (0, 9, 20):
        played(state, Stream(decisions), decisions)
        for mean in MEANS:
            go_on_alike(mean(state), state.copy())
    played(state, Stream(4), 100_000 if engine == "native" else 150)
    for mean in MEANS:
        go_on_alike(mean(state), state.copy())


@pytest.mark.parametrize("mean", MEANS)
@pytest.mark.parametrize("engine", ENGINES)
def test_it_goes_on_independently(engine: str, mean: Callable[[State], State]) -> None:
    state = in_the_middle("hearts", engine)
    kept, other = state.copy(), mean(state)
    played(other, Stream(1), 5)
    assert state == kept
    assert state.choices == kept.choices
    assert other != kept


@pytest.mark.sweep
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", ["hearts", "rummy", "lostcities", "coup"])
def test_all_that_can_be_asked_of_it(name: str, engine: str) -> None:
    """What seats see, know and remember, imagined worlds, rollouts and undo."""
    state = in_the_middle(name, engine)
    state.undo(2)
    again = sent(state)
    for seat in range(state.game.players):
        assert again.view(seat) == state.view(seat)
        assert again.knowledge(seat) == state.knowledge(seat)
        assert again.record(seat) == state.record(seat)
        for mode in KnowledgeMode:
            worlds = [s.determinise(seat, Stream(8), mode) for s in (state, again)]
            go_on_alike(*worlds, decisions=3)
    assert state.rollouts(3, Stream(2), seat=0) == again.rollouts(3, Stream(2), seat=0)
    again.undo(len(again.choices))
    assert again == state.game.start(1)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("mode", KnowledgeMode)
@pytest.mark.parametrize("seat", range(4))
def test_an_imagined_state(seat: int, mode: KnowledgeMode, engine: str) -> None:
    """It goes on alike, goes back as far as it did, and its seat knows what it knew."""
    state = in_the_middle("hearts", engine)
    world = played(state.determinise(seat, Stream(4), mode), Stream(9), 6)
    again = sent(world)
    assert again.seed is None
    go_on_alike(again.copy(), world.copy(), 100)
    assert again.knowledge(seat) == world.knowledge(seat)
    if mode is KnowledgeMode.CONSISTENT:
        assert again.record(seat) == world.record(seat)
    for one in (again, world):
        with pytest.raises(UndoError):
            one.undo(7)
        one.undo(6)
    go_on_alike(again, world)


@pytest.mark.parametrize("engine", ENGINES)
def test_after_a_broken_rule_the_choice_can_still_be_taken_back(engine: str) -> None:
    state = Game.from_text(BREAKS, engine=engine).start(1)
    state.play(0)
    with pytest.raises(GameError):
        state.play(1)
    for mean in MEANS:
        again = mean(state)
        assert again.choices == [0, 1]
        again.undo()
        assert again == state.game.replay(1, [0])


def test_the_options_of_a_pickle_are_worked_out_again() -> None:
    """Whoever asks a state for its options does not make its pickle larger."""
    state = in_the_middle("hearts", "native")
    size = len(pickle.dumps(state))
    state.options()
    assert len(pickle.dumps(state)) == size


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize("engine", ENGINES)
def test_every_protocol(engine: str, protocol: int) -> None:
    state = in_the_middle("cribbage", engine)
    go_on_alike(pickle.loads(pickle.dumps(state, protocol)), state)
    stream = Stream(1)
    assert pickle.loads(pickle.dumps(stream, protocol)).next() == Stream(1).next()


def test_a_game_that_is_compiled_late_stays_so() -> None:
    """It goes on in the interpreter, and machine code takes it up again where it is needed."""
    game = Game.load("hearts").late()
    state = played(game.start(1), Stream(1), 5)
    again = sent(state)
    assert type(again._board) is ReferenceBoard
    assert again._twin is None
    assert again.rollouts(2, Stream(3)) == state.rollouts(2, Stream(3))
    for late in (again, sent(again)):
        assert type(late._board) is ReferenceBoard
        go_on_alike(late, state.copy())


# Games and streams -------------------------------------------------------------------------------


def test_a_game_is_never_copied() -> None:
    """It does not change, and a copy would be compiled again."""
    game = Game.load("kuhn", engine="interpreter")
    assert copy.copy(game) is game
    assert copy.deepcopy([game])[0] is game


@pytest.mark.parametrize(
    "mean", [copy.copy, copy.deepcopy, lambda s: pickle.loads(pickle.dumps(s))]
)
def test_streams(mean: Callable[[Stream], Stream]) -> None:
    stream = Stream(3)
    stream.next()
    twin, other = stream.copy(), mean(stream)
    assert [other.next() for _ in range(5)] == [twin.next() for _ in range(5)]
    assert stream.words != other.words


@pytest.mark.parametrize(
    ("words", "error"),
    [((1, 2, 3), ValueError), ((1, 2, 3, 2**64), ValueError), ((1, 2, 3, "4"), TypeError)],
)
def test_the_words_of_a_stream_are_checked(words: tuple[object, ...], error: type) -> None:
    stream = Stream(1)
    stream.words = words  # type: ignore[assignment]
    content = pickle.dumps(stream)
    with pytest.raises(error):
        pickle.loads(content)


# Batches -----------------------------------------------------------------------------------------


def middle_batch() -> tuple[Batch, np.ndarray]:
    batch = Game.load("leduc").batch(20, 1)
    streams = batch.seat_streams(range(20))
    for _ in range(4):
        batch.random_step(streams)
    return batch, streams


@pytest.mark.parametrize("mean", [copy.copy, copy.deepcopy, pickle.dumps])
def test_a_batch_goes_on_identically_and_independently(mean: Callable[[Batch], object]) -> None:
    batch, streams = middle_batch()
    found = mean(batch)
    other = pickle.loads(found) if isinstance(found, bytes) else found
    assert isinstance(other, Batch)
    assert 0 < other.finished.sum() < 20
    before = other.observe()
    own = streams.copy()
    while not batch.finished.all():
        batch.random_step(streams)
    assert (other.observe() == before).all()
    while not other.finished.all():
        other.random_step(own)
    assert (other.scores == batch.scores).all()
    assert (own == streams).all()


def test_an_interrupted_batch_is_not_pickled() -> None:
    """Nor does a copy of it go on."""
    batch, streams = middle_batch()
    batch._interrupted = True
    with pytest.raises(EngineError, match="interrupted"):
        pickle.dumps(batch)
    with pytest.raises(EngineError, match="interrupted"):
        copy.copy(batch).random_step(streams)


# What is refused ---------------------------------------------------------------------------------


def test_a_pickle_of_another_version_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "PICKLES", "0.0.9, results 1")
    state = in_the_middle("kuhn", "interpreter")
    batch, _ = middle_batch()
    contents = [pickle.dumps(one) for one in (state, state.game, batch)]
    monkeypatch.undo()
    for content in contents:
        with pytest.raises(UnreadablePickleError, match=r"another version, '0\.0\.9, results 1'"):
            pickle.loads(content)


def load_damaged(state: State, board: object, options: int | None = None) -> None:
    count = state.option_count if options is None else options
    load, (game, content) = state.__reduce__()  # type: ignore[misc]
    load(game, content._replace(board=(board, count)))  # type: ignore[operator]


def test_damaged_bytes_never_reach_machine_code() -> None:
    state = in_the_middle("hearts", "native")
    whole, count = content_of_board(state._board)
    assert isinstance(whole, BoardBytes)
    other = bytes([whole.content[0] ^ 1]) + whole.content[1:]
    for board in (
        whole._replace(content=other),
        whole._replace(content=whole.content[:-1]),
        whole._replace(layout="0"),
    ):
        with pytest.raises(UnreadablePickleError):
            load_damaged(state, board)
    with pytest.raises(UnreadablePickleError, match="options"):
        load_damaged(state, whole, count + 1)
    batch, _ = middle_batch()
    load, (game, boards, notes, pending, history) = batch.__reduce__()  # type: ignore[misc]
    for wrong in (
        (boards, notes[1:]),
        (boards._replace(content=b""), notes),
        (boards, notes[:, :2]),
    ):
        with pytest.raises(UnreadablePickleError):
            load(game, *wrong, pending, history)  # type: ignore[operator]
    with pytest.raises(UnreadablePickleError):
        load(game, boards, notes, pending, (1, history[1]))  # type: ignore[operator]


def test_damaged_worlds_are_refused() -> None:
    state = in_the_middle("hearts", "interpreter")
    whole, _ = content_of_board(state._board)
    assert isinstance(whole, WorldContent)
    for board in (
        whole._replace(words=(1, 2)),
        whole._replace(frames=((99, 0),)),
        whole._replace(where=whole.where[1:]),
        None,
        content_of_board(in_the_middle("hearts", "native")._board)[0],
    ):
        with pytest.raises((UnreadablePickleError, EngineError)):
            load_damaged(state, board)


# Other processes ---------------------------------------------------------------------------------


def finished_there(state: State, stream: Stream) -> tuple[State, Stream]:
    return played(state, stream, 100_000), stream


def scores_there(batch: Batch, streams: np.ndarray) -> list[list[int]]:
    while not batch.finished.all():
        batch.random_step(streams)
    found: list[list[int]] = batch.scores.tolist()
    return found


@pytest.mark.slow
def test_a_spawned_process_goes_on() -> None:
    """States of both engines, imagined ones, streams and batches go there and come back."""
    states = [in_the_middle("hearts", engine) for engine in ENGINES]
    states.append(states[0].determinise(0, Stream(1), "consistent"))
    batch, streams = middle_batch()
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        for state in states:
            there, stream = pool.submit(finished_there, state, Stream(2)).result()
            own = Stream(2)
            assert there == played(state.copy(), own, 100_000)
            assert there.finished
            assert stream.words == own.words
        assert pool.submit(scores_there, batch, streams).result() == scores_there(batch, streams)

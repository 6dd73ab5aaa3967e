"""Choices taken back: the state is as it was, in everything that can be asked of it."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from cardwright import Batch, Game, GameError, GameLimits, IllegalOptionError, State, Stream
from cardwright.errors import UndoError
from cardwright.game import KnowledgeMode
from cardwright.game.information.past import _BEHIND, _MOST
from cardwright.game.native.engine import NativeBoard
from cardwright.game.native.search import KeptTree
from cardwright.game.search import SearchTask
from deep import usually

GAMES = ("hearts", "gofish", "leduc", "cribbage", "euchre", "crazyeights", "lama")
ENGINES = ("native", "interpreter")


def played(state: State, chooser: Stream, decisions: int) -> State:
    for _ in range(decisions):
        if state.finished:
            break
        state.play(chooser.below(state.option_count))
    return state


def stored(state: State) -> object:
    """Return what the engine holds, byte for byte, or its key where it holds no bytes."""
    board = state._board
    return bytes(board.state) if isinstance(board, NativeBoard) else board.key()


def same(one: State, other: State) -> None:
    """Hold two states against each other in all that can be asked of them."""
    assert one == other
    assert stored(one) == stored(other)
    assert (one.seed, one.choices) == (other.seed, other.choices)
    assert (one.player, one.finished) == (other.player, other.finished)
    assert one.options() == other.options()
    assert one.option_count == other.option_count
    for seat in range(one.game.players):
        assert one.view(seat) == other.view(seat)
    if one.finished:
        assert (one.scores, one.ranks) == (other.scores, other.ranks)
    else:
        with pytest.raises(IllegalOptionError, match="not over"):
            one.scores  # noqa: B018


def remembered(state: State, seat: int) -> object:
    return state.knowledge(seat), state.record(seat)


@pytest.mark.sweep
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", GAMES)
def test_the_state_is_as_it_was(name: str, engine: str) -> None:
    """After n choices and k taken back it is the state after n - k, whatever is asked of it."""
    game = Game.load(name, engine=engine)
    chances = Stream(len(name))
    for seed in range(3 if engine == "native" else 1):
        made = played(game.start(seed), chances, 10 + chances.below(60)).choices
        state = game.replay(seed, made)
        while state.choices:
            count = 1 + chances.below(min(3, len(state.choices)))
            back = state.choices[:-count]
            state.undo(count)
            same(state, game.replay(seed, back))
            if chances.below(2):
                on = state.copy()
                on.play(made[len(back)])
                same(on, game.replay(seed, made[: len(back) + 1]))


@pytest.mark.parametrize("engine", ENGINES)
@settings(max_examples=usually(8, 20))
@given(data=st.data())
def test_going_forth_and_back_at_will(engine: str, data: st.DataObject) -> None:
    """Choices, undos and copies in any order: the state is that of the choices that are left."""
    game = Game.load("leduc", engine=engine)
    seed = data.draw(st.integers(0, 2**64 - 1))
    states = [game.start(seed)]
    for _ in range(data.draw(st.integers(1, 12))):
        state = states[data.draw(st.integers(0, len(states) - 1))]
        match data.draw(st.sampled_from(["play", "undo", "copy"])):
            case "play" if not state.finished:
                state.play(data.draw(st.integers(0, state.option_count - 1)))
            case "undo":
                state.undo(data.draw(st.integers(0, len(state.choices))))
            case "copy":
                states.append(state.copy())
    for state in states:
        same(state, game.replay(seed, state.choices))


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", ["hearts", "leduc"])
def test_what_seats_know_is_as_it_was(name: str, engine: str) -> None:
    """Memories followed further than the state goes now are forgotten; those of copies are not."""
    game = Game.load(name, engine=engine)
    state = game.start(2)
    played(state, Stream(3), 30)
    full = [remembered(state, seat) for seat in range(game.players)]
    copy = state.copy()
    for back in (1, len(state.choices) // 2):
        state.undo(back)
        fresh = game.replay(2, state.choices)
        for seat in range(game.players):
            assert remembered(state, seat) == remembered(fresh, seat)
    assert [remembered(copy, seat) for seat in range(game.players)] == full


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("mode", list(KnowledgeMode))
def test_a_determinised_state_goes_back_to_where_it_began(engine: str, mode: KnowledgeMode) -> None:
    """What was chosen in it can be taken back, in copies too; what was chosen before cannot."""
    state = played(Game.load("hearts", engine=engine).start(4), Stream(4), 9)
    world = state.determinise(state.player or 0, Stream(8), mode)
    seat = world.player or 0
    twin = world.copy()
    knew = world.knowledge(seat)
    played(world, Stream(5), 7)
    world.knowledge(seat)
    copy = world.copy()
    for one in (world, copy):
        with pytest.raises(UndoError, match="after 9 choices, and 7 were made in it: 8"):
            one.undo(8)
        one.undo(3)
        assert len(one.choices) == 13
        one.undo(4)
        same(one, twin)
        assert one.knowledge(seat) == knew
        with pytest.raises(UndoError, match="after 9 choices, and 0 were made"):
            one.undo()
    assert played(world, Stream(6), 100) == played(twin, Stream(6), 100)
    assert len(state.choices) == 9


def test_a_state_of_a_batch_goes_back_to_where_it_began() -> None:
    """It has no seed, and no choices but its own."""
    batch = Game.load("leduc").batch(2, seeds=1)
    batch.step(np.zeros(2, int))
    state, twin = batch.state(1), batch.state(1)
    state.play(0)
    state.undo()
    same(state, twin)
    with pytest.raises(UndoError, match="0 choices have been made: 1 cannot be taken back"):
        state.undo()
    assert Batch.of([state]).state(0) == twin


@pytest.mark.parametrize("engine", ENGINES)
def test_more_choices_than_boards_are_kept(engine: str) -> None:
    """Of many undos, only one in so many goes back to the beginning; each is exact."""
    game = Game.load("president", engine=engine)
    state = game.start(11)
    chooser = Stream(1)
    state.play(0)
    state.undo()
    played(state, chooser, _MOST + 40)
    made = state.choices.copy()
    assert len(made) == _MOST + 40
    past = state._past
    assert len(past.boards) == _MOST
    starts: list[int] = []
    whole = past.first
    past.first = lambda: starts.append(len(state.choices)) or whole()  # type: ignore[func-returns-value]
    for left in range(len(made) - 1, -1, -1):
        state.undo()
        assert state.choices == made[:left]
        assert stored(state) == stored(game.replay(11, made[:left]))
        assert len(past.boards) <= _MOST
    assert 0 < len(starts) <= 1 + len(made) / _BEHIND


def test_nothing_is_kept_unless_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game that is played and copied takes no snapshot; one undo, and every choice takes one."""
    taken: list[int] = []
    whole = NativeBoard.snapshot

    def snapshot(board: NativeBoard) -> object:
        taken.append(1)
        return whole(board)

    monkeypatch.setattr(NativeBoard, "snapshot", snapshot)
    state = played(Game.load("hearts").start(1), Stream(1), 20)
    copy = state.copy()
    copy.play(0)
    assert not taken
    state.undo()
    before = len(taken)
    state.play(0)
    state.play(0)
    assert len(taken) == before + 1  # the board before the first is the one that undo brought


@pytest.mark.parametrize("engine", ENGINES)
def test_copies_keep_boards_of_their_own(engine: str) -> None:
    """A state that keeps boards and its copy go different ways, and each comes back on its own."""
    game = Game.load("leduc", engine=engine)
    state = game.start(1)
    state.play(0)
    state.undo()
    copy = state.copy()
    for one, line in ((state, (1, 2, 0)), (copy, (0, 1))):
        for choice in line:
            one.play(choice)
    for one, line in ((copy, (0,)), (state, (1, 2)), (copy, ()), (state, (1,))):
        one.undo()
        same(one, game.replay(1, line))


STUCK = """(game
  (setup (create players 2)
    (create deck (game iloc STOCK) (deck (SUIT (MOON, STAR, SUN)))))
  (stage player (end (> (game sto TURNS) 3))
    (do ((inc (game sto TURNS))))
    (choice ((move (top (game iloc STOCK)) (top ((current player) iloc HAND))))))
  (scoring max 0))"""


def play_into_the_error(state: State) -> None:
    before = 0
    while state.option_count and before < 3:
        before += 1
        try:
            state.play(0)
        except GameError:
            return
    pytest.fail("the game went on")


@pytest.mark.parametrize("engine", ENGINES)
def test_after_an_error_the_choice_can_be_taken_back(engine: str) -> None:
    """A choice that broke a rule counts, and can be taken back with those before it."""
    game = Game.from_text(STUCK, engine=engine)
    for count in (1, 2, 3):
        state, fresh = game.start(1), game.start(1)
        state.play(0)
        state.play(0)
        for _ in range(3 - count):
            fresh.play(0)
        with pytest.raises(GameError):
            state.play(0)
        assert state.choices == [0, 0, 0]
        state.undo(count)
        same(state, fresh)
        play_into_the_error(state)
        state.undo(count)
        same(state, fresh)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_game_that_was_given_up_can_be_taken_back(engine: str) -> None:
    """The decisions counted against the limit are as they were, too."""
    game = Game.load("leduc", engine=engine, limits=GameLimits(decisions=3))
    state = game.start(1)
    for _ in range(3):
        play_into_the_error(state)
        state.undo()
        same(state, game.replay(1, state.choices))


def test_what_cannot_be_taken_back_changes_nothing() -> None:
    """Too many choices, fewer than none and no number at all are refused; none is allowed."""
    state = Game.load("leduc").start(1)
    with pytest.raises(UndoError, match="0 choices have been made: 1 cannot be taken back"):
        state.undo()
    state.play(0)
    before = state.copy()
    with pytest.raises(UndoError, match="1 choices have been made: 2 cannot be taken back"):
        state.undo(2)
    with pytest.raises(ValueError, match="-1 choices"):
        state.undo(-1)
    with pytest.raises(TypeError):
        state.undo(0.5)  # type: ignore[arg-type]
    state.undo(0)
    same(state, before)
    state.undo(np.int64(1))  # type: ignore[arg-type]
    assert state.choices == []


def test_an_interrupted_undo_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C while a board is brought to where it was leaves the state as it is, and usable."""
    state = played(Game.load("hearts").start(1), Stream(1), 20)
    before = state.copy()

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(NativeBoard, "play", interrupted)
        with pytest.raises(KeyboardInterrupt):
            state.undo()
    same(state, before)
    state.undo()
    same(state, state.game.replay(1, before.choices[:-1]))


def test_a_kept_tree_notices_choices_that_were_taken_back() -> None:
    """Other choices that lead as far are another game: the tree begins anew."""
    task = SearchTask(iterations=200)
    state, fresh = (Game.load("leduc").start(1) for _ in range(2))
    kept = KeptTree()
    state.search(Stream(1), task, kept=kept)
    for choice in (1, 2):
        state.play(choice)
    state.search(Stream(1), task, kept=kept)
    assert kept.carried > 0
    state.undo(2)
    for choice in (0, 1):
        state.play(choice)
        fresh.play(choice)
    found = state.search(Stream(2), task, kept=kept)
    assert kept.carried == 0
    assert found == fresh.search(Stream(2), task, kept=KeptTree())


def test_a_board_that_was_kept_is_never_played_on() -> None:
    """Boards of a snapshot share no bytes."""
    board = Game.load("leduc").start(1)._board
    assert isinstance(board, NativeBoard)
    again = board.snapshot()
    one, other = again(), again()
    assert isinstance(one, NativeBoard)
    assert isinstance(other, NativeBoard)
    one.play(0)
    assert other.state == board.state != one.state
    assert ctypes.addressof(other._held) == other.address != board.address

"""States: playing, copying, comparing, replaying."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given, settings, strategies as st

from cardwright import Game, IllegalOptionError, Stream
from cardwright.game.find import library_names
from deep import some_games, usually

HEARTS, AGRAM = Game.load("hearts"), Game.load("agram")


def play_randomly(state, chooser, decisions=10_000):
    while not state.finished and decisions:
        state.play(chooser.below(state.option_count))
        decisions -= 1
    return state


@pytest.mark.parametrize("name", some_games(library_names()))
def test_choices_and_seed_replay_the_game(name: str) -> None:
    """The seed and the choices lead to an equal state, in every game."""
    game = Game.load(name)
    state = play_randomly(game.start(5), Stream(5))
    again = game.replay(5, state.choices)
    assert again == state
    assert hash(again) == hash(state)
    assert again.scores == state.scores


@pytest.mark.slow
def test_another_process_plays_the_same_game() -> None:
    """Nothing of a game depends on the process: hash seeds, order of loading, or memory."""
    code = (
        "from cardwright import Game, Stream\n"
        "state = Game.load('hearts').start(9); chooser = Stream(9)\n"
        "while not state.finished: state.play(chooser.below(state.option_count))\n"
        "print(state.choices, state.scores)"
    )
    runs = [
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")[: usually(1, 2)]
    ]
    state = play_randomly(HEARTS.start(9), Stream(9))
    assert set(runs) == {f"{state.choices} {state.scores}\n"}


def test_other_seed_other_game() -> None:
    """Different seeds deal different cards."""
    assert HEARTS.start(1) != HEARTS.start(2)
    assert HEARTS.start(1).view(0) != HEARTS.start(2).view(0)


@settings(max_examples=usually(5, 30))
@given(st.integers(0, 2**64 - 1), st.integers(0, 52))
def test_copies_are_independent(seed: int, decisions: int) -> None:
    """A copy is equal, plays on alike, and playing it leaves the original as it was."""
    state = play_randomly(HEARTS.start(seed), Stream(seed), decisions)
    copy, before = state.copy(), hash(state)
    assert copy == state
    finished = play_randomly(state.copy(), Stream(1))
    assert hash(state) == before
    assert play_randomly(copy, Stream(1)) == finished


def test_options_can_be_played_by_value() -> None:
    """An option is found again by its content, in another copy too; a wrong one is refused."""
    state = HEARTS.start(4)
    option = state.options()[2]
    other = state.copy()
    state.play(option)
    other.play(2)
    assert state == other
    with pytest.raises(IllegalOptionError, match="is not an option here"):
        state.play(option)


def test_bad_choices_change_nothing() -> None:
    """An index out of range is refused with the range, and the state can be played on."""
    state = HEARTS.start(4)
    before = hash(state)
    for index in (-1, state.option_count, 10**30):
        with pytest.raises(IllegalOptionError, match="numbered 0 to"):
            state.play(index)
    for no_index in (1.0, None):
        with pytest.raises(TypeError, match="cannot be interpreted as an integer"):
            state.play(no_index)
    assert hash(state) == before
    assert state.choices == []


def test_scores_come_at_the_end() -> None:
    """Before the end there are no scores, after it no options and no player."""
    state = HEARTS.start(4)
    with pytest.raises(IllegalOptionError, match="not over"):
        state.scores  # noqa: B018
    play_randomly(state, Stream(4))
    assert (state.player, state.options(), state.option_count) == (None, (), 0)
    assert sum(state.wins) == pytest.approx(1)
    with pytest.raises(IllegalOptionError, match="over"):
        state.play(0)


@given(seed=st.integers(0, 2**64 - 1), lowest=st.booleans())
@settings(max_examples=usually(5, 50), deadline=None)
def test_more_is_better_in_returns(seed: int, lowest: bool) -> None:
    """They are the scores where the highest wins, and else negated; so they rank as ranks do."""
    game = HEARTS if lowest else AGRAM
    state = game.start(seed)
    with pytest.raises(IllegalOptionError, match="not over"):
        state.returns  # noqa: B018
    play_randomly(state, Stream(seed))
    assert state.returns == tuple(-one if lowest else one for one in state.scores)
    order = sorted(range(game.players), key=lambda seat: -state.returns[seat])
    assert [state.ranks[seat] for seat in order] == sorted(state.ranks)


def test_seeds_have_64_bits() -> None:
    """The first and the last seed start a game; others are refused."""
    assert HEARTS.start(0).player is not None
    assert HEARTS.start(2**64 - 1).player is not None
    for seed in (-1, 2**64):
        with pytest.raises(ValueError, match="2\\^64"):
            HEARTS.start(seed)

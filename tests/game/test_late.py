"""A late game is played by the interpreter until machine code is needed, and ends as any other."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from cardwright import Game
from cardwright.arena.entrants import player
from cardwright.arena.referee import referee_game
from cardwright.game.native.batch import Batch
from cardwright.game.reference import ReferenceBoard
from cardwright.interpreter.stream import Stream
from patience import PATIENCE

if TYPE_CHECKING:
    from pathlib import Path

    from cardwright.game.game import State

SEED = 11
NAMES = ("hearts", "cribbage", "gofish")


def played(game: Game, choices: int) -> State:
    """A state after some choices of the first option."""
    return game.replay(SEED, [0] * choices)


def compiled(state: State) -> bool:
    """Whether machine code plays the board of a lazy game."""
    assert type(state._board) is ReferenceBoard
    return state._twin is not None


@pytest.mark.parametrize("name", NAMES)
def test_the_interpreter_plays_until_a_search_and_machine_code_goes_on(name: str) -> None:
    """Whatever is asked for that needs machine code, the answer is that of the native engine."""
    game = Game.load(name)
    late, native = played(game.late(), 3), played(game, 3)
    assert not compiled(late)
    seat = late.player
    assert seat is not None
    assert late.view(seat) == native.view(seat)
    assert not compiled(late)
    before = late.copy()
    assert late.rollouts(20, Stream(1)) == native.rollouts(20, Stream(1))
    assert compiled(late)
    assert not compiled(before)
    assert before == late == native
    for mode in ("basic", "known", "consistent"):
        drawn = [state.copy().determinise(seat, Stream(2), mode) for state in (before, late)]
        assert drawn[0] == drawn[1] == native.determinise(seat, Stream(2), mode)
        assert before.allowed(seat, mode) == native.allowed(seat, mode)
    for _ in range(4):
        for state in (late, native):
            state.play(0)
    assert late == native
    late.undo(6)
    native.undo(6)
    assert late == native
    assert late.choices == [0]


@pytest.mark.parametrize("spec", ["ismcts:iterations=20,reuse=yes", "pimc:rollouts=3", "bandit"])
def test_players_that_search_choose_the_same(spec: str) -> None:
    game = Game.load("leduc")
    for seed in range(3):
        ends = [
            referee_game(one, seed, [player(spec).build(), player("random").build()])
            for one in (game, game.late())
        ]
        assert ends[0].choices == ends[1].choices
        assert ends[0].scores == ends[1].scores


def test_batches_take_up_late_games() -> None:
    game = Game.load("leduc").late()
    batch = Batch.of([game.start(seed) for seed in range(3)])
    assert [batch.state(at) for at in range(3)] == [game.start(seed) for seed in range(3)]


def test_a_late_game_of_the_interpreter_is_one_of_the_interpreter() -> None:
    game = Game.load("leduc", engine="interpreter").late()
    assert game.engine_name == "interpreter"
    assert type(game.start(1)._board) is ReferenceBoard


HEAVY = ("llvmlite", "numpy", "polars", "rich", "textual", "cardwright.compiler.lower")
"""What nobody waits for who does not need it."""

COMMAND = f"""
import sys
from cardwright.interfaces.cli import main
sys.argv[0] = "cardwright"
try:
    main()
finally:
    print([name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr)
"""


def ran(*words: str, answers: str = "") -> tuple[str, str]:
    done = subprocess.run(
        [sys.executable, "-c", COMMAND, *words],
        input=answers, capture_output=True, text=True, encoding="utf-8", check=False,
        timeout=PATIENCE,
    )  # fmt: skip
    return done.stdout, done.stderr


@pytest.mark.slow
def test_commands_for_one_game_load_no_compiler(tmp_path: Path) -> None:
    """`play`, `replay` and `check` need none before a player searches, and print the same."""
    rules = tmp_path / "game.rcy"
    rules.write_text(Game.load("leduc").program.source.text)
    saved = tmp_path / "saved.json"
    play = ("play", "leduc", "--plain", "--seed", "5", "--players", "random")
    calls = {
        ("check", str(rules)): "",
        ("replay", "leduc", "--seed", "5", "--choices", "0,0,0"): "",
        ("replay", "leduc", "--seed", "5", "--players", "random"): "",
        (*play, "--save", str(saved)): "0\n" * 20,
        ("replay", str(saved)): "",
    }
    for words, answers in calls.items():
        out, err = ran(*words, answers=answers)
        assert err.endswith("[]\n"), words
        assert out
        if words[:2] == ("replay", "leduc"):
            assert ran(*words, "--engine", "interpreter")[0] == out
    out, err = ran(*play[:-1], "ismcts:iterations=50", "--no-save", answers="0\n" * 20)
    assert "'llvmlite'" in err
    assert out

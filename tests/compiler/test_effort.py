"""Large programs are compiled with less effort, and in a time that grows as they do."""

from __future__ import annotations

import re
from threading import Event
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from broken_rules import BREAKS
from cardwright import Game
from cardwright.compiler import backend
from cardwright.compiler.backend import FULL, LEAST, OPTIMISATION_VARIABLE, most_effort
from cardwright.compiler.kernel_sets import BATCHES, SEARCHES, WHOLE, KernelSet
from cardwright.compiler.llvm.backend import effort_for
from cardwright.compiler.native import cache_key, compilation
from cardwright.game.errors import EngineError
from cardwright.game.find import library_names
from cardwright.interfaces.cli.group import commands
from cardwright.syntax.source import Source
from deep import usually
from differential import Checks, compare_game, on_both

if TYPE_CHECKING:
    from pathlib import Path


def decks(count: int) -> Game:
    """A game of many decks of one card, whose set-up is one long function."""
    made = "\n".join(f"(create deck (game iloc STOCK) (deck (V (C{i}))))" for i in range(count))
    text = f"""(game (setup (create players 2) {made})
      (stage player (end (== (size (game vloc PILE)) 4))
        (choice ((move (top (game iloc STOCK)) (top (game vloc PILE)))
                 (move (bottom (game iloc STOCK)) (top (game vloc PILE))))))
      (scoring max (size (game iloc STOCK))))"""
    return Game.from_source(Source("decks", text))


@pytest.mark.parametrize(
    ("functions", "level"),
    [
        ([15_000], FULL),
        ([15_001], LEAST),
        ([3, 15_002, 3], LEAST),
        ([10_998] * 5, FULL),
        ([10_998] * 5 + [10], LEAST),
    ],
)
def test_effort_follows_from_lines(functions: list[int], level: int) -> None:
    """One long function, or many together, are compiled at the lowest level."""
    text = "".join("head\n" + "line\n" * (lines - 1) + "}\n" for lines in functions)
    assert effort_for(text.removesuffix("}\n")) == level


@pytest.mark.parametrize("extension", [WHOLE, SEARCHES, BATCHES], ids=lambda found: found.name)
def test_games_of_the_library_are_optimised(extension: KernelSet) -> None:
    """No game of the library is near the bounds, whatever is compiled with it."""
    for name in ("ginrummy", "rummy", "cribbage")[: usually(1, 3)]:  # the largest
        assert name in library_names()
        text = compilation(Game.load(name).program, extension).listing("llvm").text
        assert effort_for(text + "}\n" + "line\n" * (text.count("\n") // 3)) == FULL


def test_a_large_program_is_compiled_at_the_lowest_level_and_plays_alike() -> None:
    """A set-up of 400 decks is above the bound; both engines play it to the same end."""
    game = decks(400)
    assert compilation(game.program).machine_code.effort == LEAST
    assert compilation(decks(40).program).machine_code.effort == FULL
    games = on_both(game)
    assert compare_game(games, None, 1, Checks(keys=1, words=1)).end == "over"


def test_awards_for_every_card() -> None:
    """Many awards, some for the same cards and some with two keys, add up on both engines."""
    ranks = ", ".join(f"R{i}" for i in range(300))
    awards = " ".join(f"((RANK : R{i}) {i})" for i in range(300))
    both = "((RANK : R7) 5) ((RANK : R7) (SUIT : X) 1000) ((SUIT : Y) (RANK : R8) 2000)"
    text = f"""(game (setup (create players 1)
        (create deck (game vloc P) (deck (RANK ({ranks})) (SUIT (X, Z)))))
      (do ((set (game points W) ({awards} {both} ((NONE : X) 9)))))
      (scoring max (sum (game vloc P) using (game points W))))"""
    games = on_both(Game.from_source(Source("awards", text)))
    played = compare_game(games, [], 1, Checks())
    assert played.scores == (2 * sum(range(300)) + 2 * 5 + 1000,)


@pytest.mark.slow
def test_what_is_too_large_to_compile_names_the_interpreter(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Whatever a compilation runs out of, the message says how to play the game all the same."""
    names = ",".join(f"N{i:X}" for i in range(65_536))
    steps = f"(do ((all ({names}) 'X (set (game str S) 'X)))) (scoring max (game sto NONE))"
    text = f"(game (setup (create players 1) (create deck (game vloc P) (deck (V (A))))) {steps})"
    game = Game.from_source(Source("huge.rcy", text))
    told = r"huge\.rcy is too large to be compiled: .*65,535 names; the interpreter plays it"
    with pytest.raises(EngineError, match=told):
        game.start(1)
    path = tmp_path / "huge.rcy"
    path.write_text(text)
    done = CliRunner().invoke(commands, ["compile", str(path)])
    assert done.exit_code == 1
    assert re.search(told, done.stderr)
    assert game.with_engine("interpreter").start(1).scores == (0,)
    game = Game.from_source(Source("small.rcy", BREAKS.replace("ROUND", "SMALL")))

    def fail(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr("cardwright.compiler.lower.program.lower", fail)
    with pytest.raises(EngineError, match=r"not enough memory; .*--engine interpreter"):
        game.start(1)


def test_who_waits_is_told_once_and_only_then(monkeypatch: pytest.MonkeyPatch) -> None:
    """A notice is sent after a while, to callers that asked for it, and none once it is over."""
    said: list[str] = []
    there = Event()

    def say(name: str) -> None:
        said.append(name)
        there.set()

    monkeypatch.setattr(backend, "NOTICE_DELAY", 0.0)
    monkeypatch.setattr(backend, "_NOTICE_LOOK", 0.001)
    with backend.slow_notice("nobody asked"):
        assert not there.wait(0.02)
    backend.notify_when_slow(say)
    try:
        with backend.slow_notice("slow"):
            assert there.wait(30)
        monkeypatch.setattr(backend, "NOTICE_DELAY", 60)
        with backend.slow_notice("quick"):
            pass
    finally:
        backend.notify_when_slow(None)
    assert said == ["slow"]


def test_the_command_line_says_that_it_compiles(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A command that has to compile for long says so on the standard error, with a way around."""
    monkeypatch.setattr(backend, "NOTICE_DELAY", 0.0)
    monkeypatch.setattr(backend, "_NOTICE_LOOK", 0.001)
    monkeypatch.setenv("CARDWRIGHT_CACHE", "off")
    path = tmp_path / "slow.rcy"
    path.write_text(BREAKS.replace("ROUND", "SLOWLY"))
    try:
        done = CliRunner().invoke(commands, ["compile", str(path)])
    finally:
        backend.notify_when_slow(None)
    assert done.exit_code == 0
    assert f"compiling {path}: it is large, and this takes a while" in done.stderr
    assert "--engine interpreter" in done.stderr
    assert "compiled in" in done.stdout


@pytest.mark.parametrize(
    ("said", "level"), [(None, FULL), ("", FULL), ("on", FULL), ("off", LEAST), (" OFF ", LEAST)]
)
def test_the_environment_can_forbid_optimisation(
    monkeypatch: pytest.MonkeyPatch, said: str | None, level: int
) -> None:
    """Where it says `off` every program is compiled at the lowest level."""
    monkeypatch.delenv(OPTIMISATION_VARIABLE, raising=False)
    if said is not None:
        monkeypatch.setenv(OPTIMISATION_VARIABLE, said)
    assert (most_effort(), compilation(decks(2).program).machine_code.effort) == (level,) * 2


def test_what_is_not_optimised_is_kept_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """Code made with less effort is never taken where nobody forbids more, nor the other way."""
    keys = []
    for said in ("on", "off", ""):
        monkeypatch.setenv(OPTIMISATION_VARIABLE, said)
        keys.append(cache_key(decks(2).program))
    assert keys[0] == keys[2] != keys[1]


@pytest.mark.parametrize("words", [["compile", "leduc"], ["simulate", "leduc", "--games", "2"]])
def test_a_senseless_value_is_a_wrong_call(
    monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    """The message names the variable and what it can be."""
    monkeypatch.setenv(OPTIMISATION_VARIABLE, "much")
    done = CliRunner().invoke(commands, words)
    assert done.exit_code == 2
    assert (
        "CARDWRIGHT_OPTIMISATION in the environment is 'much': it can be on or off" in done.stderr
    )
    monkeypatch.setenv(OPTIMISATION_VARIABLE, "off")
    assert CliRunner().invoke(commands, words).exit_code == 0


def test_the_command_line_says_why_nothing_is_optimised(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """It is for the size of the game, or as the environment says."""
    monkeypatch.setenv("CARDWRIGHT_CACHE", "off")
    path = tmp_path / "large.rcy"
    path.write_text(decks(400).program.source.text)
    said = {}
    for value in ("on", "off"):
        monkeypatch.setenv(OPTIMISATION_VARIABLE, value)
        said[value] = CliRunner().invoke(commands, ["compile", str(path)]).stdout
    assert ", without optimisation as it is large, not kept" in said["on"]
    assert ", without optimisation, not kept" in said["off"]

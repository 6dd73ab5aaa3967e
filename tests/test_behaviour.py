"""What `scripts/behaviour` writes down: the same for the same behaviour, whatever its names are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from behaviour_run import COMMANDS, bare, called_in_turn, digest, look
from cardwright import Game
from every_command import command_of, every_command


@dataclass(frozen=True)
class Before:
    """A value of two members."""

    number: int
    cards: tuple[str, ...]


@dataclass(frozen=True)
class After:
    """The same value under other names."""

    count: int
    held: tuple[str, ...]


def test_names_make_no_difference_and_values_do() -> None:
    assert digest(Before(1, ("A",))) == digest(After(1, ("A",)))
    assert digest(Before(1, ("A",))) != digest(Before(2, ("A",)))
    assert bare({"b": {2, 1}, "a": np.arange(2)}) == [["a", ["int64", 2, 0, 1]], ["b", [1, 2]]]


def test_a_decision_looks_otherwise_after_a_choice() -> None:
    games = [Game.load("leduc", engine=engine) for engine in ("native", "interpreter")]
    states = [game.start(1) for game in games]
    first = look(states[0])
    assert first == look(states[1])
    states[0].play(1)
    assert look(states[0]) != first


def test_commands_are_written_down_with_their_files_and_without_times() -> None:
    calls = ["solve kuhn --method lp --save kuhn.json --quiet", "check nothing.rcy"]
    said = called_in_turn(calls)
    assert said == called_in_turn(calls)
    assert "exit 0" in said
    assert "exit 1" in said
    assert "\nkuhn.json " in said


def test_calls_name_commands() -> None:
    lines = COMMANDS.read_text(encoding="utf-8").splitlines()
    calls = [line for line in lines if line and not line.startswith(("#", "--"))]
    assert len(calls) > 70
    assert {command_of(call) for call in calls} <= every_command()

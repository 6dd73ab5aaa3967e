"""The language by small programs: each file states its claim and its cases in its first lines.

A case is a JSON object: `choose`, `seed`, then `scores`, `options`, `players`, `locations`,
`ranks`, `wins`, `warnings`, or `error` (the rule that is broken).
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cardwright import Game, GameError, GameFileError, State
from cardwright.game.engines import ENGINES

PROGRAMS = sorted((Path(__file__).parent / "programs").glob("*.rcy"))


def cases_of(path: Path) -> list[dict]:
    lines = path.read_text().splitlines()
    return [json.loads(line[8:]) for line in lines if line.startswith(";; case ")]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_programs(path: Path, engine: str) -> None:
    """Every program gives what its cases say, by every engine."""
    cases = cases_of(path)
    assert cases, "no case"
    for case in cases:
        check_case(path, case, engine)


def check_case(path: Path, case: dict, engine: str) -> None:
    error = case.get("error")
    try:
        game = Game.load(path, engine=engine)
        if "warnings" in case:
            assert len(game.diagnostics.warnings) == case["warnings"]
        state = game.start(case.get("seed", 1))
        options, players = play(state, case.get("choose", []))
    except GameFileError:
        assert error is True
        return
    except GameError as stopped:
        assert error in {True, stopped.rule}, stopped
        assert stopped.choices == tuple(case.get("choose", []))
        return
    assert not error, "no error"
    check_outcome(state, case, options, players)


def play(state: State, choices: list[int]) -> tuple[list[int], list[int]]:
    options, players = [], []
    for choice in choices:
        options.append(len(state.options()))
        assert state.player is not None
        players.append(state.player + 1)
        state.play(choice)
    return options, players


def check_outcome(state: State, case: dict, options: list[int], players: list[int]) -> None:
    if case.get("partial"):
        assert options == case["options"][: len(options)]
        return
    assert state.finished
    assert list(state.scores) == case["scores"]
    assert options == case.get("options", options)
    assert players == case.get("players", players)
    assert list(state.ranks) == case.get("ranks", list(state.ranks))
    assert list(state.wins) == case.get("wins", list(state.wins))
    for text, cards in case.get("locations", {}).items():
        owner, kind, name, *index = text.split()
        seat = None if owner == "game" else int(owner[1:]) - 1
        held = state.cards(seat, kind, name, int(*index or [0]))
        assert [card.attributes["VAL"] for card in held] == cards, text

"""The conformance programs go the same way on both engines, at every decision of every case."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cardwright import Game, GameFileError
from deep import usually
from differential import EVERYTHING, Checks, compare_game, compare_games, on_both

CHECKS = usually(Checks(words=5, deep=9), EVERYTHING)
PROGRAMS = sorted((Path(__file__).parents[1] / "conformance" / "programs").glob("*.rcy"))


def cases_of(path: Path) -> list[dict]:
    lines = path.read_text().splitlines()
    return [json.loads(line[8:]) for line in lines if line.startswith(";; case ")]


@pytest.mark.sweep
@pytest.mark.slow
@pytest.mark.parametrize("path", PROGRAMS[:: usually(2, 1)], ids=lambda path: path.stem)
def test_conformance_programs_go_alike(path: Path) -> None:
    """Every case, with its choices and its seed, and games at random besides."""
    try:
        game = Game.load(path)
    except GameFileError:
        return
    games = on_both(game)
    cases = cases_of(path)
    assert cases
    for case in cases:
        played = compare_game(games, case.get("choose", []), case.get("seed", 1), CHECKS)
        assert played.end == expected_end(case, played.end)
    compare_games(game, range(usually(1, 3)), CHECKS)


def expected_end(case: dict, end: str) -> str:
    """Return how a game of a case ends: by its rule, by any rule, or without breaking one."""
    error = case.get("error")
    if error is True:
        assert end not in {"over", "cut"}
        return end
    return error or ("cut" if case.get("partial") else "over")

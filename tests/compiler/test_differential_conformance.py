"""The conformance programs go the same way on both engines, at every decision of every case."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cardwright import Game, GameFileError
from differential import EVERYTHING, compare_game, compare_games, on_both

OWN = sorted((Path(__file__).parents[1] / "conformance" / "programs").glob("*.rcy"))


def own_cases(path: Path) -> list[dict]:
    lines = path.read_text().splitlines()
    return [json.loads(line[8:]) for line in lines if line.startswith(";; case ")]


def shared_cases() -> dict[Path, list[dict]]:
    """Return the cases of the shared programs, by program; nothing where there are none."""
    from shared_material import shared_folder

    folder = shared_folder("spec/conformance")
    if folder is None:
        return {}
    found: dict[Path, list[dict]] = {}
    for entry in json.loads((folder / "expected.json").read_text()):
        cases = found.setdefault(folder / f"{entry['n']:02}.rcy", [])
        cases += [entry, *entry.get("more", [])]
    return found


SHARED = shared_cases()


@pytest.mark.slow
@pytest.mark.parametrize("path", [*OWN, *SHARED], ids=lambda path: path.stem)
def test_conformance_programs_go_alike(path: Path) -> None:
    """Every case, with its choices and its seed, and games at random besides."""
    try:
        game = Game.load(path)
    except GameFileError:
        return
    games = on_both(game)
    cases = SHARED[path] if path in SHARED else own_cases(path)
    assert cases
    for case in cases:
        played = compare_game(games, case.get("choose", []), case.get("seed", 1), EVERYTHING)
        assert played.end == expected_end(case, played.end)
    compare_games(game, range(3), EVERYTHING)


def expected_end(case: dict, end: str) -> str:
    """Return how a game of a case ends: by its rule, by any rule, or without breaking one."""
    error = case.get("error")
    if error is True:
        assert end not in {"over", "cut"}
        return end
    return error or ("cut" if case.get("partial") else "over")

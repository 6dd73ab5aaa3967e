"""Searches for games from Python, among real games."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from cardwright import Game, evolve
from cardwright.evolution import read_evolution
from cardwright.evolution.candidate import ChangeFamily
from cardwright.evolution.errors import EvolutionError, KeepError, MethodError
from cardwright.evolution.measures.table import MEASURES
from cardwright.evolution.methods.method import EliteMap
from cardwright.jobs.files import RecordsError
from evolution.pretend import contents

if TYPE_CHECKING:
    from pathlib import Path

    from cardwright.evolution.results import Evolution

SMALL: dict[str, Any] = {
    "candidates": 8, "generation": 4, "finalists": 2, "games": 40, "seed": 5,
    "axes": ("length 0..40", "luck 0..1"), "vary": "constants",
}  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("evolve") / "agram"


@pytest.fixture(scope="module")
def found(folder: Path) -> Evolution:
    return evolve("agram", "length 20..30", folder=folder, **SMALL)


def test_elites_are_games_that_play_as_was_measured(found: Evolution) -> None:
    """An elite's rules are a game, whose length was measured as it is."""
    best = found.elites[0]
    game = found.game(best.name)
    length = best.judged.evaluated.measures["length"].mean
    assert 20 <= length <= 30
    state = game.start(seed=1)
    decisions = 0
    while not state.finished:
        state.play(0)
        decisions += 1
    assert decisions == length  # a game of agram is as long as its hands
    assert isinstance(found.landscape, EliteMap)
    assert found.landscape.shape.measures == ("length", "luck")


def test_finalists_are_told_of_by_all_measures_of_more_games(found: Evolution) -> None:
    again = found.finalists[0].again
    assert again is not None
    names = {name for name, one in MEASURES.items() if not one.players}
    assert again.evaluated.measures.keys() == names
    assert again.evaluated.measures["luck"].count == 200


def test_workers_write_the_same_bytes(found: Evolution, folder: Path, tmp_path: Path) -> None:
    """Real games in two processes, and in this one."""
    again = evolve("agram", ["length 20..30"], folder=tmp_path, workers=2, **SMALL)
    assert contents(tmp_path / "records") == contents(folder / "records")
    assert again.record() == found.record()


def test_a_search_is_read_and_resumed_by_its_folder(found: Evolution, folder: Path) -> None:
    """The seed need not be said again."""
    assert read_evolution(folder).record() == found.record()
    assert read_evolution(folder / "records").record() == found.record()
    options = {key: value for key, value in SMALL.items() if key != "seed"}
    again = evolve("agram", "length 20..30", folder=folder, resume=True, **options)
    assert again.record() == found.record()
    with pytest.raises(RecordsError, match="candidates: 8 there, 13 here"):
        evolve(
            "agram", "length 20..30", folder=folder, resume=True, **{**options, "candidates": 13}
        )


def test_changes_are_of_the_families_that_may_vary(found: Evolution) -> None:
    made = [one.candidate for one in found.measured.values() if one.candidate is not None]
    families = {change.family for one in made for change in one.changes}
    assert families == {ChangeFamily.CONSTANTS}


def test_values_that_are_set_are_those_of_the_original(tmp_path: Path) -> None:
    options = {**SMALL, "candidates": 1, "finalists": 0, "axes": ()}
    found = evolve("agram", "length max", declared={"HANDSIZE": 4}, **options)
    assert found.original.judged.evaluated.measures["length"].mean == 12
    file = tmp_path / "mine.rcy"
    file.write_text(found.original.candidate.text)
    same = evolve(file, "length max", **options)
    assert same.original.judged.evaluated == found.original.judged.evaluated
    assert evolve(Game.load(file), "length max", **options).record() == same.record()


@pytest.mark.parametrize(
    ("changes", "error", "said"),
    [
        ({"aims": []}, EvolutionError, r"name an aim, .* measures: length, "),
        ({"axes": ["length", "colour"]}, EvolutionError, "there is no measure 'colour'"),
        ({"aims": "skill max"}, EvolutionError, "skill needs a searching player"),
        ({"vary": ["tempo"]}, EvolutionError, "'tempo' cannot be varied; choose from constants"),
        ({"method": "map:cells"}, EvolutionError, "'cells' is not a parameter of a method"),
        ({"method": "climp", "axes": ()}, MethodError, "did you mean 'climb'"),
        ({"method": "climb"}, MethodError, "the method climb makes no map"),
        ({"keep": ["(deal 3 cards)"]}, KeepError, "deal"),
        ({"distance": 0}, EvolutionError, "the largest distance from the original is 1 or more"),
        ({"games": 0}, EvolutionError, "1 game or more"),
    ],
)
def test_what_cannot_be_searched_for_is_told_before_anything_is_written(
    changes: dict[str, Any], error: type[Exception], said: str, tmp_path: Path
) -> None:
    options = {**SMALL, "aims": "length max", **changes}
    aims = options.pop("aims")
    with pytest.raises(error, match=said):
        evolve("agram", aims, folder=tmp_path / "new", **options)
    assert list(tmp_path.iterdir()) == []


def test_constants_of_a_game_that_is_loaded_are_set() -> None:
    with pytest.raises(EvolutionError, match="is loaded already"):
        evolve(Game.load("agram"), "length max", preset="any")

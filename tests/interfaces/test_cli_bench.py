"""`cardwright bench`: the shape of what it says; how fast anything is, is tested nowhere."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import Result

from cardwright.arena.benchmark import BenchmarkFigures
from cardwright.interfaces.cli import bench

if TYPE_CHECKING:
    from cardwright import Game

Run = Callable[..., Result]

FIGURES = [
    "python_per_second",
    "decisions",
    "traced_per_second",
    "bulk_per_second",
    "rollouts_per_second",
    "ns_per_decision",
    "state_bytes",
    "copy_ns",
    "compile_seconds",
    "cached_seconds",
]
ONLY_HEARTS = ["handwritten_per_second", "handwritten_share"]  # fmt: skip
TINY = ("--seconds", "0.01")


def measured(run: Run, *words: str) -> dict[str, Any]:
    result = run("bench", *words, *TINY, "--format", "json")
    assert result.exit_code == 0, result.stderr
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def test_json_has_every_figure(run: Run) -> None:
    found = measured(run, "leduc")
    assert list(found) == ["games", "machine"]
    (game,) = found["games"]
    assert list(game) == ["game", "engine", *FIGURES, *ONLY_HEARTS]
    assert (game["game"], game["engine"]) == ("leduc", "native")
    assert all(game[name] > 0 for name in FIGURES)
    assert all(game[name] is None for name in ONLY_HEARTS)
    assert found["machine"]["cpu"]


@pytest.mark.slow
def test_hearts_has_its_share_of_the_kernel_written_by_hand(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cardwright.arena.benchmark.measure", figures_of_nothing)
    assert "\nshare of the hand-written kernel: " in run("bench", "hearts", *TINY).stdout
    assert "hand-written" not in run("bench", "coin.rcy", *TINY).stdout


def test_what_the_interpreter_has_not_is_null(run: Run) -> None:
    (game,) = measured(run, "coin.rcy", "--engine", "interpreter")["games"]
    assert game["python_per_second"] > 0
    assert game["bulk_per_second"] is None
    assert game["state_bytes"] is None


@pytest.mark.slow
def test_the_table_has_a_line_a_game(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr("cardwright.arena.benchmark.measure", figures_of_nothing)
    lines = run("bench", "leduc", "coin.rcy", *TINY).stdout.splitlines()
    assert [line.split()[0] for line in lines if line.startswith(("  leduc", "  coin.rcy"))] == [
        "leduc", "coin.rcy", "leduc", "coin.rcy",
    ]  # fmt: skip
    assert lines[-1].startswith("Cardwright ")
    assert max(map(len, lines[:-2])) <= 80
    slow = run("bench", "coin.rcy", *TINY, "--engine", "interpreter").stdout
    assert "States and code" not in slow


@pytest.mark.slow
def test_without_a_game_all_are_measured(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """The games of the library come in order; the figures of this test are none."""
    monkeypatch.setattr("cardwright.arena.benchmark.measure", figures_of_nothing)
    games = measured(run)["games"]
    names = [game["game"] for game in games]
    assert names == sorted(names)
    assert {"hearts", "leduc", "whist"} <= set(names)


def figures_of_nothing(game: Game, _seconds: float) -> BenchmarkFigures:
    """Return figures of the kinds that a game has, without measuring any."""
    found = BenchmarkFigures(game.name, game.engine_name, 1.0, 1.0)
    if game.engine_name == "native":
        found = replace(found, **dict.fromkeys(FIGURES[2:], 1))  # type: ignore[arg-type]
    if game.name == "hearts":
        found = replace(found, **dict.fromkeys(ONLY_HEARTS, 1.0))
    return found


@pytest.mark.parametrize("seconds", ["0", "-1", "x"])
def test_seconds_are_positive(run: Run, seconds: str) -> None:
    assert run("bench", "leduc", "--seconds", seconds).exit_code == 2


def test_games_that_stop_have_no_figures(run: Run) -> None:
    result = run("bench", "breaks.rcy", *TINY)
    assert result.exit_code == 1
    assert "the game stopped" in result.stderr


def test_all_games_are_loaded_before_any_is_measured(run: Run) -> None:
    result = run("bench", "leduc", "nosuchgame", *TINY)
    assert result.exit_code == 2
    assert result.stdout == ""


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (None, "-"), (0.5, "0.50"), (999, "999"), (1000, "1.00 k"), (45_678, "45.7 k"),
        (8_917_400, "8.92 M"), (123_456_789, "123 M"),
    ],
)  # fmt: skip
def test_rates_in_short(value: float | None, said: str) -> None:
    assert bench._rate(value) == said

"""The command variants."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from typing import TYPE_CHECKING

import click
import pytest
from click.testing import Result

from cardwright.interfaces.cli.variants import read_grid
from cardwright.study.analyze import combinations

if TYPE_CHECKING:
    from pathlib import Path

Run = Callable[..., Result]

FEW = ("--games", "2", "--ai-games", "0", "--workers", "1", "--seed", "1")
GRID = ("--vary", "MOON=MINUS,OFF", "--vary", "TIES=SHARED,EXTRA")


def grid_of(*texts: str) -> dict[str, tuple[object, ...]]:
    command = click.Command("c", params=[click.Option(["--vary"])])
    with click.Context(command) as ctx:
        return dict(read_grid(ctx, command.params[0], texts))


def test_a_grid_is_read_as_constants() -> None:
    assert grid_of("MOON=OFF, PLUS", "QUEEN=7,13") == {"MOON": ("OFF", "PLUS"), "QUEEN": (7, 13)}
    assert grid_of("CYCLE=LEFT,RIGHT;ACROSS,LEFT") == {
        "CYCLE": (("LEFT", "RIGHT"), ("ACROSS", "LEFT"))
    }


@pytest.mark.parametrize(
    "texts",
    [
        ("MOON",),
        ("=1",),
        ("A=",),
        ("A=1,1",),
        ("A=1", "A=2"),
        ("A=" + ",".join(map(str, range(201))),),
    ],
)
def test_grids_that_make_no_sense_are_refused(texts: tuple[str, ...]) -> None:
    with pytest.raises(click.BadParameter):
        grid_of(*texts)


def test_combinations_that_the_facts_forbid_are_left_out_with_the_reason() -> None:
    found, left = combinations(
        "hearts", {"MOON": ("MINUS", "OFF"), "TIES": ("SHARED", "EXTRA")}, {}, None
    )
    assert [one.title.name for one in found] == ["MOON=MINUS TIES=SHARED", "MOON=OFF TIES=SHARED"]
    assert [words for words, _ in left] == ["MOON=MINUS TIES=EXTRA", "MOON=OFF TIES=EXTRA"]
    assert all("ties are broken by deals" in reason for _, reason in left)
    assert len({one.ref.digest for one in found}) == 2


@pytest.mark.parametrize(
    ("values", "preset", "expected"),
    [
        ((3, 4, 5), None, [4, 3, 5]),
        ((3, 5), None, [3, 5]),
        ((3, 4, 5), "valet5", [5, 3, 4]),
    ],
)
def test_the_game_as_it_is_comes_first(
    values: tuple[int, ...], preset: str | None, expected: list[int]
) -> None:
    """Whatever is said of a variant is said in comparison with it."""
    found, _ = combinations("hearts", {"PLAYERS": values}, {}, preset)
    assert [one.game.players for one in found] == expected


@pytest.mark.slow
def test_the_table_has_every_combination_and_what_is_left_out(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from cardwright.analysis.figures.registry import OF_ONE_GAME
    from cardwright.study import report

    monkeypatch.setattr(report, "OF_ONE_GAME", OF_ONE_GAME[:1])
    out = tmp_path / "out"
    words = ("variants", "hearts", *GRID, *FEW, "--out", str(out))
    result = run(*words, "--measures", "branching,score")
    assert result.exit_code == 0, result.output
    assert "MOON=OFF TIES=SHARED" in result.stdout
    assert "left out: MOON=OFF TIES=EXTRA" in result.stdout
    assert "Branching" in result.stdout
    assert "Drama" not in result.stdout
    assert "MOON=OFF TIES=EXTRA" in (out / "index.html").read_text(encoding="utf-8")
    assert (out / "figures/measures.svg").exists()
    again = run(*words, "--measures", "branching,score", "--resume", "--csv")
    rows = list(csv.DictReader(io.StringIO(again.stdout)))
    assert [(row["MOON"], row["TIES"]) for row in rows] == [("MINUS", "SHARED"), ("OFF", "SHARED")]
    assert float(rows[0]["branching_low"]) <= float(rows[0]["branching"])
    data = json.loads(run(*words, "--resume", "--json").stdout)
    assert [one["set"]["MOON"] for one in data["games"]] == ["MINUS", "OFF"]
    assert [one["words"] for one in data["left_out"]] == [
        "MOON=MINUS TIES=EXTRA",
        "MOON=OFF TIES=EXTRA",
    ]


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("hearts",), 2, "--vary"),
        (("hearts", "--vary", "MOOON=OFF"), 2, "did you mean MOON"),
        (("hearts", "--vary", "MOON=OF,NO"), 2, "MOON"),
        (("hearts", "--vary", "MOON=OFF", "--set", "MOON=PLUS"), 2, "set and varied"),
        (("hearts", "--vary", "MOON=OFF", "--measures", "dramma"), 2, "drama"),
    ],
)
def test_mistakes_are_explained(
    run: Run, tmp_path: Path, words: tuple[str, ...], code: int, said: str
) -> None:
    result = run("variants", *words, "--out", str(tmp_path / "out"))
    assert result.exit_code == code, result.output
    assert said in result.output
    assert not (tmp_path / "out").exists()

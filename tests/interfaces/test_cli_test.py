from __future__ import annotations

import csv
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Run = Callable[..., Result]


@pytest.fixture
def coin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to stand in, with a game and its positions, of which one fails."""
    shutil.copy("coin.rcy", tmp_path)
    monkeypatch.chdir(tmp_path)
    Path("coin.positions.toml").write_text(
        '[[position]]\nabout = "Heads or tails"\n'
        'steps = [{ options = ["HEADS", "TAILS"], choose = "HEADS" }]\n\n'
        '[[position]]\nabout = "Nobody has called yet"\nexpect.p1.CALL = "HEADS"\n'
    )
    return tmp_path


def test_what_fails_is_shown_at_its_place(run: Run, coin: Path) -> None:
    result = run("test", "coin.rcy")
    assert result.exit_code == 1
    assert (
        result.stdout
        == """\
coin.positions.toml
  ok    Heads or tails
  FAIL  Nobody has called yet
        coin.positions.toml:7:18: p1.CALL differs
            7 | expect.p1.CALL = "HEADS"
              |                  ^^^^^^^
              expected: HEADS
              found:    ""
2 positions: 1 passed, 1 failed
"""
    )
    assert run("test", "coin").stdout == result.stdout, "the ending may be left out"


def test_what_passes(run: Run) -> None:
    result = run("test", "whist")
    assert result.exit_code == 0
    assert result.stdout.startswith("whist.positions.toml\n  ok    Suit must be followed")
    assert result.stdout.endswith(" passed\n")


def test_results_for_programs(run: Run, coin: Path) -> None:
    result = run("test", "coin.rcy", "--json")
    assert result.exit_code == 1
    record = json.loads(result.stdout)
    assert (record["passed"], record["failed"]) == (1, 1)
    assert record["positions"][1]["failures"] == [
        {"line": 7, "column": 18, "message": "p1.CALL differs", "expected": "HEADS", "found": '""'}
    ]
    rows = list(csv.DictReader(run("test", "coin.rcy", "--csv").stdout.splitlines()))
    assert [(row["passed"], row["failures"]) for row in rows] == [("true", "0"), ("false", "1")]


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (("nosuch",), 2, "there is no game 'nosuch'"),
        (("lasts.rcy",), 2, "there are no positions of lasts.rcy"),
        (("coin.rcy", "nosuch.toml"), 2, "nosuch.toml: there is no such file"),
        (("coin.rcy", "coin.rcy"), 1, "coin.rcy:1:1: this is not TOML"),
    ],
)
def test_wrong_calls(run: Run, words: tuple[str, ...], code: int, message: str) -> None:
    result = run("test", *words)
    assert result.exit_code == code, result.output
    assert message in result.stderr


def test_a_file_of_positions_can_be_checked(run: Run, coin: Path) -> None:
    """Its form is checked, without a game."""
    assert run("check", "coin.positions.toml").stdout == "coin.positions.toml: ok\n"
    Path("coin.positions.toml").write_text('[[position]]\nabuot = "Heads"\n')
    result = run("check", "coin.positions.toml")
    assert result.exit_code == 1
    assert "coin.positions.toml:2:1: error E108: there is no field 'abuot' here" in result.stdout
    assert "help: did you mean about?" in result.stdout
    assert "no such file" in run("check", "nosuch.positions.toml").stdout

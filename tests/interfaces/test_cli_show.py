from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING

from click.testing import Result

from cardwright.game.find import find

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

Run = Callable[..., Result]


def test_a_game_of_the_library_in_words(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "70")
    result = run("show", "hearts")
    assert result.exit_code == 0
    text = " ".join(result.stdout.split())
    for part in (
        "Hearts (hearts)",
        "players 3, 4, 5, 6, 7 or 8; here 4",
        "Everybody must follow the suit led",
        "wins the lowest score",
        "PLAYERS=4 Number of players: 3 to 11",
        "player iloc HAND: seen by its owner",
        "game iloc STOCK: seen by nobody",
        "SUIT: CLUBS, SPADES, DIAMONDS, HEARTS",
    ):
        assert part in text
    assert all(len(line) < 70 for line in result.stdout.splitlines())


def test_a_file_says_what_its_program_says(run: Run) -> None:
    result = run("show", "coin.rcy", "--set", "ROUNDS=5")
    text = " ".join(result.stdout.split())
    assert "coin.rcy players 2" in text
    assert "2 cards SIDE: HEADS, TAILS" in text
    assert "ROUNDS=5 (normally 3)" in text
    assert "FIRST=HEADS" in text


def test_a_file_says_what_stands_beside_it_and_at_its_head(run: Run, tmp_path: Path) -> None:
    """Title and rules of the TOML file; without these, the comment that the file begins with."""
    file = tmp_path / "mine.rcy"
    file.write_text(f";; A game of mine.\n\n{find('kuhn').text}", encoding="utf-8")
    assert "\nRules\n  A game of mine.\n" in run("show", str(file)).stdout
    facts = tmp_path / "mine.toml"
    facts.write_text('title = "Mine"\nrules = "Aim: Win."\nnotes = "Not \\u001b[31m yet."\n')
    shown = run("show", str(file)).stdout
    assert shown.startswith(f"Mine ({file})\n")
    assert "\nRules\n  Aim: Win.\n\nNotes\n  Not " in shown
    assert "\x1b[31m" not in shown
    facts.write_text("title = 1\n")
    wrong = run("show", str(file))
    assert wrong.exit_code == 1
    assert "title is not a string" in wrong.stderr


def test_json_of_a_file(run: Run) -> None:
    found = json.loads(run("show", "coin.rcy", "--format", "json").stdout)
    assert found["facts"] is None
    assert (found["players"], found["cards"], found["teams"]) == (2, 2, [[0], [1]])
    assert found["attributes"] == {"SIDE": ["HEADS", "TAILS"]}
    assert found["declared"] == [
        {"name": "ROUNDS", "value": 3, "default": 3, "description": "", "values": None},
        {
            "name": "FIRST",
            "value": "HEADS",
            "default": "HEADS",
            "description": "",
            "values": None,
        },
    ]
    assert [(place["owner"], place["kind"], place["name"]) for place in found["places"]] == [
        ("game", "iloc", "STOCK")
    ]


def test_json_of_a_game_of_the_library(run: Run) -> None:
    found = json.loads(run("show", "hearts", "--format", "json", "--set", "PLAYERS=3").stdout)
    assert found["facts"]["title"] == "Hearts"
    assert found["players"] == 3
    assert found["declared"][0]["default"] == 4
    assert found["declared"][0]["description"].startswith("Number of players")


def test_partners_are_named(run: Run) -> None:
    assert "p1 and p3; p2 and p4" in run("show", "whist").stdout

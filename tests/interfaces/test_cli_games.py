from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING

from click.testing import Result

from cardwright.library import catalogue

if TYPE_CHECKING:
    import pytest

Run = Callable[..., Result]


def test_every_game_has_a_line_that_fits(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    lines = run("games").stdout.splitlines()
    assert [line.split()[0] for line in lines[2:-2]] == catalogue.names()
    assert all(len(line) <= 80 for line in lines)
    assert all(line == line.rstrip() for line in lines)
    hearts = next(line for line in lines if line.split()[:1] == ["hearts"])
    assert hearts.split()[1:3] == ["Hearts", "3-8"]
    assert "trick-taking" in hearts


def test_json_has_all_facts(run: Run) -> None:
    found = json.loads(run("games", "--format", "json").stdout)
    assert list(found) == ["games"]
    assert [game["name"] for game in found["games"]] == catalogue.names()
    facts = catalogue.facts("hearts")
    hearts = next(game for game in found["games"] if game["name"] == "hearts")
    assert set(hearts) == {
        "name", "title", "players", "default_players", "deck", "origin", "date", "source",
        "mechanics", "information", "rules", "left_out", "notes", "declared", "presets", "opponent",
    }  # fmt: skip
    assert hearts["declared"] == dict(facts.declared)
    assert hearts["players"] == list(facts.players)


def test_no_tag_is_cut_off(run: Run) -> None:
    """What does not fit on a line of 80 columns is left out as a whole."""
    lines = run("games").stdout.splitlines()
    assert max(map(len, lines)) <= 80
    assert not any("…" in line or "..." in line for line in lines)

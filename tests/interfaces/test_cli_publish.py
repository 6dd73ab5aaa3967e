"""`cardwright publish`: what it makes and says, and what it refuses."""

from __future__ import annotations

import json
import re

import pytest

from cardwright.game.find import find
from cardwright.page import build
from cardwright.page.runtime import RuntimeFilesError
from commands import called
from unfetched import nothing_fetched


@pytest.fixture(autouse=True)
def _nothing_fetched(monkeypatch):
    nothing_fetched(monkeypatch)


def begins(folder):
    """Return what the document of a page begins with, and its first address."""
    document = (folder / "index.html").read_text("utf-8")
    begin = json.loads(re.search(r'id="python">(.*?)</script>', document)[1])
    return begin, re.search('data-home="(.*?)"', document)[1]


def test_a_game_of_the_library(tmp_path):
    done = called(["publish", "kuhn", "--out", str(tmp_path / "page")])
    assert done.exit_code == 0, done.stderr
    assert re.match(r"\d+ files in .*page: Python \d", done.stdout)
    assert "LICENSES.txt" in done.stdout
    assert "its first start takes some seconds longer" in done.stdout
    assert "Node is not installed" in done.stdout
    begin, home = begins(tmp_path / "page")
    assert (begin["games"], begin["opponents"]) == ({}, {"kuhn": []})
    assert home == "/games/kuhn"


def test_a_game_of_ones_own_with_its_settings(tmp_path):
    file = tmp_path / "my duel.rcy"
    file.write_text(find("kuhn").text, "utf-8")
    (tmp_path / "my duel.toml").write_text('title = "A <Duel>"\n', "utf-8")
    done = called(["publish", str(file), "--out", str(tmp_path / "page")])
    assert done.exit_code == 0, done.stderr
    begin, home = begins(tmp_path / "page")
    assert begin["games"] == {
        "my duel.rcy": file.read_text("utf-8"),
        "my duel.toml": 'title = "A <Duel>"\n',
    }
    name = home.removeprefix("/games/").replace("%20", " ")
    facts = json.loads((tmp_path / "page" / "facts" / "games" / f"{name}.json").read_text())
    assert (facts["name"], facts["title"]) == (name, "A <Duel>")
    document = (tmp_path / "page" / "index.html").read_text("utf-8")
    assert "<title>A &lt;Duel&gt;</title>" in document
    assert "my duel.toml" in document


def test_a_game_in_one_file(tmp_path):
    file = tmp_path / "new" / "Kuhn.HTML"
    done = called(["publish", "kuhn", "--out", str(file)])
    assert done.exit_code == 0, done.stderr
    assert re.match(
        r".*Kuhn.HTML: Kuhn Poker and all games of the library in one file", done.stdout
    )
    assert file.read_text("utf-8").startswith("<!doctype html>")
    done = called(["publish", "kuhn", "--out", str(file)])
    assert (done.exit_code, "already exists" in done.stderr) == (1, True)
    (tmp_path / "page").touch()
    done = called(["publish", "kuhn", "--out", str(tmp_path / "page")])
    assert (done.exit_code, "end its name in .html" in done.stderr) == (2, True)


def test_who_plays_against_people(tmp_path):
    player = "ismcts:iterations=7"
    done = called(["publish", "kuhn", "--players", player, "--out", str(tmp_path / "page")])
    assert done.exit_code == 0, done.stderr
    assert begins(tmp_path / "page")[0]["opponents"] == {"kuhn": [player]}
    facts = json.loads((tmp_path / "page" / "facts" / "games" / "kuhn.json").read_text())
    assert facts["opponents"] == [player]
    assert facts["computer_players"][-1]["player"] == player


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("hartz",), 2, "did you mean hearts"),
        (("hearts:standard",), 2, "name the game alone, hearts"),
        (("nothing.rcy",), 2, "nothing.rcy"),
        (("kuhn", "--players", "randm"), 2, "did you mean random"),
        (("kuhn", "--players", "random,random"), 2, "2 players are given for 1 seat"),
        (("kuhn", "--players", "mcts-cheating"), 2, "cannot sit at a table in the browser"),
        (("kuhn", "--players", "expert"), 2, "which this player needs"),
        (("--players", "random"), 2, "--players is for one game"),
    ],
)
def test_what_cannot_be_published(tmp_path, words, code, said):
    done = called(["publish", *words, "--out", str(tmp_path / "page")])
    assert (done.exit_code, said in done.stderr) == (code, True), done.stderr
    assert not (tmp_path / "page").exists()


def test_rules_with_errors_are_not_published(tmp_path):
    (tmp_path / "bad.rcy").write_text("(game)", "utf-8")
    done = called(["publish", str(tmp_path / "bad.rcy"), "--out", str(tmp_path / "page")])
    assert done.exit_code == 1
    assert "E204" in done.stderr
    assert not (tmp_path / "page").exists()


def test_a_folder_with_something_in_it_is_left_alone(tmp_path):
    (tmp_path / "file").touch()
    done = called(["publish", "kuhn", "--out", str(tmp_path)])
    assert done.exit_code == 1
    assert "is not empty" in done.stderr
    assert [file.name for file in tmp_path.iterdir()] == ["file"]


def test_a_network_that_cannot_be_reached_is_said(tmp_path, monkeypatch):
    def unreachable():
        raise RuntimeFilesError("https://here cannot be fetched (no route): a page needs it")

    monkeypatch.setattr(build, "pyodide_files", unreachable)
    done = called(["publish", "kuhn", "--out", str(tmp_path / "page")])
    assert done.exit_code == 1
    assert "cannot be fetched" in done.stderr
    assert not (tmp_path / "page").exists()

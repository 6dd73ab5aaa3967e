"""`cardwright publish`: what it makes and says, and what it refuses."""

from __future__ import annotations

import json
import re

import pytest

from cardwright.game.find import find
from cardwright.page import build
from cardwright.page.runtime import RuntimeFilesError
from cardwright.page.source import archived
from commands import called


@pytest.fixture(autouse=True)
def _nothing_fetched(monkeypatch):
    monkeypatch.setattr(build, "pyodide_files", lambda: {"pyodide.mjs": b"export {};"})
    monkeypatch.setattr(build, "fetched", lambda _: archived({"package.py": b""}))


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
    begin, home = begins(tmp_path / "page")
    assert (begin["games"], home) == ([], "/games/kuhn")


def test_a_game_of_ones_own_with_its_settings(tmp_path):
    file = tmp_path / "my duel.rcy"
    file.write_text(find("kuhn").text, "utf-8")
    (tmp_path / "my duel.toml").write_text('[game]\ntitle = "A Duel"\n', "utf-8")
    done = called(["publish", str(file), "--out", str(tmp_path / "page")])
    assert done.exit_code == 0, done.stderr
    begin, home = begins(tmp_path / "page")
    assert begin["games"] == ["published/my duel.rcy"]
    assert "games.zip" in {part["file"] for part in begin["parts"]}
    name = home.removeprefix("/games/").replace("%20", " ")
    facts = json.loads((tmp_path / "page" / "facts" / "games" / f"{name}.json").read_text())
    assert facts["name"] == name


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("hartz",), 2, "did you mean hearts"),
        (("hearts:standard",), 2, "name the game alone, hearts"),
        (("nothing.rcy",), 2, "nothing.rcy"),
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

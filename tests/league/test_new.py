"""A new season is complete: it can be read, checked and played as it stands."""

from __future__ import annotations

import re
from itertools import permutations
from pathlib import Path

import pytest
from click.testing import CliRunner

from cardwright.interfaces.cli.group import commands
from cardwright.league.run import run_season
from cardwright.league.season import BOTS, NewSeasonError, new_season, read_plan
from cardwright.sandbox.levels import strongest

PAGE = Path(__file__).parents[2] / "docs" / "bots.md"
FENCE = re.compile(r"^```(\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_a_new_season_can_be_played(tmp_path):
    folder = tmp_path / "deep" / "season"
    new_season(folder)
    plan, warnings = read_plan(folder, seed=1)
    assert not warnings
    assert [bot.name for bot in plan.bots] == list(BOTS.values())
    assert sorted(map(tuple, plan.schedule.tolist())) == sorted(permutations(range(4)))
    season = run_season(folder, plan)
    assert season.complete
    assert not [fault for block in season.all_blocks() for fault in block.faults]
    assert len((folder / "Outputs" / "Standings.csv").read_text().splitlines()) == 25 * 4


def test_every_file_is_there(tmp_path):
    new_season(tmp_path)
    found = {
        file.relative_to(tmp_path).as_posix() for file in tmp_path.rglob("*") if file.is_file()
    }
    bots = {f"Bots/{name}.py" for name in (*BOTS, "hearts_cards")}
    assert found == bots | {"Rosters/Main.csv", "Schedules/Main.csv", "README.md"}
    page = (tmp_path / "README.md").read_text()
    assert all(f"{name}.py" in page for name in BOTS)


def test_a_folder_with_anything_in_it_is_left_alone(tmp_path):
    (tmp_path / ".hidden").touch()
    with pytest.raises(NewSeasonError, match="is not empty, and nothing in it is touched"):
        new_season(tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == [".hidden"]


def test_a_file_is_no_folder(tmp_path):
    file = tmp_path / "notes.txt"
    file.write_text("keep me")
    with pytest.raises(NewSeasonError, match="is a file; name a folder"):
        new_season(file)
    with pytest.raises(NewSeasonError, match=r"cannot be made: Not a directory"):
        new_season(file / "season")
    assert file.read_text() == "keep me"


def test_the_page_for_newcomers_leads_to_bots_that_play(tmp_path, monkeypatch):
    """Its commands are called one after the other, with its bots in turn; pages are not made."""
    blocks = FENCE.findall(PAGE.read_text())
    bots = [text for _, text in blocks if "def getPlay" in text]
    (line,) = [text for _, text in blocks if re.fullmatch(r"\d,\w+,.+,.+\n", text)]
    calls = [call for kind, text in blocks if kind == "sh" for call in text.splitlines()]
    assert len(bots) == 2
    monkeypatch.chdir(tmp_path)
    called = []
    for call in calls:
        words = call.replace("--rounds 40", "--rounds 1").split()
        if words[0] == "cd":
            monkeypatch.chdir(words[1])
            Path("Bots/mine.py").write_text(bots[0])
            continue
        if words[2] == "report":
            continue
        if words[2] == "schedule":
            with Path("Rosters/Main.csv").open("a") as roster:
                roster.write(line)
        if words[2] == "check":
            words += ["--games", "2", "--bank", "60"]
        if words[2] == "run":
            words += ["--quiet"]
        if words[2] in {"check", "run"} and strongest().level < 2:
            words.append("--trusted")
        done = CliRunner().invoke(commands, words[1:])
        assert done.exit_code == 0, done.output
        called.append(words[2])
        if words[2] == "check":
            Path("Bots/mine.py").write_text(bots[1])
    assert called == ["new", "check", "schedule", "run", "check"]
    rows = Path("Outputs/Standings.csv").read_text().splitlines()
    assert [row.split(",")[2] for row in rows[-5:]] == [*BOTS.values(), "My bot"]

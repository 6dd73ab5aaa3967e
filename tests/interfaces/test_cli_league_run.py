"""`cardwright league run`: what it prints, what it refuses, and how it goes on."""

from __future__ import annotations

import csv
import json
import signal
import subprocess
import sys
import time
from itertools import permutations

import pytest

from cardwright.league.records import read_season
from cardwright.sandbox import levels
from cardwright.sandbox.levels import AvailableLevel
from cardwright.sandbox.limits import SandboxLevel
from patience import PATIENCE, wait_until

FIRST = "def getPlay(state):\n    return 0\ndef getSluff(state):\n    return 0\n"


@pytest.fixture
def season(tmp_path):
    """Return a season of three equal bots and a random player."""
    folder = tmp_path / "season"
    for name in ("Bots", "Rosters", "Schedules"):
        (folder / name).mkdir(parents=True)
    (folder / "Bots" / "first.py").write_text(FIRST)
    rows = [f"{n},first,First {n},me" for n in range(3)] + ["3,builtin:random,Any,us"]
    (folder / "Rosters" / "Main.csv").write_text("\n".join([",Filepath,Name,Author", *rows]))
    lines = [",".join(map(str, order)) for order in permutations(range(4))]
    (folder / "Schedules" / "Main.csv").write_text("\n".join(lines))
    return folder


def test_a_season_is_played_and_its_standings_shown(run, season):
    outcome = run("league", "run", str(season), "--trusted", "--seed", "5", "--workers", "1")
    assert outcome.exit_code == 0, outcome.output
    first, second, *_ = outcome.output.splitlines()
    assert first == "Test Season: 4 bots, 24 games, rules code, seed 5"
    assert second == "bots run without a sandbox in this program's processes: --trusted"
    assert "First 0" in outcome.output
    assert all(len(line) <= 80 for line in outcome.output.splitlines() if "Tables in" not in line)
    with (season / "Outputs" / "GameHistory.csv").open(newline="") as file:
        rows = list(csv.reader(file))
    assert [row[1] for row in rows] == [str(game) for game in range(1, 25)]


def test_name_and_rules_are_those_asked_for(run, season):
    outcome = run(
        "league", "run", str(season), "--trusted", "--seed", "5", "--workers", "1",
        "--name", "Spring, 2026", "--rules", "readme",
    )  # fmt: skip
    assert outcome.exit_code == 0, outcome.output
    assert outcome.output.startswith("Spring, 2026: 4 bots, 24 games, rules readme, seed 5")
    text = (season / "Outputs" / "RoundHistory.csv").read_text()
    assert text.startswith('"Spring, 2026",1,1,')


def test_faults_are_told_with_their_reasons(run, season):
    (season / "Bots" / "first.py").write_text("def getPlay(s): return None\ngetSluff = getPlay\n")
    outcome = run("league", "run", str(season), "--trusted", "--seed", "5", "--workers", "1")
    assert outcome.exit_code == 0
    assert "First 0: " in outcome.output
    assert "games forfeited" in outcome.output
    assert "getSluff returned nothing (None)" in outcome.output


def test_untrusted_bots_need_a_sandbox(run, season, monkeypatch):
    weak = AvailableLevel(
        SandboxLevel.LIMITS, ((SandboxLevel.CONFINED, "Landlock is not in this kernel"),)
    )
    monkeypatch.setattr(levels, "strongest", lambda: weak)
    outcome = run("league", "run", str(season))
    assert outcome.exit_code == 1
    assert "Landlock is not in this kernel" in outcome.output
    assert "--trusted" in outcome.output
    asked = run("league", "run", str(season), "--level", "3")
    assert asked.exit_code == 1
    assert "offers only level 1" in asked.output


def test_a_drawn_seed_has_128_bits_and_is_kept(run, season):
    """As a text, for it has more digits than some readers of JSON keep."""
    rows = [f"{n},builtin:random,R{n},us" for n in range(4)]
    (season / "Rosters" / "Main.csv").write_text("\n".join([",Filepath,Name,Author", *rows]))

    def seed_after(*words):
        outcome = run("league", "run", str(season), *words)
        assert outcome.exit_code == 0, outcome.output
        found = json.loads((season / "Records" / "manifest.json").read_text())["plan"]["seed"]
        assert isinstance(found, str)
        return int(found)

    first = seed_after()
    assert seed_after("--resume") == first
    drawn = [first, *(seed_after("--again") for _ in range(3))]
    assert 120 < max(one.bit_length() for one in drawn) <= 128
    assert read_season(season).plan.seed == drawn[-1]


def test_a_season_is_played_again_by_the_seed_and_the_salt_that_it_has_told(run, season):
    def tables(*words):
        outcome = run("league", "run", str(season), "--trusted", "--workers", "1", *words)
        assert outcome.exit_code == 0, outcome.output
        told = next(line for line in outcome.output.splitlines() if "The same season" in line)
        files = sorted((season / "Outputs").iterdir())
        return told.partition(": ")[2].split(), [file.read_bytes() for file in files]

    told, first = tables("--seed", "5")
    assert told[:3] == ["--seed", "5", "--salt"]
    other, second = tables("--again", "--seed", "5")
    assert (other != told, second != first) == (True, True)
    assert tables("--again", *told) == (told, first)


def test_seasons_of_library_players_need_none(run, season, monkeypatch):
    monkeypatch.setattr(levels, "strongest", lambda: pytest.fail("nobody asked for a sandbox"))
    rows = [f"{n},builtin:random,R{n},us" for n in range(4)]
    (season / "Rosters" / "Main.csv").write_text("\n".join([",Filepath,Name,Author", *rows]))
    outcome = run("league", "run", str(season), "--seed", "1")
    assert outcome.exit_code == 0, outcome.output
    assert "sandbox" not in outcome.output


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--resume", "--again"), "give one of them"),
        (("--trusted", "--level", "2"), "cannot be combined with --level"),
        (("--seed", "x"), "is not a seed"),
        (("--move-ms", "0"), "--move-ms"),
        (("--salt", "5"), "'5' is not a salt"),
        (("--salt", "00" * 65), "a salt has at most 64 bytes, not 65"),
    ],
)
def test_options_that_make_no_sense_are_refused(run, season, options, message):
    outcome = run("league", "run", str(season), *options)
    assert outcome.exit_code == 2
    assert message in outcome.output


def test_folders_that_are_none_are_told_with_what_to_do(run, tmp_path):
    outcome = run("league", "run", str(tmp_path / "none"), "--trusted")
    assert outcome.exit_code == 2
    assert "cardwright league new" in outcome.output


def test_commands_of_the_league_are_listed(run):
    outcome = run("league", "--help")
    for name in ("new", "check", "schedule", "run", "report"):
        assert f"\n  {name} " in outcome.output
    assert run("league", "rum").exit_code == 2


def test_a_season_that_was_interrupted_says_how_to_go_on(season):
    """Ctrl-C while bots think: the command that is printed plays the rest."""
    slow = "import time\ndef getPlay(s):\n    time.sleep(0.001)\n    return 0\ngetSluff = getPlay\n"
    (season / "Bots" / "first.py").write_text(slow)
    command = [sys.executable, "-m", "cardwright", "league", "run", str(season), "--trusted"]
    process = subprocess.Popen(
        [*command, "--workers", "1"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    wait_until((season / "Records" / "manifest.json").exists)
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130, errors
    assert "interrupted after 0 of 24 games" in errors
    words = errors.strip().splitlines()[-1].split()
    assert words[:3] == ["cardwright", "league", "run"]
    assert "--resume" in words
    assert not (season / "Outputs").exists()
    assert list((season / "Records").glob("blocks/*")) == []

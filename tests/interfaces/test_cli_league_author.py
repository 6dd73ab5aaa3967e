"""`league new`, `league check` and `league schedule`, as authors of bots use them."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from cardwright.statistics.caveat import caveat
from patience import PATIENCE

GOOD = "def getPlay(state):\n    return 0\ngetSluff = getPlay\n"


@pytest.fixture
def bot(tmp_path, monkeypatch):
    """Stand in a folder of one's own, with a bot in it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")

    def write(text, name="mine.py"):
        Path(name).write_text(text)
        return name

    return write


def check(run, *words):
    return run(
        "league", "check", *words, "--games", "2", "--seed", "4", "--trusted", "--move-ms", "5000"
    )


def test_new_makes_a_season_and_says_what_to_do(run, tmp_path):
    folder = tmp_path / "my season"
    done = run("league", "new", str(folder))
    assert done.exit_code == 0
    assert f"cardwright league run '{folder}'" in done.stdout
    assert (folder / "Bots" / "careful.py").is_file()
    again = run("league", "new", str(folder))
    assert again.exit_code == 1
    assert again.stderr.startswith(f"error: {folder} is not empty, and nothing in it is touched")


def test_a_clean_bot(run, bot):
    done = check(run, bot(GOOD))
    assert done.exit_code == 0
    lines = done.stdout.splitlines()
    assert lines[:2] == ["mine.py: 4 games, rules code, seed 4, trusted", "no faults"]
    assert any(re.search(r"builtin:random +2 +\d+\.\d +\d+\.\d", line) for line in lines)
    assert "low_card, careful," in done.stdout
    said = " ".join(done.stdout.split())
    assert "is half of a 95 % interval, in which each game counts as one value." in said
    assert caveat(2, "games") in said
    assert re.search(r"half of them within \d+ us, 99 % within .+, longest ", done.stdout)
    assert re.search(r"10,000 games take this bot \d+ (s|min|h) of one processor", done.stdout)
    assert max(map(len, lines)) <= 80
    assert "\x1b" not in done.stdout


def test_what_a_bot_prints_is_shown(run, bot):
    """It begins with what the bot printed first, and says that in a season nobody sees it."""
    text = "print('hello')\n" + GOOD.replace("return 0", "print('\\x1b[2J', s.hand); return 0")
    done = check(run, bot(text.replace("(state)", "(s)")))
    assert done.exit_code == 0
    lines = done.stdout.splitlines()
    at = lines.index("Output of the bot, from the first game in which it printed:")
    assert lines[at + 1] == "    hello"
    assert lines[at + 2].startswith("    ?[2J [") or "[2J [" in lines[at + 2]
    assert lines[at + 21] == "    ..."
    assert "\x1b" not in done.stdout


def test_faults_are_told_with_lines_and_the_exit_code_is_1(run, bot):
    text = "def getSluff(s): return None\ndef getPlay(s):\n    import os\n    return 0\nlist = []\n"
    done = check(run, bot(text))
    assert done.exit_code == 1
    found = " ".join(done.stdout.split())
    assert "mine.py:3: fault: a bot may not import os; only numpy, pandas, math, random," in found
    assert re.search(r"fault: getSluff returned nothing \(None\); .* \(\d+ times\)", found)
    assert "2 faults" in found
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_a_syntax_error_has_its_line_and_no_game_is_played(run, bot):
    done = check(run, bot("def getPlay(s):\n    return (0\n"))
    assert done.exit_code == 1
    assert "mine.py:2: fault: SyntaxError: '(' was never closed" in done.stdout
    assert "No game was played" in done.stdout


def test_what_a_bot_says_cannot_steer_the_terminal(run, bot):
    done = check(run, bot(GOOD + "raise ValueError('\\x1b[31mred\\u202e')\n"))
    assert done.exit_code == 1
    assert "\x1b" not in done.stdout
    assert "\u202e" not in done.stdout
    assert "ValueError" in done.stdout


def test_opponents_are_chosen(run, bot):
    done = check(run, bot(GOOD), "--opponents", "rule", "--rules", "readme")
    assert done.exit_code == 0
    assert "mine.py: 2 games, rules readme" in done.stdout
    assert "builtin:rule" in done.stdout
    assert "random" not in done.stdout


def test_a_fault_is_shown_with_its_place_and_its_traceback(run, bot):
    text = "def help(s):\n    return 1 / 0\ndef getSluff(s): return 0\ngetPlay = help\n"
    done = check(run, bot(text))
    lines = done.stdout.splitlines()
    at = lines.index("    first in game 1, seat 1, round 1, trick 1")
    assert [line.split()[0] for line in lines[at + 1 : at + 4]] == ["hand", "legalMoves", "on"]
    assert lines[at + 4 : at + 6] == ["      mine.py, line 2, in help", "        return 1 / 0"]
    assert " slowest: " in done.stdout
    found = json.loads(check(run, "mine.py", "--json").stdout)
    assert found["findings"][0]["scene"]["trace"][0] == "mine.py, line 2, in help"
    assert len(found["slowest"]) == 3


def test_opponents_can_be_the_file_of_another_bot(run, bot):
    Path("others").mkdir()
    other = bot(GOOD.replace("return 0", "return -1"), "others/b.py")
    done = check(run, bot(GOOD), "--opponents", f"{other},rule")
    assert done.exit_code == 0, done.output
    assert re.search(r"^  others/b.py +2 ", done.stdout, re.MULTILINE)
    assert "builtin:rule" in done.stdout
    missing = check(run, "mine.py", "--opponents", "others/none.py")
    assert missing.exit_code == 1
    assert "others/none.py cannot be read: No such file" in missing.output


STOPS = """
import pdb
print('quiet')
seen = []
def getPlay(s):
    here = len(s.hand)
    if here <= 3 and here not in seen:
        seen.append(here)
        if here == 3:
            breakpoint()
        elif here == 2:
            pdb.set_trace()
        else:
            pdb.Pdb().set_trace()
    return 0
getSluff = getPlay
"""


def test_a_debugger_in_a_trusted_bot_can_be_talked_to(bot):
    """In each of the ways in which one is called."""
    words = ["league", "check", bot(STOPS), "--trusted", "--games", "1", "--opponents", "random"]
    command = [sys.executable, "-m", "cardwright", *words, "--bank", "60"]

    def asked(*lines):
        words = "\n".join(lines)
        return subprocess.run(
            command, input=words, capture_output=True, text=True, timeout=300, check=False
        )

    done = asked(*["p 'hand', len(s.hand)", "c"] * 3, *["c"] * 20)
    assert done.stdout.startswith("> ")
    assert [f"(Pdb) ('hand', {count})" in done.stdout for count in (3, 2, 1)] == [True] * 3
    assert done.stdout.count("quiet") == 1  # what the bot prints is kept, as without a debugger
    left = asked("q")
    assert (left.returncode, "(Pdb)" in left.stdout) == (130, True), left.stderr
    assert "Traceback" not in left.stderr


def test_opponents_can_be_a_worked_bot(run, bot):
    done = check(run, bot(GOOD), "--opponents", "careful")
    assert done.exit_code == 0
    assert re.search(r"^  careful +2 ", done.stdout, re.MULTILINE)


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["nowhere.py"], 2, "'nowhere.py' does not exist"),
        (["mine.py", "--opponents", "nobody"], 2, "there is no player 'nobody'"),
        (["mine.py", "--level", "2"], 2, "it cannot be combined with --level"),
        (["mine.py", "--games", "0"], 2, "0 is not in the range"),
    ],
)
def test_wrong_calls(run, bot, words, code, message):
    bot(GOOD)
    done = run("league", "check", *words, "--trusted")
    assert done.exit_code == code
    assert message in done.stderr


def test_in_the_sandbox_it_is_the_same_bot(run, bot):
    text = "import random\ndef getPlay(s):\n    return random.randrange(len(s.legalMoves))\n"
    name = bot(text + "getSluff = getPlay\n")
    words = ("league", "check", name, "--games", "2", "--seed", "4", "--bank", "60")
    sandboxed, trusted = run(*words), run(*words, "--trusted")
    assert sandboxed.exit_code == trusted.exit_code == 0
    assert re.search(r"sandbox level [23]", sandboxed.stdout)

    def points(done):
        return [line for line in done.stdout.splitlines() if re.search(r"± \d", line)]

    assert points(sandboxed) == points(trusted)
    assert len(points(sandboxed)) == 2


def test_a_schedule_on_the_standard_output(run):
    done = run("league", "schedule", "--bots", "5", "--rounds", "4", "--seed", "3")
    assert done.exit_code == 0
    games = [tuple(map(int, line.split(","))) for line in done.stdout.splitlines()]
    assert len(games) == 20
    for seat in range(4):
        assert Counter(game[seat] for game in games) == dict.fromkeys(range(5), 4)
    assert "5 bots, 4 rounds: 20 games" in done.stderr
    assert re.search(r"games of a bot in a seat +4\n", done.stderr)
    assert re.search(r"meetings of two bots +12\n", done.stderr)
    again = run("league", "schedule", "--bots", "5", "--rounds", "4", "--seed", "3")
    other = run("league", "schedule", "--bots", "5", "--rounds", "4", "--seed", "4")
    assert again.stdout == done.stdout != other.stdout


def test_a_schedule_for_a_season(run, tmp_path):
    run("league", "new", str(tmp_path / "s"))
    file = tmp_path / "s" / "Schedules" / "Main.csv"
    before = file.read_text()
    words = ("league", "schedule", "--season", str(tmp_path / "s"), "--rounds", "2")
    refused = run(*words)
    assert refused.exit_code == 1
    assert "exists; give --force to replace it" in refused.stderr
    assert file.read_text() == before
    done = run(*words, "--force")
    assert done.exit_code == 0
    assert "4 bots, 2 rounds: 8 games" in done.stdout
    assert f"written to {file}" in done.stdout
    assert len(file.read_text().splitlines()) == 8


def test_a_schedule_in_a_file(run, tmp_path):
    file = tmp_path / "games.csv"
    done = run("league", "schedule", "--bots", "8", "--rounds", "1", "--save", str(file))
    assert done.exit_code == 0
    assert len(file.read_text().splitlines()) == 8


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["--rounds", "2"], 2, "give either --bots N or --season DIR"),
        (["--rounds", "2", "--bots", "4", "--season", "."], 2, "give either"),
        (["--rounds", "2", "--bots", "3"], 2, "there are only 3: add some"),
        (["--rounds", "0", "--bots", "4"], 2, "at least one round, not 0"),
        (["--rounds", "2", "--season", "nowhere"], 2, "'nowhere' does not exist"),
    ],
)
def test_schedules_that_cannot_be(run, words, code, message):
    done = run("league", "schedule", *words)
    assert done.exit_code == code
    assert message in done.stderr


@pytest.mark.parametrize("word", ["new", "check", "schedule"])
def test_help_loads_nothing_heavy(word):
    script = (
        "import sys, json; from cardwright.interfaces.cli.group import commands\n"
        f"commands(['league', {word!r}, '--help'], standalone_mode=False)\n"
        "print(json.dumps([m for m in ('numpy', 'rich', 'llvmlite') if m in sys.modules]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=PATIENCE
    )
    assert json.loads(done.stdout.splitlines()[-1]) == []

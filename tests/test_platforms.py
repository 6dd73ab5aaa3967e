"""What the package does on systems that are not this one, as far as one machine can tell."""

from __future__ import annotations

import ast
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from cardwright.game.find import find
from commands import call
from patience import PATIENCE

ROOT = Path(__file__).parents[1]
SOURCES = ROOT / "src" / "cardwright"

linux = pytest.mark.skipif(sys.platform != "linux", reason="Windows is played on Linux")


def as_windows(*words: str, folder: Path, text: str = "") -> subprocess.CompletedProcess[bytes]:
    """Run Python in a process that shows Cardwright what it would see on Windows."""
    return subprocess.run(
        [sys.executable, *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT / "tests" / "as_windows"), "LC_ALL": "C"},
        input=text.encode(),
        capture_output=True,
        check=False,
        timeout=PATIENCE,
    )


COMMANDS = """
import json, sys
from click.testing import CliRunner
from cardwright.interfaces.cli.group import commands
said = []
for line in sys.argv[1:]:
    words, text = json.loads(line)
    done = CliRunner().invoke(commands, words, input=text, prog_name="cardwright")
    if done.exit_code:
        sys.exit(f"{line}: {done.output} {done.exception}")
    said.append(done.stdout)
print(json.dumps(said))
"""


def called(*calls: tuple[str, ...], folder: Path, text: str = "") -> list[str]:
    """Call commands there, in one process; all have to succeed. Return what each prints."""
    lines = [json.dumps([list(words), text]) for words in calls]
    done = as_windows("-c", COMMANDS, *lines, folder=folder)
    assert done.returncode == 0, done.stderr.decode()
    said: list[str] = json.loads(done.stdout.decode("utf-8").splitlines()[-1])
    return said


EVERY_MODULE = """
import importlib, pkgutil, sys, cardwright
from cardwright.extras import MissingExtraError
for found in pkgutil.walk_packages(cardwright.__path__, "cardwright."):
    if not found.name.endswith("__main__") and ".bots." not in found.name:
        try:
            importlib.import_module(found.name)
        except ImportError as error:
            print(found.name, error)
        except MissingExtraError:  # of torch, which is not installed for tests
            assert found.name == "cardwright.envs.stable_baselines"
"""


@linux
@pytest.mark.slow
def test_every_module_is_imported_without_the_modules_of_unix(tmp_path: Path) -> None:
    """Only the walls of the sandbox, which are Linux's, are not for Windows."""
    done = as_windows("-c", EVERY_MODULE, folder=tmp_path)
    assert done.returncode == 0, done.stderr.decode()
    lines = [line for line in done.stdout.decode().splitlines() if ".kernels." not in line]
    assert lines == ["cardwright.sandbox.confine No module named 'resource' on Windows"]


@linux
@pytest.mark.slow
def test_games_are_played_counted_and_written_without_unix(tmp_path: Path) -> None:
    """By both engines, by processes, from rules of one's own, and line by line.

    Records have the same bytes as here: they are written by processes, in a folder that is locked,
    and taken for complete. A file is replaced while nothing holds it open.
    """
    (tmp_path / "spaced.rcy").write_text(find("agram").text.replace("(", "( ", 1), "utf-8")
    words = ("match", "random", "random", "leduc", "--deals", "6", "--seed", "5", "--records")
    played, _, lines, met, _, formatted = called(
        ("simulate", "leduc", "--games", "20", "--seed", "7"),
        ("new", "mine"),
        ("play", "leduc", "--plain", "--seed", "3"),
        (*words, "there", "--workers", "2", "--json"),
        ("records", "there"),
        ("format", "spaced.rcy"),
        folder=tmp_path, text="1\n" * 60,
    )  # fmt: skip
    assert "leduc" in played
    assert "The game is over" in lines
    assert '"kind": "match"' in met
    assert b"\r" not in (tmp_path / "mine.rcy").read_bytes()
    assert "spaced.rcy" in formatted
    assert "( game" not in (tmp_path / "spaced.rcy").read_text(encoding="utf-8")
    assert call([*words, "here"], tmp_path).returncode == 0
    names = {one.name for one in (tmp_path / "here").iterdir()}
    assert names | {".lock"} == {one.name for one in (tmp_path / "there").iterdir()} | {".lock"}
    tables = [name for name in names if name.endswith(".parquet")]
    assert tables
    for name in tables:
        assert (tmp_path / "here" / name).read_bytes() == (tmp_path / "there" / name).read_bytes()


@linux
def test_bots_of_others_are_refused_where_there_is_no_sandbox(tmp_path: Path) -> None:
    """The message says what can be done about it: there the bots may be trusted, and no more."""
    assert call(["league", "new", "season"], tmp_path).returncode == 0
    refused = as_windows("-m", "cardwright", "league", "run", "season", folder=tmp_path)
    assert refused.returncode == 1
    assert refused.stderr.decode().splitlines() == [
        "error: programs of others can only be run on Linux, your own on macOS too",
        "If all bots are your own, give --trusted",
    ]
    assert not (tmp_path / "season" / "Outputs").exists()


HIDDEN = """
import sys
from cardwright.sandbox import levels
from cardwright.sandbox.limits import SandboxLevel
import cardwright.sandbox.process
cardwright.sandbox.process.bubblewrap = lambda: None
print(levels.reason_against(SandboxLevel.WALLED))
"""


@linux
def test_without_bubblewrap_the_strongest_level_says_what_to_install(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", HIDDEN], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    expected = "bubblewrap is not installed (install the package `bubblewrap`)"
    assert done.stdout.strip() == expected


# Bytes ------------------------------------------------------------------------------------


def texts_written() -> list[tuple[str, ast.Call]]:
    """Return the calls that open a file as text to write it, with their places."""
    found: list[tuple[str, ast.Call]] = []
    for path in SOURCES.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if {"kernels", "bots"} & set(path.parts) or not re.search(r"write_text|open\(", text):
            continue
        found += (
            (f"{path.relative_to(ROOT)}:{node.lineno}", node)
            for node in ast.walk(ast.parse(text))
            if isinstance(node, ast.Call) and writes_text(node)
        )
    return found


def writes_text(call: ast.Call) -> bool:
    """Say whether a call is `write_text`, or an `open` with a mode to write text."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    if name == "write_text":
        return bool(call.keywords)  # our own function of this name takes no more than a file
    words = [one.value for one in call.args if isinstance(one, ast.Constant)]
    modes = [one for one in words if isinstance(one, str) and re.fullmatch("[wax]t?", one)]
    return name == "open" and bool(modes)


def test_texts_are_written_with_the_same_bytes_on_all_systems() -> None:
    """Windows would write two characters at each end of a line, in an encoding of its own."""
    calls = texts_written()
    assert len(calls) >= 5
    for place, writing in calls:
        named = {one.arg for one in writing.keywords}
        assert {"encoding", "newline"} <= named, place


def test_the_project_can_be_checked_out_on_all_systems() -> None:
    """No name differs from another by case alone, is reserved, or has a letter that is."""
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("these are not the files of a repository")
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    names = listed.stdout.splitlines()
    assert len({name.lower() for name in names}) == len(names)
    reserved = re.compile(r"(?i)(^|/)(con|prn|aux|nul|com\d|lpt\d)(\.|/|$)|[<>:\"|?*\\]|[. ](/|$)")
    assert [name for name in names if reserved.search(name)] == []
    assert max(map(len, names)) < 180

"""Commands say at once all that is missing, and the one line that installs it.

Libraries are taken away from a process of its own, which makes all calls that are to lack the same:
an import of one fails there, as it does where it is not installed.
"""

from __future__ import annotations

import io
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import tomllib
from functools import cache
from pathlib import Path
from typing import NamedTuple

import click
import pytest

from cardwright import extras
from cardwright.extras import EXTRAS, MissingExtraError
from cardwright.interfaces.cli.group import commands
from cardwright.interfaces.cli.needs import NEEDS, modules_for
from deep import mostly_deep
from every_command import CALLS, command_of, every_command, prepare
from patience import PATIENCE

ROOT = Path(__file__).parents[2]

WITHOUT = """
import json, os, sys, traceback
for name in {gone!r}:
    sys.modules[name] = None
import pytest
from click.testing import CliRunner
from cardwright.interfaces.cli.group import commands
sys.path.append({tests!r})
from commands import leave_pictures_empty
leave_pictures_empty(pytest.MonkeyPatch())
ended = []
for folder, words in {calls!r}:
    os.chdir(folder)
    done = CliRunner().invoke(commands, words, prog_name="cardwright")
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        traceback.print_exception(done.exception)
    ended.append([done.exit_code, done.stdout, done.stderr])
print(json.dumps(ended))
"""
"""Calls where some libraries are not installed, one after the other in the same process."""

MODULES = frozenset(module for has in EXTRAS.values() for module in has)
BROUGHT = {
    "evolve": {"scipy"},  # of pymoo
    "match": {"jinja2"},  # of distributed
}
"""Libraries of other extras that those of a command bring along."""


class Ended(NamedTuple):
    """How a call ended, the folder where it was made, and what was in there before."""

    code: int
    stdout: str
    stderr: str
    folder: Path
    before: list[Path]


@cache
def ended(gone: frozenset[str]) -> dict[str, Ended]:
    """Return how all calls end for which just these libraries are to be missing."""
    kept.append(tempfile.TemporaryDirectory())
    folders = {call: Path(kept[-1].name, str(at)) for at, call in enumerate(CALLS)}
    calls = [
        call for call in CALLS if gone == MODULES or (call in AT_WORK and gone == lacked(call))
    ]
    before = {}
    for call in calls:
        folders[call].mkdir()
        prepare(folders[call])
        before[call] = sorted(folders[call].rglob("*"))
    given = [(str(folders[call]), shlex.split(call)) for call in calls]
    environment = {key: value for key, value in os.environ.items() if "COLOR" not in key}
    tests = str(ROOT / "tests")
    text = WITHOUT.format(gone=sorted(gone), calls=given, tests=tests)
    done = subprocess.run(
        [sys.executable, "-c", text],
        env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
        timeout=PATIENCE,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    return {
        call: Ended(*one, folders[call], before[call])
        for call, one in zip(calls, found, strict=True)
    }


kept: list[tempfile.TemporaryDirectory[str]] = []
"""The folders of the calls, until the process ends."""


def lacked(call: str) -> frozenset[str]:
    """Return the libraries that a call should not need, nor those that it needs."""
    return MODULES - {*needed(call), *BROUGHT.get(command_of(call), ())}


def needed(call: str) -> tuple[str, ...]:
    """Return what the table says that a call needs, in a pipe."""
    command: click.Command = commands
    words = shlex.split(call)
    context = click.Context(command, **command.context_settings)
    while isinstance(command, click.Group):
        found = command.get_command(context, words.pop(0))
        assert found is not None
        command = found
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(click.Path, "convert", lambda _self, value, *_: value)
        given = command.make_context("x", words).params
    return modules_for(command_of(call), given)


def test_every_command_has_a_call_and_every_row_a_command() -> None:
    assert {command_of(call) for call in CALLS} == every_command()
    assert set(NEEDS) <= every_command()


@pytest.mark.parametrize("call", CALLS)
def test_all_that_is_missing_is_said_at_once(call: str) -> None:
    """With one line that installs it, on the standard error, and with nothing done before.

    What needs no extra does not look for its libraries.
    """
    done = ended(MODULES)[call]
    if needed(call):
        assert (done.code, done.stdout) == (1, "")
        assert done.stderr == f"error: {extras.missing(*needed(call))}\n"
        assert sorted(done.folder.rglob("*")) == done.before
    else:
        assert done.code in {0, 1, 2}, done.stderr
        assert "not installed" not in done.stderr
        assert "Error" not in done.stderr


ALIKE = {"variants", "ladder", "lab one", "lab factorial", "lab screen", "lab run", "lab report"}
"""Commands that do what others do, for the needs of these."""

AT_WORK = [
    call for call in CALLS
    if any(word in call for word in ("--out", "--plot", "--records", "lp", "cluster"))
    and command_of(call) not in ALIKE and "league" not in call and "--dry-run" not in call
]  # fmt: skip
"""Calls that need something, and nothing but the files that are made here."""


@pytest.mark.slow
@pytest.mark.parametrize("call", mostly_deep(AT_WORK, set(AT_WORK[:6:3]).__contains__))
def test_the_table_has_all_that_a_command_imports(call: str) -> None:
    """It works where nothing is installed but what its row says."""
    assert needed(call)
    done = ended(lacked(call))[call]
    assert done.code == 0, done.stderr


@pytest.mark.parametrize("command", ["match", "tournament", "ladder"])
def test_standings_on_a_terminal_need_their_ratings(
    command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a pipe, or with `--quiet`, there are none."""
    given = {"records": None, "plots": (), "quiet": False}
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    assert modules_for(command, given) == ()
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    assert modules_for(command, given) == ("openskill",)
    assert modules_for(command, {**given, "quiet": True}) == ()


@pytest.mark.parametrize("given", [{"scheduler": "tcp://here:1"}, {"executor": "cluster"}])
def test_a_cluster_is_asked_for_by_either_option(given: dict[str, str]) -> None:
    """Of any command."""
    assert modules_for("anything", given) == ("distributed",)
    assert modules_for("anything", {"scheduler": None, "executor": "here"}) == ()


def test_pages_of_seasons_need_what_a_report_on_one_does() -> None:
    pages = modules_for("serve", {"seasons": Path("here")})
    assert set(modules_for("league report", {})) < set(pages)


def test_extras_are_those_of_the_project() -> None:
    """The libraries by the names that pip knows."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    told = {
        extra: {re.split(r"[\[<>=]", text)[0] for text in texts} - {"cardwright"}
        for extra, texts in project["optional-dependencies"].items()
        if extra not in {"all", "dev", "site"}
    }
    assert {extra: set(has.values()) for extra, has in EXTRAS.items()} == told


def test_the_extra_all_has_them_all() -> None:
    """But that of Stable-Baselines3, which brings torch."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    everything = project["optional-dependencies"]["all"]
    listed = set(re.findall(r"\w+", everything[0].partition("[")[2]))
    assert len(everything) == 1
    assert listed == set(EXTRAS) - {"sb3"}


def test_several_libraries_of_several_extras_are_one_line() -> None:
    """An extra that another has all of is left out."""
    said = str(extras.missing("scipy", "polars", "sse_starlette"))
    assert said.startswith("this needs scipy, polars and sse-starlette, which are not installed; ")
    assert extras.advice("arena", "solve", "web", several=True) in said
    assert extras.advice("evolve", several=True) in str(extras.missing("polars", "pymoo"))


@pytest.mark.parametrize(
    "call",
    [
        "play_season('nowhere')",
        "evolve('nosuchgame', ['length max'], folder='made')",
        "analyze('nosuchgame', folder='made')",
        "analysis.analyze_variants('nosuchgame', {}, folder='made')",
        "analysis.draw_figures(['nosuchgame'], 'made')",
        "solve_game(None, method='lp', file='made')",
    ],
)
def test_functions_say_so_before_they_begin(call: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What else is wrong with the call is found later."""
    import cardwright.analysis

    monkeypatch.setattr(extras, "find_spec", lambda _: None)
    with pytest.raises(MissingExtraError, match="not installed; install"):
        eval(f"cardwright.{call}", {"cardwright": cardwright})

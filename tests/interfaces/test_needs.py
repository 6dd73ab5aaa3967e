"""Commands say at once all that is missing, and the one line that installs it.

Libraries are taken away from a process of its own: an import of one fails there, as it does where
it is not installed.
"""

from __future__ import annotations

import io
import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

import click
import pytest

from cardwright.game import extras
from cardwright.game.extras import EXTRAS, MissingExtraError
from cardwright.interfaces.cli.group import commands
from cardwright.interfaces.cli.needs import NEEDS, modules_for
from every_command import CALLS, command_of, every_command, prepare
from patience import PATIENCE

if TYPE_CHECKING:
    from collections.abc import Iterable

ROOT = Path(__file__).parents[2]

WITHOUT = """
import sys
for name in {gone!r}:
    sys.modules[name] = None
sys.argv = ["cardwright", *{words!r}]
from cardwright.interfaces.cli import main
main()
"""

MODULES = frozenset(module for has in EXTRAS.values() for module in has)
BROUGHT = {
    "evolve": {"scipy"},  # of pymoo
    "match": {"jinja2"},  # of distributed
}
"""Libraries of other extras that those of a command bring along."""


def called(call: str, folder: Path, gone: Iterable[str]) -> subprocess.CompletedProcess[str]:
    """Run a call where some libraries are not installed."""
    prepare(folder)
    words = shlex.split(call)
    environment = {key: value for key, value in os.environ.items() if "COLOR" not in key}
    return subprocess.run(
        [sys.executable, "-c", WITHOUT.format(gone=sorted(gone), words=words)],
        cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True,
        check=False, timeout=PATIENCE,
    )  # fmt: skip


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
def test_all_that_is_missing_is_said_at_once(call: str, tmp_path: Path) -> None:
    """With one line that installs it, on the standard error, and with nothing done before.

    What needs no extra does not look for its libraries.
    """
    prepare(tmp_path)
    before = sorted(tmp_path.rglob("*"))
    done = called(call, tmp_path, MODULES)
    if needed(call):
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr == f"error: {extras.missing(*needed(call))}\n"
        assert sorted(tmp_path.rglob("*")) == before
    else:
        assert done.returncode in {0, 1, 2}, done.stderr
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
@pytest.mark.parametrize("call", AT_WORK)
def test_the_table_has_all_that_a_command_imports(call: str, tmp_path: Path) -> None:
    """It works where nothing is installed but what its row says."""
    assert needed(call)
    there = {*needed(call), *BROUGHT.get(command_of(call), ())}
    done = called(call, tmp_path, MODULES - there)
    assert done.returncode == 0, done.stderr


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
    assert extras.advice("evolve", several=True) in str(extras.missing("polars", "ribs"))


@pytest.mark.parametrize(
    "call",
    [
        "play_season('nowhere')",
        "evolve('nosuchgame', ['length max'], folder='made')",
        "analyze('nosuchgame', folder='made')",
        "analyze_variants('nosuchgame', {}, folder='made')",
        "draw_figures(['nosuchgame'], 'made')",
        "solve_game(None, method='lp', file='made')",
    ],
)
def test_functions_say_so_before_they_begin(call: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What else is wrong with the call is found later."""
    import cardwright

    monkeypatch.setattr(extras, "find_spec", lambda _: None)
    with pytest.raises(MissingExtraError, match="not installed; install"):
        eval(f"cardwright.{call}", {"cardwright": cardwright})

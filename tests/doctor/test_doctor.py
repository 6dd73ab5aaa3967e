"""What `cardwright doctor` says of this machine, and of worse ones."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner, Result

from cardwright import extras
from cardwright._version import RESULTS_VERSION, __version__
from cardwright.doctor import examine, examine as core, examine as surroundings
from cardwright.doctor.examine import CheckedPart, Health
from cardwright.interfaces.cli.group import commands
from cardwright.sandbox.levels import AvailableLevel
from cardwright.sandbox.limits import LevelError, SandboxLevel

if TYPE_CHECKING:
    from pathlib import Path

FINE = CheckedPart("engine", Health.WORKS, "compiles")
BROKEN = CheckedPart("numpy", Health.BROKEN, "cannot be used", "install it again")


def doctor(*words: str) -> Result:
    return CliRunner().invoke(commands, ["doctor", *words], prog_name="cardwright")


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the slow parts be fine without being looked at."""
    monkeypatch.setattr(core, "engine", lambda: FINE)
    monkeypatch.setattr(core, "wasm_engine", list)
    monkeypatch.setattr(surroundings, "sandbox", lambda: FINE)


def test_the_engine_compiles_without_the_cache(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """What was compiled before proves nothing about the compiler, and nothing is kept."""
    monkeypatch.setenv("CARDWRIGHT_CACHE", str(tmp_path / "cache"))
    assert core.engine().health is Health.WORKS
    assert not (tmp_path / "cache").exists()
    assert os.environ["CARDWRIGHT_CACHE"] == str(tmp_path / "cache")


def test_the_engine_of_webassembly_is_looked_at_where_it_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert [part.health for part in core.wasm_engine()] == [Health.WORKS]
    monkeypatch.setattr(core, "_games", lambda name: name)
    (found,) = core.wasm_engine()
    assert found.health is Health.BROKEN
    assert "wasm results" in str(found.advice)
    monkeypatch.setattr(core, "absent", lambda *names: names)
    assert core.wasm_engine() == []


def test_engines_that_differ_are_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(core, "_games", lambda name: name)
    found = core.engine()
    assert found.health is Health.BROKEN
    assert "played differently" in found.found


def test_an_engine_that_fails_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(_: str) -> None:
        raise OSError("no LLVM")

    monkeypatch.setattr(core, "_games", fails)
    found = core.engine()
    assert (found.health, "no LLVM" in found.found) == (Health.BROKEN, True)


def test_games_are_compared_to_their_ends() -> None:
    """Options of every decision, and scores."""
    games = core._games("interpreter")
    assert len(games) == 5
    for asked, scores in games:
        assert asked
        assert all(asked)
        assert len(scores) == 2


@pytest.mark.usefixtures("small")
def test_the_object_has_all_parts_and_versions() -> None:
    found = json.loads(doctor("--json").stdout)
    assert (found["version"], found["results_version"]) == (__version__, RESULTS_VERSION)
    names = [part["part"] for part in found["parts"]]
    assert names[:5] == ["cardwright", "python", "platform", "numpy", "llvmlite"]
    assert names[-3:] == ["fonts", "browser", "terminal"]
    assert {f"extra {name}" for name in extras.EXTRAS} <= set(names)
    assert found["works"]


@pytest.mark.usefixtures("small")
def test_what_is_broken_is_named_first_and_makes_the_exit_code(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(extras, "find_spec", lambda _: None)
    monkeypatch.setattr(core, "versions", lambda: [BROKEN])
    result = doctor()
    assert result.exit_code == 1
    assert result.stdout.splitlines()[-1] == "Mend numpy first: install it again."


@pytest.mark.usefixtures("small")
def test_missing_extras_are_one_line_and_no_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extras, "find_spec", lambda _: None)
    result = doctor()
    assert result.exit_code == 0
    assert result.stdout.splitlines()[-1].endswith(extras.advice(*extras.EXTRAS, several=True))


def test_where_all_is_well_there_is_nothing_to_do() -> None:
    assert examine.what_to_do([FINE]) == "All of it works; there is nothing to do."
    absent = CheckedPart("cache", Health.MISSING, "off", "name a folder")
    assert examine.what_to_do([FINE, absent]) == "The core works. About cache: name a folder."


def test_a_library_that_cannot_be_loaded_is_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also one that is not there at all."""
    monkeypatch.setitem(sys.modules, "llvmlite", None)
    assert core._library("llvmlite").health is Health.BROKEN
    assert core._library("no-such-library").health is Health.BROKEN
    assert core._library("numpy").health is Health.WORKS


@pytest.mark.parametrize("named", ["off", "{file}/below"])
def test_a_cache_that_is_off_or_cannot_be_written_is_missing(
    named: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "file"
    file.touch()
    monkeypatch.setenv("CARDWRIGHT_CACHE", named.format(file=file))
    assert core.cache().health is Health.MISSING


def test_the_cache_has_its_folder_and_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARDWRIGHT_CACHE", str(tmp_path / "objects"))
    found = core.cache()
    assert found.health is Health.WORKS
    assert found.found.startswith(f"{tmp_path / 'objects'}, 0.0 of at most 200 MB")


@pytest.mark.parametrize(
    ("level", "health", "advised"),
    [(SandboxLevel.WALLED, Health.WORKS, False), (SandboxLevel.CONFINED, Health.WORKS, True),
     (SandboxLevel.LIMITS, Health.MISSING, True)],
)  # fmt: skip
def test_the_sandbox_is_what_untrusted_bots_need(
    level: SandboxLevel, health: Health, advised: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Limits alone are no sandbox for programs of others."""
    monkeypatch.setattr("cardwright.sandbox.levels.strongest", lambda: AvailableLevel(level, ()))
    found = surroundings.sandbox()
    assert (found.health, found.advice is not None) == (health, advised)
    assert f"level {int(level)}" in found.found


def test_a_machine_without_any_sandbox_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def none() -> None:
        raise LevelError("only on Linux")

    monkeypatch.setattr("cardwright.sandbox.levels.strongest", none)
    found = surroundings.sandbox()
    assert (found.health, found.found) == (Health.MISSING, "only on Linux")
    assert "--trusted" in (found.advice or "")

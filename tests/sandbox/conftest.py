"""Levels to test, and a user without rights to test them as."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator  # noqa: TC003 - pytest reads it
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from cardwright.sandbox import process
from cardwright.sandbox.levels import SandboxLevel, reason_against
from cardwright.sandbox.process import Interpreter, interpreter
from needed import lacking, program

HERE = Path(__file__).parent
NOBODY = "65534"


def needs(level: SandboxLevel) -> SandboxLevel:
    """Return a level, or skip the test where the machine does not offer it.

    For want of bubblewrap that is a failure under continuous integration.
    """
    reason = reason_against(level)
    if reason is None:
        return level
    told = f"no level {int(level)} here: {reason}"
    if level == SandboxLevel.WALLED and sys.platform == "linux" and process.bubblewrap() is None:
        lacking(told)
    pytest.skip(told)


@pytest.fixture(scope="module")
def open_folder() -> Iterator[Path]:
    """A folder that everybody can pass and read; those that pytest makes are closed."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        folder.chmod(0o755)
        yield folder


@pytest.fixture(params=[SandboxLevel.CONFINED, SandboxLevel.WALLED], ids=["confined", "walled"])
def strong(request: pytest.FixtureRequest) -> SandboxLevel:
    """A level that holds what nobody trusts."""
    return needs(request.param)


@pytest.fixture(params=list(SandboxLevel), ids=["limits", "confined", "walled"])
def level(request: pytest.FixtureRequest) -> SandboxLevel:
    """Any level that there is here."""
    return needs(request.param)


@cache
def as_user() -> dict[str, Any] | str:
    """Return what became of all attacks as an ordinary user, by level; or why it is not known.

    Root starts another process for that. What root alone can reach, as Python in its home, is put
    at the same place for that user by bubblewrap.
    """
    if os.geteuid() != 0:
        return "not run as root: the tests as this user are all there are"
    setpriv = program("setpriv")
    python = interpreter()
    needed = (
        *python.readable,
        str(HERE.parent),
        str(Path(process.__file__).parents[2]),
        sys.prefix,
    )
    view = Interpreter(python.program, python.modules, tuple(map(os.path.realpath, needed)))
    command = [setpriv, f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
    try:
        command = _opened(view.hidden()) + command
    except PermissionError as error:
        return str(error)
    path = os.pathsep.join((*view.modules, str(Path(process.__file__).parents[2])))
    command += [python.program, "-S", "-B", str(HERE / "as_user.py"), "2", "3"]
    environment = {"PYTHONPATH": path, "PATH": os.environ["PATH"], "HOME": "/"}
    done = subprocess.run(
        command, cwd="/", env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def _opened(hidden: list[tuple[str, list[str]]]) -> list[str]:
    """Return the words by which others can pass through folders that are closed to them."""
    if not hidden:
        return []
    bwrap = process.bubblewrap()
    if bwrap is None:
        lacking(f"{hidden[0][0]} is closed to others, and bubblewrap is not installed")
    probe = [bwrap, "--bind", "/", "/", "--", "true"]
    done = subprocess.run(probe, capture_output=True, text=True, check=False)
    if done.returncode:
        raise PermissionError(f"{hidden[0][0]} is closed to others, and {done.stderr.strip()}")
    words = [bwrap, "--bind", "/", "/", "--dev-bind", "/dev", "/dev"]
    for folder, kept in hidden:
        words += ["--tmpfs", folder]
        above = {str(up) for path in kept for up in Path(path).parents if up.is_relative_to(folder)}
        for path in sorted(above):
            words += ["--dir", path, "--chmod", "0755", path]
        for path in kept:
            words += ["--ro-bind", path, path]
    return [*words, "--"]

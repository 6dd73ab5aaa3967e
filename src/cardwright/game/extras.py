"""Extras: optional libraries that are not installed with Cardwright by default."""

from __future__ import annotations

import shlex
import sys
from importlib.util import find_spec
from pathlib import Path

from cardwright.game.errors import CardwrightError

_CLONE = Path(__file__).resolve().parents[3]
"""The folder of the clone, if the package is in one."""


class MissingExtraError(CardwrightError):
    """A library that is needed and not installed; the message says how to install it."""


def advice(extra: str) -> str:
    """Return the command that installs the libraries of an extra, in this installation.

    That is the script of a clone, in the environment that it made, and pip otherwise.
    """
    script = _CLONE / "scripts" / "setup"
    if Path(sys.prefix).resolve() == _CLONE / ".venv" and script.is_file():
        return f"install it with: sh {shlex.quote(str(script))} {extra}"
    return f'install it with: pip install "cardwright[{extra}]"'


def missing(library: str, extra: str = "arena") -> MissingExtraError:
    """Return the error that says how to install a library, which belongs to an extra."""
    return MissingExtraError(f"this needs {library}, which is not installed; {advice(extra)}")


def need(*libraries: str, extra: str = "arena") -> None:
    """Raise MissingExtraError if a library of an extra is missing: before hours of play, not after.

    Nothing is loaded.
    """
    for name in libraries:
        if find_spec(name) is None:
            raise missing(name, extra)

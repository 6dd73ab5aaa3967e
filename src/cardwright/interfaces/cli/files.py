"""Files as the command line names them: `-` is the standard input."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from cardwright.syntax.source import MAX_BYTES, Source, decode, read_file

if TYPE_CHECKING:
    from pathlib import Path

STDIN = "-"
_STDIN_NAME = "<stdin>"


def read(file: str) -> Source:
    """Return the source in a file, or on the standard input; raises UnreadableError."""
    return read_stdin() if file == STDIN else read_file(file)


def name_of(file: str) -> str:
    """Return the name to show for a file."""
    return _STDIN_NAME if file == STDIN else file


def read_stdin() -> Source:
    """Return the source on the standard input; no more is read than can be used."""
    return decode(_STDIN_NAME, sys.stdin.buffer.read(MAX_BYTES + 1))


def refuse_filled(out: Path) -> None:
    """Raise an error if the folder for something new is not empty."""
    if out.is_dir() and any(out.iterdir()):
        raise click.ClickException(f"{out} is not empty: name another folder with --out")

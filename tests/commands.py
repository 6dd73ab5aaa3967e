"""Commands called in this process, with what a process of their own would have said and ended with.

A process takes half a second before it does anything, and has to prove, read and compile anew what
this one knows. What only a process shows is in `interfaces/test_cli_process.py`.
"""

from __future__ import annotations

import os
import subprocess
import warnings
from contextlib import chdir
from typing import TYPE_CHECKING, Any
from unittest import mock

from click.testing import CliRunner, Result

import deep
from cardwright.analysis.diagrams import drawing
from cardwright.interfaces.cli import _show_warning
from cardwright.interfaces.cli.group import commands
from cardwright.publication.figures import FigureFiles

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    import pytest

PLAIN = {"COLUMNS": "80", "PYTHONUTF8": "1", "NO_COLOR": "1"}
"""What makes the output of a command the same everywhere."""


def called(
    words: Sequence[str], folder: Path | str = ".", environment: Mapping[str, str] | None = None
) -> Result:
    """Return what a command says in a folder, on both streams and together, and how it ends.

    Where no error may leave a command, one that does is raised here.
    """
    with (
        chdir(folder),
        mock.patch.dict(os.environ, PLAIN if environment is None else environment),
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("default")
        warnings.showwarning = _show_warning  # type: ignore[assignment]
        done = CliRunner().invoke(commands, list(words), prog_name="cardwright")
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done


def call(
    words: Sequence[str], folder: Path | str = ".", environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Return what a command says, and how it ends, as a process would give it."""
    done = called(words, folder, environment)
    return subprocess.CompletedProcess(list(words), done.exit_code, done.stdout, done.stderr)


def leave_pictures_empty(patch: pytest.MonkeyPatch) -> None:
    """Have an empty picture stand in each file of a figure: to draw it is most of a report's time.

    Figures are made, counted and written as ever. How they look is tested where they are defined,
    and in a deep run all are drawn.
    """
    if deep.asked:
        return
    original = FigureFiles.content
    known: dict[str, bytes] = {}

    def content(self: FigureFiles, figure: Any, kind: str, line: Any = None) -> bytes:
        if kind not in known:
            from matplotlib.figure import Figure

            known[kind] = original(FigureFiles(caption=False), Figure((1, 1)), kind)
        return known[kind]

    patch.setattr(FigureFiles, "content", content)
    patch.setattr(drawing, "diagram_figure", lambda _: None)

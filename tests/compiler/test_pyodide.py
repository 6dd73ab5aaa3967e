"""Games in Pyodide are those of this machine: searches, knowledge, the player of Hearts.

It needs Node, and Pyodide in its folder: `npm ci --prefix tests/pyodide`.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

import cardwright
import needed
import pyodide_probe

FOLDER = Path(__file__).parents[1] / "pyodide"


def in_pyodide(function: str) -> list[str]:
    """Return what a function of the probe says in Pyodide, without libraries."""
    node = needed.program("node")
    if not (FOLDER / "node_modules").exists():
        needed.lacking("Pyodide is not installed")
    sources = Path(cardwright.__file__).parents[1]
    words = [sources, FOLDER.parent, "pyodide_probe", function]
    done = subprocess.run(
        [node, FOLDER / "host.mjs", *words], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


@pytest.mark.deep
@pytest.mark.timeout(900)
def test_games_in_pyodide_are_the_same() -> None:
    """Without NumPy, llvmlite and all other libraries."""
    assert in_pyodide("report") == pyodide_probe.report().split()


@pytest.mark.deep
@pytest.mark.timeout(3600)
def test_a_thousand_random_games_of_each_are_the_same_in_pyodide() -> None:
    assert in_pyodide("library") == pyodide_probe.library().split()

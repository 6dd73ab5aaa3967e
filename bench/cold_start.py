"""How long it takes until something happens, in processes of their own: processor time.

Each figure is the median of some repeats, with the bytecode of all modules cached, and next to it
the most that it should be. `cold` means that no game was compiled before, `warm` that this one was.
What a command loads besides is named if it is llvmlite, NumPy or Rich, which take long to import.
Run: `python bench/cold_start.py`.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import NamedTuple

from script import carry_out

from cardwright.compiler.cache import VARIABLE

COMPILE = """
import time
from cardwright.compiler.backend import backend
from cardwright.compiler.kernel_sets import PLAY, RANDOM_GAMES
from cardwright.compiler.native import compilation
from cardwright.game.game import Game
backend().key()
program = Game.load("hearts").program
parts = [compilation(program, one) for one in (PLAY, RANDOM_GAMES)]
import cardwright.compiler.lower.program
for part in parts:
    part.kernels.kernels()
begun = time.process_time()
for part in parts:
    part.machine_code
print(time.process_time() - begun)
"""

COMMAND = """
import atexit, sys, time
from cardwright.interfaces.cli import main
loaded = "llvmlite", "numpy", "rich"
atexit.register(lambda: print(
    time.process_time(), *[name for name in loaded if name in sys.modules], file=sys.stderr))
main()
"""

SIMULATE = ("simulate", "hearts", "--games", "1000")


class Task(NamedTuple):
    """Something to be timed: a program and its words, the most it should take, and how."""

    name: str
    code: str
    words: tuple[str, ...]
    most: float
    warm: bool = False


TASKS = (
    Task("compile hearts, play and random games", COMPILE, (), 0.25),
    Task("simulate hearts --games 1000, cold", COMMAND, SIMULATE, 0.9),
    Task("simulate hearts --games 1000, warm", COMMAND, SIMULATE, 0.45, warm=True),
    Task("import cardwright", "import cardwright, time; print(time.process_time())", (), 0.15),
    Task(
        "play hearts, until it is your turn",
        COMMAND,
        ("play", "hearts", "--plain", "--seed", "1", "--no-save"),
        0.45,
    ),
    Task(
        "replay of three decisions of hearts",
        COMMAND,
        ("replay", "hearts", "--seed", "1", "--choices", "0,0,0"),
        0.45,
    ),
    Task("check of hearts", COMMAND, ("check", "{rules}"), 0.45),
)


def timed(task: Task, folder: Path) -> tuple[float, str]:
    """Carry a task out; return its seconds, and what of interest it had loaded at its end."""
    rules = str(Path(__file__).parents[1] / "src/cardwright/library/games/hearts.rcy")
    environment = {**os.environ, VARIABLE: str(folder)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    done = subprocess.run(
        [sys.executable, "-c", task.code, *(word.format(rules=rules) for word in task.words)],
        env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
    )  # fmt: skip
    said = done.stdout if task.code != COMMAND else done.stderr
    last = said.splitlines()[-1] if said else ""
    seconds, _, loaded = last.partition(" ")
    try:
        return float(seconds), loaded
    except ValueError:
        raise SystemExit(f"{task.name} failed:\n{done.stderr}") from None


def measured(task: Task, repeats: int) -> tuple[float, str]:
    """Return the median of some repeats, after one that does not count."""
    found = []
    with TemporaryDirectory() as kept:
        for number in range(repeats + 1):
            with TemporaryDirectory() as fresh:
                seconds, loaded = timed(task, Path(kept if task.warm else fresh))
            if number:
                found.append(seconds)
    return median(found), loaded


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=5)
    repeats = parser.parse_args().repeats
    print(f"{'':40}{'seconds':>9}{'at most':>9}  loaded")
    for task in TASKS:
        seconds, loaded = measured(task, repeats)
        print(f"{task.name:40}{seconds:9.3f}{task.most:9.2f}  {loaded}", flush=True)


if __name__ == "__main__":
    carry_out(main)

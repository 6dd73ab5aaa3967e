"""How far random deals of Hearts by compiled rules are from programs written for them by hand.

One is the kernel of this package (`hearts/kernels/random_deals.py`), whose share `cardwright bench
hearts` prints too. Another may be a program in C++ whose source is given, with `--bound` or in the
environment variable CARDWRIGHT_BOUND: it is compiled by `g++`, called as `PROGRAM MODE DEALS
REPEATS SEED`, and prints `median X M/s`, millions of deals in a second of processor time.

All play in turns on one core. The figures are medians over the turns, those of the ratios too.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from peers.figures import pin
from script import carry_out

from cardwright import Game
from cardwright.arena.benchmark import HandwrittenHearts, TimedGame

if TYPE_CHECKING:
    from collections.abc import Callable

VARIABLE = "CARDWRIGHT_BOUND"
COMPILER = ("g++", "-O3", "-march=native", "-std=c++20")
MILLION = 1_000_000

COMPILED, KERNEL, PROGRAM = "compiled rules", "kernel by hand", "program by hand"


def timed(play: Callable[[int], object], deals: int) -> float:
    """Return the millions of deals that are played in a second of processor time."""
    begun = time.process_time()
    play(deals)
    return deals / (time.process_time() - begun) / MILLION


def built(source: Path, folder: str) -> str:
    """Compile a program in C++ and return its path."""
    if shutil.which(COMPILER[0]) is None:
        sys.exit(f"{source} cannot be compiled: there is no {COMPILER[0]} here")
    if not source.is_file():
        sys.exit(f"there is no file {source}: give the source of a program in C++ (--bound)")
    program = str(Path(folder) / "bound")
    done = subprocess.run([*COMPILER, str(source), "-o", program], check=False)
    if done.returncode:
        sys.exit(f"{source} cannot be compiled: see above")
    return program


def timed_program(program: str, mode: str, deals: int) -> float:
    """Return the millions of deals that a program says it plays in a second."""
    done = subprocess.run(
        [program, mode, str(deals), "1", "1"], check=False, capture_output=True, text=True
    )
    found = re.search(r"median ([0-9.]+) M/s", done.stdout)
    if done.returncode or found is None:
        sys.exit(f"the program given by --bound said no `median X M/s`, but: {done.stdout}")
    return float(found[1])


def show(turns: list[dict[str, float]]) -> None:
    """Print a line for everything measured, with what the compiled rules reach of it."""
    print(f"{'':18}{'M deals/s':>10}{'compiled rules reach':>23}")
    for name in turns[0]:
        share = median(turn[COMPILED] / turn[name] for turn in turns)
        print(f"{name:18}{median(turn[name] for turn in turns):10.3f}{share:23.1%}")
    if PROGRAM in turns[0]:
        ratio = median(turn[KERNEL] / turn[PROGRAM] for turn in turns)
        print(f"the kernel is {ratio:.2f} times as fast as the program")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bound", metavar="FILE", default=os.environ.get(VARIABLE))
    parser.add_argument("--mode", default="pdep", help="what the program is to do (%(default)s)")
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--deals", type=int, default=300_000, help="in a turn")
    options = parser.parse_args()
    pin()
    compiled, kernel = TimedGame(Game.load("hearts", engine="native")), HandwrittenHearts()
    with TemporaryDirectory() as folder:
        program = built(Path(options.bound), folder) if options.bound else None
        turns = []
        for _ in range(options.turns):
            turn = {
                COMPILED: timed(compiled.play, options.deals),
                KERNEL: timed(kernel.play, options.deals),
            }
            if program:
                turn[PROGRAM] = timed_program(program, options.mode, options.deals)
            turns.append(turn)
    show(turns)


if __name__ == "__main__":
    carry_out(main)

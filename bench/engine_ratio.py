"""How much faster the native engine of one source tree is than that of another, game by game.

Given the folder `src` of an older commit, say of `git worktree add /tmp/old COMMIT`, it plays with
both, each in a process with a cache of its own: random games of every library game, rollouts from
the first decision, and searches of Hearts by ISMCTS. The two alternate on one core, and a ratio is
the median over the turns: above 1 the newer is faster. Every turn has new processes, because where
in memory a process lies can matter as much as a change. What a tree does not have is left out.

Run: `python bench/engine_ratio.py /tmp/old/src [GAME...]`.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from math import exp, log
from pathlib import Path
from statistics import fmean, median
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

from engine_worker import ITERATIONS
from peers.figures import pin
from script import carry_out

from cardwright.game.find import library_names

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

    Thing: TypeAlias = tuple[str, str]
    """What is done, of the worker's WORK, and the game."""

HERE = Path(__file__).parent
OURS = HERE.parent / "src"
WORKER = HERE / "engine_worker.py"
SEARCH = ("ismcts", "hearts")


class Compared(NamedTuple):
    """How often a second the newer tree does something, and how many times the older's rate."""

    rate: float
    ratio: float


class Tree:
    """A process that plays with the engine of a source tree."""

    def __init__(self, source: Path, cache: Path) -> None:
        if not (source / "cardwright" / "__init__.py").is_file():
            sys.exit(f"{source} has no package `cardwright`: give the folder `src` of a tree")
        self._process = subprocess.Popen(
            [sys.executable, str(WORKER)],
            env={**os.environ, "PYTHONPATH": str(source), "CARDWRIGHT_CACHE": str(cache)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.source = source

    def seconds(self, thing: Thing, count: int) -> float | None:
        """Return the processor time that something takes; None if this tree does not have it."""
        what, game = thing
        ends = self._process.stdin, self._process.stdout
        assert ends[0] is not None
        assert ends[1] is not None
        ends[0].write(json.dumps([what, game, count]) + "\n")
        ends[0].flush()
        answer = ends[1].readline()
        if not answer:
            sys.exit(f"the process of {self.source} stopped at {what} of {game}")
        found = json.loads(answer)
        if isinstance(found, str):
            sys.stderr.write(f"{self.source}: {what} of {game}: {found}\n")
            return None
        return float(found)

    def close(self) -> None:
        """End the process."""
        self._process.communicate()


class Turns:
    """What was measured so far: the rate of the newer tree and the ratio, for each thing."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._counts: dict[Thing, int] = {}
        self._found: dict[Thing, list[Compared]] = {}

    def measure(self, new: Tree, old: Tree, thing: Thing) -> None:
        """Let two trees do the same, one after the other; the first time, find out how often."""
        if self._counts.setdefault(thing, 0) == 0:
            self._counts[thing] = self._count(new, thing)
        count = self._counts[thing]
        # Once before, to load or compile the game.
        if old.seconds(thing, 1) is None or new.seconds(thing, 1) is None:
            return
        mine, theirs = new.seconds(thing, count), old.seconds(thing, count)
        if mine and theirs:
            self._found.setdefault(thing, []).append(Compared(count / mine, theirs / mine))

    def _count(self, new: Tree, thing: Thing) -> int:
        count = 1
        while (spent := new.seconds(thing, count)) is not None:
            if spent > self._seconds / 2 and count > 1:
                return max(1, round(count * self._seconds / spent))
            count *= 2
        return 1

    def median(self, thing: Thing) -> Compared | None:
        """Return the medians of a thing; None if one of the trees does not have it."""
        found = self._found.get(thing)
        return Compared(*map(median, zip(*found, strict=True))) if found else None


def mean(found: Sequence[Compared]) -> str:
    """Return the geometric mean of ratios."""
    return f"{exp(fmean(log(one.ratio) for one in found)):.3f}" if found else "-"


def cells(found: Compared | None) -> str:
    """Return a rate and a ratio as two cells of the table."""
    return f"{found.rate:12,.0f}{found.ratio:8.3f}" if found else f"{'-':>12}{'-':>8}"


def show(turns: Turns, names: Sequence[str]) -> None:
    """Print the table, and the ratio for searches."""
    print(f"{'':16}{'games/s':>12}{'ratio':>8}{'rollouts/s':>12}{'ratio':>8}")
    columns: tuple[list[Compared], list[Compared]] = [], []
    for name in names:
        row = [turns.median((what, name)) for what in ("games", "rollouts")]
        print(f"{name:16}{''.join(map(cells, row))}")
        for column, found in zip(columns, row, strict=True):
            column.extend([found] if found else [])
    print(f"{'geometric mean':16}{''.join(f'{mean(column):>20}' for column in columns)}")
    searched = turns.median(SEARCH)
    if searched:
        rate = ITERATIONS * searched.rate
        print(f"ISMCTS in Hearts: {rate:,.0f} iterations a second, ratio {searched.ratio:.3f}")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("old", type=Path, help="the folder `src` of the older tree")
    parser.add_argument("games", nargs="*", help="the library's games by default")
    parser.add_argument("--new", type=Path, default=OURS, help="the newer one (%(default)s)")
    parser.add_argument("--seconds", type=float, default=0.2, help="of a turn (%(default)s)")
    parser.add_argument("--turns", type=int, default=5)
    options = parser.parse_args()
    pin()
    names = options.games or library_names()
    turns = Turns(options.seconds)
    things = [*((what, name) for name in names for what in ("games", "rollouts")), SEARCH]
    with TemporaryDirectory() as folder:
        for turn in range(options.turns):
            sys.stderr.write(f"turn {turn + 1} of {options.turns}\n")
            new, old = (
                Tree(source.resolve(), Path(folder) / name)
                for source, name in ((options.new, "new"), (options.old, "old"))
            )
            for thing in things:
                turns.measure(new, old, thing)
            new.close()
            old.close()
    show(turns, names)


if __name__ == "__main__":
    carry_out(main)

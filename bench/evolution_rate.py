"""How many candidates of design search an hour and processor the funnel takes, and what costs time.

For each game candidates are made by variation, from the original and from those that came through,
as by random search, and put through the funnel up to `--random` random games. The columns are
milliseconds of processor time for each candidate that was asked for, also those that left early: to
vary rules until they pass the check, to check the result once more as a whole, to try it by the
interpreter, to compile it, and to play. `through` are those that passed all steps. `MB` is what the
process grew by between the first tenth of the candidates and the last.
"""

from __future__ import annotations

import argparse
import os
import time
from collections import Counter
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from unittest.mock import patch

import numpy as np
from script import carry_out

from cardwright.compiler.native import NativeProgram
from cardwright.evolution.candidate import Candidate, FunnelStep
from cardwright.evolution.pipeline import EvaluationPipeline, FunnelPlan
from cardwright.evolution.variation.vary import Variation, varied
from cardwright.game.find import find
from cardwright.syntax.formatter import format_source

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.compiler.kernel_sets import KernelSet
    from cardwright.compiler.native import NativeCode

GAMES = ("hearts", "spades", "crazyeights", "cribbage", "skat", "rummy", "leduc")
BAR = 5_000
"""Candidates an hour and processor that there should be for a game of the size of Hearts."""

COMPILE = "compile"
COLUMNS = (*(FunnelStep.VARY, FunnelStep.CHECK, FunnelStep.TRY), COMPILE, FunnelStep.PLAY)
PARENTS = 12
"""The candidates that came through last, of which the next ones are made."""


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="Measure the rate of the funnel.")
    parser.add_argument("games", nargs="*", default=GAMES, help=f"games ({', '.join(GAMES)})")
    parser.add_argument("--candidates", type=int, default=200, help="of each game (200)")
    parser.add_argument("--random", type=int, default=200, help="random games of each (200)")
    parser.add_argument("--seed", type=int, default=1, help="where randomness starts (1)")
    asked = parser.parse_args()
    heads = " | ".join(COLUMNS)
    print(f"| game | {heads} | all, ms | an hour | through | slowest, s | MB |")
    print(f"|---|{'---:|' * (len(COLUMNS) + 5)}")
    for name in asked.games:
        print(row(name, asked.candidates, asked.random, asked.seed), flush=True)
    print(f"\nthe bar is {BAR:,} an hour for games of the size of Hearts")


def row(name: str, count: int, games: int, seed: int) -> str:
    """Return a game's row of the table."""
    seconds = Counter[str]()
    with timed_compiler(seconds):
        done = list(evaluated(name, count, games, seed, seconds))
    seconds[FunnelStep.PLAY] -= seconds[COMPILE]  # type: ignore[assignment]
    times = " | ".join(f"{1000 * seconds[column] / count:.0f}" for column in COLUMNS)
    mean = sum(one.seconds for one in done) / count
    through = sum(one.through for one in done) / count
    grown = (done[-1].resident - done[count // 10].resident) / 2**20
    return (
        f"| {name} | {times} | {1000 * mean:.0f} | {3600 / mean:,.0f} | {through:.0%} "
        f"| {max(one.seconds for one in done):.1f} | {grown:+.0f} |"
    )


class Done(NamedTuple):
    """A candidate: its processor time, whether it came through, the memory of the process."""

    seconds: float
    through: bool
    resident: int


def evaluated(
    name: str, count: int, games: int, seed: int, seconds: Counter[str]
) -> Iterator[Done]:
    """Make and evaluate candidates of a game; the time of each step is added to `seconds`."""
    original = Candidate(format_source(find(name)))
    funnel = EvaluationPipeline(original, FunnelPlan(games=games))
    parents, known = [original], set[str]()
    for at in range(count):
        chance = np.random.default_rng([seed, at])
        begun = time.process_time()
        parent = parents[int(chance.integers(len(parents)))]
        made = varied(original, (parent,), Variation(), chance)
        seconds[FunnelStep.VARY] += time.process_time() - begun  # type: ignore[assignment]
        through = False
        if made is not None:
            outcome = funnel.evaluate(made, known, lambda *told: add(seconds, *told))
            if through := outcome.departure is None:
                parents = [original, *[*parents[1:], made][-PARENTS:]]
                known.add(outcome.fingerprint)
        yield Done(time.process_time() - begun, through, resident())


def add(seconds: Counter[str], step: str, took: float) -> None:
    """Add the time of a step."""
    seconds[step] += took  # type: ignore[assignment] # a Counter adds up any numbers


@contextmanager
def timed_compiler(seconds: Counter[str]) -> Iterator[None]:
    """Add the time that the compiler takes to `seconds` while a block runs."""
    compiled = NativeProgram.brief_code

    def timed(self: NativeProgram, extension: KernelSet) -> NativeCode:
        begun = time.process_time()
        try:
            return compiled(self, extension)
        finally:
            add(seconds, COMPILE, time.process_time() - begun)

    with patch.object(NativeProgram, "brief_code", timed):
        yield


def resident() -> int:
    """Return the memory that this process has now, in bytes."""
    pages = Path("/proc/self/statm").read_text().split()[1]
    return int(pages) * os.sysconf("SC_PAGESIZE")


if __name__ == "__main__":
    carry_out(main)

"""Very many candidates of design search: made by variation, and put through the funnel.

Run by `scripts/candidates`. Each batch starts from a game of the library, and its candidates are
varied on as in a search. It says how many candidates left at each step and why, where the time
went, and whatever must not be: an exception, a measure that is not finite, a fingerprint that is
missing, a candidate that took longer than `SLOW` seconds of processor time; 1 if there is any.
"""

from __future__ import annotations

import argparse
import math
import os
import random
import resource
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from cardwright.evolution.candidate import Candidate, FunnelStep
from cardwright.evolution.measures.table import MEASURES as ALL
from cardwright.evolution.pipeline import EvaluationPipeline, FunnelPlan
from cardwright.evolution.variation.vary import Variation, varied
from cardwright.game.find import find, library_names
from cardwright.syntax.formatter import format_source

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cardwright.evolution.candidate import Evaluated

BATCH = 40
"""Candidates of one batch."""

SLOW = 5.0
"""Seconds of processor time within which every candidate should be done."""

HANGS = 60.0
"""Seconds of processor time after which a candidate is given up, and reported."""

PARENTS = 12
"""The candidates that came through last, of which the next ones are made."""

FRESH = 100
"""Batches after which a process is replaced: each compilation leaves some memory behind."""

MEASURES = tuple(name for name, one in ALL.items() if one.step is FunnelStep.PLAY)
"""What is measured of candidates: all that random games tell."""

_BEFORE_MARKS = (FunnelStep.VARY, FunnelStep.CHECK, FunnelStep.TRY)
"""The steps before fingerprints are taken."""


@dataclass
class Batch:
    """What became of some candidates; `wrong` tells what must not be, with the rules."""

    game: str
    candidates: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    seconds: Counter[str] = field(default_factory=Counter)
    slowest: float = 0.0
    megabytes: float = 0.0
    wrong: list[tuple[str, str]] = field(default_factory=list)

    def add(self, other: Batch) -> None:
        """Add the candidates of another batch."""
        self.candidates += other.candidates
        self.outcomes += other.outcomes
        self.seconds += other.seconds
        self.slowest = max(self.slowest, other.slowest)
        self.megabytes = max(self.megabytes, other.megabytes)
        self.wrong += other.wrong


def make(game: str, number: int, size: int = BATCH) -> Batch:
    """Make and evaluate candidates of a game, with chance from a number."""
    funnel = funnel_of(game)
    batch, parents, known = Batch(game), [funnel.original], set[str]()
    mate = other_of(game, number)
    for at in range(size):
        chance = np.random.default_rng([number, at])
        batch.candidates += 1
        told = ""
        begun = time.process_time()
        try:
            with _given_up():
                chosen = parents[int(chance.integers(len(parents)))]
                mates = (mate,) if chance.random() < 0.3 else ()
                made = varied(funnel.original, (chosen, *mates), Variation(), chance)
                batch.seconds[FunnelStep.VARY] += time.process_time() - begun
                if made is None:
                    batch.outcomes["no candidate"] += 1
                    continue
                told = made.text
                evaluated = funnel.evaluate(made, known, lambda *told: _tell(batch, *told))
        except (Exception, _HangsError):
            batch.wrong.append((f"{game} {number} {at}\n{traceback.format_exc()}", told))
            continue
        took = time.process_time() - begun
        batch.slowest = max(batch.slowest, took)
        batch.wrong += [(f"{game} {number} {at}: {one}", told) for one in _wrong(evaluated, took)]
        left = evaluated.departure
        batch.outcomes[f"{left.step}: {left.reason}" if left else "came through"] += 1
        if left is None:
            parents = [funnel.original, *[*parents[1:], made][-PARENTS:]]
            known.add(evaluated.fingerprint)
    batch.megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return batch


@cache
def funnel_of(game: str) -> EvaluationPipeline:
    """Return the funnel for variants of a game of the library."""
    return EvaluationPipeline(Candidate(format_source(find(game))), FunnelPlan(measures=MEASURES))


def other_of(game: str, number: int) -> Candidate:
    """Return another game to cross with."""
    others = [name for name in library_names() if name != game]
    return Candidate(format_source(find(others[number % len(others)])))


def _tell(batch: Batch, step: FunnelStep, seconds: float) -> None:
    batch.seconds[step] += seconds  # type: ignore[assignment] # a Counter adds up any numbers


def _wrong(evaluated: Evaluated, took: float) -> Iterator[str]:
    """Yield what must not be in an outcome."""
    if took > SLOW:
        yield f"it took {took:.1f} s: {evaluated.departure}"
    left = evaluated.departure
    if not evaluated.fingerprint and (left is None or left.step not in _BEFORE_MARKS):
        yield f"no fingerprint: {left}"
    for name, estimate in evaluated.measures.items():
        values = (estimate.mean, estimate.low, estimate.high)
        if not all(value is None or math.isfinite(value) for value in values):
            yield f"{name} is {estimate!r}"


class _HangsError(BaseException):
    """A candidate takes so long that it will not end."""


@contextmanager
def _given_up() -> Iterator[None]:
    """Stop what runs for more than `HANGS` seconds of processor time."""

    def stop(_signal: int, _frame: object) -> None:
        raise _HangsError

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, HANGS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


# As a program -----------------------------------------------------------------------------


def main() -> int:
    """Make as many candidates as are asked for, and say what became of them."""
    asked = _arguments()
    start = asked.seed if asked.seed is not None else random.randrange(10**9)
    kept = Path(tempfile.mkdtemp(prefix="cardwright-candidates-"))
    games = {name: Batch(name) for name in asked.games or library_names()}
    begun, total = time.perf_counter(), Batch("all")
    with ProcessPoolExecutor(asked.processes, max_tasks_per_child=FRESH) as pool:
        pending: set[Future[Batch]] = set()
        jobs = _jobs(pool, list(games), asked.count, start)
        while True:
            over = asked.seconds and time.perf_counter() - begun > asked.seconds
            while not over and len(pending) < 2 * asked.processes and (job := next(jobs, None)):
                pending.add(job)
            if not pending:
                break
            done, pending = wait(pending, return_when=FIRST_COMPLETED)
            for future in done:
                batch = future.result()
                games[batch.game].add(batch)
                total.add(batch)
            seconds = time.perf_counter() - begun
            sys.stderr.write(
                f"\r{total.candidates:,} candidates, {len(total.wrong)} wrong, {seconds:,.0f} s "
            )
    sys.stderr.write("\n")
    for at, (what, text) in enumerate(total.wrong):
        (kept / f"{at}.rcy").write_text(text)
        sys.stdout.write(f"{what}\n  the rules are in {kept / f'{at}.rcy'}\n")
    seconds = time.perf_counter() - begun
    sys.stdout.write(f"seed {start}, {seconds:,.0f} s, {os.cpu_count()} processors\n")
    sys.stdout.writelines(f"{line}\n" for one in (*games.values(), total) for line in _told(one))
    return 1 if total.wrong else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Make candidates and put them through the funnel.")
    parser.add_argument("games", nargs="*", help="games of the library (all)")
    parser.add_argument("--count", type=int, default=10_000, help="how many candidates (10000)")
    parser.add_argument("--seconds", type=float, default=0, help="stop after so long")
    parser.add_argument("--seed", type=int, default=None, help="where randomness starts")
    parser.add_argument("--processes", type=int, default=2, help="how many processes (2)")
    return parser.parse_args()


def _jobs(
    pool: ProcessPoolExecutor, games: Sequence[str], candidates: int, start: int
) -> Iterator[Future[Batch]]:
    """Submit batches, of each game in turn."""
    for number in count():
        left = candidates - number * BATCH
        if left <= 0:
            return
        yield pool.submit(make, games[number % len(games)], start + number, min(left, BATCH))


def _told(batch: Batch) -> Iterator[str]:
    """Yield the lines about a game."""
    if not batch.candidates:
        return
    an_hour = 3600 * batch.candidates / sum(batch.seconds.values())
    yield (
        f"{batch.game}: {batch.candidates:,} candidates, {an_hour:,.0f} an hour and processor, "
        f"slowest {batch.slowest:.1f} s, {batch.megabytes:,.0f} MB, {len(batch.wrong)} wrong"
    )
    for what, number in batch.outcomes.most_common():
        yield f"  {number:8,}  {what}"


if __name__ == "__main__":
    sys.exit(main())

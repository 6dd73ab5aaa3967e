"""The long comparison of the engines: generated programs and library games, in several processes.

Every batch is compiled with other optimisations left out, drawn at random, so that the slow ways
are compared too. Run by `scripts/differential`. It says how many programs and decisions were
compared, which forms of the table they used, what was left out, and every difference with what is
needed to see it again; 1 if there is any.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING
from unittest.mock import patch

from hypothesis import HealthCheck, Phase, given, seed, settings

from cardwright import Game
from cardwright.compiler.backend import OPTIMISATION_VARIABLE
from cardwright.interpreter.machine import GameLimits
from cardwright.syntax.source import Source
from differential import CAPACITY, EVERYTHING, Checks, Difference, crash, on_both, random_games
from fallbacks import LEFT_OUT, drawn, without
from form_count import ALL_FORMS, counted_forms
from generated import programs
from library_variants import label, load, variants

if TYPE_CHECKING:
    from collections.abc import Iterator

    from differential import Engines

PROGRAMS = 40
"""Programs of one batch, and how often each is played."""
GAMES = 12
OPTIMISED = 4
"""Of so many batches of programs one is optimised, since most of the time goes to compiling."""

DECISIONS = 20_000
AT_ONCE = 50
"""Decisions of one batch of a library game, and how many games are begun at a time."""

SHORT = GameLimits(steps=300, decisions=60)
THOROUGH = Checks(keys=1, words=3, deep=5)
QUICK = Checks(keys=64, words=2_003, deep=1_009, contents=5)


@dataclass
class Batch:
    """What one process compared at a time; a difference has all that shows it again."""

    what: str
    left_out: tuple[str, ...] = ()
    programs: int = 0
    games: int = 0
    decisions: int = 0
    ends: Counter[str] = field(default_factory=Counter)
    forms: Counter[str] = field(default_factory=Counter)
    differences: list[str] = field(default_factory=list)


def compare_programs(number: int, kept: str, engine: str) -> Batch:
    """Generate some programs from a number and compare games of each."""
    batch = Batch("generated", drawn(random.Random(number)))
    texts: list[str] = []

    @seed(number)
    @settings(
        max_examples=PROGRAMS,
        database=None,
        deadline=None,
        phases=(Phase.generate,),
        suppress_health_check=list(HealthCheck),
    )
    @given(programs())
    def gather(text: str) -> None:
        texts.append(text)

    gather()
    optimisation = "on" if number % OPTIMISED == 0 else "off"
    with patch.dict(os.environ, {OPTIMISATION_VARIABLE: optimisation}), without(batch.left_out):
        for at, text in enumerate(dict.fromkeys(texts)):
            batch.programs += 1
            with counted_forms() as forms:
                game = Game.from_source(Source("generated", text), limits=SHORT)
                games = on_both(game, engine)
            batch.forms.update(forms.keys())
            if not _compare(batch, games, range(GAMES), THOROUGH):
                path = Path(kept) / f"{number}-{at}.rcy"
                path.write_text(text)
                batch.differences[-1] += f"\n  the program is in {path}"
    return batch


def compare_library(which: int, first: int, engine: str) -> Batch:
    """Compare games of one variant of a library game."""
    variant = variants()[which]
    batch = Batch(label(variant), drawn(random.Random(first + which)))
    with without(batch.left_out):
        with counted_forms() as forms:
            games = on_both(load(variant), engine)
        batch.forms.update(forms.keys())
        last = first + DECISIONS // 4
        while batch.decisions < DECISIONS and first < last:
            if not _compare(batch, games, range(first, first + AT_ONCE), QUICK):
                break
            first += AT_ONCE
    return batch


def _compare(batch: Batch, games: Engines, seeds: range, checks: Checks) -> bool:
    """Compare some games, and say whether there was no difference."""
    try:
        for played in random_games(games, seeds, checks):
            batch.games += 1
            batch.decisions += played.decisions
            batch.ends[played.end] += 1
    except Difference as difference:
        batch.differences.append(f"{batch.what}: {difference}{_without(batch)}")
        return False
    except Exception:
        batch.differences.append(f"{crash(batch.what, seeds)}{_without(batch)}")
        return False
    return True


def _without(batch: Batch) -> str:
    return "".join(f"\n  --without '{name}'" for name in batch.left_out)


# As a program -----------------------------------------------------------------------------


@dataclass
class Totals:
    """What all batches compared."""

    programs: int = 0
    games: int = 0
    decisions: int = 0
    forms: Counter[str] = field(default_factory=Counter)
    ends: dict[str, Counter[str]] = field(default_factory=dict)
    per: Counter[str] = field(default_factory=Counter)
    without: Counter[str] = field(default_factory=Counter)
    differences: list[str] = field(default_factory=list)

    def add(self, batch: Batch) -> None:
        """Add a batch."""
        self.programs += batch.programs
        self.games += batch.games
        self.decisions += batch.decisions
        self.forms.update(batch.forms)
        self.ends.setdefault(batch.what, Counter()).update(batch.ends)
        self.per[batch.what] += batch.decisions
        for name in batch.left_out or ("nothing",):
            self.without[name] += batch.decisions
        self.differences += batch.differences


def main() -> int:
    """Compare as much as is asked for, and say how it went."""
    asked = _arguments()
    start = asked.seed if asked.seed is not None else random.randrange(10**9)
    if asked.file:
        return _again(asked.file, start, tuple(asked.without), asked.engine)
    kept = tempfile.mkdtemp(prefix="cardwright-differences-")
    totals = Totals()
    begun = time.perf_counter()
    with ProcessPoolExecutor(asked.processes) as pool:
        pending: set[Future[Batch]] = set()
        jobs = _jobs(pool, asked, start, kept, totals)
        while True:
            over = asked.seconds and time.perf_counter() - begun > asked.seconds
            while not over and len(pending) < 2 * asked.processes and (job := next(jobs, None)):
                pending.add(job)
            if not pending:
                break
            done, pending = wait(pending, return_when=FIRST_COMPLETED)
            for future in done:
                totals.add(future.result())
            seconds = time.perf_counter() - begun
            sys.stderr.write(
                f"\r{totals.programs:,} programs, {totals.decisions:,} decisions, "
                f"{len(totals.differences)} differences, {seconds:,.0f} s "
            )
    sys.stderr.write("\n")
    seconds = time.perf_counter() - begun
    sys.stdout.writelines(f"{line}\n" for line in _told(totals, start, seconds))
    return 1 if totals.differences else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Play games on both engines and compare all.")
    parser.add_argument("--programs", type=int, default=2_000, help="generated programs (2000)")
    parser.add_argument(
        "--decisions", type=int, default=5_000_000, help="decisions in all (5000000)"
    )
    parser.add_argument(
        "--engine", choices=("native", "wasm"), default="native", help="what plays besides"
    )
    parser.add_argument("--seconds", type=float, default=0, help="stop after so long")
    parser.add_argument("--seed", type=int, default=None, help="where randomness starts")
    parser.add_argument("--processes", type=int, default=2, help="how many processes (2)")
    parser.add_argument("--file", type=Path, help="compare games of this program only")
    parser.add_argument(
        "--without", action="append", default=[], choices=[*LEFT_OUT], metavar="NAME",
        help="with --file: an optimisation to leave out, as a difference names it",
    )  # fmt: skip
    return parser.parse_args()


def _jobs(
    pool: ProcessPoolExecutor, asked: argparse.Namespace, start: int, kept: str, totals: Totals
) -> Iterator[Future[Batch]]:
    """Submit batches as long as there is something left to do."""
    games = len(variants())
    programs = 0
    for number in count():
        left = totals.programs < asked.programs
        if not left and totals.decisions >= asked.decisions:
            return
        if left:
            programs += 1
            yield pool.submit(compare_programs, start + programs, kept, asked.engine)
        if totals.decisions < asked.decisions and (number % 2 or not left):
            which = number // (2 if left else 1)
            first = start + (which // games) * DECISIONS
            yield pool.submit(compare_library, which % games, first, asked.engine)


def _told(totals: Totals, start: int, seconds: float) -> Iterator[str]:
    """Yield the lines of the report."""
    yield f"seed {start}, {seconds:,.0f} s, {os.cpu_count()} processors"
    for what, decisions in sorted(totals.per.items()):
        ends = ", ".join(f"{number:,} {end}" for end, number in totals.ends[what].most_common())
        yield f"  {what}: {decisions:,} decisions; games: {ends}"
    capacity = sum(ends[CAPACITY] for ends in totals.ends.values())
    yield (
        f"{totals.programs:,} generated programs, {totals.games:,} games, "
        f"{totals.decisions:,} decisions, {capacity:,} games ended for want of room"
    )
    missed = [name for name in ALL_FORMS if not totals.forms[name]]
    yield f"forms: {len(ALL_FORMS) - len(missed)} of {len(ALL_FORMS)}"
    yield from (f"  missed: {name}" for name in missed)
    rare = sorted(ALL_FORMS, key=lambda name: totals.forms[name])[:8]
    yield "  rarest: " + ", ".join(f"{totals.forms[name]} x {name}" for name in rare)
    yield "decisions without:"
    yield from (f"  {name}: {totals.without[name]:,}" for name in ("nothing", *LEFT_OUT))
    yield f"{len(totals.differences)} differences"
    yield from totals.differences


def _again(path: Path, start: int, left_out: tuple[str, ...], engine: str) -> int:
    """Compare games of one program, with everything compared at every decision."""
    batch = Batch(str(path), left_out)
    with without(left_out):
        game = Game.from_source(Source(str(path), path.read_text()), limits=SHORT)
        games = on_both(game, engine)
        _compare(batch, games, range(start, start + 20 * GAMES), EVERYTHING)
    sys.stdout.write(f"{batch.decisions} decisions: {dict(batch.ends)}\n")
    sys.stdout.writelines(f"{line}\n" for line in batch.differences)
    return 1 if batch.differences else 0


if __name__ == "__main__":
    sys.exit(main())

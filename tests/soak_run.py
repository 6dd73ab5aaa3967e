"""A long soak of the library: many random games of every variant, and some on both engines.

Run by `scripts/soak`. A hundred thousand games of each variant are played by machine code, and none
may break a rule or run out of room; two hundred are played on both engines side by side, and
everything that makes up the game is compared. It says what it played and everything that is wrong,
with what is needed to see it again; 1 if anything is.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from cardwright import CardwrightError, play_random
from cardwright.library.catalogue import names
from differential import Checks, Difference, crash, on_both, random_games
from library_variants import Variant, label, load, variants

if TYPE_CHECKING:
    from collections.abc import Iterator

BLOCK = 20_000
"""Games of one job of machine code."""

PAIRS = 5
"""Games of one job on both engines."""

TOLD = 3
"""Errors of one job that are told in full; of the others there is the number."""

OFTEN = Checks(keys=1, words=7, deep=29)
"""The state is compared at every decision, words and deals of hidden cards at some."""

ALWAYS = Checks(keys=1, words=1, deep=1)


@dataclass
class Part:
    """What one job, or all of a variant together, came to; `wrong` has a text for each fault."""

    what: str
    native: int = 0
    both: int = 0
    decisions: int = 0
    wrong: list[str] = field(default_factory=list)

    def add(self, other: Part) -> None:
        """Add what another job came to."""
        self.native += other.native
        self.both += other.both
        self.decisions += other.decisions
        self.wrong += other.wrong

    def __str__(self) -> str:
        return (
            f"{self.what}: {self.native:,} native games; {self.both:,} on both engines, "
            f"{self.decisions:,} decisions; {len(self.wrong)} wrong"
        )


def native_games(variant: Variant, seeds: range) -> Part:
    """Play a game for each seed by machine code; a game that breaks a rule is wrong."""
    part = Part(label(variant))
    try:
        played = play_random(load(variant), seeds, threads=1)
    except CardwrightError as error:
        part.wrong.append(f"{part.what}: {error}")
        return part
    part.native = len(played)
    for at, (seed, fault) in enumerate(played.faults()):
        if at == TOLD:
            number = int(played.broken.sum())
            part.wrong.append(f"{part.what}: {number:,} of {seeds} break a rule")
            break
        part.wrong.append(f"{part.what}, seed {seed}: {fault.rule}: {fault.message}")
    return part


def compared_games(variant: Variant, seeds: range, checks: Checks) -> Part:
    """Play a game for each seed on both engines; they must agree, and it must come to its end."""
    part = Part(label(variant))
    try:
        games = random_games(on_both(load(variant)), seeds, checks)
        for seed, played in zip(seeds, games, strict=True):
            part.both += 1
            part.decisions += played.decisions
            if played.end != "over":
                part.wrong.append(f"{part.what}, seed {seed}: ended by {played.end}")
    except (Difference, CardwrightError) as error:
        part.wrong.append(f"{part.what}: {error}")
    except Exception:
        part.wrong.append(crash(part.what, seeds))
    return part


def blocks(start: int, count: int, size: int) -> Iterator[range]:
    """Yield seeds from the first on, some at a time."""
    for first in range(start, start + count, size):
        yield range(first, min(first + size, start + count))


def soak(asked: argparse.Namespace) -> dict[str, Part]:
    """Play all that is asked for, in several processes, and return what each variant came to."""
    checks = ALWAYS if asked.everything else OFTEN
    chosen = variants(asked.names or None)
    totals = {label(variant): Part(label(variant)) for variant in chosen}
    left: Counter[str] = Counter()
    whole = Part("all")
    with ProcessPoolExecutor(asked.processes) as pool, _progress() as progress:
        jobs: list[Future[Part]] = []
        for variant in chosen:
            before = len(jobs)
            native = blocks(asked.seed, asked.games, BLOCK)
            jobs += [pool.submit(native_games, variant, seeds) for seeds in native]
            both = blocks(asked.seed, asked.seeds, PAIRS)
            jobs += [pool.submit(compared_games, variant, seeds, checks) for seeds in both]
            left[label(variant)] = len(jobs) - before
        task = progress.add_task("", total=len(jobs))
        for job in as_completed(jobs):
            part = job.result()
            whole.add(part)
            totals[part.what].add(part)
            left[part.what] -= 1
            if not left[part.what]:
                progress.console.print(str(totals[part.what]), highlight=False, soft_wrap=True)
            progress.update(task, advance=1, description=str(whole))
    return totals


def _progress() -> Progress:
    """Return a line of progress, on the standard error."""
    columns = MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("{task.description}")
    return Progress(*columns, console=Console(stderr=True))


def arguments() -> argparse.Namespace:
    """Return what is asked for."""
    parser = argparse.ArgumentParser(description="Play very many random games of the library.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these games")
    parser.add_argument("--games", type=int, default=100_000, help="native games of each (100000)")
    parser.add_argument("--seeds", type=int, default=200, help="games on both engines (200)")
    parser.add_argument("--seed", type=int, default=0, help="the first seed (0)")
    parser.add_argument("--processes", type=int, default=2, help="how many processes (2)")
    parser.add_argument(
        "--everything",
        action="store_true",
        help="compare words, copies and deals at every decision, which takes hours",
    )
    asked = parser.parse_args()
    if unknown := set(asked.names) - set(names()):
        parser.error(f"the library does not have {', '.join(sorted(unknown))}")
    return asked


def main() -> int:
    """Play, and say what is wrong."""
    totals = soak(arguments())
    sys.stdout.writelines(f"{part}\n" for part in totals.values())
    wrong = [text for part in totals.values() for text in part.wrong]
    sys.stdout.writelines(f"{text}\n" for text in wrong)
    sys.stdout.write(f"{len(totals)} variants, {len(wrong)} wrong\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

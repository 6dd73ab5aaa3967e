"""Whether searches repair games of the library in which one number or one rule is spoilt.

Each search starts from the spoilt rules. Its aims are measures of the unspoilt game: each is to lie
in the interval that the unspoilt game's has. A game is recovered by the first candidate that is the
unspoilt game, or whose measures all lie in these intervals. Every method has the same budget of
candidates; what counts is how often a game is recovered, and after how many candidates, compared
with random search. What was measured is kept in a database, so that a benchmark that was stopped
goes on, and runs share what they measure; the same sources alone take from it.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import sqlite3
import sys
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import astuple, dataclass
from functools import cache, cached_property
from math import inf
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

import numpy as np
from script import carry_out

import cardwright
from cardwright.evolution.aim import Aim, scores
from cardwright.evolution.candidate import (
    Candidate,
    ChangeFamily,
    Departure,
    DepartureReason,
    Evaluated,
    FunnelStep,
)
from cardwright.evolution.measures.table import MEASURES
from cardwright.evolution.methods.catalogue import METHODS, new_method
from cardwright.evolution.methods.method import Judged
from cardwright.evolution.pipeline import EvaluationPipeline, FunnelPlan
from cardwright.evolution.variation.operator import ConstantValues
from cardwright.evolution.variation.rule_text import distance
from cardwright.evolution.variation.vary import Variation, varied
from cardwright.game.find import find
from cardwright.game.settings import settings_of
from cardwright.statistics.intervals import Estimate
from cardwright.syntax.formatter import format_source
from cardwright.syntax.source import Source

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


PLAN = FunnelPlan(
    seed=0,
    trials=5,
    games=200,
    measures=(
        "length",
        "choices",
        "branching",
        "widest",
        "dead",
        "fairness",
        "draws",
        "score-range",
        "score",
        "highest-score",
        "lowest-score",
    ),
)
"""What is measured of each candidate; all candidates play the games of the same seeds."""

GENERATION = 20


@dataclass(frozen=True)
class Fault:
    """What is spoilt in a game: a text that its rules have once, and what stands there then.

    The `families` are what searches may change: values where a value is spoilt, and steps where a
    step is. Whoever looks for a mistake knows as much.
    """

    before: str
    after: str
    words: str
    families: frozenset[ChangeFamily] = frozenset({ChangeFamily.CONSTANTS, ChangeFamily.SCORING})


FAULTS: Mapping[str, Fault] = {
    "hearts": Fault("(declare 13 'QUEEN)", "(declare 1 'QUEEN)", "the queen of spades costs 1"),
    "crazyeights": Fault(
        "(move (top (game iloc STOCK)) (top ((current player) iloc HAND)))",
        "(all (range 1 .. 5) 'N ((> (size (game iloc STOCK)) 0) "
        "(move (top (game iloc STOCK)) (top ((current player) iloc HAND)))))",
        "who cannot play draws 5 cards",
        frozenset({ChangeFamily.STEPS}),
    ),
    "knaves": Fault(
        "(declare 4 'JACKHEARTS)", "(declare 30 'JACKHEARTS)", "the jack of hearts costs 30"
    ),
    "lama": Fault("(declare 10 'LLAMACOST)", "(declare 40 'LLAMACOST)", "a llama costs 40"),
    "ninetyeight": Fault("(declare 98 'LIMIT)", "(declare 30 'LIMIT)", "the limit is 30"),
    "nothanks": Fault("(declare 9 'REMOVED)", "(declare 25 'REMOVED)", "25 cards are removed"),
    "polignac": Fault("(declare 1 'JACK)", "(declare 12 'JACK)", "other jacks cost 12"),
    "goofspiel": Fault("((RANK : K) 13)", "((RANK : K) 60)", "a king is worth 60"),
    "ohhell": Fault("(declare 10 'BONUS)", "(declare 90 'BONUS)", "an exact bid is worth 90"),
    "whist": Fault("(declare 13 'HANDSIZE)", "(declare 3 'HANDSIZE)", "hands have 3 cards"),
}


@dataclass(frozen=True)
class Planted:
    """A game, its fault, and what repairs it."""

    game: str

    @cached_property
    def unspoilt(self) -> Candidate:
        """The game of the library."""
        return Candidate(format_source(find(self.game)))

    @cached_property
    def spoilt(self) -> Candidate:
        """The game with its fault, where searches start."""
        fault = FAULTS[self.game]
        text = find(self.game).text
        if text.count(fault.before) != 1:
            raise SystemExit(f"{fault.before!r} is not once in the rules of {self.game}")
        return Candidate(format_source(Source(self.game, text.replace(fault.before, fault.after))))

    @cached_property
    def variation(self) -> Variation:
        """The changes that may be made."""
        constants = ConstantValues.of(settings_of(self.game))
        return Variation(FAULTS[self.game].families, constants=constants)

    @cached_property
    def funnel(self) -> EvaluationPipeline:
        """The funnel for what comes from the spoilt game."""
        return EvaluationPipeline(self.spoilt, PLAN)

    @cached_property
    def aims(self) -> tuple[Aim, ...]:
        """The measures of the unspoilt game, each in its interval."""
        found = self.funnel.evaluate(self.unspoilt)
        if found.departure is not None:
            raise SystemExit(f"{self.game} leaves the funnel: {found.departure}")
        return tuple(aim_at(name, one) for name, one in found.measures.items())

    def judged(self, found: Evaluated) -> Judged:
        """Return a candidate with the score of each aim: 0, or minus how far it is off."""
        if found.departure is not None:
            return Judged(found)
        return Judged(found, scores(self.aims, found.measures))

    def recovered(self, judged: Judged) -> bool:
        """Return whether a candidate is the unspoilt game, or cannot be told from it."""
        candidate = judged.evaluated.candidate
        if candidate is None:
            return False
        return judged.total == 0 or distance(candidate.text, self.unspoilt.text, 0) == 0


class Store:
    """What was measured and found before, in a database that processes share."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self.base = sqlite3.connect(path, timeout=60, isolation_level=None)
        self.base.execute("pragma journal_mode = wal")
        self.base.execute("pragma synchronous = off")
        for table in ("measured", "runs"):
            self.base.execute(f"create table if not exists {table} (key text primary key, value)")

    def get(self, table: str, key: str) -> object:
        """Return what is stored under a key, or None."""
        row = self.base.execute(f"select value from {table} where key = ?", (key,)).fetchone()
        return None if row is None else json.loads(row[0])

    def put(self, table: str, key: str, value: object) -> None:
        """Store a value that JSON can hold."""
        row = (key, json.dumps(value))
        self.base.execute(f"insert or replace into {table} values (?, ?)", row)


@cache
def sources(*parts: str) -> str:
    """Return a digest of the sources of some parts of the search."""
    digest = hashlib.sha256()
    for part in parts:
        for path in sorted((Path(cardwright.__file__).parent / "evolution" / part).rglob("*.py")):
            digest.update(path.read_bytes())
    return digest.hexdigest()


@dataclass(frozen=True)
class Run:
    """One search: a method on a game from a seed, with a budget of candidates."""

    game: str
    method: str
    seed: int
    budget: int

    @property
    def key(self) -> str:
        """What the result depends on, besides the packages below that of searches."""
        code = sources("variation", "funnel", "measures", "methods")
        return f"{self} {_told(self.game)} {PLAN} {GENERATION} {code}"


def _told(game: str) -> str:
    """Return a fault as a text that is the same in every process."""
    fault = FAULTS[game]
    return f"{fault.before} -> {fault.after} {sorted(fault.families)}"


@cache
def planted(game: str) -> Planted:
    """Return a game with its fault; what is computed of it stays."""
    return Planted(game)


def carried_out(run: Run, path: Path) -> int | None:
    """Return how many candidates it took to recover a game, or None if it was not."""
    store = Store(path)
    before = store.get("runs", run.key)
    if before is not None:
        return before["found"]
    begun = time.process_time()
    problem = planted(run.game)
    original = problem.spoilt
    method = new_method(
        run.method,
        problem.aims,
        lambda one: distance(original.text, one.text),
        ("length", "score-range") if METHODS[run.method].least_axes else (),
    )
    known: set[str] = set()
    marks = Marks(store, run.game)
    method.tell([_judged(problem, original, marks, known)])
    found, made = None, 0
    while made < run.budget and found is None:
        random = np.random.default_rng([run.seed, made])
        generation = []
        for parents in method.ask(min(GENERATION, run.budget - made), random):
            candidate = varied(original, parents, problem.variation, random)
            one = _judged(problem, candidate, marks, known)
            generation.append(one)
            made += 1
            if problem.recovered(one):
                found = made
                break
        method.tell(generation)
    seconds = round(time.process_time() - begun, 1)
    best = method.elites()[0] if method.elites() else None
    text = best.evaluated.candidate.text if best and best.evaluated.candidate else ""
    total = best.total if best else None
    store.put("runs", run.key, {"found": found, "seconds": seconds, "total": total, "text": text})
    return found


class Marks:
    """The fingerprints of a game's candidates in the database, with their measures."""

    def __init__(self, store: Store, game: str) -> None:
        self.store = store
        self.prefix = f"{game} {_told(game)} {PLAN} {sources('funnel', 'measures')}"

    def __contains__(self, mark: object) -> bool:
        """Return whether a candidate that plays like this was measured."""
        return self.store.get("measured", f"{self.prefix} mark {mark}") is not None

    def evaluated(self, problem: Planted, candidate: Candidate) -> Evaluated:
        """Evaluate a candidate; of those that play alike one is measured, by whichever run."""
        name = f"{self.prefix} text {candidate.name}"
        known = self.store.get("measured", name)
        if known is None:
            found = problem.funnel.evaluate(candidate, self)
            left = found.departure
            if left is not None and left.reason is DepartureReason.KNOWN:
                left = None
            elif found.fingerprint:
                told = {one: list(astuple(two)) for one, two in found.measures.items()}
                known = [left and list(astuple(left)), told]
                self.store.put("measured", f"{self.prefix} mark {found.fingerprint}", known)
            known = [left and list(astuple(left)), found.fingerprint]
            self.store.put("measured", name, known)
        left, mark = known
        told = {}
        if mark:
            left, told = self.store.get("measured", f"{self.prefix} mark {mark}")
        departure = (
            None
            if left is None
            else Departure(FunnelStep(left[0]), DepartureReason(left[1]), left[2])
        )
        return Evaluated(
            candidate, departure, mark, {one: Estimate(*two) for one, two in told.items()}
        )


def _judged(problem: Planted, candidate: Candidate | None, marks: Marks, known: set[str]) -> Judged:
    """Judge a candidate; one that plays like an earlier one of its search leaves."""
    if candidate is None:
        return Judged(Evaluated(None, Departure(FunnelStep.VARY, DepartureReason.NO_CHANGE)))
    found = marks.evaluated(problem, candidate)
    if found.fingerprint in known:
        left = Departure(FunnelStep.COMPARE, DepartureReason.KNOWN)
        return Judged(Evaluated(candidate, left, found.fingerprint))
    if found.fingerprint:
        known.add(found.fingerprint)
    return problem.judged(found)


def aim_at(name: str, found: Estimate) -> Aim:
    """Return an aim at the range of an interval, its ends rounded outwards a little."""
    scale = MEASURES[name].scale
    low, high = (found.mean if end is None else end for end in (found.low, found.high))
    low = round(math.floor(1000 * low / scale + 1e-6) * scale / 1000, 9)
    high = round(math.ceil(1000 * high / scale - 1e-6) * scale / 1000, 9)
    return Aim(name, "range", low, high, scale=scale)


def main() -> None:
    """Search, and print how often each game was recovered."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", nargs="*", default=list(FAULTS), choices=list(FAULTS))
    parser.add_argument(
        "--methods", nargs="*", default=["random", "climb", "lexicase"], choices=list(METHODS)
    )
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--budget", type=int, default=2_000)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--store", type=Path, default=Path("evolution_planted.sqlite"))
    options = parser.parse_args()
    runs = [
        Run(game, method, seed, options.budget)
        for seed in range(options.seeds)
        for game in options.games
        for method in options.methods
    ]
    results: dict[Run, int | None] = {}
    with ProcessPoolExecutor(options.workers) as pool:
        futures = {pool.submit(carried_out, run, options.store): run for run in runs}
        for future in as_completed(futures):
            run = futures[future]
            results[run] = future.result()
            words = f"{run.game} {run.method} {run.seed}: {results[run]}"
            print(f"{len(results)}/{len(runs)} {words}", file=sys.stderr, flush=True)
    print_table(results, options.games, options.methods)


def print_table(
    results: Mapping[Run, int | None], games: Sequence[str], methods: Sequence[str]
) -> None:
    """Print for each game and method how often it was recovered, and the median candidates."""
    print(f"{'game':12} {'fault':30}" + "".join(f"{method:>17}" for method in methods))
    solved = dict.fromkeys(methods, 0)
    for game in games:
        line = f"{game:12} {FAULTS[game].words:30}"
        for method in methods:
            found = [n for run, n in results.items() if (run.game, run.method) == (game, method)]
            hits = sum(one is not None for one in found)
            solved[method] += 2 * hits > len(found)
            middle = median(inf if one is None else one for one in found)
            line += f"{hits:>5}/{len(found):<2} {'-' if middle == inf else f'{middle:.0f}':>6}   "
        print(line)
    print(f"{'recovered by most seeds':43}" + "".join(f"{solved[m]:>17}" for m in methods))
    for method in methods:
        found = [n for run, n in results.items() if run.method == method]
        print(f"{method}: {sum(n is not None for n in found)} of {len(found)} searches")


if __name__ == "__main__":
    carry_out(main)

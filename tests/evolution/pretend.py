"""Searches without games: candidates are numbers, and what they are like follows from these."""

from __future__ import annotations

import os
import signal
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from cardwright.evolution.aim import Aim
from cardwright.evolution.candidate import (
    Candidate,
    CandidateChange,
    ChangeFamily,
    Departure,
    DepartureReason as Reason,
    Evaluated,
    FunnelStep,
)
from cardwright.evolution.methods.method import ParetoFront
from cardwright.evolution.pipeline import EvaluationPipeline, FunnelPlan
from cardwright.evolution.plan import EvolutionPlan
from cardwright.evolution.search import SearchParts, run_search
from cardwright.statistics.intervals import Estimate
from killing import kill_at_write

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence
    from pathlib import Path

    import numpy as np

    from cardwright.evolution.methods.method import Judged
    from cardwright.evolution.results import Evolution

PLAN = EvolutionPlan(
    "numbers",
    "number 7",
    (Aim("length", "max"),),
    seed=3,
    funnel=FunnelPlan(games=10),
    candidates=25,
    generation=10,
    finalists=2,
)


def vary(
    _original: Candidate,
    parents: Sequence[Candidate],
    _variation: object,
    random: np.random.Generator,
) -> Candidate | None:
    """Return another number near that of the first parent; none in one of twelve cases."""
    step = int(random.integers(-5, 7))
    if step == 0:
        return None
    names = tuple(one.name for one in parents)
    before = number_of(parents[0])
    change = CandidateChange("number", ChangeFamily.CONSTANTS, 1, str(before), str(before + step))
    return Candidate(f"number {before + step}", names, (change,))


def number_of(candidate: Candidate) -> int:
    return int(candidate.text.split()[1])


@dataclass(frozen=True)
class NumberFunnel(EvaluationPipeline):
    """Numbers that end in 0 have no end; those that differ by 40 play alike."""

    def evaluate(
        self,
        candidate: Candidate,
        known: Collection[str] = (),
        tell: Callable[[FunnelStep, float], object] | None = None,
    ) -> Evaluated:
        number = number_of(candidate)
        if tell is not None:
            tell(FunnelStep.TRY, 0.5)
        if number % 10 == 0:
            return Evaluated(candidate, Departure(FunnelStep.TRY, Reason.ENDLESS, "1,000 moves"))
        mark = str(number % 40)
        if mark in known:
            return Evaluated(candidate, Departure(FunnelStep.COMPARE, Reason.KNOWN), mark)
        noise = self.plan.seed % 7 / 10
        mean = number + noise
        length = Estimate(mean, mean - 1, mean + 1, self.plan.games)
        return Evaluated(candidate, None, mark, {"length": length})


@dataclass
class BestFew:
    """The best three are varied, and are the elites."""

    best: list[Judged] = field(default_factory=list)
    original: Candidate | None = None

    def ask(self, count: int, random: np.random.Generator) -> Sequence[tuple[Candidate, ...]]:
        found = [one.evaluated.candidate for one in self.best] or [self.original]
        return [(found[int(random.integers(len(found)))],) for _ in range(count)]  # type: ignore[misc]

    def tell(self, generation: Sequence[Judged]) -> None:
        if self.original is None:
            self.original = generation[0].evaluated.candidate
        good = [*self.best, *(one for one in generation if one.scores)]
        self.best = sorted(good, key=lambda one: -one.total)[:3]

    def elites(self) -> Sequence[Judged]:
        return self.best

    def landscape(self) -> ParetoFront:
        return ParetoFront(("length",), tuple(one.candidate.name for one in self.best))


PARTS = SearchParts(lambda _plan: BestFew(), vary, NumberFunnel)


def search(folder: Path | None = None, plan: EvolutionPlan = PLAN, **options: Any) -> Evolution:
    """Carry out a search among numbers."""
    return run_search(plan, folder, parts=PARTS, **options)


def die_again_and_again(folder: Path) -> None:
    """Search in processes of which each is killed a write later; print what each left."""
    for left in range(1, 999):
        process = os.fork()
        if process == 0:
            kill_at_write(left)
            search(folder, resume=True, keep_seconds=0)
            os._exit(0)
        killed = os.waitpid(process, 0)[1] == signal.SIGKILL
        print(*sorted(file.relative_to(folder) for file in folder.rglob("*")))  # noqa: T201
        if not killed:
            return


def contents(folder: Path) -> dict[str, bytes]:
    """Return the files of a search that are to be the same whoever carries it out."""
    return {
        file.relative_to(folder).as_posix(): file.read_bytes()
        for file in sorted(folder.rglob("*"))
        if file.is_file() and file.name != "timing.json"
    }


def with_seed(seed: int) -> EvolutionPlan:
    return replace(PLAN, seed=seed)

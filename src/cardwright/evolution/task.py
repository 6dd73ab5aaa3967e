"""The tasks of a search: to make a candidate and see what becomes of it, or to measure it again."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from cardwright.evolution.evaluation import Departure, DepartureReason, Evaluated, FunnelStep

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cardwright.evolution.candidate import Candidate
    from cardwright.evolution.funnel.funnel import Funnel, FunnelPlan
    from cardwright.evolution.plan import EvolutionPlan
    from cardwright.evolution.variation.vary import Variation

    MakeFunnel: TypeAlias = Callable[[Candidate, FunnelPlan], Funnel]
    Vary: TypeAlias = Callable[
        [Candidate, Sequence[Candidate], Variation, np.random.Generator], Candidate | None
    ]

_ASKING, _MAKING = 2, 3
"""The children of a plan's seed: for what methods ask for, and for how candidates are made."""


@dataclass(frozen=True)
class Outcome:
    """What became of a candidate, and the seconds of processor time that each step took."""

    evaluated: Evaluated
    seconds: dict[FunnelStep, float]


@dataclass(frozen=True)
class MakeCandidates:
    """Makes and evaluates the candidates of a generation; it can be sent to other processes.

    `parents` are those that the method asks for, a tuple for each candidate. `known` are the
    fingerprints of what came before this generation, and `names` the names: the same text need not
    be played again.
    """

    plan: EvolutionPlan
    generation: int
    parents: tuple[tuple[Candidate, ...], ...]
    known: frozenset[str]
    names: frozenset[str]
    vary: Vary
    funnel: MakeFunnel

    def __call__(self, batch: range) -> list[Outcome]:
        """Return the outcomes of some candidates."""
        return [self._outcome(number) for number in batch]

    def _outcome(self, number: int) -> Outcome:
        timed = _Timed()
        begun = time.process_time()
        made = self._made(number)
        timed.tell(FunnelStep.VARY, time.process_time() - begun)
        if made is None:
            left = Departure(FunnelStep.VARY, DepartureReason.NO_CHANGE)
            return Outcome(Evaluated(None, left), dict(timed.seconds))
        if made.name in self.names:
            left = Departure(FunnelStep.COMPARE, DepartureReason.KNOWN, made.name)
            return Outcome(Evaluated(made, left), dict(timed.seconds))
        funnel = _funnel(self.funnel, self.plan.parent, self.plan.searching)
        evaluated = funnel.evaluate(made, self.known, timed.tell)
        return Outcome(evaluated, dict(timed.seconds))

    def _made(self, number: int) -> Candidate | None:
        """Return a candidate; some are crossed with a mate."""
        random = generator(self.plan.seed, _MAKING, self.generation, number)
        parents = self.parents[number]
        mates = self.plan.mates
        if mates and random.random() < self.plan.mating:
            parents = (parents[0], mates[int(random.integers(len(mates)))].candidate)
        return self.vary(self.plan.parent, parents, self.plan.variation, random)


@dataclass(frozen=True)
class MeasureCandidates:
    """Measures candidates that are there already; it can be sent to other processes."""

    candidates: tuple[Candidate, ...]
    original: Candidate
    plan: FunnelPlan
    funnel: MakeFunnel

    def __call__(self, batch: range) -> list[Outcome]:
        """Return the outcomes of some candidates."""
        return [self._outcome(self.candidates[number]) for number in batch]

    def _outcome(self, candidate: Candidate) -> Outcome:
        timed = _Timed()
        funnel = _funnel(self.funnel, self.original, self.plan)
        evaluated = funnel.evaluate(candidate, (), timed.tell)
        return Outcome(evaluated, dict(timed.seconds))


@lru_cache(maxsize=2)
def _funnel(make: MakeFunnel, original: Candidate, plan: FunnelPlan) -> Funnel:
    """Return a funnel, made once per process: it knows more of the original with time."""
    return make(original, plan)


@dataclass
class _Timed:
    """Adds up the seconds that steps took."""

    seconds: Counter[FunnelStep] = field(default_factory=Counter)

    def tell(self, step: FunnelStep, seconds: float) -> None:
        self.seconds[step] += seconds  # type: ignore[assignment] # a Counter adds up any numbers


def asking(plan: EvolutionPlan, generation: int) -> np.random.Generator:
    """Return the generator of what the method asks for in a generation."""
    return generator(plan.seed, _ASKING, generation)


def generator(seed: int, *key: int) -> np.random.Generator:
    """Return the generator of a child of a seed."""
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=key))

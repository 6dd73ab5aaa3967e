"""What generations came to: summaries, progress, and where the time went."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cardwright.evolution.aim import scores
from cardwright.evolution.candidate import DepartureReason, Evaluated, FunnelStep
from cardwright.evolution.methods.method import Judged

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cardwright.evolution.aim import Aim


@dataclass(frozen=True, slots=True)
class DepartureCount:
    """How many candidates left at a step of the pipeline for one reason."""

    step: FunnelStep
    reason: DepartureReason
    count: int


@dataclass(frozen=True)
class GenerationSummary:
    """A generation in numbers; `number` 0 is the original alone.

    Of its `candidates` those `measured` passed the pipeline, and all others are among `departures`,
    sorted by step. `best` is the best sum of scores found so far, None if nothing was measured yet;
    `elites` is how many elites the method had then: cells filled of a map, or points of a front.
    """

    number: int
    candidates: int
    measured: int
    departures: tuple[DepartureCount, ...]
    best: float | None
    elites: int


def all_departures(summaries: Iterable[GenerationSummary]) -> tuple[DepartureCount, ...]:
    """Return the departures of several generations together."""
    counts = Counter[tuple[FunnelStep, DepartureReason]]()
    for summary in summaries:
        counts.update({(left.step, left.reason): left.count for left in summary.departures})
    return _in_order(counts)


def _in_order(counts: Counter[tuple[FunnelStep, DepartureReason]]) -> tuple[DepartureCount, ...]:
    return tuple(
        DepartureCount(step, reason, counts[step, reason])
        for step in FunnelStep
        for reason in DepartureReason
        if counts[step, reason]
    )


@dataclass
class GenerationTally:
    """The candidates that passed the pipeline, what is known of all others, and summaries.

    `known` are the fingerprints and `names` the names of all candidates so far.
    """

    summaries: list[GenerationSummary] = field(default_factory=list)
    measured: dict[str, Evaluated] = field(default_factory=dict)
    known: set[str] = field(default_factory=set)
    names: set[str] = field(default_factory=set)
    best: float | None = None

    @property
    def passed(self) -> int:
        """How many candidates passed the pipeline, besides the original."""
        return sum(summary.measured for summary in self.summaries[1:])

    @property
    def elites(self) -> int:
        """How many elites there are."""
        return self.summaries[-1].elites if self.summaries else 0

    def take(self, judged: Sequence[Judged], elites: int) -> None:
        """Take the next generation, after which there were so many elites."""
        number, counts = len(self.summaries), Counter[tuple[FunnelStep, DepartureReason]]()
        for one in judged:
            candidate, left = one.evaluated.candidate, one.evaluated.departure
            if left is not None:
                counts[left.step, left.reason] += 1
            if candidate is None:
                continue
            self.names.add(candidate.name)
            if one.evaluated.fingerprint:
                self.known.add(one.evaluated.fingerprint)
            if left is None or number == 0:
                self.measured[candidate.name] = one.evaluated
            if one.scores and math.isfinite(one.total):
                self.best = one.total if self.best is None else max(self.best, one.total)
        size, measured = len(judged), len(judged) - counts.total()
        departures = _in_order(counts)
        self.summaries.append(
            GenerationSummary(number, size, measured, departures, self.best, elites)
        )


def judge(one: Evaluated, aims: Sequence[Aim]) -> Judged:
    """Return an evaluated candidate with its scores; without any if it has left."""
    return Judged(one) if one.departure is not None else Judged(one, scores(aims, one.measures))


@dataclass(frozen=True, slots=True)
class EvolutionProgress:
    """How far a search is: of `total` candidates `done` are finished.

    `final` says that the candidates are the finalists, which are measured again. `measured`
    candidates have passed the pipeline so far, in whole generations; `best` is the best sum of
    scores among them, None if there is none, and `elites` is how many elites there are.
    """

    done: int
    total: int
    final: bool
    measured: int
    best: float | None
    elites: int


@dataclass(frozen=True)
class EvolutionTiming:
    """The seconds of a search: `wall` as they passed, and of processor time for each step.

    `candidates` are those made in that time; what was done by runs that were killed is lost. All of
    it depends on the machine, and nothing else depends on it.
    """

    wall: float
    candidates: int
    steps: dict[FunnelStep, float]

    @property
    def processor(self) -> float:
        """Seconds of processor time of all steps."""
        return sum(self.steps.values())

    @property
    def an_hour(self) -> float | None:
        """Candidates in an hour of processor time; None if there are none."""
        return 3600 * self.candidates / self.processor if self.processor > 0 else None

    def __add__(self, other: EvolutionTiming) -> EvolutionTiming:
        steps = {
            step: self.steps.get(step, 0.0) + other.steps.get(step, 0.0) for step in FunnelStep
        }
        return EvolutionTiming(self.wall + other.wall, self.candidates + other.candidates, steps)

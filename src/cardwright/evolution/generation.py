"""What generations came to: summaries, progress, and where the time went."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping  # noqa: TC003 - what took long is read from files
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cardwright.evolution.aim import scores
from cardwright.evolution.candidate import DepartureReason, FunnelStep
from cardwright.evolution.methods.method import Judged

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cardwright.evolution.aim import Aim
    from cardwright.evolution.candidate import Evaluated


@dataclass(frozen=True, slots=True)
class DepartureCount:
    """How many candidates left at a step of the funnel for one reason."""

    step: FunnelStep
    reason: DepartureReason
    count: int


@dataclass(frozen=True)
class GenerationSummary:
    """A generation in numbers; `number` 0 is the original alone.

    Of its `candidates` those `measured` passed the funnel, and all others are among `departures`,
    sorted by step. `best` is the best sum of scores found so far, None if nothing was measured yet;
    `elites` is how many elites the method had then: cells filled of a map, or points of a front.
    """

    number: int
    candidates: int
    measured: int
    departures: tuple[DepartureCount, ...]
    best: float | None
    elites: int

    def record(self) -> dict[str, Any]:
        """Return this as a JSON object."""
        return {
            "number": self.number,
            "candidates": self.candidates,
            "measured": self.measured,
            "best": self.best,
            "elites": self.elites,
            "departures": departure_records(self.departures),
        }


def counted_departures(evaluated: Iterable[Evaluated]) -> tuple[DepartureCount, ...]:
    """Return how many left at which step and why, in the order of steps and reasons."""
    found = Counter(
        (one.departure.step, one.departure.reason) for one in evaluated if one.departure is not None
    )
    return _in_order(found)


def all_departures(summaries: Iterable[GenerationSummary]) -> tuple[DepartureCount, ...]:
    """Return the departures of several generations together."""
    found = Counter[tuple[FunnelStep, DepartureReason]]()
    for summary in summaries:
        for one in summary.departures:
            found[one.step, one.reason] += one.count
    return _in_order(found)


def departure_records(departures: Iterable[DepartureCount]) -> list[dict[str, Any]]:
    """Return departures as JSON objects."""
    return [
        {"step": one.step.value, "reason": one.reason.value, "count": one.count}
        for one in departures
    ]


def _in_order(found: Counter[tuple[FunnelStep, DepartureReason]]) -> tuple[DepartureCount, ...]:
    return tuple(
        DepartureCount(step, reason, found[step, reason])
        for step in FunnelStep
        for reason in DepartureReason
        if found[step, reason]
    )


class GenerationTally:
    """The candidates that passed the funnel, what is known of all others, and a summary of each.

    `known` are the fingerprints and `names` the names of all candidates so far.
    """

    def __init__(self) -> None:
        self.summaries: list[GenerationSummary] = []
        self.measured: dict[str, Evaluated] = {}
        self.known: set[str] = set()
        self.names: set[str] = set()
        self.best: float | None = None

    @property
    def passed(self) -> int:
        """How many candidates passed the funnel, besides the original."""
        return sum(one.measured for one in self.summaries[1:])

    @property
    def elites(self) -> int:
        """How many elites there are."""
        return self.summaries[-1].elites if self.summaries else 0

    def take(self, judged: Sequence[Judged], elites: int) -> None:
        """Take the next generation, after which there were so many elites."""
        for one in judged:
            self._note(one, original=not self.summaries)
        departures = counted_departures(one.evaluated for one in judged)
        left = sum(one.count for one in departures)
        number = len(self.summaries)
        size = len(judged)
        self.summaries.append(
            GenerationSummary(number, size, size - left, departures, self.best, elites)
        )

    def _note(self, one: Judged, *, original: bool) -> None:
        candidate = one.evaluated.candidate
        if candidate is None:
            return
        self.names.add(candidate.name)
        if one.evaluated.fingerprint:
            self.known.add(one.evaluated.fingerprint)
        if one.evaluated.departure is None or original:
            self.measured[candidate.name] = one.evaluated
        if one.scores and math.isfinite(one.total):
            self.best = one.total if self.best is None else max(self.best, one.total)


def judge(one: Evaluated, aims: Sequence[Aim]) -> Judged:
    """Return an evaluated candidate with its scores; without any if it has left."""
    return Judged(one) if one.departure is not None else Judged(one, scores(aims, one.measures))


@dataclass(frozen=True, slots=True)
class EvolutionProgress:
    """How far a search is: of `total` candidates `done` are finished.

    `final` says that the candidates are the finalists, which are measured again. `measured`
    candidates have passed the funnel so far, in whole generations; `best` is the best sum of scores
    among them, None if there is none, and `elites` is how many elites there are.
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

    `candidates` are those made in that time; what was done by runs that were killed is lost.
    """

    wall: float
    candidates: int
    steps: Mapping[FunnelStep, float]

    @property
    def processor(self) -> float:
        """Seconds of processor time of all steps."""
        return sum(self.steps.values())

    @property
    def an_hour(self) -> float | None:
        """Candidates in an hour of processor time; None if there are none."""
        return 3600 * self.candidates / self.processor if self.processor > 0 else None

    def __add__(self, other: EvolutionTiming) -> EvolutionTiming:
        steps = Counter(self.steps)
        steps.update(other.steps)
        return EvolutionTiming(
            self.wall + other.wall, self.candidates + other.candidates, dict(steps)
        )

"""What became of a generation of candidates, in numbers."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cardwright.evolution.evaluation import DepartureReason, FunnelStep

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cardwright.evolution.evaluation import Evaluated


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

"""Where the time of a search went: it depends on the machine, and nothing else depends on it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cardwright.evolution.evaluation import FunnelStep

if TYPE_CHECKING:
    from collections.abc import Mapping


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

    def data(self) -> dict[str, Any]:
        """Return this as JSON can hold it."""
        return {
            "note": "these depend on the machine and are not reproducible",
            "wall_seconds": self.wall,
            "candidates": self.candidates,
            "processor_seconds": {step.value: self.steps.get(step, 0.0) for step in FunnelStep},
        }

    @classmethod
    def of_data(cls, data: Any) -> EvolutionTiming:
        """Return the value from `data`; raises a Python error for anything else."""
        steps = {FunnelStep(key): float(one) for key, one in data["processor_seconds"].items()}
        return cls(float(data["wall_seconds"]), int(data["candidates"]), steps)

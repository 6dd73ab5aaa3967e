"""The account of a search: what was asked for, what was found, and what became of the rest."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cardwright.evolution.aim import Aim
    from cardwright.evolution.candidate import Candidate, CandidateChange
    from cardwright.evolution.evaluation import DepartureReason, FunnelStep
    from cardwright.statistics.sample import Estimate


@dataclass(frozen=True)
class MeasureLabel:
    """A measure as people read it: its name, its meaning, and how its values are written.

    `digits` are those after the point. Values are in the units in which aims are written.
    """

    name: str
    label: str
    meaning: str
    digits: int = 2

    def text(self, value: float) -> str:
        """Return a value as text, with a true minus sign."""
        return f"{value:,.{self.digits}f}".replace("-", "−")

    def short(self, value: float) -> str:
        """Return a value with as few digits as say it, for axes."""
        return f"{round(value, 9):,.6g}".replace("-", "−")

    def interval(self, estimate: Estimate) -> str:
        """Return an estimate's interval as `0.40 to 0.51`; empty if it has none, or no width."""
        if estimate.low is None or estimate.high is None:
            return ""
        low, high = self.text(estimate.low), self.text(estimate.high)
        return f"{low} to {high}" if low != high else ""


@dataclass(frozen=True)
class Ancestor:
    """A candidate on the way from the original to an elite, and what the search knew of it.

    `changes` lead to it from its first parent; `others` are the names of the other parents. `total`
    is the sum of its scores, None for one that has left the funnel.
    """

    name: str
    changes: tuple[CandidateChange, ...] = ()
    others: tuple[str, ...] = ()
    total: float | None = None


@dataclass(frozen=True)
class ReportedGame:
    """The original or an elite: its rules, its measures in the search, and those held out.

    `held_out` was measured again after the search, in games with seeds that the search did not
    use: what was chosen among many for its measures has been lucky too. If it left the funnel then,
    `left_again` says why. `told` are sentences on
    how its rules differ from the original's. `lineage` begins with the original and ends with the
    game itself. `number` is its place among the elites from 1; the original has 0.
    `total` is the sum of its scores in the search.
    """

    number: int
    name: str
    candidate: Candidate
    searched: Mapping[str, Estimate]
    held_out: Mapping[str, Estimate]
    left_again: str = ""
    told: tuple[str, ...] = ()
    lineage: tuple[Ancestor, ...] = ()
    total: float = 0.0

    @property
    def measures(self) -> Mapping[str, Estimate]:
        """What is told of it: held-out values, and for measures without these the search's."""
        return {**self.searched, **self.held_out}


@dataclass(frozen=True)
class PlottedCandidate:
    """A candidate that passed the funnel: its number in the search, and what it was found to be."""

    number: int
    name: str
    measures: Mapping[str, float]
    total: float


@dataclass(frozen=True)
class ReportedMap:
    """A map of elites: the measures of its axes, and the edges of their bins, rising.

    `names` has the candidate in each cell that is filled; places count bins along each axis from 0.
    """

    measures: tuple[str, ...]
    edges: tuple[tuple[float, ...], ...]
    names: Mapping[tuple[int, ...], str]

    @property
    def size(self) -> int:
        """The number of cells."""
        size = 1
        for edges in self.edges:
            size *= len(edges) - 1
        return size

    def place(self, measures: Mapping[str, Estimate]) -> tuple[int, ...] | None:
        """Return the cell of a game; None if it lacks a measure. Outermost bins have no end."""
        if any(name not in measures for name in self.measures):
            return None
        return tuple(
            sum(measures[name].mean >= edge for edge in edges[1:-1])
            for name, edges in zip(self.measures, self.edges, strict=True)
        )


@dataclass(frozen=True)
class EvolutionAccount:
    """All that a report tells of a search.

    `title` is the original's for people, `game` what was asked for, such as a library name or the
    path of a file; `facts` are the tables of the TOML file beside it. `elites` are in order, the
    best first. `candidates` counts all that were tried, `departures` those that left the funnel.
    `points` are those that passed, in the order of the search. `again` is a sentence on how the
    best were measured again. `map` is None for a method without one. Nothing here depends
    on the time or the machine.
    """

    title: str
    game: str
    aims: tuple[Aim, ...]
    labels: Mapping[str, MeasureLabel]
    original: ReportedGame
    elites: tuple[ReportedGame, ...]
    candidates: int
    departures: Mapping[tuple[FunnelStep, DepartureReason], int]
    points: Sequence[PlottedCandidate]
    method: str
    seed: int
    command: str
    again: str = ""
    map: ReportedMap | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)

    def label(self, measure: str) -> MeasureLabel:
        """Return how a measure is told."""
        return self.labels.get(measure) or MeasureLabel(measure, measure.capitalize(), "")

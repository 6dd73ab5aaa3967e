"""The protocol of a method of search, and the maps and fronts that methods find."""

from __future__ import annotations

import math
from collections.abc import Mapping  # noqa: TC003 - maps are read from files
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

    from cardwright.evolution.candidate import Candidate, Evaluated
    from cardwright.statistics.intervals import Estimate


@dataclass(frozen=True)
class Judged:
    """An evaluated candidate with the score of each aim, in their order; none if it has left."""

    evaluated: Evaluated
    scores: tuple[float, ...] = ()

    @property
    def total(self) -> float:
        """The sum of its scores; minus infinity if it has left."""
        return sum(self.scores) if self.scores else float("-inf")

    @property
    def candidate(self) -> Candidate:
        """Its rules; raises ValueError if none could be made."""
        if self.evaluated.candidate is None:
            raise ValueError("no candidate could be made here, so there is none to vary")
        return self.evaluated.candidate

    def mean(self, measure: str) -> float | None:
        """Return the mean of a measure; None if it was not measured."""
        estimate = self.evaluated.measures.get(measure)
        return None if estimate is None else estimate.mean

    @property
    def alive(self) -> bool:
        """Whether it passed the pipeline with every aim measured."""
        return (
            self.evaluated.candidate is not None
            and self.evaluated.departure is None
            and bool(self.scores)
            and all(map(math.isfinite, self.scores))
        )


@dataclass(frozen=True, slots=True)
class MapShape:
    """The grid of a map: the measure along each axis, and the edges of its cells, rising.

    An axis of n cells has n + 1 edges. The outermost cells also hold what lies beyond them.
    """

    measures: tuple[str, ...]
    edges: tuple[tuple[float, ...], ...]

    @property
    def cells(self) -> tuple[int, ...]:
        """The number of cells along each axis."""
        return tuple(len(edges) - 1 for edges in self.edges)

    @property
    def size(self) -> int:
        """The number of all cells."""
        return math.prod(self.cells)

    def place(self, measures: Mapping[str, Estimate]) -> tuple[int, ...] | None:
        """Return the cell of a game; None if it lacks a measure."""
        if any(name not in measures for name in self.measures):
            return None
        return tuple(
            sum(measures[name].mean >= edge - _ROUNDING / (len(edges) - 1) for edge in edges[1:-1])
            for name, edges in zip(self.measures, self.edges, strict=True)
        )


_ROUNDING = 1e-6
"""A value this little below an edge, shared by the cells of the axis, counts as on it."""


@dataclass(frozen=True)
class EliteMap:
    """The best candidate found for each combination of measures.

    `cells` has the places of the candidates by their names, in the order of the places, which count
    cells along each axis from 0.
    """

    shape: MapShape
    cells: Mapping[str, tuple[int, ...]]

    @property
    def coverage(self) -> float:
        """The share of cells that are filled."""
        return len(self.cells) / self.shape.size

    @property
    def names(self) -> dict[tuple[int, ...], str]:
        """The name of the candidate in each cell that is filled, by its place."""
        return {place: name for name, place in self.cells.items()}


@dataclass(frozen=True)
class ParetoFront:
    """Candidates of which none is better than another in one aim without being worse in another.

    The names of its `members` come in falling order of their scores, from the first aim on. `aims`
    are the measures of the aims, in the order of the scores.
    """

    aims: tuple[str, ...]
    members: tuple[str, ...]


Landscape: TypeAlias = EliteMap | ParetoFront
"""What can be drawn of a search."""


class SearchMethod(Protocol):
    """A method of search.

    What it does follows from what it was told, in that order, and from the generators it was given.
    To ask leaves no trace: a search goes on after a crash by telling again what was recorded.
    """

    def ask(self, count: int, random: np.random.Generator) -> Sequence[tuple[Candidate, ...]]:
        """Return the parents of the next candidates: each has one parent, or several to cross."""
        ...

    def tell(self, generation: Sequence[Judged]) -> None:
        """Learn what became of all candidates of a generation; the first is the original alone."""
        ...

    def elites(self) -> Sequence[Judged]:
        """Return the best found so far, best first; those of a map or a front are incomparable."""
        ...

    def landscape(self) -> Landscape | None:
        """Return the map or the front found so far; None if the method makes none, or not yet."""
        ...

"""What a method found besides its elites: a map of them, or a front; reports draw it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cardwright.evolution.methods.method import Judged


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


@dataclass(frozen=True)
class FilledCell:
    """A cell of a map with its elite; `place` counts cells along each axis from 0."""

    place: tuple[int, ...]
    elite: Judged


@dataclass(frozen=True)
class EliteMap:
    """The best candidate found for each combination of measures, in the order of their places."""

    shape: MapShape
    cells: tuple[FilledCell, ...]

    @property
    def coverage(self) -> float:
        """The share of cells that are filled."""
        count = 1
        for along in self.shape.cells:
            count *= along
        return len(self.cells) / count


@dataclass(frozen=True)
class ParetoFront:
    """Candidates of which none is better than another in one aim without being worse in another.

    They come in falling order of their scores, from the first aim on. `aims` are the measures of
    the aims, in the order of the scores.
    """

    aims: tuple[str, ...]
    members: tuple[Judged, ...]


Landscape = EliteMap | ParetoFront
"""What can be drawn of a search."""

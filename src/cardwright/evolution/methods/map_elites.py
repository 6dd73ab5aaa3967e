"""MAP-Elites: the best candidate for each combination of measures.

Mouret and Clune, "Illuminating search spaces by mapping elites", 2015.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, Any

import numpy as np

from cardwright.evolution.errors import MethodError
from cardwright.evolution.methods.method import EliteMap, MapShape
from cardwright.evolution.methods.ranked import RankedSearch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.evolution.methods.method import Judged
    from cardwright.evolution.methods.ranked import Distance, Parents


class MapElites(RankedSearch):
    """Variations of elites, which are drawn from all cells alike.

    A share `crossed` of the candidates has two parents. Ends of axes that are not given are
    estimated when `measured` candidates were measured: 5% of the values lie beyond each, and the
    span between those is widened by its half on both sides. Until then, parents are drawn from all
    those measured.
    """

    def __init__(
        self,
        distance: Distance,
        axes: Sequence[MapAxis],
        crossed: float = 0.2,
        measured: int = 100,
    ) -> None:
        super().__init__(distance)
        self.axes = tuple(axes)
        self.crossed = crossed
        self.measured = measured
        self._told: dict[str, Judged] = {}
        self._shape: MapShape | None = None
        self._cells: dict[tuple[int, ...], str] = {}

    def ask(self, count: int, random: np.random.Generator) -> Parents:
        """Return one or two elites for each candidate."""
        elites = [elite.candidate for elite in self._in_order()] or [self.original]
        couples = random.random(count) < self.crossed
        return [
            tuple(elites[pick] for pick in random.integers(len(elites), size=2 if couple else 1))
            for couple in couples
        ]

    def learn(self, generation: Sequence[Judged], living: Sequence[Judged]) -> None:
        """Put those into the map that have all its measures."""
        for one in living:
            name, measures = one.candidate.name, one.evaluated.measures
            values = [measures[axis.measure].mean for axis in self.axes if axis.measure in measures]
            whole = len(values) == len(self.axes) and all(map(isfinite, values))
            if whole and name not in self._told:
                self._told[name] = one
                self._place(one)
        if self._shape is None and self._ranges_known():
            self._shape = self._new_shape()
            for one in self._told.values():
                self._place(one)

    def landscape(self) -> EliteMap | None:
        """Return the map; None as long as its ranges are not known."""
        if self._shape is None:
            return None
        return EliteMap(self._shape, {self._cells[place]: place for place in sorted(self._cells)})

    def elites(self) -> Sequence[Judged]:
        """Return the elites of all cells, best first; the best of all until there is a map."""
        if self._shape is None:
            return self.best.all()
        return sorted(self._in_order(), key=lambda judged: -judged.total)

    def _in_order(self) -> list[Judged]:
        """Return the elites in the order in which they were told; all told until there is a map."""
        kept = set(self._told if self._shape is None else self._cells.values())
        return [elite for name, elite in self._told.items() if name in kept]

    def _place(self, one: Judged) -> None:
        """Put a candidate into its cell, if there is a map and none as good is there."""
        place = None if self._shape is None else self._shape.place(one.evaluated.measures)
        if place is None:
            return
        best = self._cells.get(place)
        if best is None or one.total > self._told[best].total:
            self._cells[place] = one.candidate.name

    def _ranges_known(self) -> bool:
        given = all(axis.low is not None and axis.high is not None for axis in self.axes)
        return given or len(self._told) >= self.measured

    def _new_shape(self) -> MapShape:
        edges = []
        for axis in self.axes:
            told = [elite.evaluated.measures[axis.measure].mean for elite in self._told.values()]
            edges.append(np.linspace(*ends(axis, np.array(told, float)), axis.cells + 1).tolist())
        return MapShape(tuple(axis.measure for axis in self.axes), tuple(map(tuple, edges)))


def ends(axis: MapAxis, values: np.ndarray[Any, np.dtype[np.float64]]) -> tuple[float, float]:
    """Return the ends of an axis, estimated from some values where they are not given.

    An estimated end is not below 0 if no value is, since most measures cannot be.
    """
    low, high = axis.low, axis.high
    if low is None or high is None:
        near, far = (float(end) for end in np.quantile(values, (0.05, 0.95)))
        margin = (far - near) / 2 or max(abs(near) / 2, 0.5)
        least = near - margin
        if float(values.min()) >= 0:
            least = max(0.0, least)
        if low is None:
            low = least if high is None else min(least, high - margin)
        if high is None:
            high = max(far + margin, low + margin)
    return low, high


CELLS = 10
"""Cells along an axis, unless said otherwise."""

MOST_CELLS = 1_000

_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)"
_AXIS = re.compile(rf"\s*(?P<name>\S+)(?:\s+(?P<low>{_NUMBER})\s*\.\.\s*(?P<high>{_NUMBER}))?\s*")


@dataclass(frozen=True, slots=True)
class MapAxis:
    """An axis of a map: a measure, the number of its cells, and its ends, estimated if None.

    Raises MethodError for ends that do not rise, or a number of cells that cannot be.
    """

    measure: str
    cells: int = CELLS
    low: float | None = None
    high: float | None = None

    def __post_init__(self) -> None:
        if not 1 <= self.cells <= MOST_CELLS:
            raise MethodError(f"an axis of a map has 1 to {MOST_CELLS:,} cells, not {self.cells:,}")
        if self.low is not None and self.high is not None and not self.low < self.high:
            raise MethodError(
                f"the axis {self.measure} of the map ends at {self.high:g}, which is not above "
                f"its start, {self.low:g}"
            )

    @classmethod
    def parse(cls, text: str, cells: int = CELLS) -> MapAxis:
        """Read `length`, whose ends are estimated, or `length 10..60`.

        Raises MethodError for anything else.
        """
        found = _AXIS.fullmatch(text)
        if found is None:
            raise MethodError(
                f"{text!r} is not an axis of a map: write the name of a measure, such as "
                "`length`, or with its ends, `length 10..60`"
            )
        low, high = found["low"], found["high"]
        ends = (None, None) if low is None else (float(low), float(high))
        return cls(found["name"], cells, *ends)

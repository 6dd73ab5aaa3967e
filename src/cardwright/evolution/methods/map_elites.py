"""MAP-Elites: the best candidate for each combination of measures, in an archive of pyribs.

Mouret and Clune, "Illuminating search spaces by mapping elites", 2015. The archive keeps the books:
cells, elites, ties. What it holds of a candidate is its number.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, Any

import numpy as np

from cardwright.evolution.errors import MethodError
from cardwright.evolution.methods.method import EliteMap, FilledCell, MapShape
from cardwright.evolution.methods.ranked import RankedSearch
from cardwright.extras import missing

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
        grid_archive()  # for the error, if it is missing, before anything is played
        super().__init__(distance)
        self.axes = tuple(axes)
        self.crossed = crossed
        self.measured = measured
        self._told: list[Judged] = []
        self._places: list[list[float]] = []
        self._names: set[str] = set()
        self._archive: Any = None
        self._elites: list[int] = []

    def ask(self, count: int, random: np.random.Generator) -> Parents:
        """Return one or two elites for each candidate."""
        elites = [self._told[number].candidate for number in self._elites] or [self.original]
        couples = random.random(count) < self.crossed
        return [
            tuple(elites[pick] for pick in random.integers(len(elites), size=2 if couple else 1))
            for couple in couples
        ]

    def learn(self, generation: Sequence[Judged], living: Sequence[Judged]) -> None:
        """Put those into the map that have all its measures."""
        first = len(self._told)
        for judged in living:
            name = judged.candidate.name
            measures = judged.evaluated.measures
            values = [measures[axis.measure].mean for axis in self.axes if axis.measure in measures]
            if name in self._names or len(values) < len(self.axes):
                continue
            if all(isfinite(value) for value in values):
                self._names.add(name)
                self._told.append(judged)
                self._places.append(values)
        if self._archive is None and self._ranges_known():
            self._archive, first = self._new_archive(), 0
        if self._archive is None:
            self._elites = list(range(len(self._told)))
        elif first < len(self._told):
            self._archive.add(
                np.arange(first, len(self._told), dtype=np.int64)[:, None],
                [judged.total for judged in self._told[first:]],
                self._places[first:],
            )
            # By number, so that the order follows from what was told and not from the library.
            self._elites = sorted(self._archive.data("solution")[:, 0].tolist())

    def landscape(self) -> EliteMap | None:
        """Return the map; None as long as its ranges are not known."""
        if self._archive is None:
            return None
        edges = tuple(tuple(map(float, along)) for along in self._archive.boundaries)
        found = self._archive.data(["solution", "index"])
        places = self._archive.int_to_grid_index(found["index"]).tolist()
        cells = (
            FilledCell(tuple(place), self._told[number])
            for place, number in zip(places, found["solution"][:, 0].tolist(), strict=True)
        )
        return EliteMap(
            MapShape(tuple(axis.measure for axis in self.axes), edges),
            tuple(sorted(cells, key=lambda cell: cell.place)),
        )

    def elites(self) -> Sequence[Judged]:
        """Return the elites of all cells, best first; the best of all until there is a map."""
        if self._archive is None:
            return self.best.all()
        found = [self._told[number] for number in self._elites]
        return sorted(found, key=lambda judged: -judged.total)

    def _ranges_known(self) -> bool:
        given = all(axis.low is not None and axis.high is not None for axis in self.axes)
        return given or len(self._told) >= self.measured

    def _new_archive(self) -> Any:
        columns = np.array(self._places, dtype=float).reshape(-1, len(self.axes)).T
        return grid_archive()(
            solution_dim=1,
            solution_dtype=np.int64,
            objective_dtype=np.float64,
            measures_dtype=np.float64,
            dims=[axis.cells for axis in self.axes],
            ranges=[ends(axis, values) for axis, values in zip(self.axes, columns, strict=True)],
            seed=0,
        )


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


def grid_archive() -> Any:
    """Return the class of archives of pyribs; raise MissingExtraError if that is not installed."""
    try:
        from ribs.archives import GridArchive
    except ImportError as error:
        raise missing("ribs") from error
    return GridArchive


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

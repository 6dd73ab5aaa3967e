"""Axes of a map of elites, as people write them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from cardwright.evolution.methods.errors import MethodError

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

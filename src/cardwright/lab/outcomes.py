"""Outcomes: the results of every deal of an experiment, in every cell, against every class."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.lab.contrast import Contrast
    from cardwright.lab.plan import Cell
    from cardwright.lab.response import Response

Sums: TypeAlias = NDArray[np.int32]
Values: TypeAlias = NDArray[np.float64]

Part: TypeAlias = tuple[Sums, ...]
"""For each class of opponents the sums of some deals: see `Outcomes`."""


@dataclass(frozen=True, eq=False)
class Outcomes:
    """All that was measured.

    `sums` has for each class of opponents an array of shape (deals, cells, responses): the sums
    over all `seatings` of a deal, and over the tested seats of each, `tested` in number, of the
    scaled integers of a response. A deal is one observation: nothing within it is independent.
    """

    cells: tuple[Cell, ...]
    responses: tuple[Response, ...]
    seatings: int
    tested: int
    sums: tuple[Sums, ...]

    @property
    def deals(self) -> int:
        """The number of deals played."""
        return len(self.sums[0])

    def before(self, deals: int) -> Outcomes:
        """Return the outcomes of the first deals."""
        return replace(self, sums=tuple(sums[:deals] for sums in self.sums))

    def scale(self, response: int) -> int:
        """Return by how much the integers of a response are larger than its means in deals."""
        return self.responses[response].scale * self.seatings * self.tested

    def integers(self, opponents: int, response: int) -> Values:
        """Return the integers of a response in each deal and cell: shape (deals, cells)."""
        return self.sums[opponents][:, :, response].astype(float)

    def values(self, opponents: int, response: int) -> Values:
        """Return the means of a response in each deal and cell: shape (deals, cells)."""
        return self.integers(opponents, response) / self.scale(response)

    def contrasted(self, sums: Sequence[Contrast], opponents: int, response: int) -> Values:
        """Return the integers of contrasts in each deal: shape (deals, contrasts)."""
        weights = np.array([contrast.weights for contrast in sums], dtype=float).T
        found: Values = self.integers(opponents, response) @ weights
        return found

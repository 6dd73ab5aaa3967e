"""Outcomes: the results of every deal of an experiment, in every cell, against every class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
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
        return int(self.sums[0].shape[0])

    def before(self, deals: int) -> Outcomes:
        """Return the outcomes of the first deals."""
        return Outcomes(
            self.cells, self.responses, self.seatings, self.tested,
            tuple(sums[:deals] for sums in self.sums),
        )  # fmt: skip

    def values(self, opponents: int, response: int) -> Values:
        """Return the means of a response in each deal and cell: shape (deals, cells)."""
        scale = self.responses[response].scale * self.seatings * self.tested
        found: NDArray[Any] = self.sums[opponents][:, :, response] / scale
        return found

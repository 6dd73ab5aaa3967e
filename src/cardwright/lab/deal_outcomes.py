"""Outcomes that grow deal by deal."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cardwright.lab.outcomes import Outcomes

if TYPE_CHECKING:
    from cardwright.lab.outcomes import Sums
    from cardwright.lab.tables import ExperimentLayout
    from cardwright.lab.task import Part


class DealOutcomes:
    """The outcomes of the first deals of an experiment, to which more are added in order."""

    def __init__(self, layout: ExperimentLayout) -> None:
        self._layout = layout
        shape = (0, len(layout.cells), len(layout.responses))
        self._room = [np.zeros(shape, np.int32) for _ in layout.plan.opponents]
        self.deals = 0

    def add(self, part: Part) -> None:
        """Add the deals that come next."""
        after = self.deals + len(part[0])
        for number, sums in enumerate(part):
            room = self._grown(self._room[number], after)
            room[self.deals : after] = sums
            self._room[number] = room
        self.deals = after

    def _grown(self, room: Sums, deals: int) -> Sums:
        """Return the array, or a longer one: twice as long, so that adding stays cheap."""
        if deals <= len(room):
            return room
        most = min(max(deals, 2 * len(room)), max(deals, self._layout.plan.deals))
        longer = np.empty((most, *room.shape[1:]), np.int32)
        longer[: self.deals] = room[: self.deals]
        return longer

    def outcomes(self, deals: int | None = None) -> Outcomes:
        """Return the outcomes of the first deals; of all deals if no number is given."""
        layout = self._layout
        whole = Outcomes(
            layout.cells, layout.responses, layout.seatings, layout.tested, tuple(self._room)
        )
        return whole.before(self.deals if deals is None else deals)

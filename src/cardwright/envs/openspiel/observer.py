"""Observers: how OpenSpiel asks what a player knows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cardwright.envs.openspiel.recollection import Recollection
from cardwright.game.actions.observation import ObservationLayout

if TYPE_CHECKING:
    from cardwright.envs.openspiel.state import OpenSpielState


class Observer:
    """What one player sees, as OpenSpiel's `make_observation` gives it.

    `tensor` and `dict` hold the numbers of the state of the last `set_from`: what the player sees
    now, with the latest choices, by a layout. With perfect recall they are all that it has seen, by
    a `Recollection`; where there is none, there is only the text.
    """

    def __init__(self, what: ObservationLayout | Recollection | None) -> None:
        self._what = what
        self.tensor = None if what is None else np.zeros(what.size, np.float32)
        self._perfect_recall = not isinstance(what, ObservationLayout)
        name = "info_state" if self._perfect_recall else "observation"
        self.dict = {} if self.tensor is None else {name: self.tensor}

    def set_from(self, state: OpenSpielState, player: int) -> None:
        """Write what a player sees into the tensor: zeros before the first decision."""
        if self.tensor is None:
            return
        if isinstance(self._what, Recollection):
            self.tensor[:] = self._what.tensor(state.node, player)
        elif self._what is not None:
            seen = state.node.seen(player)
            self.tensor[:] = 0 if seen is None else seen.numbers(self._what)

    def string_from(self, state: OpenSpielState, player: int) -> str:
        """Return what a player sees, or all that it knows, as text."""
        seen = state.node.seen(player)
        if seen is None:
            return f"p{player + 1}: nothing yet"
        return seen.information if self._perfect_recall else seen.observation

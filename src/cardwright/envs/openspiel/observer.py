"""Observers: how OpenSpiel asks what a player knows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from cardwright.envs.openspiel.state import OpenSpielState
    from cardwright.game.observation import Numbers


class Observer:
    """What one player sees, as OpenSpiel's `make_observation` gives it.

    `tensor` and `dict` hold the numbers of the state of the last `set_from`. With perfect recall
    there are none, only the text, which tells all apart that the player can tell apart: the numbers
    of what it sees now may be the same in several information states.
    """

    def __init__(self, size: int, *, perfect_recall: bool) -> None:
        self.tensor: Numbers | None = None if perfect_recall else np.zeros(size, np.float32)
        self._perfect_recall = perfect_recall
        self.dict = {} if self.tensor is None else {"observation": self.tensor}

    def set_from(self, state: OpenSpielState, player: int) -> None:
        """Write what a player sees into the tensor: zeros before the first decision."""
        if self.tensor is not None:
            seen = state.node.seen(player)
            self.tensor[:] = 0 if seen is None else seen.numbers

    def string_from(self, state: OpenSpielState, player: int) -> str:
        """Return what a player sees, or all that it knows, as text."""
        seen = state.node.seen(player)
        if seen is None:
            return f"p{player + 1}: nothing yet"
        return seen.information if self._perfect_recall else seen.observation

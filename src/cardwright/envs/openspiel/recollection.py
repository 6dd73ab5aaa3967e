"""All that a seat has seen of a game, as numbers: one tensor for each information state."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cardwright.envs.openspiel.errors import OpenSpielError
from cardwright.envs.openspiel.node import GameNode

if TYPE_CHECKING:
    from cardwright.envs.openspiel.node import SampledStart
    from cardwright.game.actions.observation import Numbers
    from cardwright.game.game import Game


class Recollection:
    """The tensors of information states of a game that has at most some decisions.

    A tensor has for every decision of the game so far, from the first, what the seat saw as it was
    due: `State.observation` with the last choice, so that every choice is seen at the next
    decision. The end of the game comes last. The rest is zero, but for a column for each action:
    for those that the seat has made so far of the decision that is due, their number by order.
    """

    def __init__(self, game: Game, decisions: int) -> None:
        self.layout = game.observation_layout(history=1)
        self._actions = len(game.actions)
        self._rows = decisions + 1

    @property
    def size(self) -> int:
        """The number of columns."""
        return self._rows * self.layout.size + self._actions

    def tensor(self, node: GameNode | SampledStart, seat: int) -> Numbers:
        """Return what a seat has seen at a node; zeros before the first decision.

        Raises OpenSpielError for a node of which the past is not known.
        """
        out = np.zeros(self.size, np.float32)
        rows, pending = self.parts(node, seat)
        if rows:
            out[: len(rows) * self.layout.size] = np.concatenate(rows)
        for number, action in enumerate(pending, start=1):
            out[self._rows * self.layout.size + action] = number
        return out

    def parts(
        self, node: GameNode | SampledStart, seat: int
    ) -> tuple[list[Numbers], tuple[int, ...]]:
        """Return what a seat saw at each decision so far, and its actions of the one that is due.

        No row of numbers is all zeros, so that tensors are as different as these are.
        """
        if not isinstance(node, GameNode) or not node.recall:
            raise OpenSpielError(
                "this state was not played from the start of the game, so that nothing is known of "
                "its past: take information_state_string"
            )
        found = []
        for earlier in node.decisions():
            seen = earlier.seen(seat)
            assert seen is not None
            found.append(seen.numbers(self.layout))
        return found, node.state.pending if node.player == seat else ()

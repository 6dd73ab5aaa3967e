"""States of OpenSpiel that stand at nodes of a game of ours."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Any

import numpy as np
import pyspiel

from cardwright.envs.openspiel.node import TERMINAL, GameNode, OpenSpielError
from cardwright.envs.openspiel.sizes import Recollection
from cardwright.game.actions.observation import ObservationLayout
from cardwright.interpreter.stream import Stream

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.envs.openspiel.node import SampledStart


class OpenSpielState(pyspiel.State):
    """A state of OpenSpiel; its methods have the meaning that OpenSpiel gives them.

    `node` is where it stands. Copies share it, since nodes do not change.
    """

    def __init__(self, game: pyspiel.Game, node: GameNode | SampledStart) -> None:
        super().__init__(game)
        self.node = node

    def current_player(self) -> int:
        """Return the seat that decides, or OpenSpiel's number for chance or for the end."""
        return self.node.player

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self.node.player == TERMINAL

    def _legal_actions(self, player: int) -> list[int]:
        """Return the actions of the player who decides; no other has any."""
        node = self.node
        if isinstance(node, GameNode) and node.player == player:
            return node.actions
        return []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the outcomes of the draw that is due, with their probabilities."""
        return list(self.node.outcomes)

    def _apply_action(self, action: int) -> None:
        self.node = self.node.after(action)

    def _action_to_string(self, _player: int, action: int) -> str:
        return self.node.name(action)

    def returns(self) -> list[float]:
        """Return the utility of each player; zeros before the end."""
        return list(self.node.utilities)

    def information_state_tensor(self, player: int | None = None) -> list[float]:
        """Return all that a player has seen, the one that decides if none is given.

        Raises OpenSpielError where there are no such tensors: an empty one would be the same for
        all information states.
        """
        recollection = self.get_game().recollection
        if recollection is None:
            raise OpenSpielError(
                "there is no tensor of information states here, as the type of the game says: take "
                "observation_tensor, or information_state_string, which tells all of them apart"
            )
        seat = self.current_player() if player is None else player
        if not 0 <= seat < self.num_players():
            raise OpenSpielError(f"there is no player {seat} here")
        tensor: list[float] = recollection.tensor(self.node, seat).tolist()
        return tensor

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> OpenSpielState:
        """Return a state drawn from those that a player cannot tell from this one.

        Its history is empty, since it does not come from the start of the game. Raises
        OpenSpielError while a draw is due.
        """
        if not isinstance(self.node, GameNode) or self.node.chance is not None:
            raise OpenSpielError("a state can be resampled at decisions, not where chance is drawn")
        stream = Stream(int(sampler() * 2**53))
        return OpenSpielState(self.get_game(), self.node.imagined(player, stream))

    def __str__(self) -> str:
        """Return what is there, hidden cards too."""
        return str(self.node)


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
            node = state.node.settled
            self.tensor[:] = 0 if node is None else node.numbers(player, self._what)

    def string_from(self, state: OpenSpielState, player: int) -> str:
        """Return what a player sees, or all that it knows, as text."""
        node = state.node.settled
        if node is None:
            return f"p{player + 1}: nothing yet"
        return node.words(player, whole=self._perfect_recall)


_STEPS = ("step", "step_verbose")
_SEARCHES = (*_STEPS, "get_policy", "step_with_policy")

_ADVICE = "open_spiel.python.algorithms has one in Python that can"


def guard_bots() -> None:
    """Let OpenSpiel's bots in C++ refuse our states, and no others, where they would crash."""
    for bot, methods in ((pyspiel.ISMCTSBot, _SEARCHES), (pyspiel.MCTSBot, _STEPS)):
        for method in methods:
            setattr(bot, method, _guarded(bot.__name__, getattr(bot, method)))


def _guarded(bot: str, method: Callable[..., object]) -> Callable[..., object]:
    @wraps(method)
    def guarded(self: Any, state: Any, *others: object) -> object:
        if isinstance(state, OpenSpielState):
            raise OpenSpielError(f"OpenSpiel's {bot} cannot play a game in Python: {_ADVICE}")
        return method(self, state, *others)

    return guarded

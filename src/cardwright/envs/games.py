"""What environments have in common: the game, its spaces, seeds, and what an agent is given."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from cardwright.extras import missing
from cardwright.game.game import Game

try:
    from gymnasium import spaces
except ModuleNotFoundError as error:
    raise missing("gymnasium") from error

if TYPE_CHECKING:
    from pathlib import Path

    from cardwright.game.actions.observation import ObservationLayout
    from cardwright.game.game import State
    from cardwright.program.constants import Constant

GameLike: TypeAlias = "Game | str | Path"
"""A game, the name of one of the library, or the path of a file."""

Observed: TypeAlias = "dict[str, np.ndarray[Any, Any]]"
"""What an agent is given: `observation` and `action_mask`."""


def game_of(game: GameLike, preset: str | None, declared: dict[str, Constant]) -> Game:
    """Return a game to be played; raises what `Game.load` does, and ValueError for both at once."""
    if not isinstance(game, Game):
        return Game.variant(game, declared, preset)
    if preset is not None or declared:
        raise ValueError(
            "this game is loaded already: give its preset and constants to Game.load instead"
        )
    return game


def observation_space(game: Game, layout: ObservationLayout) -> spaces.Dict:
    """Return the space of what an agent is given; its observations have this layout.

    A bound that is not proved is infinite. A number that never changes has a bound that it does not
    reach, as Gymnasium wants it.
    """
    low, high = layout.low, layout.high
    numbers = spaces.Box(low, np.where(high > low, high, low + 1), dtype=np.float32)
    mask = spaces.Box(0, 1, (len(game.actions),), np.int8)
    return spaces.Dict({"observation": numbers, "action_mask": mask})


def action_space(game: Game) -> spaces.Discrete:
    """Return the space of actions."""
    return spaces.Discrete(len(game.actions))


def observed(state: State, seat: int, layout: ObservationLayout) -> Observed:
    """Return what the agent of a seat is given: nothing is legal if another has to decide."""
    mask = np.zeros(len(state.game.actions), np.int8)
    if state.player == seat:
        mask[list(state.legal_actions())] = 1
    return {"observation": state.observation(seat, layout), "action_mask": mask}


class SeedSource:
    """Seeds of games: the first is given, the following are drawn from it."""

    def __init__(self) -> None:
        self._random = np.random.default_rng()

    def next(self, seed: int | None) -> int:
        """Return the seed of the next game; one that is given is taken as it is."""
        if seed is not None:
            self._random = np.random.default_rng(seed)
            return seed
        return int(self._random.integers(2**63))

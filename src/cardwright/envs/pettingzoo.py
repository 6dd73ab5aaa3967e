"""Any game as an environment of PettingZoo, in which agents act in turn (AEC).

    >>> from cardwright.envs.pettingzoo import env
    >>> table = env("hearts")
    >>> table.reset(seed=1)
    >>> for agent in table.agent_iter():
    ...     seen, reward, ended, cut, info = table.last()
    ...     done = ended or cut
    ...     table.step(None if done else table.action_space(agent).sample(seen["action_mask"]))

An agent is given a mask of the actions that are legal.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cardwright.envs.games import (
    RENDER_MODES,
    GameEnvironment,
    RewardKind,
    RunningRewards,
    action_space,
    observation_space,
    observed,
)
from cardwright.extras import missing
from cardwright.game.errors import GameError

try:
    from pettingzoo import AECEnv
    from pettingzoo.utils import OrderEnforcingWrapper
except ModuleNotFoundError as error:
    raise missing("pettingzoo") from error

if TYPE_CHECKING:
    from gymnasium import spaces

    from cardwright.envs.games import GameLike, Observed
    from cardwright.program.constants import Constant

__all__ = ["CardTable", "env", "raw_env"]


class CardTable(GameEnvironment, AECEnv):  # type: ignore[misc] # it is generic only for checkers
    """A game as an environment of PettingZoo, without its checks of the order of calls.

    `game` is a name of the library, a path or a `Game`; `preset` and other keywords are as for
    `Game.load`. `rewards` says what the agents get: see `RewardKind`. `render_mode` is `ansi`, for
    a text, or `human`, which prints it. The game is cut after `max_cycles` decisions for each
    agent on average. `history` is how many of the latest choices an observation has: see
    `remembering`. Raises what `Game.load` does, and ValueError for other values.

    The agents are `player_0`, `player_1` and so on, by seat. A seed given to `reset` is that of the
    game, as for `Game.start`; later games have seeds drawn from it. An observation has the numbers
    of `State.observation`, by `layout`, and a mask of legal actions, all 0 for who does not have to
    decide. A game that breaks a rule is truncated, and its message is in every agent's info as
    `error`. `game_state` is the state that is played: agents must not look at it.
    """

    def __init__(
        self,
        game: GameLike,
        *,
        preset: str | None = None,
        rewards: RewardKind | str = RewardKind.SCORES,
        render_mode: str | None = None,
        max_cycles: int | None = None,
        history: int | None = None,
        **declared: Constant,
    ) -> None:
        super().__init__()
        self._take(
            game, declared, preset=preset, rewards=rewards, history=history, render_mode=render_mode
        )
        if max_cycles is not None and max_cycles < 1:
            raise ValueError(f"there are 1 or more cycles, not {max_cycles}")
        players = self.game.players
        self.metadata: dict[str, Any] = {
            "name": f"cardwright_{self.game.program.source.name.removesuffix('.rcy')}_v0",
            "render_modes": RENDER_MODES,
            "is_parallelizable": False,
            "render_fps": 1,
        }
        self.possible_agents = [f"player_{seat}" for seat in range(players)]
        self.agents: list[str] = []
        self._most = None if max_cycles is None else max_cycles * players
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._random = np.random.default_rng()
        seen = observation_space(self.game, self.layout)
        self.observation_spaces = dict.fromkeys(self.possible_agents, seen)
        self.action_spaces = {agent: action_space(self.game) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the space of what an agent is given."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the space of an agent's actions: numbers in `game.actions`."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a new game; there are no options. Raises GameError if it breaks a rule at once."""
        if seed is None:
            seed = int(self._random.integers(2**63))
        else:
            self._random = np.random.default_rng(seed)
        self.game_state = self.game.start(seed)
        self._running = RunningRewards(self._kind, self.game_state)
        self._decisions = 0
        self.agents = self.possible_agents.copy()
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._go_on()

    def observe(self, agent: str) -> Observed:
        """Return what an agent sees, and which actions are legal for it."""
        return observed(self.game_state, self._seats[agent], self.layout)

    def step(self, action: int | None) -> None:
        """Make an action for the agent selected; None for one whose game is over.

        Raises IllegalOptionError for an action that is not legal; nothing has changed then.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{agent} has to decide: the action cannot be None")
        try:
            self.game_state.play_action(int(action))
        except GameError as error:
            self._cut(error=str(error))
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._decisions += 1
        if not any(self.truncations.values()):
            if not self.game_state.pending:
                due = self._running.after(self.game_state)
                self.rewards = dict(zip(self.agents, due, strict=True))
            self._go_on()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _go_on(self) -> None:
        """Select who has to decide, or end the game."""
        seat = self.game_state.player
        if seat is None:
            self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.agents[0]
            return
        self.agent_selection = self.possible_agents[seat]
        if self._most is not None and self._decisions >= self._most:
            self._cut()

    def _cut(self, **info: str) -> None:
        self.truncations = dict.fromkeys(self.agents, True)
        for agent in self.agents:
            self.infos[agent] = dict(info)

    def close(self) -> None:
        """Do nothing: there is nothing to close."""


raw_env = CardTable


def env(game: GameLike, **how: Any) -> OrderEnforcingWrapper:
    """Return a game as an environment, with PettingZoo's checks of the order of calls.

    Keywords are those of `CardTable`.
    """
    return OrderEnforcingWrapper(CardTable(game, **how))

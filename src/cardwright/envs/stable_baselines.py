"""Many games as a vector environment of Stable-Baselines3, stepped by machine code.

    from sb3_contrib import MaskablePPO
    from cardwright.envs.stable_baselines import BatchVecEnv

    tables = BatchVecEnv(256, "hearts", opponents="rule", reward_scale=1 / 26)
    model = MaskablePPO("MlpPolicy", tables, seed=1).learn(100_000)

It needs the extra `sb3`.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from cardwright.envs.gymnasium_vector import BatchEnv
from cardwright.extras import missing

try:
    from stable_baselines3.common.vec_env import VecEnv
except ModuleNotFoundError as error:
    raise missing("stable_baselines3") from error

if TYPE_CHECKING:
    from cardwright.envs.games import GameLike

__all__ = ["BatchVecEnv"]


class BatchVecEnv(VecEnv):
    """A `BatchEnv` as Stable-Baselines3 has vector environments.

    An observation is the numbers alone; masks of the legal actions are what `env_method` gives for
    `action_masks`, where MaskablePPO of sb3-contrib asks for them. Games that end are followed by
    others in the same step: the info of such a game has its last observation as
    `terminal_observation`, and what `BatchEnv` says of its end. Rewards are multiplied by
    `reward_scale`. Other keywords are those of `BatchEnv`; one seat is the learner's. Raises what
    `BatchEnv` does, and ValueError for a learner of all seats.
    """

    def __init__(
        self, num_envs: int, game: GameLike, *, reward_scale: float = 1.0, **how: Any
    ) -> None:
        if how.get("opponents", "random") is None:
            raise ValueError(
                "Stable-Baselines3 trains one agent, so the other seats need opponents"
            )
        self.tables = BatchEnv(num_envs, game, autoreset_mode="SameStep", **how)
        self._scale = reward_scale
        self._masks = np.zeros((num_envs, len(self.tables.game.actions)), np.bool_)
        self._actions = np.zeros(num_envs, np.int64)
        seen = self.tables.single_observation_space["observation"]  # type: ignore[index]
        super().__init__(num_envs, seen, self.tables.single_action_space)

    def reset(self) -> np.ndarray[Any, Any]:
        """Start new games, of the seeds that `seed` has set."""
        seen, infos = self.tables.reset(seed=self._seeds)
        self.reset_infos = [{"seat": seat} for seat in infos["seat"].tolist()]
        self._reset_seeds()
        self._reset_options()
        self._masks = seen["action_mask"].astype(np.bool_)
        return seen["observation"]

    def step_async(self, actions: np.ndarray[Any, Any]) -> None:
        """Take an action for each game."""
        self._actions = actions

    def step_wait(
        self,
    ) -> tuple[
        np.ndarray[Any, Any], np.ndarray[Any, Any], np.ndarray[Any, Any], list[dict[str, Any]]
    ]:
        """Make the actions; raises IllegalOptionError for one that is not legal."""
        seen, rewards, terminations, truncations, infos = self.tables.step(self._actions)
        self._masks = seen["action_mask"].astype(np.bool_)
        over = terminations | truncations
        step_infos: list[dict[str, Any]] = [{"seat": seat} for seat in infos["seat"].tolist()]
        for at in np.flatnonzero(over).tolist():
            last = infos["final_info"]
            step_infos[at] = {
                key: last[key][at] for key in last if f"_{key}" in last and last[f"_{key}"][at]
            }
            step_infos[at]["terminal_observation"] = infos["final_obs"][at]["observation"]
            step_infos[at]["TimeLimit.truncated"] = bool(truncations[at])
        return seen["observation"], (rewards * self._scale).astype(np.float32), over, step_infos

    def close(self) -> None:
        """Close the games."""
        self.tables.close()

    def env_method(
        self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any
    ) -> list[Any]:
        """Return the masks of some games for `action_masks`; raises AttributeError for others."""
        if method_name != "action_masks":
            raise AttributeError(f"games side by side have no method {method_name!r}")
        return [self._mask(at) for at in self._get_indices(indices)]

    def _mask(self, at: int) -> np.ndarray[Any, np.dtype[np.bool_]]:
        mask: np.ndarray[Any, np.dtype[np.bool_]] = self._masks[at]
        return mask

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """Return an attribute of some games: the function `action_masks`, or one of `tables`.

        Raises AttributeError for others.
        """
        if attr_name == "action_masks":
            return [partial(self._mask, at) for at in self._get_indices(indices)]
        return [getattr(self.tables, attr_name) for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Raise AttributeError: games side by side have no attributes of their own."""
        raise AttributeError(f"games side by side have no attribute {attr_name!r} to be set")

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """Return that no game is wrapped."""
        return [False for _ in self._get_indices(indices)]

r"""Train a neural policy for Hearts by MaskablePPO of sb3-contrib, on many games at once.

    pip install torch sb3-contrib "cardwright[envs,arena]"
    python examples/train_hearts_ppo.py [--steps 1500000] [--save ppo.zip] [--figure ppo.svg]
    cardwright simulate hearts --players \
        python:examples/train_hearts_ppo.py:Trained,file=ppo.zip,rule,rule,rule

One seat learns against three that play at random. From time to time it is measured against these,
and against three that play by the rules of thumb of the player `rule`.
"""

from __future__ import annotations

import argparse
import csv
from pathlib import Path
from typing import Any

import numpy as np
import torch
from gymnasium.vector import AutoresetMode
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import VecEnv

from cardwright import Decision, simulate
from cardwright.envs.gymnasium_vector import BatchEnv

GAMES, STEPS = 256, 26
MOST_POINTS = 26
MEASURED = 1000
"""Deals in a measurement."""


class HeartsGames(VecEnv):  # type: ignore[misc] # it has no types
    """The native vector environment, as Stable-Baselines3 wants environments to be."""

    def __init__(self, seed: int) -> None:
        self.games = BatchEnv(GAMES, "hearts", autoreset_mode=AutoresetMode.SAME_STEP)
        seen, _ = self.games.reset(seed=seed)
        self._mask = seen["action_mask"]
        space = self.games.single_observation_space["observation"]  # type: ignore[index]
        super().__init__(GAMES, space, self.games.single_action_space)

    def reset(self) -> Any:
        """Start new games."""
        seen, _ = self.games.reset()
        self._mask = seen["action_mask"]
        return seen["observation"]

    def step_async(self, actions: Any) -> None:
        """Take over actions for all games."""
        self._actions = actions

    def step_wait(self) -> Any:
        """Make the actions; where a game ends, its last observation is in the info."""
        seen, rewards, terminated, truncated, infos = self.games.step(self._actions)
        self._mask = seen["action_mask"]
        over = terminated | truncated
        told: list[dict[str, Any]] = [{} for _ in range(GAMES)]
        for at in np.flatnonzero(over):
            told[at]["terminal_observation"] = infos["final_obs"]["observation"][at]
        return seen["observation"], rewards.astype(np.float32) / MOST_POINTS, over, told

    def env_method(self, name: str, *_: Any, **__: Any) -> list[Any]:
        """Return the legal actions, which is all that is asked for."""
        assert name == "action_masks"
        return list(self._mask.astype(bool))

    def has_attr(self, name: str) -> bool:
        """Return whether environments have something."""
        return name == "action_masks"

    def get_attr(self, name: str, indices: Any = None) -> list[Any]:
        """Return an attribute of each environment; they have none but the render mode."""
        return [getattr(self, name, None)] * GAMES

    def set_attr(self, name: str, value: Any, indices: Any = None) -> None:
        """Refuse to set an attribute."""
        raise AttributeError(name)

    def env_is_wrapped(self, wrapper: Any, indices: Any = None) -> list[bool]:
        """Return that no environment is wrapped."""
        return [False] * GAMES

    def close(self) -> None:
        """Do nothing: there is nothing to close."""


class Trained:
    """Plays a saved policy: its likeliest legal action."""

    def __init__(self, file: str = "ppo.zip", model: MaskablePPO | None = None) -> None:
        self._model = model or _loaded(file)

    def choose(self, decision: Decision) -> int:
        """Return the index of an option."""
        actions = [action for action, *_ in decision.action_codes]
        legal = np.zeros(len(decision.game.actions), bool)
        legal[actions] = True
        chosen, _ = self._model.predict(
            decision.observation, action_masks=legal, deterministic=True
        )
        return actions.index(int(chosen))


_LOADED: dict[str, MaskablePPO] = {}


def _loaded(file: str) -> MaskablePPO:
    """Return a saved policy, which is read once: every game makes new players."""
    if file not in _LOADED:
        _LOADED[file] = MaskablePPO.load(file, device="cpu")
    return _LOADED[file]


class Measure(BaseCallback):  # type: ignore[misc] # it has no types
    """Measures the policy on the same deals from time to time, and writes the curve to a file."""

    def __init__(self, every: int, curve: Path) -> None:
        super().__init__()
        self._every, self._curve = every, curve
        self._next = 0

    def _on_step(self) -> bool:
        if self.num_timesteps >= self._next:
            self._next += self._every
            self.measure()
        return True

    def measure(self) -> None:
        """Add a line to the curve."""
        line: list[float] = [self.num_timesteps]
        for opponent in ("random", "rule"):
            players = [lambda: Trained(model=self.model), *[opponent] * 3]
            found = simulate("hearts", players, games=MEASURED, seed=5, workers=1)
            points = found.summary.seats[0].mean_score
            line += [points.mean, points.low, points.high]
        with self._curve.open("a", newline="") as file:
            csv.writer(file).writerow(line)
        print(*(f"{number:9.2f}" for number in line), flush=True)


def draw(curve: Path, figure: Path) -> None:
    """Draw the curve: points a deal of the learner, with 95 % intervals; fewer are better."""
    from matplotlib import pyplot

    rows = np.genfromtxt(curve, delimiter=",", names=True)
    millions = rows["decisions"] / 1e6
    _, axes = pyplot.subplots(figsize=(6.4, 3.6), layout="constrained")
    for opponent in ("random", "rule"):
        axes.plot(millions, rows[opponent], label=f"against three {opponent}")
        axes.fill_between(millions, rows[f"{opponent}_low"], rows[f"{opponent}_high"], alpha=0.2)
    axes.axhline(6.5, color="gray", linestyle=":", label="an equal share of the points")
    axes.set(xlabel="millions of decisions of the learner", ylabel="points a deal", ylim=(0, None))
    axes.legend(frameon=False)
    pyplot.savefig(figure)


def main() -> None:
    """Train a policy and save it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--steps", type=int, default=1_500_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--save", default="ppo.zip")
    parser.add_argument("--curve", type=Path, default=Path("ppo.csv"))
    parser.add_argument("--figure", type=Path, default=Path("ppo.svg"))
    given = parser.parse_args()
    torch.set_num_threads(1)
    games = HeartsGames(given.seed)
    model = MaskablePPO(
        "MlpPolicy", games, seed=given.seed, n_steps=STEPS, batch_size=1664, n_epochs=4, gamma=1.0,
        gae_lambda=0.95, ent_coef=0.005, learning_rate=5e-4, device="cpu",
        policy_kwargs={"net_arch": [256, 128]},
    )  # fmt: skip
    given.curve.write_text("decisions,random,random_low,random_high,rule,rule_low,rule_high\n")
    measure = Measure(100_000, given.curve)
    model.learn(given.steps, callback=measure)
    measure.measure()
    model.save(given.save)
    draw(given.curve, given.figure)


if __name__ == "__main__":
    main()

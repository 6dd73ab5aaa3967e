r"""Train a neural policy for Hearts by MaskablePPO of sb3-contrib, on many games at once.

    pip install "cardwright[sb3,arena]"
    python examples/train_hearts_ppo.py [--opponents rule] [--history 52] [--steps 1500000]
    cardwright simulate hearts --players \
        python:examples/train_hearts_ppo.py:Trained,file=ppo.zip,rule,rule,rule

One seat learns against three that play at random, or against other players. From time to time it
is measured against three at random, and against three that play by the rules of thumb of `rule`.
"""

from __future__ import annotations

import argparse
import csv
from pathlib import Path

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback

from cardwright import Decision, simulate
from cardwright.envs.stable_baselines import BatchVecEnv

GAMES, STEPS = 256, 26
MOST_POINTS = 26
MEASURED = 1000
"""Deals in a measurement."""


class Trained:
    """Plays a saved policy: its likeliest legal action."""

    def __init__(self, file: str = "ppo.zip", model: MaskablePPO | None = None) -> None:
        self._model = model or _loaded(file)

    def choose(self, decision: Decision) -> int:
        """Return the index of an option."""
        actions = [action for action, *_ in decision.action_codes]
        legal = np.zeros(len(decision.game.actions), bool)
        legal[actions] = True
        plain, (size,) = decision.game.observation.size, self._model.observation_space.shape
        choice = decision.game.observation_layout(1).size - plain
        layout = decision.game.observation_layout((size - plain) // choice)
        chosen, _ = self._model.predict(
            decision.observe(layout), action_masks=legal, deterministic=True
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
    parser.add_argument("--opponents", default="random", help="who plays the other seats")
    parser.add_argument("--history", type=int, default=0, help="choices that are remembered")
    parser.add_argument("--steps", type=int, default=1_500_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--save", default="ppo.zip")
    parser.add_argument("--curve", type=Path, default=Path("ppo.csv"))
    parser.add_argument("--figure", type=Path, default=Path("ppo.svg"))
    given = parser.parse_args()
    torch.set_num_threads(1)
    games = BatchVecEnv(
        GAMES, "hearts", opponents=given.opponents, history=given.history,
        reward_scale=1 / MOST_POINTS,
    )  # fmt: skip
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

r"""Train a linear policy for Hearts by policy gradient, in NumPy alone.

    python examples/train_hearts.py [--rounds 300] [--history 8] [--save policy.npz]
    cardwright simulate hearts --players \
        python:examples/train_hearts.py:Linear,file=policy.npz,rule,rule,rule

One seat learns against three that play at random. In every round some deals are played, each by
many copies of the learner: what a copy did better or worse than the others *on the same deal* is
what it learns from, and so the luck of the deal does not count (REINFORCE with the mean of a group
as its baseline: Williams 1992, Kool et al. 2019). The policy is a softmax over the legal actions,
linear in the observation, which can have the latest choices as well.
"""

from __future__ import annotations

import argparse
import time
from typing import Any, NamedTuple

import numpy as np

from cardwright import Batch, Decision, Game

LEARNER = 0
DEALS, COPIES = 64, 16
NEW_DEALS = 4000

Floats = np.ndarray[Any, np.dtype[np.floating[Any]]]


class Decisions(NamedTuple):
    """Decisions of the learner at one moment: in which games, what it saw, could do, and did."""

    games: np.ndarray[Any, np.dtype[np.intp]]
    seen: Floats
    legal: np.ndarray[Any, np.dtype[np.bool_]]
    chosen: np.ndarray[Any, np.dtype[np.intp]]


def play(
    batch: Batch, weights: Floats, rng: np.random.Generator, *, explore: bool
) -> tuple[Floats, list[Decisions]]:
    """Play all games to their ends; return the learner's points in each, and its decisions.

    It draws its actions from the policy if it explores, else it takes the best.
    """
    decisions = []
    while not batch.finished.all():
        legal = batch.action_mask()
        # Of some numbers drawn for the legal actions, one of the largest is a random action.
        actions = np.where(legal, rng.random(legal.shape), -1).argmax(axis=1)
        mine = np.flatnonzero(batch.players == LEARNER)
        if len(mine):
            seen = batch.observe()[mine]
            noise = rng.gumbel(size=(len(mine), len(weights[0]))) if explore else 0
            actions[mine] = np.where(legal[mine], seen @ weights + noise, -np.inf).argmax(axis=1)
            decisions.append(Decisions(mine, seen, legal[mine], actions[mine]))
        batch.step_actions(actions)
    return batch.scores[:, LEARNER].astype(float), decisions


def gradient(weights: Floats, decisions: list[Decisions], advantages: Floats) -> Floats:
    """Return the policy gradient: how weights make good actions likelier, and bad ones less."""
    total = np.zeros_like(weights)
    for games, seen, legal, chosen in decisions:
        logits = np.where(legal, seen @ weights, -np.inf)
        chances = np.exp(logits - logits.max(axis=1, keepdims=True))
        chances /= chances.sum(axis=1, keepdims=True)
        chances[np.arange(len(games)), chosen] -= 1
        total -= seen.T @ (chances * advantages[games, None]).astype(np.float32)
    return total / len(advantages)


class Adam:
    """Steps of a size of their own for each weight (Kingma and Ba 2015)."""

    def __init__(self, shape: tuple[int, ...], rate: float) -> None:
        self.rate = rate
        self.first, self.second = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
        self.steps = 0

    def step(self, slope: Floats) -> Floats:
        """Return the change of the weights for the next gradient."""
        self.steps += 1
        self.first += 0.1 * (slope - self.first)
        self.second += 0.01 * (slope**2 - self.second)
        first = self.first / (1 - 0.9**self.steps)
        second = self.second / (1 - 0.99**self.steps)
        return self.rate * first / (np.sqrt(second) + 1e-8)


def train(game: Game, rounds: int, seed: int, history: int = 0, rate: float = 0.01) -> Floats:
    """Return the weights of a trained policy (columns of an observation x actions)."""
    rng = np.random.default_rng(seed)
    columns = game.observation_layout(history).size
    weights: Floats = np.zeros((columns, len(game.actions)), np.float32)
    adam, begun = Adam(weights.shape, rate), time.process_time()
    for number in range(rounds):
        seeds = rng.integers(0, 2**64, DEALS, np.uint64).repeat(COPIES)
        batch = game.batch(len(seeds), seeds, history=history)
        points, decisions = play(batch, weights, rng, explore=True)
        of_deal = points.reshape(DEALS, COPIES).mean(axis=1).repeat(COPIES)
        advantages = (of_deal - points) / 26  # few points are good
        weights += adam.step(gradient(weights, decisions, advantages))
        if number % 20 == 0 or number == rounds - 1:
            seconds = time.process_time() - begun
            print(f"round {number:4}: {points.mean():5.2f} points, {seconds:5.1f} s")
    return weights


class Linear:
    """Plays a saved policy: the legal action that it likes best."""

    def __init__(self, file: str = "policy.npz") -> None:
        with np.load(file) as saved:
            self._weights, self._columns = saved["weights"], saved["columns"]
            self._history = int(saved["history"])

    def choose(self, decision: Decision) -> int:
        """Return the index of an option."""
        layout = decision.game.observation_layout(self._history)
        if list(self._columns) != list(layout.columns):
            raise ValueError("the policy was trained for another game, or another layout")
        likes = decision.observe(layout) @ self._weights
        return int(np.argmax([likes[action] for action, *_ in decision.action_codes]))


def main() -> None:
    """Train a policy, measure it on new deals, and save it if wanted."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=300)
    parser.add_argument("--history", type=int, default=0, help="choices that are remembered")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--save", metavar="FILE", help="where to save the weights (.npz)")
    given = parser.parse_args()
    game = Game.load("hearts")
    weights = train(game, given.rounds, given.seed, given.history)
    rng = np.random.default_rng([given.seed, 1])
    batch = game.batch(NEW_DEALS, given.seed, history=given.history)
    points, _ = play(batch, weights, rng, explore=False)
    error = 1.96 * points.std() / len(points) ** 0.5
    print(f"on {NEW_DEALS:,} new deals: {points.mean():.2f} ± {error:.2f} points (random: 6.5)")
    if given.save:
        columns = np.array(game.observation_layout(given.history).columns)
        np.savez(given.save, weights=weights, columns=columns, history=given.history)


if __name__ == "__main__":
    main()

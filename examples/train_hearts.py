r"""Train a linear policy for Hearts by policy gradient, in NumPy alone.

    python examples/train_hearts.py [--seconds 120] [--seed 1] [--no-memory] [--save policy.npz]
    cardwright simulate hearts --players \
        python:examples/train_hearts.py:Linear,file=policy.npz,rule,rule,rule

One policy plays all four seats. In every round some deals are played, each many times: what a seat
did better or worse than the same seat in the other plays *of the same deal* is what the policy
learns from, and so the luck of the deal does not count (REINFORCE with the mean of a group as its
baseline: Williams 1992, Kool et al. 2019). The policy is a softmax over the legal actions, linear
in the observation, and in what a player remembers: who has not followed which suit.
"""

from __future__ import annotations

import argparse
import time
from typing import Any, NamedTuple, TextIO

import numpy as np

from cardwright import Batch, Decision, Game, ObservationLayout

SEATS, SUITS, RANKS = 4, 4, 13
DEALS, COPIES = 24, 16
MEASURED = 2000
"""Deals of a measurement, each played four times with the policy at every seat in turn."""

Floats = np.ndarray[Any, np.dtype[np.floating[Any]]]
Indices = np.ndarray[Any, np.dtype[np.intp]]


class Decisions(NamedTuple):
    """Decisions of the policy: in which games, for which seats, what was seen, legal, and done."""

    games: Indices
    seats: Indices
    seen: Floats
    legal: np.ndarray[Any, np.dtype[np.bool_]]
    chosen: Indices


class Voids:
    """Who has not followed which suit (games x seats x suits), card by card as they are played."""

    def __init__(self, games: int) -> None:
        self._shown = np.zeros((games, SEATS, SUITS), np.float32)
        self._led = np.zeros(games, np.intp)
        self._cards = 0

    def add(self, seats: Indices, cards: Indices) -> None:
        """Add the next card of each game."""
        suits = cards // RANKS
        if self._cards % SEATS == 0:
            self._led = suits
        off = np.flatnonzero(suits != self._led)
        self._shown[off, seats[off], self._led[off]] = 1
        self._cards += 1

    def seen_by(self, seats: Indices, games: Indices) -> Floats:
        """Return what is known of the others, the next seat first (games x columns)."""
        others = (seats[:, None] + np.arange(1, SEATS)) % SEATS
        return self._shown[games[:, None], others].reshape(len(games), -1)


class Recalled:
    """Reads the choices that an observation recalls."""

    def __init__(self, layout: ObservationLayout) -> None:
        self._first = layout.columns.index("1 ago me")
        self._cards = layout.columns.index("1 ago: 2 of CLUBS") - self._first
        self._width = (layout.size - self._first) // layout.history

    def choice(self, seen: Floats, seats: Indices, ago: int = 1) -> tuple[Indices, Indices]:
        """Return who chose and which card, by what some seats observe (games x columns)."""
        at = self._first + self._width * (ago - 1)
        who = seen[:, at : at + SEATS].argmax(axis=1)
        cards = seen[:, at + self._cards : at + self._width].argmax(axis=1)
        return (seats + who) % SEATS, cards


def play(
    game: Game, seeds: Any, policies: list[Floats | None], rng: np.random.Generator, explore: bool
) -> tuple[Floats, list[Decisions]]:
    """Play games to their ends; return the points (games x seats), and what policies decided.

    Each seat has the weights of its policy, or None to play at random. A policy draws its actions
    if it explores, else it takes the best.
    """
    plain, voids, decisions = game.observation.size, Voids(len(seeds)), []
    remembers = any(weights is not None and len(weights) > plain for weights in policies)
    batch = game.batch(len(seeds), seeds, history=int(remembers))
    recalled = Recalled(batch.observation) if remembers else None
    seen = np.empty((len(seeds), batch.observation.size), np.float32)
    for card in range(SEATS * RANKS):
        seats, legal = batch.players, batch.action_mask()
        batch.observe(out=seen)
        if recalled is not None and card:
            voids.add(*recalled.choice(seen, seats))
        actions = np.where(legal, rng.random(legal.shape, np.float32), -1).argmax(axis=1)
        for weights in {id(weights): weights for weights in policies}.values():
            whose = [seat for seat in range(SEATS) if policies[seat] is weights]
            mine = np.flatnonzero(np.isin(seats, whose))
            if weights is None or not len(mine):
                continue
            own = seen[mine, :plain]
            if len(weights) > plain:
                own = np.concatenate([own, voids.seen_by(seats[mine], mine)], axis=1)
            likes = own @ weights
            noise = rng.gumbel(size=likes.shape).astype(np.float32) if explore else 0
            actions[mine] = np.where(legal[mine], likes + noise, -np.inf).argmax(axis=1)
            if explore:
                decisions.append(Decisions(mine, seats[mine], own, legal[mine], actions[mine]))
        batch.step_actions(actions)
    return batch.scores.astype(float), decisions


def gradient(weights: Floats, decisions: list[Decisions], advantages: Floats) -> Floats:
    """Return the policy gradient: how weights make good actions likelier, and bad ones less."""
    total = np.zeros_like(weights)
    for games, seats, seen, legal, chosen in decisions:
        logits = np.where(legal, seen @ weights, -np.inf)
        chances = np.exp(logits - logits.max(axis=1, keepdims=True))
        chances /= chances.sum(axis=1, keepdims=True)
        chances[np.arange(len(games)), chosen] -= 1
        total -= seen.T @ (chances * advantages[games, seats, None]).astype(np.float32)
    return total / advantages.size


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


def measure(game: Game, weights: Floats) -> tuple[float, float]:
    """Return the points a deal against three that play at random, and half the 95 % interval."""
    rng, points = np.random.default_rng(5), []
    for seat in range(SEATS):
        policies: list[Floats | None] = [None] * SEATS
        policies[seat] = weights
        points.append(play(game, range(MEASURED), policies, rng, explore=False)[0][:, seat])
    by_deal = np.mean(points, axis=0)
    return float(by_deal.mean()), float(1.96 * by_deal.std() / MEASURED**0.5)


def train(
    game: Game,
    seed: int,
    *,
    seconds: float,
    most_rounds: float,
    memory: bool,
    curve: TextIO | None = None,
) -> Floats:
    """Return the weights of a policy that was trained for seconds of processor time, or for rounds.

    Six times on the way it is measured, which does not count, and written to the curve.
    """
    rng, spent, due = np.random.default_rng(seed), 0.0, 1
    columns = game.observation.size + memory * (SEATS - 1) * SUITS
    weights: Floats = np.zeros((columns, len(game.actions)), np.float32)
    adam, rounds = Adam(weights.shape, 0.01), 0
    while (done := max(spent / seconds, rounds / most_rounds)) < 1 or due <= 6:
        if done >= due / 6:
            due += 1
            found, error = measure(game, weights)
            print(f"{spent:5.0f} s, {rounds:5} rounds: {found:5.2f} ± {error:.2f} points")
            if curve is not None:
                print(int(memory), seed, round(spent), found, sep=",", file=curve, flush=True)
            continue
        begun = time.process_time()
        seeds = rng.integers(0, 2**64, DEALS, np.uint64).repeat(COPIES)
        points, decisions = play(game, seeds, [weights] * SEATS, rng, explore=True)
        mean = points.reshape(DEALS, COPIES, SEATS).mean(axis=1).repeat(COPIES, axis=0)
        weights += adam.step(gradient(weights, decisions, (mean - points) / 26))
        rounds += 1
        spent += time.process_time() - begun
    return weights


class Linear:
    """Plays a saved policy: the legal action that it likes best."""

    def __init__(self, file: str = "policy.npz") -> None:
        with np.load(file) as saved:
            self._weights, self._columns = saved["weights"], saved["columns"]

    def choose(self, decision: Decision) -> int:
        """Return the index of an option."""
        game = decision.game
        if list(self._columns) != list(game.observation.columns):
            raise ValueError("the policy was trained for another game, or another layout")
        layout = game.observation_layout(history=SEATS * RANKS)
        seen = decision.observe(layout)[None]
        own, seat = seen[:, : game.observation.size], np.array([decision.seat])
        if len(self._weights) > game.observation.size:
            recalled, voids = Recalled(layout), Voids(1)
            for ago in range(len(decision.record), 0, -1):
                voids.add(*recalled.choice(seen, seat, ago))
            own = np.concatenate([own, voids.seen_by(seat, np.array([0]))], axis=1)
        likes = (own @ self._weights)[0]
        return int(np.argmax([likes[action] for action, *_ in decision.action_codes]))


def main() -> None:
    """Train a policy, measuring it on the way, and save it if wanted."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=120, help="processor time to learn for")
    parser.add_argument("--rounds", type=int, default=np.inf, help="most rounds")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--memory", action=argparse.BooleanOptionalAction, default=True)
    parser.add_argument("--save", metavar="FILE", help="where to save the weights (.npz)")
    parser.add_argument(
        "--curve", type=argparse.FileType("a"), metavar="FILE", help="where to add measurements"
    )
    given = parser.parse_args()
    game = Game.load("hearts")
    weights = train(
        game, given.seed, seconds=given.seconds, most_rounds=given.rounds, memory=given.memory,
        curve=given.curve,
    )  # fmt: skip
    if given.save:
        np.savez(given.save, weights=weights, columns=np.array(game.observation.columns))


if __name__ == "__main__":
    main()

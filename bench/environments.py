"""How many decisions the environments for learning programs make in a second of processor time.

The agents choose at random among the actions that the masks allow. Observations and masks are made
at every decision, and games that end are followed by new ones. Steps that only start a new game do
not count; against opponents only the learner's decisions do. The frozen policy chooses the first
legal action: what is measured is what it is given. Run: `python bench/environments.py`; the game,
the number of games side by side, the opponents that are players and how many choices observations
have can be given.
"""

from __future__ import annotations

import argparse
import time
from functools import partial

import numpy as np
from gymnasium.vector import SyncVectorEnv, VectorEnv
from script import carry_out

from cardwright import Game
from cardwright.envs.gymnasium import SeatEnv
from cardwright.envs.gymnasium_vector import BatchEnv
from cardwright.envs.pettingzoo import env


def chosen(mask: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """Return a random legal action of each game; numbers drawn are never as low as -1."""
    return np.where(mask, random.random(mask.shape, dtype=np.float32), -1).argmax(axis=1)


def pettingzoo(game: str, seconds: float, history: int | None) -> float:
    """Return the decisions a second of one game after another."""
    table, random = env(game, history=history), np.random.default_rng(1)
    table.reset(seed=1)
    made, begun = 0, time.process_time()
    while time.process_time() - begun < seconds:
        for _ in table.agent_iter():
            seen, _, ended, cut, _ = table.last()
            if ended or cut:
                table.step(None)
                continue
            legal = seen["action_mask"].nonzero()[0]
            table.step(legal[int(random.random() * len(legal))])
            made += 1
        table.reset()
    return made / (time.process_time() - begun)


def first_legal(observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
    """Return the first legal action of each row."""
    return masks.argmax(axis=1)


def vector(seconds: float, games: int, tables: VectorEnv) -> float:
    """Return the decisions a second of many games side by side in a vector environment."""
    random = np.random.default_rng(1)
    seen, _ = tables.reset(seed=1)
    over, made, begun = 0, 0, time.process_time()
    while time.process_time() - begun < seconds:
        seen, _, ended, _, _ = tables.step(chosen(seen["action_mask"], random))
        made += games - over
        over = int(ended.sum())
    return made / (time.process_time() - begun)


def batch(game: str, seconds: float, games: int) -> float:
    """Return the decisions a second of a batch with masks and without observations."""
    tables, random = Game.load(game).batch(games, seeds=1), np.random.default_rng(1)
    mask = tables.action_mask()
    made, begun = 0, time.process_time()
    while time.process_time() - begun < seconds:
        tables.step_actions(chosen(mask, random))
        made += games
        over = tables.players < 0
        if over.any():
            tables.reset(over, int(random.integers(2**63)))
        tables.action_mask(mask)
    return made / (time.process_time() - begun)


def main() -> None:
    """Measure, and print a line for each environment."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", nargs="?", default="hearts")
    parser.add_argument("--games", type=int, default=1_000, help="games side by side")
    parser.add_argument("--seconds", type=float, default=3.0, help="for each environment")
    parser.add_argument("--opponents", nargs="*", default=["random", "rule"], metavar="PLAYER")
    parser.add_argument("--history", type=int, help="how many choices observations have")
    given = parser.parse_args()
    several = given.game, given.seconds, given.games
    print(
        f"{given.game}, {given.games} games side by side, decisions in a second of processor time:"
    )
    print(f"batch with masks             {batch(*several):12,.0f}")
    how = given.seconds, given.games
    for name, opponents in (
        ("all seats", None),
        *((f"against {player}", player) for player in given.opponents),
        ("against a policy", first_legal),
    ):
        tables = BatchEnv(given.games, given.game, opponents=opponents, history=given.history)
        print(f"vector, {name:21}{vector(*how, tables):12,.0f}")
    for player in given.opponents:
        loaded, history = Game.load(given.game), given.history
        single = partial(SeatEnv, loaded, opponents=player, history=history)
        sync = SyncVectorEnv([single] * given.games)
        print(f"SyncVectorEnv, against {player:6}{vector(*how, sync):12,.0f}")
    print(f"PettingZoo, one game         {pettingzoo(*several[:2], given.history):12,.0f}")


if __name__ == "__main__":
    carry_out(main)

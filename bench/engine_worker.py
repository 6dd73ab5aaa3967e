"""Plays with the engine of the source tree on the path, for `engine_ratio.py`.

It reads lines of JSON, `[what, game, count]`, and answers each with the processor time that this
took, or with a sentence if the tree cannot do it.
"""

from __future__ import annotations

import json
import sys
import time
from functools import cache
from typing import TYPE_CHECKING

from script import carry_out

from cardwright import Game, Stream, play_random
from cardwright.game import SearchTask, game_seeds  # whatever their homes are

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright import State

ITERATIONS = 4_000
AT_ONCE = 250_000
"""Games whose outcomes are in memory at once."""

DEAL = 1
"""The seed of the deal that rollouts and searches start from."""


@cache
def loaded(name: str) -> Game:
    """Return a game."""
    return Game.load(name, engine="native")


@cache
def dealt(name: str) -> State:
    """Return a game at its first decision."""
    return loaded(name).start(DEAL)


def games(name: str, count: int) -> None:
    """Play random games, of which only the outcome is recorded."""
    for seed, first in enumerate(range(0, count, AT_ONCE)):
        play_random(loaded(name), game_seeds(seed, min(AT_ONCE, count - first)), threads=1)


def rollouts(name: str, count: int) -> None:
    """Play random games from the first decision on."""
    dealt(name).rollouts(count, Stream(DEAL))


def ismcts(name: str, count: int) -> None:
    """Search the first decision some times."""
    for seed in range(count):
        dealt(name).search(Stream(seed), SearchTask(iterations=ITERATIONS))


WORK: dict[str, Callable[[str, int], None]] = {
    "games": games, "rollouts": rollouts, "ismcts": ismcts,
}  # fmt: skip


def answer(what: str, name: str, count: int) -> float | str:
    """Do something, and return how long it took, or why it cannot be done."""
    try:
        begun = time.process_time()
        WORK[what](name, count)
        return time.process_time() - begun
    except Exception as error:
        # An older tree may lack the game, or fail in it.
        return f"{type(error).__name__}: {error}"


def main() -> None:
    """Answer every line."""
    for line in sys.stdin:
        print(json.dumps(answer(*json.loads(line))), flush=True)


if __name__ == "__main__":
    carry_out(main)

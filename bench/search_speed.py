"""How fast searches think: ISMCTS, flat Monte Carlo and rollouts from a first decision of Hearts.

Where `pyspiel` can be imported, OpenSpiel's ISMCTS with random rollouts and its rollouts in C++ do
the same on its own Hearts, with rules as near as it has them (`peers/openspiel.py`). All take turns
on one core, in one thread; rates and ratios are medians over the turns, in processor time. Run:
`python bench/search_speed.py`.
"""

from __future__ import annotations

import argparse
import random
import time
from statistics import median
from typing import TYPE_CHECKING, Any, NamedTuple

from peers import openspiel
from peers.figures import pin
from script import carry_out

from cardwright.game.game import Game
from cardwright.game.information.knowledge import KnowledgeMode
from cardwright.game.search import SearchTask
from cardwright.interpreter.stream import Stream

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.game.game import State

ITERATIONS = 4_000
WORLDS = 20_000
THEIR_SIMULATIONS = 1_000
ROLLOUTS = 50_000
THEIR_ROLLOUTS = 5_000
CASE = openspiel.CASES[0]

TREE, OPEN_TREE = "ISMCTS", "OpenSpiel ISMCTS"
PLAYED, OPEN_PLAYED = "rollouts", "OpenSpiel rollouts, in C++"
PAIRS = ((TREE, OPEN_TREE), (PLAYED, OPEN_PLAYED))


class Work(NamedTuple):
    """Something to measure, and how much of it is done at once."""

    name: str
    amount: int
    run: Callable[[], object]

    def rate(self) -> float:
        """Return how much is done in a second."""
        begun = time.process_time()
        self.run()
        return self.amount / (time.process_time() - begun)


def ours(state: State) -> list[Work]:
    """Return what is measured here."""
    seat = state.player
    assert seat is not None
    deals = WORLDS // state.option_count

    def search(**settings: Any) -> Callable[[], object]:
        task = SearchTask(iterations=ITERATIONS, **settings)
        return lambda: state.search(Stream(1), task)

    return [
        Work(TREE, ITERATIONS, search()),
        Work("ISMCTS, consistent", ITERATIONS, search(mode=KnowledgeMode.CONSISTENT)),
        Work("ISMCTS, a tree for every seat", ITERATIONS, search(many=True)),
        Work(
            "flat Monte Carlo, rollouts",
            deals * state.option_count,
            lambda: state.flat(seat, Stream(1), deals),
        ),
        Work(PLAYED, ROLLOUTS, lambda: state.rollouts(ROLLOUTS, Stream(1))),
    ]


def theirs() -> list[Work]:
    """Return what OpenSpiel does, if it is here."""
    try:
        import pyspiel
    except ImportError:
        return []
    game = pyspiel.load_game(CASE.there)
    state = openspiel.dealt(openspiel.start(game, CASE), random.Random(1))

    def search() -> object:
        bot = pyspiel.ISMCTSBot(
            1, pyspiel.RandomRolloutEvaluator(1, 1), 0.7, THEIR_SIMULATIONS, -1,
            pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT, False, False,
        )  # fmt: skip
        return bot.step(state)

    play = openspiel.rollouts(pyspiel, game, state)
    return [
        Work(OPEN_TREE, THEIR_SIMULATIONS, search),
        Work(OPEN_PLAYED, THEIR_ROLLOUTS, lambda: play(THEIR_ROLLOUTS)),
    ]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=5)
    options = parser.parse_args()
    pin()
    works = [*ours(Game.load("hearts", engine="native").start(1)), *theirs()]
    for work in works:
        work.run()
    turns = [{work.name: work.rate() for work in works} for _ in range(options.turns)]
    for work in works:
        print(f"{work.name:32}{median(turn[work.name] for turn in turns):12,.0f} a second")
    for mine, other in PAIRS:
        if other in turns[0]:
            ratio = median(turn[mine] / turn[other] for turn in turns)
            print(f"{f'{mine} against OpenSpiel':32}{ratio:12.1f} times")
    if OPEN_TREE not in turns[0]:
        print("OpenSpiel is not here: nothing to compare with")


if __name__ == "__main__":
    carry_out(main)

"""How fast searches think: ISMCTS and flat Monte Carlo from the first decision of Hearts.

One thread each, in processor time. OpenSpiel's ISMCTS with random rollouts is measured in the same
run, on its own Hearts, if `open_spiel` is there; both play a deal without passing from the first
lead on. Every figure is the best of some repeats. Run: `python bench/search_speed.py`.
"""

from __future__ import annotations

import argparse
import time
from typing import TYPE_CHECKING

from script import carry_out

from cardwright.game.determinise import KnowledgeMode
from cardwright.game.game import Game
from cardwright.game.search import SearchTask
from cardwright.interpreter.stream import Stream

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.game.state import State

ITERATIONS = 4_000
WORLDS = 20_000


def best_of(repeats: int, work: int, run: Callable[[], None]) -> float:
    """Return how much work is done in a second, the best of some repeats."""
    seconds = []
    for _ in range(repeats):
        begun = time.process_time()
        run()
        seconds.append(time.process_time() - begun)
    return work / min(seconds)


def ismcts(state: State, repeats: int, **settings: object) -> float:
    """Return iterations a second of a search."""
    task = SearchTask(iterations=ITERATIONS, **settings)  # type: ignore[arg-type]
    return best_of(repeats, ITERATIONS, lambda: _ignore(state.search(Stream(1), task)))


def flat(state: State, repeats: int) -> float:
    """Return rollouts a second of flat Monte Carlo with shared deals."""
    assert state.player is not None
    seat = state.player
    deals = WORLDS // state.option_count
    work = deals * state.option_count
    return best_of(repeats, work, lambda: _ignore(state.flat(seat, Stream(1), deals)))


def openspiel_ismcts(repeats: int, simulations: int = 1_000) -> float | None:
    """Return simulations a second of OpenSpiel's ISMCTS, or None if it is not here."""
    try:
        import pyspiel
    except ImportError:
        return None
    game = pyspiel.load_game("hearts(pass_cards=False)")
    state = game.new_initial_state()
    chances = Stream(1)
    while state.is_chance_node():
        actions = [action for action, _ in state.chance_outcomes()]
        state.apply_action(actions[chances.below(len(actions))])
    while len(state.legal_actions()) == 1:
        state.apply_action(state.legal_actions()[0])
    bot = pyspiel.ISMCTSBot(
        1, pyspiel.RandomRolloutEvaluator(1, 1), 0.7, simulations, -1,
        pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT, False, False,
    )  # fmt: skip
    return best_of(repeats, simulations, lambda: _ignore(bot.step(state)))


def _ignore(_: object) -> None:
    """Let a result go."""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=5)
    repeats = parser.parse_args().repeats
    state = Game.load("hearts").start(1)
    rates = {
        "ISMCTS": ismcts(state, repeats),
        "ISMCTS, consistent": ismcts(state, repeats, mode=KnowledgeMode.CONSISTENT),
        "ISMCTS, a tree for every seat": ismcts(state, repeats, many=True),
        "flat Monte Carlo, rollouts": flat(state, repeats),
    }
    for name, rate in rates.items():
        print(f"{name:32}{rate:12,.0f} a second")
    theirs = openspiel_ismcts(repeats)
    if theirs is None:
        print("OpenSpiel is not here: nothing to compare with")
    else:
        print(f"{'OpenSpiel ISMCTS':32}{theirs:12,.0f} a second")
        print(f"{'ISMCTS against it':32}{rates['ISMCTS'] / theirs:12.1f} times")


if __name__ == "__main__":
    carry_out(main)

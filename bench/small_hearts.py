"""How exploitable sampling leaves a Hearts of twelve cards, whose tree is too large to be built.

For docs/solving.md: prints a table in Markdown.
Run: `python bench/small_hearts.py [--iterations N ...] [--deals N]`; 30,000 iterations take 3 GB.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from script import carry_out

from cardwright.game.game import Game
from cardwright.game.seeds import game_seeds
from cardwright.players.strategy import content_text, places_of
from cardwright.solve.samples import GainsByDeal, random_response
from cardwright.solve.sampling import SampledRegret
from cardwright.solve.tree import Utility
from cardwright.statistics.intervals import mean_interval

if TYPE_CHECKING:
    from cardwright.players.player import Decision

GAME = Path(__file__).parents[1] / "tests/solve/games/hearts12.rcy"
WORLDS = 20


class Sampled:
    """Plays what sampling has found so far, and uniformly where it has not been."""

    def __init__(self, solver: SampledRegret) -> None:
        self._solver = solver

    def choose(self, decision: Decision) -> int:
        """Return an index drawn by the average strategy."""
        known = self._solver.information_set(decision.seat, decision.information)
        drawn = decision.stream.next() / 2**64
        if known is None:
            return int(drawn * decision.option_count)
        contents = [option.content for option in known.options]
        for index, place in enumerate(places_of(map(content_text, decision.contents), contents)):
            drawn -= known.options[place].probability
            if drawn < 0:
                return index
        return decision.option_count - 1


def show(solver: SampledRegret, seconds: float, deals: int) -> None:
    """Print a row: what a local best response gains, on average over the seats."""
    game, seats = Game.load(GAME), solver_seats()
    played = GainsByDeal(
        game,
        lambda: Sampled(solver),
        lambda: random_response(WORLDS, Utility.MARGIN),
        tuple(game_seeds(1, deals)),
        Utility.MARGIN,
    )
    rows = played(range(deals))
    gains = np.array(rows)[:, seats:].mean(axis=1)
    found = mean_interval(gains)
    print(
        f"| {solver.iterations:,} | {solver.information_sets:,} | {seconds:.0f} | "
        f"{found.mean:.3f} ({found.low:.3f} to {found.high:.3f}) |",
        flush=True,
    )


def solver_seats() -> int:
    """Return how many seats the game has."""
    return Game.load(GAME).players


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--iterations", type=int, nargs="*", default=[0, 1_000, 30_000])
    parser.add_argument("--deals", type=int, default=300)
    asked = parser.parse_args()
    solver = SampledRegret(Game.load(GAME), Utility.MARGIN)
    print("| iterations | information sets | processor seconds | a local best response gains |")
    print("|---|---|---|---|")
    begun = time.process_time()
    spent = 0.0
    for count in asked.iterations:
        begun = time.process_time()
        solver.iterate(count - solver.iterations)
        spent += time.process_time() - begun
        show(solver, spent, asked.deals)


if __name__ == "__main__":
    carry_out(main)

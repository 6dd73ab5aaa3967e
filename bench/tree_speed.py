"""How fast the trees of small games are built and solved, with one core.

For docs/solving.md: prints a table in Markdown.
Run: `python bench/tree_speed.py [--interpreter]`; that engine takes a minute more.
"""

from __future__ import annotations

import argparse
import time
from typing import TYPE_CHECKING

from exploitability import cases
from script import carry_out

from cardwright.solve.build import game_tree
from cardwright.solve.regret import RegretMinimizer
from cardwright.solve.sequences import SequenceForm
from cardwright.solve.solving import solve_game

if TYPE_CHECKING:
    from collections.abc import Callable

    from exploitability import Case

REPEATED = 5
"""Each time is the best of so many."""

ITERATIONS = 200


def best(run: Callable[[], object]) -> float:
    """Return the least processor time of a run, in seconds."""
    times = []
    for _ in range(REPEATED):
        begun = time.process_time()
        run()
        times.append(time.process_time() - begun)
    return min(times)


def show(case: Case) -> None:
    """Print a row of the table; what is compiled for the tree is compiled before."""
    tree = game_tree(case.game, utility=case.utility)
    built = best(lambda: game_tree(case.game, utility=case.utility))
    solver = RegretMinimizer(SequenceForm.of(tree))
    iterated = best(lambda: solver.iterate(ITERATIONS)) / ITERATIONS
    solved = best(lambda: solve_game(case.game, utility=case.utility))
    print(
        f"| {case.name} | {tree.size:,} | {1000 * built:.1f} | {tree.size / built:,.0f} | "
        f"{1000 * iterated:.2f} | {solved:.2f} |",
        flush=True,
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--interpreter", action="store_true", help="build trees by the interpreter")
    by = "interpreter" if parser.parse_args().interpreter else "native"
    print("| game | nodes | ms for the tree | nodes/s | ms an iteration | s to solve it |")
    print("|---|---|---|---|---|---|")
    for case in cases():
        show(case._replace(game=case.game.with_engine(by)))


if __name__ == "__main__":
    carry_out(main)

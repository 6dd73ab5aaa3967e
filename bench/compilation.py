"""What compiling costs: the table of docs/compiler.md, in processor time.

The sizes are those of the code for random games; `play` and `random games` are the times for each
of the two extensions that play games, all stages together, the better of two.
Run: `python bench/compilation.py hearts whist`, or without names for the games of that page.
"""

from __future__ import annotations

import sys
from collections import Counter
from typing import TYPE_CHECKING

from script import carry_out

from cardwright.arena.benchmark import seconds_from_cache
from cardwright.compiler.figures import Way, choice_figures, state_figures
from cardwright.compiler.ir import node_count
from cardwright.compiler.kernel_sets import PLAY, RANDOM_GAMES
from cardwright.compiler.native import compilation
from cardwright.game.game import Game

if TYPE_CHECKING:
    from cardwright.compiler.kernel_sets import KernelSet
    from cardwright.compiler.native import Compilation

GAMES = ("agram", "cribbage", "hearts", "leduc", "rummy", "scopa", "whist")
TITLES = (
    "game", "IR nodes", "LLVM lines", "object bytes", "lower", "emit", "LLVM", "random games",
    "play", "from cache", "state bytes", "branches",
)  # fmt: skip


def compiled(game: Game, extension: KernelSet) -> Compilation:
    """Return the faster of two compilations."""
    found = [compilation(game.program, extension) for _ in range(2)]
    for stages in found:
        _ = stages.machine_code
    return min(found, key=lambda stages: sum(stages.seconds.values()))


def row(game: Game) -> list[str]:
    """Return the cells of a game."""
    games, play = compiled(game, RANDOM_GAMES), compiled(game, PLAY)
    ways = Counter(way for one in choice_figures(game.program) for _, way in one.branches)
    times = [games.seconds[stage] for stage in ("lower", "emit", "LLVM")]
    times += [sum(times), sum(play.seconds.values())]
    times.append(seconds_from_cache(game, compilation(game.program, PLAY).compiled) or 0.0)
    return [
        game.name,
        f"{node_count(games.lowered.module):,}",
        f"{games.listing('llvm').text.count(chr(10)):,}",
        f"{len(games.machine_code.content):,}",
        *(f"{1000 * seconds:.0f}" for seconds in times),
        f"{state_figures(game.program).bytes:,}",
        " / ".join(str(ways[way]) for way in Way),
    ]


def main() -> None:
    """Print the table."""
    print(f"| {' | '.join(TITLES)} |\n|{'---|' * len(TITLES)}")
    for name in sys.argv[1:] or GAMES:
        print(f"| {' | '.join(row(Game.load(name)))} |", flush=True)


if __name__ == "__main__":
    carry_out(main)

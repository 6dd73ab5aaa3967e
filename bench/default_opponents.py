"""How strong the default opponents are against random players, in every game of the library.

One default opponent (`opponent` in the game's file of facts) sits against random players, in every
seat in turn with the same deals; where there are teams, a whole team of them against another. A win
shared by k counts 1/k, so that a team of two that always wins has 0.5. Run:
`python bench/default_opponents.py [GAME...] --deals 10`. What they bid is in `auctions.py`.
"""

from __future__ import annotations

import argparse
import sys

from ismcts_everywhere import interval_text
from script import carry_out

from cardwright import Game
from cardwright.arena.deals import DealArrays
from cardwright.arena.plan import GameRef, RunPlan
from cardwright.arena.run import run
from cardwright.arena.schedule import one_against_rest
from cardwright.jobs.job import executor
from cardwright.library.catalogue import library_names
from cardwright.statistics.intervals import share_interval
from cardwright.table.opponents import default_player

HEAD = (
    "| game | default opponent | deals | equal play | wins | points | against |\n"
    "|---|---|---|---|---|---|---|\n"
)


def row_of(name: str, deals: int, seed: int) -> str | None:
    """Return a row of the table; None for a game of one player."""
    game, loaded = GameRef.of(name), Game.load(name)
    if game.players < 2:
        return None
    player = default_player(loaded)
    teams = [team for team in loaded.program.teams if 1 < len(team) < game.players]
    tables = tuple(
        tuple(int(seat not in team) for seat in range(game.players)) for team in teams
    ) or one_against_rest(game.players)
    plan = RunPlan(game, (player, "random"), tables, deals, seed)
    found = DealArrays.of(run(plan, executor=executor("processes")), tables, 2)
    wins = share_interval(found.by_entrant("win")[:, 0])
    own, theirs = found.by_entrant("score").mean(axis=0)
    return (
        f"| {name} | `{player}` | {deals} | {1 / game.players:.3f} "
        f"| {wins.mean:.3f} ({interval_text(wins)}) | {own:.1f} | {theirs:.1f} |\n"
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", help="all games of the library without them")
    parser.add_argument("--deals", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args()
    sys.stdout.write(HEAD)
    for name in wanted.games or library_names():
        row = row_of(name, wanted.deals, wanted.seed)
        if row is not None:
            sys.stdout.write(row)
            sys.stdout.flush()


if __name__ == "__main__":
    carry_out(main)

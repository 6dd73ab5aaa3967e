"""How strongly ISMCTS beats random play in every game of the library.

One ISMCTS player sits against random players, in every seat in turn with the same deals. What is
measured is its share of wins (a win shared by k counts 1/k), which is one over the number of seats
for players of equal strength. Run:
`python bench/ismcts_everywhere.py`.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from script import carry_out

from cardwright.arena.deals import DealArrays
from cardwright.arena.plan import GameRef, RunPlan
from cardwright.arena.run import run
from cardwright.arena.schedule import one_against_rest
from cardwright.jobs.job import executor
from cardwright.library.catalogue import library_names
from cardwright.statistics.intervals import share_interval

if TYPE_CHECKING:
    from cardwright.statistics.intervals import Estimate

PLAYER = "ismcts:iterations={iterations}"
HEAD = "| game | equal play | wins | points | against |\n|---|---|---|---|---|\n"


def measured(name: str, deals: int, iterations: int, seed: int) -> str | None:
    """Return a row of the table; None for a game of one player."""
    game = GameRef.of(name)
    if game.players < 2:
        return None
    tables = one_against_rest(game.players)
    plan = RunPlan(game, (PLAYER.format(iterations=iterations), "random"), tables, deals, seed)
    found = DealArrays.of(run(plan, executor=executor("processes")), tables, 2)
    wins = share_interval(found.by_entrant("win")[:, 0])
    own, theirs = found.by_entrant("score").mean(axis=0)
    fair = 1 / game.players
    return (
        f"| {name} | {fair:.3f} | {wins.mean:.3f} ({interval_text(wins)}){_verdict(wins, fair)} "
        f"| {own:.1f} | {theirs:.1f} |\n"
    )


def interval_text(wins: Estimate) -> str:
    """Return a 95 % interval in words."""
    return "unknown" if wins.low is None else f"{wins.low:.3f} to {wins.high:.3f}"


def _verdict(wins: Estimate, fair: float) -> str:
    """Return what is to be said if the search does not beat random players."""
    if wins.low is None or wins.high is None:
        return ", unknown"
    if wins.low > fair:
        return ""
    return ", it loses" if wins.high < fair else ", not shown"


def main() -> None:
    """Measure and print, or write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", help="all games of the library without them")
    parser.add_argument("--deals", type=int, default=60)
    parser.add_argument("--iterations", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rows", type=Path, help="append the rows to a file as they come")
    wanted = parser.parse_args()
    sys.stdout.write(HEAD)
    for name in wanted.games or library_names():
        row = measured(name, wanted.deals, wanted.iterations, wanted.seed)
        if row is not None:
            sys.stdout.write(row)
            sys.stdout.flush()
            if wanted.rows:
                with wanted.rows.open("a", encoding="utf-8") as rows:
                    rows.write(row)


if __name__ == "__main__":
    carry_out(main)

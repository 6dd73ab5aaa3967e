"""What CardStock's players make of Hearts, beside figures that were found for them elsewhere.

First one PIPMC player, in the first seat, against random ones: how often it wins if ties count in
full, and its mean score. Then games of PIPMC players alone: the measures of
`cardwright.analysis.results`. The expected figures are those of a program written for the
comparison, with their tolerances for these numbers of games.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from math import isnan
from pathlib import Path
from typing import NamedTuple

from script import carry_out

from cardwright.analysis.records import RunFrames
from cardwright.analysis.results import heuristics, row_of, tallied
from cardwright.analysis.statistics import statistics
from cardwright.arena.plan import GameRef, RunPlan
from cardwright.arena.run import run

MOON = -26


class Figure(NamedTuple):
    """A number found, and what it is expected to be; the tolerance is None if none is stated."""

    name: str
    found: float
    expected: float
    tolerance: float | None = None
    low: float = float("nan")
    high: float = float("nan")


def played(player: str, others: str, games: int, seed: int, folder: Path) -> RunFrames:
    """Play a player in the first seat of Hearts against three others, and return the records."""
    game = GameRef.of("hearts")
    table = (0, *[1] * (game.players - 1))
    run(RunPlan(game, (player, others), (table,), games, seed, detail="decisions"), folder)
    return RunFrames.of_folder(folder)


def figures(single: RunFrames, among: RunFrames) -> list[Figure]:
    """Return all figures of one player among random ones, and of players of one kind."""
    alone = statistics(single.parts())
    rows = heuristics({"AR": tallied(single.parts()), "AA": tallied(among.parts())})
    expected = {
        ("articles", "spread"): (0.133, 0.005),
        ("articles", "drama"): (0.478, 0.015),
        ("articles", "security"): (0.39, 0.03),
        ("engine", "drama"): (0.397, None),
        ("engine", "decisiveness"): (0.275, None),
        ("engine", "coolness"): (0.640, None),
    }
    moons = statistics(among.parts()).share_with(MOON)
    made = [
        Figure("wins, ties in full", float(alone.wins[0]) / alone.games, 0.584, 0.03),
        Figure("mean score", alone.mean_scores()[0], 3.0, 0.35),
        Figure("moon shot", moons, 0.10, 0.027),
    ]
    for (family, name), (value, tolerance) in expected.items():
        row = row_of(rows, family, name, "AA")
        made.append(Figure(f"{family} {name}", row.value, value, tolerance, row.low, row.high))
    return made


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--player", default="cardstock-pipmc")
    parser.add_argument("--single", type=int, default=1_000, help="games against random players")
    parser.add_argument("--all", type=int, default=500, help="games among equals")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    begun = time.perf_counter()
    with tempfile.TemporaryDirectory() as name:
        folder, player = Path(name), options.player
        single = played(player, "random", options.single, options.seed, folder / "single")
        among = played(player, player, options.all, options.seed, folder / "all")
        made = figures(single, among)
    print(f"{'':22} {'found':>7} {'expected':>9}")
    for figure in made:
        far = "" if figure.tolerance is None else f" ± {figure.tolerance:<5}"
        gap = abs(figure.found - figure.expected)
        off = "  OFF" if figure.tolerance is not None and gap > figure.tolerance else ""
        known = not isnan(figure.low)
        between = f"  ({figure.low:.3f} to {figure.high:.3f})" if known else ""
        print(f"{figure.name:22} {figure.found:7.3f} {figure.expected:9.3f}{far}{between}{off}")
    print(f"{time.perf_counter() - begun:.0f} s")


if __name__ == "__main__":
    carry_out(main)

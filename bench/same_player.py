"""A player against itself: how many intervals of the difference hold 0, which is the truth.

A contest of some deals is played over many seeds, one copy of the player in each seat in turn
against copies of it. Of 95 % intervals 95 in 100 should hold 0, give or take 2.2 by chance: 93 or
more are what is asked for. The counts are of scores and of shares of wins; deterministic players
have a difference of exactly 0 in both.
"""

from __future__ import annotations

import argparse
import sys
import time
from statistics import fmean
from typing import TYPE_CHECKING

from script import carry_out

from cardwright.arena.entrants import player
from cardwright.arena.plan import GameRef, RunPlan
from cardwright.arena.report import contest_report
from cardwright.arena.run import run
from cardwright.arena.schedule import match_tables
from cardwright.jobs.job import executor

if TYPE_CHECKING:
    from cardwright.statistics.intervals import Estimate

ASKED = 0.93
"""The least share of the intervals that must hold 0."""


def main() -> None:
    """Play all contests, and print how many intervals hold 0; the exit code is 1 for too few."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("player", nargs="?", default="pimc:rollouts=3")
    parser.add_argument("--game", default="hearts")
    parser.add_argument("--deals", type=int, default=60, help="deals of each contest")
    parser.add_argument("--seeds", type=int, default=100, help="how many contests")
    parser.add_argument("--first", type=int, default=1, help="the first seed")
    parser.add_argument("--workers", type=int, help="processes; one a processor if not given")
    wanted = parser.parse_args()
    spec, ref = str(player(wanted.player)), GameRef.of(wanted.game)
    highest, begun = ref.load().highest_wins, time.perf_counter()
    tables = match_tables(2, ref.players)
    workers = executor("processes", wanted.workers)
    found: dict[str, list[Estimate]] = {"score": [], "share of wins": []}
    for seed in range(wanted.first, wanted.first + wanted.seeds):
        plan = RunPlan(ref, (spec, spec), tables, wanted.deals, seed)
        report = contest_report(plan, run(plan, executor=workers), highest_wins=highest)
        (difference,) = report.differences
        found["score"].append(difference.score)
        found["share of wins"].append(difference.win)
    contests = f"{wanted.seeds} contests of {wanted.deals} deals at {len(tables)} tables"
    print(f"{spec} against itself in {wanted.game}: {contests}")
    for name, estimates in found.items():
        held = sum(map(holds_nothing, estimates))
        half = fmean(one.margin or 0.0 for one in estimates)
        print(f"{name:14} {held:4} of {len(estimates)} intervals hold 0; half a width {half:.3f}")
    print(f"{time.perf_counter() - begun:.0f} s")
    sys.exit(any(sum(map(holds_nothing, one)) < ASKED * len(one) for one in found.values()))


def holds_nothing(estimate: Estimate) -> bool:
    """Say whether 0 is inside an interval; one without bounds has nothing inside."""
    low, high = estimate.low, estimate.high
    return low is not None and high is not None and low <= 0 <= high


if __name__ == "__main__":
    carry_out(main)

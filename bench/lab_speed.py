"""How fast the strategy lab plays: a factorial of five slots at two levels, by machine code.

Run `python bench/lab_speed.py [--deals N]` on a machine that does nothing else. Each slot of the
tested player is by rule or left to chance: 32 cells against three random players, and against three
rule players, in a single deal of standard Hearts with passing. The bar is that of N = 100,000 deals
with the seat rotating, against one class: under three minutes. Games that several cells or seatings
share are played once, and are counted once.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from pathlib import Path

from script import carry_out

from cardwright.arena.plan import GameRef, loaded
from cardwright.jobs.executor import processors
from cardwright.lab.factor import Factor, FactorKind, FactorLevel, LabPlayer, SelectorList
from cardwright.lab.layout import layout_of
from cardwright.lab.plan import Design, LabPlan, Seating
from cardwright.lab.run import fitting, run

SLOTS = ("pass", "first", "second", "third", "fourth")
BAR_SECONDS, BAR_DEALS = 180.0, 100_000
_HEAD = f"{'opponents':10} {'seating':8} {'games':>12} {'seconds':>8} {'us a game':>10}  bar"


def plan_of(opponents: str, seating: Seating, deals: int) -> LabPlan:
    """Return the factorial against a class of opponents."""
    levels = (FactorLevel("random", None), FactorLevel("rule", SelectorList(("rule",))))
    return LabPlan(
        name="speed",
        game=GameRef.of("hearts", {"ROUNDS": 1, "END": 0}, "standard"),
        tested=LabPlayer("hierarchy"),
        factors=tuple(Factor(slot, FactorKind.SLOT, slot, levels) for slot in SLOTS),
        design=Design.FACTORIAL,
        opponents=(LabPlayer(opponents, opponents),),
        deals=deals,
        seed=1,
        seating=seating,
    )


def timed(plan: LabPlan) -> tuple[float, int]:
    """Play an experiment with its records; return its seconds and how many games it took."""
    with tempfile.TemporaryDirectory() as folder:
        begun = time.perf_counter()
        run(plan, Path(folder) / "records", fitting(plan))
        seconds = time.perf_counter() - begun
    kinds = layout_of(plan).kinds
    games = sum(len(kinds[deal % len(kinds)].distinct) for deal in range(plan.deals))
    return seconds, games


def main() -> None:
    """Print all figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--deals", type=int, default=BAR_DEALS, help="deals of an experiment")
    deals = parser.parse_args().deals
    loaded(plan_of("rule", Seating.ALL, 1).game).prepare()
    run(plan_of("rule", Seating.ALL, 1))  # whatever is compiled once is compiled here
    print(f"{processors()} processors, {deals:,} deals, {2 ** len(SLOTS)} cells")
    print(_HEAD)
    met = True
    for opponents in ("random", "rule"):
        for seating in (Seating.ROTATE, Seating.ALL):
            seconds, games = timed(plan_of(opponents, seating, deals))
            told = ""
            if seating is Seating.ROTATE:
                bar = BAR_SECONDS * deals / BAR_DEALS
                met &= seconds < bar
                told = f"{bar:.0f} s: {'met' if seconds < bar else 'NOT met'}"
            each = 1e6 * seconds / games
            print(f"{opponents:10} {seating:8} {games:12,} {seconds:8.1f} {each:10.1f}  {told}")
    print(f"load of the machine: {os.getloadavg()[0]:.1f}")
    raise SystemExit(0 if met else 1)


if __name__ == "__main__":
    carry_out(main)

"""How fast seasons are: sandboxed bots, one's own bots, and random players of the library.

Run `python bench/league_speed.py [--games N]` on a machine that does nothing else. Bots are four
that return 0 at once. Seasons are played in a folder for the purpose, tables and all, by as many
workers as there are processors; times include the start of the workers.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import tempfile
import time
from itertools import cycle, islice, permutations
from pathlib import Path

import numpy as np
from script import carry_out

from cardwright.interpreter.stream import Stream
from cardwright.jobs.executor import processors
from cardwright.jobs.job import executor
from cardwright.league.bot_process import BotProcess, SandboxedBot
from cardwright.league.bot_runtime import PublicTable
from cardwright.league.dealer import Dealer
from cardwright.league.plan import BLOCK, BULK_BLOCK, TABLES, BotText, SeasonPlan
from cardwright.league.play import finished
from cardwright.league.records import read_season
from cardwright.league.run import run_season
from cardwright.league.season import prepare
from cardwright.league.settings import BotLimits, LeagueRules
from cardwright.sandbox.allowance import one_processor
from cardwright.sandbox.levels import describe, strongest
from cardwright.sandbox.limits import SandboxLevel

FIRST = "def getPlay(state):\n    return 0\n\ndef getSluff(state):\n    return 0\n"
ORDERS = list(permutations(range(4)))


def plan_of(games: int, level: int, *, builtin: bool = False, tables: int = TABLES) -> SeasonPlan:
    """Return a season of four equal bots, in all orders, with so many games side by side."""
    if builtin:
        bots = [BotText(f"random {n}", "-", "builtin:random") for n in range(4)]
    else:
        bots = [BotText(f"first {n}", "-", "first.py", FIRST) for n in range(4)]
    schedule = np.array(list(islice(cycle(ORDERS), games)), np.int32)
    together = BULK_BLOCK if builtin else BLOCK
    return SeasonPlan(
        "Speed",
        LeagueRules.CODE,
        1,
        tuple(bots),
        schedule,
        level=level,
        together=together,
        tables=tables,
    )


def timed(plan: SeasonPlan, kind: str, workers: int) -> tuple[float, float, float]:
    """Play a season; return its seconds, and the mean and longest microseconds of a bot's move."""
    with tempfile.TemporaryDirectory() as folder:
        begun = time.perf_counter()
        season = run_season(Path(folder), plan, executor(kind, workers) if workers > 1 else None)
        seconds = time.perf_counter() - begun
        times = [block.timings for block in read_season(Path(folder)).all_blocks()]
        moves = sum(int(one.moves.sum()) for one in times)
        total = sum(int(one.total.sum()) for one in times)
        assert season.complete
    return seconds, total / moves / 1e3 if moves else 0.0, moves / plan.games


def round_trips(level: SandboxLevel, count: int = 20_000) -> list[float]:
    """Return the microseconds of moves that a sandboxed bot makes with nothing else going on."""
    with one_processor() as processor:
        return _round_trips(level, processor, count)


def _round_trips(level: SandboxLevel, processor: int | None, count: int) -> list[float]:
    text = BotText("first", "-", "first.py", FIRST)
    bot = SandboxedBot(BotProcess(text, level, BotLimits(), processor=processor))

    async def begin() -> None:
        await bot.begin(0, Stream(1), PublicTable())

    async def ask() -> int:
        return await bot.ask(0x1FFF, 1.0, play=False)

    finished(begin())
    bot.deal(1, [0] * 4, list(range(13)))
    found = []
    for _ in range(count):
        begun = time.perf_counter_ns()
        finished(ask())
        found.append((time.perf_counter_ns() - begun) / 1e3)
    bot.close()
    return sorted(found)


def main() -> None:
    """Print all figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=2_000, help="games of sandboxed bots")
    options = parser.parse_args()
    workers = processors()
    level = strongest().level
    prepare(LeagueRules.CODE)
    Dealer(LeagueRules.CODE)
    print(f"{workers} processors, {describe()}")
    for one in (SandboxLevel.LIMITS, level):
        times = round_trips(one)
        middle, slow = statistics.median(times), times[len(times) * 99 // 100]
        print(f"a move at level {int(one)}: {middle:.1f} us (median), {slow:.1f} us (99 %)")
    for name, plan, kind in (
        (
            f"sandboxed, level {int(level)}, one game at a time",
            plan_of(BLOCK * workers, int(level), tables=1),
            "processes",
        ),
        (
            f"sandboxed, level {int(level)}, {TABLES} games side by side",
            plan_of(options.games, int(level)),
            "processes",
        ),
        ("trusted", plan_of(4 * options.games, 0), "processes"),
        ("random players", plan_of(100 * options.games, 0, builtin=True), "threads"),
    ):
        seconds, move, moves = timed(plan, kind, workers)
        told = f", {moves:.0f} moves a game, {move:.1f} us a move" if moves else ""
        print(f"{name}: {plan.games / seconds:,.0f} games a second ({plan.games:,} games{told})")
    print("time a game, and memory, of one worker:")
    for games in (1_000, 10_000, 100_000):
        plan = plan_of(games, 0, builtin=True)
        seconds, _, _ = timed(plan, "threads", 1)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(f"{games:7,} games: {1e6 * seconds / games:.1f} us a game, at most {peak:.0f} MiB")
    for games in (500, 5_000):
        seconds, _, _ = timed(plan_of(games, 0), "processes", workers)
        print(f"{games:7,} games of trusted bots: {1e6 * seconds / games:.0f} us a game")
    print(f"load of the machine: {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    carry_out(main)

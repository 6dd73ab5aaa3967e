"""A season to make sites of."""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING, Any

import numpy as np
from seasons import block_of, game

from cardwright.league.block import TIMES, BotFault, SeasonBlock, Timings
from cardwright.league.plan import BotText, SeasonPlan
from cardwright.league.records import Season, read_season
from cardwright.league.settings import LeagueRules

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

NAMES = ("Anna", "Bob", "Carl", "Dora")

HOSTILE = (
    "<script>document.title='broken'</script>",
    "</script><img src=x onerror=\"document.title='broken'\">",
    "\"'>&amp;{{7*7}}{% raw %}\u2028]]>\x00\x1b[31m",
    "\u202eevil \u05e9\u05dc\u05d5\u05dd \u2066",
    "W" * 300,
    "",
)
"""Names that break pages that take them as they are."""

TOGETHER = 5
"""Games of a block."""


def plan_of(
    names: Sequence[str], games: int, schedule: Sequence[Sequence[int]] | None = None
) -> SeasonPlan:
    """Return a plan of games, in all orders of the first four bots unless a schedule says more."""
    if schedule is None:
        orders = list(permutations(range(4)))
        schedule = [orders[number % len(orders)] for number in range(games)]
    bots = tuple(BotText(name, f"by {name}", f"bot{at}.py", "") for at, name in enumerate(names))
    rows = np.array(schedule, np.int32).reshape(-1, 4)
    return SeasonPlan("Autumn", LeagueRules.CODE, 7, bots, rows, together=TOGETHER, level=2)


def play(
    folder: Path,
    plan: SeasonPlan,
    faults: Sequence[BotFault] = (),
    blocks: int | None = None,
    moves: int = 1000,
) -> Season:
    """Write the records of a season of random games; only of the first `blocks`, if given."""
    with Season.of_plan(folder, plan).opened(resume=False, again=True) as records:
        for number in range(plan.blocks if blocks is None else blocks):
            games = plan.block(number)
            block = block_of([game(one) for one in games], games.start)
            entries = np.unique(plan.schedule[games.start : games.stop]).astype(np.int64)
            own = tuple(one for one in faults if one.game in games)
            block = SeasonBlock(block.first, block.rounds, block.plays, own, _times(entries, moves))
            records.blocks.write({number: block})
        if blocks is None:
            records.end({})
    return read_season(folder)


def _times(entries: Any, moves: int) -> Timings:
    """Return times of so many moves a bot, each of 2**16 nanoseconds."""
    counts = np.zeros((len(entries), TIMES), np.int64)
    counts[:, 16] = moves
    each = np.full(len(entries), moves, np.int64)
    return Timings(entries, each, each << 16, np.full(len(entries), 1 << 16, np.int64), counts)

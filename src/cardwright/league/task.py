"""Tasks of a season: blocks of games, each played independently and by its own bots.

The results of a block depend only on the plan (except for late answers, and times): every game has
its seeds by its number, and every bot is started for the block, its file run again for each game.
The number of games played at once makes no difference either: see `concurrent_tables`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from cardwright.jail.processor import one_processor
from cardwright.league.block import ROUND, TIMES, SeasonBlock, Timings, time_columns
from cardwright.league.bot_pool import BotPool
from cardwright.league.chances import game_chances
from cardwright.league.concurrent_tables import ConcurrentTables, MatchPlan
from cardwright.league.dealer import Dealer
from cardwright.league.plan import RANDOM

if TYPE_CHECKING:
    from cardwright.league.block import BotFault
    from cardwright.league.plan import SeasonPlan
    from cardwright.league.referee_seat import BotConduct


Packed: TypeAlias = "tuple[tuple[int, bytes], ...]"
"""Blocks played: the number and the bytes of each."""


@dataclass(frozen=True)
class PlayBlocks:
    """Plays blocks of a season; it can be pickled and used by many threads."""

    plan: SeasonPlan

    def __call__(self, numbers: range) -> Packed:
        """Return these blocks as played.

        Raises LevelError on a machine that does not offer the season's jail: bots that could not be
        started there would lose games through no fault of their own.
        """
        if self.plan.level and self.plan.files:
            require_level(self.plan.level)
        dealer = Dealer(self.plan.rules)
        return tuple((number, play_block(self.plan, dealer, number).packed()) for number in numbers)


def require_level(level: int) -> None:
    """Raise LevelError if this machine does not offer a level of the jail."""
    from cardwright.jail.levels import JailLevel, require

    require(JailLevel(level))


def play_block(plan: SeasonPlan, dealer: Dealer, number: int) -> SeasonBlock:
    """Play a block of a season."""
    games = plan.block(number)
    seats = plan.schedule[games.start : games.stop]
    seeds = game_chances(plan.seed, games, plan.salt)
    rounds = np.zeros(len(games), np.uint16)
    bulk = np.array([bot.builtin == RANDOM for bot in plan.bots])[seats].all(axis=1)
    played: dict[int, np.ndarray[Any, Any]] = {}
    if bulk.any():
        rows, counts = dealer.random_games(seeds[bulk])
        rounds[bulk] = counts
        if bulk.all():
            return SeasonBlock(games.start, rounds, rows)
        ends = np.cumsum(counts)[:-1]
        played.update(zip(np.flatnonzero(bulk).tolist(), np.split(rows, ends), strict=True))
    faults: list[BotFault] = []
    games_of = [
        MatchPlan(at, games[at], tuple(seats[at].tolist()), *seeds[at].tolist())
        for at in np.flatnonzero(~bulk).tolist()
    ]
    with one_processor() as processor, BotPool(plan, processor) as bot_pool:
        for one in ConcurrentTables(plan, bot_pool, dealer).play(games_of):
            at = one.plan.at
            played[at] = np.frombuffer(one.record, np.uint8).reshape(-1, ROUND)
            rounds[at] = len(played[at])
            faults += one.faults
        timings = _timings(plan, bot_pool.conduct)
    plays = np.concatenate([played[at] for at in range(len(games))])
    return SeasonBlock(games.start, rounds, plays, tuple(faults), timings)


def _timings(plan: SeasonPlan, conduct: dict[int, BotConduct]) -> Timings:
    """Return the times of the bots that are files; those of library players are not recorded."""
    rows = sorted(
        (entry, np.array(one.times, np.int64))
        for entry, one in conduct.items()
        if plan.bots[entry].text is not None and one.times
    )
    if not rows:
        return Timings.none()
    times = [taken for _, taken in rows]
    return Timings(
        np.array([entry for entry, _ in rows], np.int64),
        np.array([len(taken) for taken in times], np.int64),
        np.array([taken.sum() for taken in times], np.int64),
        np.array([taken.max() for taken in times], np.int64),
        np.stack([np.bincount(time_columns(taken), minlength=TIMES) for taken in times]),
    )

"""Limits of a bot in a game, in seconds and in faults."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields

from cardwright.game.errors import CardwrightError


class BotLimitsError(CardwrightError):
    """A limit that makes no sense; the message says which."""


@dataclass(frozen=True)
class BotLimits:
    """The limits of a bot, all in seconds except the last three; most are processor time.

    A move may take `move`. What it takes beyond that and `grace`, an allowance for the machine's
    overhead, comes out of a `bank` that every bot has for a game. A move that empties the bank is
    late. `start` limits loading the bot's file, once a game, and `starts` the average: all starts
    of a block of games together may take that much per game, plus one `start`.

    `sleep` limits wall-clock time: for so long in a game the process of an untrusted bot may sleep
    while it is asked. What it waits for a processor or a disk does not count. In a start, sleep
    counts like processor time.

    A bot with more than `faults` faults in a game forfeits it, and so does one that was killed or
    died more than `restarts` times. Three forfeits in a row suspend it until the end of the current
    block of games: see `referee_seat`. `memory` is in MiB, for untrusted bots.
    """

    move: float = 0.03
    grace: float = 0.01
    bank: float = 1.0
    start: float = 5.0
    starts: float = 0.5
    sleep: float = 1.0
    faults: int = 10
    restarts: int = 3
    memory: int = 1024

    def __post_init__(self) -> None:
        for one in fields(self):
            value = getattr(self, one.name)
            least = 64 if one.name == "memory" else 0
            positive = one.name in {"move", "start"}
            if not math.isfinite(value) or value < least or (positive and value == 0):
                raise BotLimitsError(f"a bot's limit {one.name!r} cannot be {value}")


SUSPENDED_AFTER = 3
"""Games forfeited in a row in a block, after which a bot is not started in it again."""

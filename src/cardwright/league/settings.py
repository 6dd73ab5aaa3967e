"""Settings of seasons and of bots: what Python takes as keywords, and commands as options."""

from __future__ import annotations

from collections.abc import Callable, Iterable  # noqa: TC003 - options are made of the types
from dataclasses import dataclass, fields
from enum import StrEnum
from pathlib import Path  # noqa: TC003 - options are made of the types
from typing import Annotated, Any, TypedDict

from cardwright.game.errors import CardwrightError
from cardwright.jobs.settings import (
    EXECUTOR,
    FAULTS,
    MOVE,
    RESUME,
    SCHEDULER,
    SEED,
    WORKERS,
    RunSetting,
    settings_of,
)

NAME = "Test Season"

MOST_SALT = 64
"""The most bytes of a salt."""


class LeagueRules(StrEnum):
    """Which rules apply: those of the league's program, or of its description.

    By the description no penalty card may be played to the first trick, unless there is no other
    card; by the program any card may.
    """

    CODE = "code"
    README = "readme"

    @property
    def preset(self) -> str:
        """The preset of Hearts that has these rules."""
        return "hearts_league" if self is LeagueRules.CODE else "hearts_league_readme"


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
    block of games: see `play`. `memory` is in MiB, for untrusted bots.
    """

    move: Annotated[float, MOVE] = 0.03
    grace: float = 0.01
    bank: Annotated[
        float, RunSetting("Seconds per game by which a bot may exceed that.", least=0)
    ] = 1.0
    start: Annotated[float, RunSetting("Seconds that loading a bot's file may take.", above=0)] = (
        5.0
    )
    starts: float = 0.5
    sleep: Annotated[
        float,
        RunSetting("Seconds per game that a sandboxed bot may sleep while it is asked.", least=0),
    ] = 1.0
    faults: Annotated[int, FAULTS.about("With more a bot forfeits the game.")] = 10
    restarts: int = 3
    memory: Annotated[int, RunSetting("MiB that a bot may use.", least=64)] = 1024

    def __post_init__(self) -> None:
        known, usual = settings_of(BotLimits), RunSetting("", least=0)
        for field in fields(self):
            value = getattr(self, field.name)
            if not known.get(field.name, (float, usual))[1].allows(value):
                raise BotLimitsError(f"a bot's limit {field.name!r} cannot be {value}")


def salt_of(text: str) -> bytes:
    """Return the salt that is written as pairs of hexadecimal digits; ValueError for any other."""
    try:
        salt = bytes.fromhex(text)
    except ValueError:
        raise ValueError(
            f"{text!r} is not a salt: write its bytes as pairs of the digits 0 to 9 and a to f"
        ) from None
    if len(salt) > MOST_SALT:
        raise ValueError(f"a salt has at most {MOST_SALT} bytes, not {len(salt)}")
    return salt


class BotSettings(TypedDict, total=False):
    """Settings of whatever lets bots play: a season, or the check of a bot."""

    rules: Annotated[
        str,
        RunSetting(
            "As the league's program plays, or as its description says: no points in the first "
            "trick.",
            LeagueRules.CODE.value,
            choices=tuple(map(str, LeagueRules)),
        ),
    ]
    seed: Annotated[int | None, SEED]
    trusted: Annotated[
        bool,
        RunSetting(
            "The bots are your own: run them without a sandbox, which is faster.", default=False
        ),
    ]
    level: Annotated[
        int | None,
        RunSetting(
            "Level of the sandbox.", usual="the strongest there is, at least 2", least=1, most=3
        ),
    ]
    limits: BotLimits | None


class SeasonSettings(BotSettings, total=False):
    """Keywords of `play_season`, and what `league run` has as options.

    `rules` are `code` or `readme`; without a `seed` one is drawn, and with `resume` what was begun
    goes on from its own. The `salt` is drawn too if any bot is a file, and is secret until the
    season is over: to play a season again, give the seed and the salt of its plan. Bots that are
    files run in a sandbox of the `level` wanted, or the strongest, unless they are `trusted`;
    `limits` say how much is borne of them. Players of the library that the roster names may load no
    files but `allow_files`, and read those in the folder.

    `workers` (1) play at a time, None as many as there are processors: processes, and threads where
    all are random players, unless the `executor` names another: `here`, `threads`, `processes`, or
    `cluster` with the address of a dask `scheduler`. They change nothing but how long it takes.
    `again` throws away what was played before. `progress` is told how many games are done, of how
    many, and the standings so far.
    """

    name: Annotated[str, RunSetting("Its name in the tables.", NAME)]
    salt: Annotated[
        bytes | None,
        RunSetting(
            "The salt that a season has published, to play it again.",
            usual="drawn, and secret until the season is over; none if no bot is a file",
            metavar="HEX",
            read=salt_of,
        ),
    ]
    executor: Annotated[
        str | None,
        EXECUTOR.about(
            usual="cluster with --scheduler, otherwise processes; threads if all are random players"
        ),
    ]
    workers: Annotated[int | None, WORKERS.about("Games.")]
    scheduler: Annotated[str | None, SCHEDULER]
    resume: Annotated[bool, RESUME.about("What was played of the season.")]
    again: Annotated[
        bool,
        RunSetting("Play it again from the beginning, discarding its records.", default=False),
    ]
    progress: Callable[[int, int, Any], object] | None
    allow_files: Iterable[str | Path]

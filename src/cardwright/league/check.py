"""Checks of a bot: its file is inspected, and it plays test games like those of a season.

The inspection does not run the bot, and has its own process; games are played in the same jail, by
the same rules and with the same limits as in a season.
"""

from __future__ import annotations

import math
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass, field, replace
from importlib.resources import files
from typing import TYPE_CHECKING

import numpy as np

from cardwright.league.authors import look as looker
from cardwright.league.block import ROUND, SEATS, SeasonBlock
from cardwright.league.bot_pool import make_bot
from cardwright.league.bot_runtime import ALLOWED, HELPER
from cardwright.league.chances import game_chances
from cardwright.league.dealer import Dealer
from cardwright.league.plan import RANDOM, BotText, SeasonPlan
from cardwright.league.play import play_match
from cardwright.league.referee_seat import LATE, SUSPENDED, BotConduct, RefereeSeat
from cardwright.league.roster import BUILTIN
from cardwright.league.season import bot_of, prepare
from cardwright.league.tally import BlockTally
from cardwright.league.watched import WatchedBot
from cardwright.statistics.intervals import mean_interval
from cardwright.syntax.data_files import parse_json

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path
    from typing import TypeAlias

    from cardwright.league.block import Column
    from cardwright.league.bot_limits import BotLimits
    from cardwright.league.dealer import LeagueRules

    Table: TypeAlias = tuple[str, tuple[BotText, ...]]

EXAMPLES = ("low_card", "careful", "counting")
"""The example bots that a bot meets in a check, by file."""

LOOK_SECONDS = 20.0

_NOWHERE = np.zeros((0, SEATS), np.int32)


@dataclass(frozen=True)
class Finding:
    """A finding about a bot for its author.

    `line` is a line of the bot's file, if known; `count` is how often it happened in the games, 0
    for findings in the file itself. Faults make a check fail, notes do not.
    """

    message: str
    line: int | None = None
    fault: bool = True
    count: int = 0


@dataclass(frozen=True, eq=False)
class OpponentRecord:
    """A bot's results against others: its points per game, theirs, and its share of first places.

    `margin` is half the width of the 95 % interval of the difference in points; None for one game,
    or if the difference was always the same.
    """

    others: str
    games: int
    points: float
    theirs: float
    margin: float | None
    first: float
    forfeits: int


@dataclass(frozen=True, eq=False)
class Checkup:
    """The results of a check; `moves` and `starts` are times in nanoseconds (int64).

    `printed` is what the bot printed in the first game in which it printed anything, cut if long.
    """

    file: str
    findings: tuple[Finding, ...]
    met: tuple[OpponentRecord, ...] = ()
    moves: Column = field(default_factory=lambda: np.zeros(0, np.int64))
    starts: Column = field(default_factory=lambda: np.zeros(0, np.int64))
    printed: str = ""

    @property
    def clean(self) -> bool:
        """Whether there are no faults."""
        return not any(one.fault for one in self.findings)

    @property
    def games(self) -> int:
        """The number of games played."""
        return sum(one.games for one in self.met)

    @property
    def seconds_a_game(self) -> float:
        """Seconds that the bot itself takes per game, starts and moves; nan without games."""
        total = float(self.moves.sum() + self.starts.sum())
        return total / 1e9 / self.games if self.games else math.nan


@dataclass(frozen=True)
class Trial:
    """How a bot is tested: `games` at each of `tables`, each of three opponents under one name."""

    rules: LeagueRules
    limits: BotLimits
    level: int
    games: int
    seed: int
    tables: tuple[Table, ...]


def random_table() -> Table:
    """Return a table of three random players."""
    return library_table(RANDOM)


def library_table(spec: str) -> Table:
    """Return a table of three copies of a library player."""
    return BUILTIN + spec, (BotText(spec, "", BUILTIN + spec),) * (SEATS - 1)


def example_table(name: str) -> Table:
    """Return a table of three copies of an example bot."""
    return name, (BotText(name, "", f"{name}.py", example(name)),) * (SEATS - 1)


def examples_table() -> Table:
    """Return a table of the example bots."""
    bots = tuple(BotText(one, "", f"{one}.py", example(one)) for one in EXAMPLES)
    return ", ".join(EXAMPLES), bots


def example(name: str) -> str:
    """Return the text of an example bot."""
    return files("cardwright.league.authors").joinpath("bots", f"{name}.py").read_text("utf-8")


def check_bot(file: Path, trial: Trial, tell: Callable[[int], object] | None = None) -> Checkup:
    """Inspect a bot's file, and let it play unless it cannot; `tell` is called after every game.

    Raises SeasonError if the file cannot be read.
    """
    bot = bot_of(file, file.stem)
    found = look(bot.text or "")
    if any(one.fault and one.line is None for one in found) or _unreadable(found):
        return Checkup(file.name, found)
    prepare(trial.rules)
    plan = SeasonPlan(
        "", trial.rules, trial.seed, (bot,), _NOWHERE, trial.limits, trial.level
    )  # fmt: skip
    dealer = Dealer(trial.rules)
    watched = WatchedBot(make_bot(bot, plan, dealer), file.name)
    meetings = _Meetings(watched, plan, dealer, trial, tell or (lambda _: None))
    try:
        met = tuple(meetings.meet(at) for at in range(len(trial.tables)))
    finally:
        watched.close()
    findings = (*found, *_played(watched, meetings.judged, found))
    times = [np.array(column, np.int64) for column in (watched.moves, watched.starts)]
    return Checkup(file.name, findings, met, times[0], times[1], watched.printed)


def look(text: str) -> tuple[Finding, ...]:
    """Inspect a bot's text in a separate process, without running any of it."""
    allowed = [*ALLOWED, HELPER, "__future__"]
    command = [sys.executable, "-I", "-S", "-X", "utf8", str(looker.__file__), *allowed]
    try:
        done = subprocess.run(
            command, input=text.encode(), capture_output=True, timeout=LOOK_SECONDS, check=False
        )
        listed = parse_json(done.stdout) if done.returncode == 0 else None
    except (subprocess.TimeoutExpired, ValueError):
        listed = None
    if listed is None:
        return (Finding("Python cannot read this file: it is nested too deeply, or too large"),)
    return tuple(
        Finding(message, line, fault=kind == looker.FAULT) for kind, line, message in listed
    )


def _unreadable(found: Sequence[Finding]) -> bool:
    return any(one.message.split(":")[0].endswith(("SyntaxError", "IndentationError", "TabError"))
               for one in found)  # fmt: skip


@dataclass
class _Meetings:
    """The games of a check; `judged` counts the referee's findings by kind, see `_judgements`."""

    watched: WatchedBot
    plan: SeasonPlan
    dealer: Dealer
    trial: Trial
    tell: Callable[[int], object]
    judged: Counter[str] = field(default_factory=Counter)

    def meet(self, at: int) -> OpponentRecord:
        """Let the bot play against the others of one table, in all seats in turn."""
        trial, limits = self.trial, self.plan.limits
        name, texts = trial.tables[at]
        ours = replace(self.plan, level=0)
        others = [make_bot(text, ours, self.dealer) for text in texts]
        state = any(text.builtin not in {None, RANDOM} for text in texts)
        conduct = [BotConduct() for _ in range(SEATS)]
        games = range(at * trial.games, (at + 1) * trial.games)
        chances = game_chances(self.plan.seed, games).tolist()
        records, seats, forfeits = [], [], 0
        for number, (seed, chance) in zip(games, chances, strict=True):
            me = RefereeSeat(self.watched, conduct[-1], limits)
            referee_seats = [
                RefereeSeat(bot, one, limits, timed=False)
                for bot, one in zip(others, conduct, strict=False)
            ]
            referee_seats.insert(number % SEATS, me)
            records.append(
                play_match(self.dealer, referee_seats, number, seed, chance, state=state)
            )
            seats.append(number % SEATS)
            forfeits += me.forfeited
            self.judged.update(_judgements(me))
            self.watched.end_game()
            self.tell(number + 1)
        return _met(name, records, np.array(seats), forfeits)


def _judgements(referee_seat: RefereeSeat) -> list[str]:
    """Return the referee's findings about a bot that its answers do not show by themselves."""
    return [
        fault.kind
        for fault in referee_seat.faults
        if fault.kind == SUSPENDED or (fault.kind == LATE and fault.message.startswith("took "))
    ]


def _met(name: str, records: list[bytes], seats: Column, forfeits: int) -> OpponentRecord:
    plays = np.frombuffer(b"".join(records), np.uint8).reshape(-1, ROUND)
    rounds = np.array([len(one) // ROUND for one in records], np.uint16)
    tally = BlockTally.of(SeasonBlock(0, rounds, plays))
    games = np.arange(len(records))
    points = tally.totals[games, seats]
    theirs = (tally.totals.sum(1) - points) / (SEATS - 1)
    apart = points - theirs
    margin = mean_interval(apart).margin
    first = tally.places()[games, seats, 0].sum() / 12 / len(games)
    return OpponentRecord(name, len(games), float(points.mean()), float(theirs.mean()), margin,
               float(first), forfeits)  # fmt: skip


def _played(watched: WatchedBot, judged: Counter[str], seen: Sequence[Finding]) -> list[Finding]:
    """Return the findings in the games, the most frequent first."""
    found = [
        Finding(message, line, count=count, fault=True)
        for (line, message), count in watched.faults.most_common()
    ]
    if judged[LATE]:
        found.append(Finding("a move took longer than allowed, and the bank of the game was "
                             "used up", count=judged[LATE]))  # fmt: skip
    if judged[SUSPENDED]:
        found.append(Finding("was no longer started after three games forfeited in a row",
                             count=judged[SUSPENDED]))  # fmt: skip
    if watched.meant and not any(one.message.startswith(looker.IN_PLACE) for one in seen):
        found.append(Finding(looker.IN_PLACE + looker.AS_LEFT, fault=False, count=watched.meant))
    said = any(one.message.startswith("print()") for one in seen)
    if watched.printed and not said:
        found.append(Finding("something is printed, which is discarded in a season", fault=False))
    return found

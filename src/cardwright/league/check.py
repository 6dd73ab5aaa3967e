"""Checks of a bot: its file is inspected, and it plays test games like those of a season.

The inspection does not run the bot, and has its own process; games are played in the same sandbox,
by the same rules and with the same limits as in a season.
"""

from __future__ import annotations

import heapq
import io
import math
import re
import subprocess
import sys
from collections import Counter
from contextlib import (
    ExitStack,
    closing,
    contextmanager,
    nullcontext,
    redirect_stderr,
    redirect_stdout,
)
from dataclasses import dataclass, field, replace
from inspect import isawaitable
from pathlib import Path
from typing import IO, TYPE_CHECKING, TypeVar

import numpy as np

from cardwright.arena.entrants import tried_spec
from cardwright.league.authors import example, look as looker
from cardwright.league.authors.hearts_cards import name, names
from cardwright.league.block import CARD_BITS, ROUND, SEATS, BlockTally, SeasonBlock
from cardwright.league.bot import DIED, LATE, SLEPT, SUSPENDED, Bot, LostError
from cardwright.league.bot_runtime import ALLOWED, HELPER, MASKS, BotMistake
from cardwright.league.dealer import Dealer
from cardwright.league.plan import RANDOM, BotText, SeasonPlan, game_chances
from cardwright.league.play import BotController, BotPenalties, play_match
from cardwright.league.roster import BUILTIN
from cardwright.league.season import BOTS, bot_of, prepare
from cardwright.league.tables import make_bot
from cardwright.players.kind import NO_TRUST, Trust
from cardwright.statistics.intervals import mean_interval
from cardwright.syntax.data_files import parse_json

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, Sequence
    from typing import TypeAlias

    from cardwright.interpreter.stream import Stream
    from cardwright.league.block import Column
    from cardwright.league.bot_runtime import PublicTable
    from cardwright.league.settings import BotLimits, LeagueRules

    Table: TypeAlias = tuple[str, tuple[BotText, ...]]


Answer = TypeVar("Answer")

PRINTED = 2_000
"""Characters kept of what a bot prints."""

MOST_KINDS = 50
"""The most different messages kept; all others are counted together."""

SLOWEST = 3
"""The slowest moves that are kept."""

_MORE = "other errors, with other messages"
_NUMBER = re.compile(r"\d+(\.\d+)?(e-?\d+)?")


@dataclass(frozen=True, order=True)
class SlowMove:
    """A move that took long: its time in nanoseconds, its game and round from 1, which card."""

    took_ns: int
    game: int
    round: int
    card: str


@dataclass(frozen=True)
class FaultScene:
    """Where something happened: the game and the round, from 1, the seat, and what was seen.

    `card` says which card of the round was due, as `trick 5`; it is empty, and round 0, before the
    game began. `cards` are lines for `hand`, `legalMoves` and the table. `trace` has the lines of a
    traceback, empty if there is none.
    """

    game: int
    seat: int
    round: int = 0
    card: str = ""
    cards: tuple[str, ...] = ()
    trace: tuple[str, ...] = ()


class WatchedBot(Bot):
    """A bot, its faults in all its games, and the times of its moves and starts.

    `faults` counts pairs of a line of the bot's file, None if unknown, and a message; messages that
    differ only in numbers count as the first of them. Times are in nanoseconds. `meant` counts
    answers that mean another card because the bot has changed `legalMoves` in place. `scenes` says
    where each fault happened first, and `slowest` are the slowest moves. Whoever lets it play sets
    `game`, the number of the game from 1.
    """

    changed = False

    def __init__(self, bot: Bot, file: str) -> None:
        self.bot = bot
        self.apart = bot.apart
        self.game = 1
        self.faults: Counter[tuple[int | None, str]] = Counter()
        self.scenes: dict[tuple[int | None, str], FaultScene] = {}
        self.slowest: list[SlowMove] = []
        self.moves: list[int] = []
        self.starts: list[int] = []
        self.lost: list[int] = []
        """The times of moves with which it was lost; they are among `moves`."""
        self.meant = 0
        self.output = ""
        self._place = re.compile(rf"{re.escape(file)}, line (\d+): ")
        self._sink = _Sink()
        self._first: dict[tuple[int | None, str], str] = {}
        self._asked = ""
        self._legal: int | None = None
        self._plays = bytearray()
        self._hand: list[int] = []
        self._seat = self._round = self._given = 0

    async def begin(self, seat: int, stream: Stream, table: PublicTable) -> None:
        """Start the bot for a game."""
        self._seat, self._plays, self._round = seat, table.plays, 0
        self._asked, self._legal = "at the start of a game", None
        await self._noted(lambda: self.bot.begin(seat, stream, table))

    async def revive(self) -> None:
        """Restart the bot after it was lost."""
        self._asked, self._legal = "when it was started again", None
        await self._noted(self.bot.revive)

    async def ask(self, legal: int, seconds: float, *, play: bool) -> int:
        """Return the bot's answer, recording what is wrong with it."""
        self._asked, self._legal = "getPlay" if play else "getSluff", legal
        answer = await self._noted(lambda: self.bot.ask(legal, seconds, play=play))
        self.meant += self.changed
        if not 0 <= answer < legal.bit_count():
            below = "a negative index" if answer < 0 else "an index beyond the end of legalMoves"
            self._note(f"{self._asked} returned {below}; a random card was played")
        return answer

    async def _noted(self, ask: Callable[[], int | Awaitable[Answer]]) -> int | Answer:
        """Return what a bot does, noting what is wrong with it, its time, and what it prints."""
        try:
            with nullcontext() if self.apart else printing_to(self._sink):
                answer = ask()
                if isawaitable(answer):  # also a generator that is a coroutine
                    awaited: Answer = await answer
                    return awaited
                assert isinstance(answer, int)
                return answer
        except (BotMistake, LostError) as fault:
            start, message = self._legal is None, fault.message
            if isinstance(fault, LostError) and not start:
                self.lost.append(self.bot.took_ns)
            if start:
                message = f"{self._asked}: {message}"
            elif not message.startswith(self._asked):
                message = f"{message} (in {self._asked})"
            self._note(message, fault.trace if isinstance(fault, BotMistake) else "")
            raise
        finally:
            self.took_ns, self.changed = self.bot.took_ns, self.bot.changed
            self._timed(self.took_ns)

    def _timed(self, took_ns: int) -> None:
        """Keep the time of an answer."""
        if self._legal is None:
            self.starts.append(took_ns)
            return
        self.moves.append(took_ns)
        full = len(self.slowest) == SLOWEST
        if not full or took_ns > self.slowest[0].took_ns:
            add = heapq.heappushpop if full else heapq.heappush
            add(self.slowest, SlowMove(took_ns, self.game, self._round, self._card()))

    def _card(self) -> str:
        """Return which card of the round is due."""
        if self._asked == "getSluff":
            return f"card {self._given + 1} to pass"
        return f"trick {len(self._plays) // SEATS + 1}"

    def _scene(self, trace: str) -> FaultScene:
        """Return where the bot is now."""
        steps = tuple(trace.splitlines())
        if self._legal is None:
            return FaultScene(self.game, self._seat, trace=steps)
        hand = self._hand
        cards = [
            f"hand          {names(hand)}",
            f"legalMoves    {names([hand[at] for at in MASKS[self._legal]])}",
        ]
        if self._asked == "getPlay":
            trick = self._plays[len(self._plays) // SEATS * SEATS :]
            low = (1 << CARD_BITS) - 1
            played = [f"{name(play & low)} (seat {(play >> CARD_BITS) + 1})" for play in trick]
            cards.append(f"on the table  {', '.join(played) or 'nothing'}")
        return FaultScene(self.game, self._seat, self._round, self._card(), tuple(cards), steps)

    def deal(self, direction: int, totals: list[int], hand: list[int]) -> None:
        """Take up a hand of a new round."""
        self._round, self._given, self._hand = self._round + 1, 0, hand
        self.bot.deal(direction, totals, hand)

    def gave(self, card: int) -> None:
        """Note that a card was passed on."""
        self._given += 1
        self.bot.gave(card)

    def got(self, cards: list[int]) -> None:
        """Note that cards were passed to this seat."""
        self.bot.got(cards)

    def leave(self) -> None:
        """End the game."""
        self.bot.leave()

    def end_game(self) -> None:
        """Keep what has been printed, in the first game in which anything was."""
        text = self._sink.kept or self.bot.printed
        if text.strip() and not self.output:
            self.output = text[:PRINTED]

    def close(self) -> None:
        """End the bot."""
        self.bot.close()

    def _note(self, message: str, trace: str = "") -> None:
        match = self._place.search(message)
        line = int(match[1]) if match else None
        message = self._place.sub("", message, count=1)
        like = (line, _NUMBER.sub("0", message))
        if like not in self._first and len(self._first) >= MOST_KINDS:
            line, message, like = None, _MORE, (None, _MORE)
        fault = line, self._first.setdefault(like, message)
        self.faults[fault] += 1
        if fault not in self.scenes:
            self.scenes[fault] = self._scene(trace)


class _Sink(io.TextIOBase):
    """Takes what is printed, and keeps its beginning; a debugger writes to `real` instead."""

    kept = ""
    real: IO[str] | None = None

    def writable(self) -> bool:
        """Say that it can be written to."""
        return True

    def write(self, text: str) -> int:
        """Keep a text up to the limit."""
        if self.real is not None and _debugging():
            return self.real.write(text)
        if len(self.kept) < PRINTED:
            self.kept += text[:PRINTED]
        return len(text)

    def flush(self) -> None:
        """Show what a debugger has written."""
        if self.real is not None and _debugging():
            self.real.flush()


@contextmanager
def printing_to(sink: _Sink) -> Iterator[None]:
    """Let a bot in this process print to a sink."""
    sink.real = sys.stdout
    with redirect_stdout(sink), redirect_stderr(sink):
        yield


def _debugging() -> bool:
    """Say whether one of Python's debuggers, or one made from them, follows this thread."""
    if "bdb" not in sys.modules:
        return False
    monitoring = getattr(sys, "monitoring", None)  # from Python 3.12 on; debuggers may use it
    if monitoring is not None and monitoring.get_tool(monitoring.DEBUGGER_ID) is not None:
        return True
    return isinstance(getattr(sys.gettrace(), "__self__", None), sys.modules["bdb"].Bdb)


EXAMPLES = ("low_card", "careful", "counting")
"""The example bots that a bot meets in a check, by file."""

LOOK_SECONDS = 20.0

OTHERWISE = (
    "plays a game differently after other games than before them: it keeps something in a module "
    "that its games share, or decides by a clock or by addresses; no season of it can be repeated"
)
"""What is found out by playing the first game of a check once more, at the end."""

_NOWHERE = np.zeros((0, SEATS), np.int32)


@dataclass(frozen=True)
class Finding:
    """A finding about a bot for its author.

    `line` is a line of the bot's file, if known; `count` is how often it happened in the games, 0
    for findings in the file itself. `scene` is where it happened first, if a bot has made it in a
    game. Faults make a check fail, notes do not.
    """

    message: str
    line: int | None = None
    fault: bool = True
    count: int = 0
    scene: FaultScene | None = None


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

    `slowest` are the slowest moves, the slowest first.
    `printed` is what the bot printed in the first game in which it printed anything, cut if long.
    """

    file: str
    findings: tuple[Finding, ...]
    met: tuple[OpponentRecord, ...] = ()
    moves: Column = field(default_factory=lambda: np.zeros(0, np.int64))
    starts: Column = field(default_factory=lambda: np.zeros(0, np.int64))
    printed: str = ""
    slowest: tuple[SlowMove, ...] = ()

    @property
    def clean(self) -> bool:
        """Whether there are no faults."""
        return not any(finding.fault for finding in self.findings)

    @property
    def games(self) -> int:
        """The number of games played."""
        return sum(opponent.games for opponent in self.met)

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


def opponents(spec: str, trust: Trust = NO_TRUST) -> Table:
    """Return three copies of an example bot, of the bot in a file, or of a library player.

    `trust` says what the player may load. Raises SeasonError for a file that cannot be read, and
    PlayerSpecError for a wrong player.
    """
    if spec in BOTS:
        bot = BotText(spec, "", f"{spec}.py", example(spec))
    elif spec.endswith(".py"):
        bot = bot_of(Path(spec), Path(spec).stem)
    else:
        player = spec.removeprefix(BUILTIN)
        tried_spec(player, trust)
        bot = BotText(player, "", BUILTIN + player)
        spec = bot.file
    return spec, (bot,) * (SEATS - 1)


def usual_opponents() -> tuple[Table, ...]:
    """Return random players, and the example bots."""
    examples = tuple(BotText(one, "", f"{one}.py", example(one)) for one in EXAMPLES)
    return opponents(RANDOM), (", ".join(EXAMPLES), examples)


def check_bot(file: Path, trial: Trial, tell: Callable[[int], object] | None = None) -> Checkup:
    """Inspect a bot's file, and let it play unless it cannot; `tell` is called after every game.

    Raises SeasonError if the file cannot be read.
    """
    bot = bot_of(file, file.stem)
    found = look(bot.text or "")
    if any(finding.fault and finding.line is None for finding in found) or _unreadable(found):
        return Checkup(file.name, found)
    prepare(trial.rules)
    plan = SeasonPlan(
        "", trial.rules, trial.seed, (bot,), _NOWHERE, trial.limits, trial.level
    )  # fmt: skip
    dealer = Dealer(trial.rules)
    watched = WatchedBot(make_bot(bot, plan, dealer, traced=True), file.name)
    meetings = _Meetings(watched, plan, dealer, trial, tell or (lambda _: None))
    try:
        met = tuple(meetings.meet(at) for at in range(len(trial.tables)))
        otherwise = meetings.plays_otherwise()
    finally:
        watched.close()
    findings = [*found, *_played(watched, meetings.judged, found, trial.limits), *meetings.others]
    if otherwise:
        findings.append(Finding(OTHERWISE, fault=False))
    times = [np.array(column, np.int64) for column in (watched.moves, watched.starts)]
    slowest = tuple(sorted(watched.slowest, reverse=True))
    return Checkup(
        file.name, tuple(findings), met, times[0], times[1], watched.output, slowest
    )  # fmt: skip


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
    kinds = "SyntaxError", "IndentationError", "TabError"
    return any(finding.message.split(":")[0].endswith(kinds) for finding in found)


@dataclass
class _Meetings:
    """The games of a check.

    `judged` counts the referee's findings by kind that the answers of the bot do not show by
    themselves. `others` are notes about bots of others that do not play as they should.
    """

    watched: WatchedBot
    plan: SeasonPlan
    dealer: Dealer
    trial: Trial
    tell: Callable[[int], object]
    judged: Counter[str] = field(default_factory=Counter)
    others: list[Finding] = field(default_factory=list)
    _first: bytes | None = None

    def meet(self, at: int) -> OpponentRecord:
        """Let the bot play against the others of one table, in all seats in turn."""
        trial = self.trial
        penalties = [BotPenalties() for _ in range(SEATS)]
        games = range(at * trial.games, (at + 1) * trial.games)
        records, seats, forfeits = [], [], 0
        faults: Counter[str] = Counter()
        with self._opponents(at) as others:
            for number in games:
                self.watched.game = number + 1
                me = BotController(self.watched, penalties[-1], self.plan.limits)
                record, theirs = self._game(at, number, me, others, penalties)
                if number == 0 and not _depends_on_time(me):
                    self._first = record
                records.append(record)
                seats.append(number % SEATS)
                forfeits += me.forfeited
                self.judged.update(
                    fault.kind
                    for fault in me.faults
                    if fault.kind == SUSPENDED or fault.message.startswith("took ")
                )
                faults.update(fault.message for one in theirs for fault in one.faults)
                self.watched.end_game()
                self.tell(number + 1)
        name = trial.tables[at][0]
        if faults:
            said = f"{name}, the bot of the others: {faults.most_common(1)[0][0]}"
            self.others.append(Finding(said, fault=False, count=faults.total()))
        return _met(name, records, np.array(seats), forfeits)

    def plays_otherwise(self) -> bool:
        """Say whether the bot plays the first game otherwise, now that it has played others."""
        if self._first is None:
            return False
        penalties = [BotPenalties() for _ in range(SEATS)]
        me = BotController(self.watched.bot, penalties[-1], self.plan.limits)
        with self._opponents(0) as others, printing_to(_Sink()):
            record, _ = self._game(0, 0, me, others, penalties)
        return record != self._first and not _depends_on_time(me)

    @contextmanager
    def _opponents(self, at: int) -> Iterator[list[Bot]]:
        """Yield the others of a table; those of strangers are sandboxed like the bot itself."""
        trusted = replace(self.plan, level=0)
        with ExitStack() as bots:
            yield [
                bots.enter_context(
                    closing(make_bot(text, self.plan if _strange(text) else trusted, self.dealer))
                )
                for text in self.trial.tables[at][1]
            ]

    def _game(
        self,
        at: int,
        number: int,
        me: BotController,
        others: Sequence[Bot],
        penalties: Sequence[BotPenalties],
    ) -> tuple[bytes, list[BotController]]:
        """Play a game, and return its record, and the controllers of the others."""
        texts = self.trial.tables[at][1]
        state = any(text.builtin not in {None, RANDOM} for text in texts)
        ((seed, chance),) = game_chances(self.plan.seed, range(number, number + 1)).tolist()
        theirs = [
            BotController(bot, penalty, self.plan.limits, timed=False)
            for bot, penalty in zip(others, penalties, strict=False)
        ]
        seated = [*theirs]
        seated.insert(number % SEATS, me)
        return play_match(self.dealer, seated, number, seed, chance, state=state), theirs


def _strange(text: BotText) -> bool:
    """Say whether a bot is a file, and none of the examples."""
    return text.text is not None and text.text not in map(example, BOTS)


def _depends_on_time(controller: BotController) -> bool:
    """Say whether a game came out as it did because of the machine's speed."""
    return any(fault.kind in {LATE, SLEPT, DIED, SUSPENDED} for fault in controller.faults)


def _met(name: str, records: list[bytes], seats: Column, forfeits: int) -> OpponentRecord:
    plays = np.frombuffer(b"".join(records), np.uint8).reshape(-1, ROUND)
    rounds = np.array([len(record) // ROUND for record in records], np.uint16)
    tally = BlockTally.of(SeasonBlock(0, rounds, plays))
    games = np.arange(len(records))
    points = tally.totals[games, seats]
    theirs = (tally.totals.sum(1) - points) / (SEATS - 1)
    apart = points - theirs
    margin = mean_interval(apart).margin
    first = tally.places()[games, seats, 0].sum() / 12 / len(games)
    return OpponentRecord(name, len(games), float(points.mean()), float(theirs.mean()), margin,
               float(first), forfeits)  # fmt: skip


def _played(
    watched: WatchedBot, judged: Counter[str], seen: Sequence[Finding], limits: BotLimits
) -> list[Finding]:
    """Return the findings in the games, the most frequent first."""
    found = [
        Finding(message, line, count=count, fault=True, scene=watched.scenes[line, message])
        for (line, message), count in watched.faults.most_common()
    ]
    if judged[LATE]:
        found.append(Finding("a move took longer than allowed, and the bank of the game was "
                             "used up", count=judged[LATE]))  # fmt: skip
    slow, lost = (
        sum(took > limits.move * 1e9 for took in times) for times in (watched.moves, watched.lost)
    )
    if slow > lost and not judged[LATE]:
        said = f"a move took longer than {1000 * limits.move:g} ms: that comes out of the bank of "
        found.append(Finding(f"{said}{limits.bank:g} s a game", fault=False, count=slow - lost))
    if judged[SUSPENDED]:
        found.append(Finding("was no longer started after three games forfeited in a row",
                             count=judged[SUSPENDED]))  # fmt: skip
    if watched.meant and not any(finding.message.startswith(looker.IN_PLACE) for finding in seen):
        found.append(Finding(looker.IN_PLACE + looker.AS_LEFT, fault=False, count=watched.meant))
    announced = any(finding.message.startswith("print()") for finding in seen)
    if watched.output and not announced:
        found.append(Finding("something is printed, which is discarded in a season", fault=False))
    return found

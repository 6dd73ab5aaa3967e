"""Untrusted bots: each at a table, and in a process where it plays at several.

A question costs less the more of them go in one message, so all open ones are asked at once. This
must not have an effect on any game. At each table the bot's file is run separately, with its own
random source and its own time limits; and when the process is lost, by a crash, an endless loop or
lack of memory, with more than one table in it, no table is blamed at once: the tables are restarted
later, one at a time, and all their earlier questions are asked again. Then the fault happens at its
own table; if it does not, the bot is blamed for the loss: see `tables`. To repeat what was asked is
no gift of time: what takes longer than it did before is taken from the bank.
"""

from __future__ import annotations

import inspect
import marshal
import types
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from cardwright.game.errors import CardwrightError
from cardwright.game.seeds import token
from cardwright.league import bot_runtime
from cardwright.league.authors import helper_text
from cardwright.league.bot import DIED, LATE, SLEPT, Bot, LostError
from cardwright.league.bot_runtime import (
    BEGIN,
    CHANGED,
    DEAL,
    END,
    GAVE,
    GOT,
    INDEX,
    NO_INTEGER,
    PASS,
    PLAY,
    PLAYED,
    RAISED,
    REPLY,
    BotMistake,
)
from cardwright.league.plan import BOT
from cardwright.sandbox.errors import ConfineError, LateError, NonsenseError, SandboxError
from cardwright.sandbox.limits import SandboxLevel, SandboxLimits
from cardwright.sandbox.sandbox import Sandbox

if TYPE_CHECKING:
    from collections.abc import Awaitable, Generator, Sequence

    from cardwright.interpreter.stream import Stream
    from cardwright.league.bot_runtime import PublicTable
    from cardwright.league.plan import BotText
    from cardwright.league.settings import BotLimits

NONSENSE = "nonsense"

_NANO = 1_000_000_000
_KINDS = {RAISED, NO_INTEGER, INDEX}
_MEMORY = "MemoryError"
_HEARD = [bytes((PLAYED, count)) for count in range(64)]

_START_SECONDS = 60.0
"""Wall-clock seconds until the runtime is ready in a process; the bot has not run there yet."""

_LEAST = 0.001
"""Seconds that a start may take in any case."""

_KEPT = 1 << 12
"""Characters kept of the output of processes that have ended."""

_MARGIN = 0.01
"""Seconds of processor time that a message itself may take."""

_NO_ANSWER = "answered with bytes that are not an answer, and was ended"
_IDLE = "gave no answer for a long time in which it computed little, and was ended"

_AGAIN = 1.5
"""How many times longer than before a start, or the moves of a game, may take when repeated."""

_UNREPORTED = 10_000_000
"""Nanoseconds of processor time that the process may use between moves."""

_AT_ONCE = 0.005
"""Seconds that the questions of a message should take together: others have to wait for them."""


class BotSandboxError(CardwrightError):
    """A sandbox that cannot be built, though this machine was found to offer it."""


@dataclass
class StartupBudget:
    """The seconds that a bot's starts may still take in the games of a block."""

    left: float


class SandboxedBot(Bot):
    """An untrusted bot at one table: it gets news and questions as bytes, see `Served`.

    A question waits until its process asks it, with others or alone. A lost bot can be revived for
    the next move, and is then told all that it had seen of the game. Tables in use at the same time
    have different numbers.
    """

    apart = True
    changed = False

    def __init__(self, bot_process: BotProcess, table: int = 0) -> None:
        self.bot_process = bot_process
        self.table = table
        self.seat = 0
        self.life = 0
        """The `life` of the bot process that knows this game; 0 for none."""
        self.seconds = 0.0
        """Seconds of processor time that the open question may take."""
        self.starting = False
        """Whether the question is to start for a game."""
        self.slept_ns = 0
        """Nanoseconds that it has slept in this game while it was asked."""
        self.started_ns = 0
        """Nanoseconds that its last start has taken."""
        self.spent_ns = 0
        """Nanoseconds that its answers have taken since then."""
        self.owed_ns = 0
        """Nanoseconds that count as its next answer's, because questions had to be repeated."""
        self.reply = 0
        self.failed: BotMistake | LostError | None = None
        self.questions: list[bytes] = []
        """Those since its last start, which is the first; the last one is open."""
        self._head = bytes((table,))
        self._limits = bot_process.limits
        self._fresh = True
        self._begin = b""
        self._plays = bytearray()
        self._news = bytearray()
        self._sent = 0
        self._heard = 0

    def begin(self, seat: int, stream: Stream, table: PublicTable) -> Awaitable[int]:
        """Start for a game."""
        self.seat = seat
        self._plays = table.plays
        self._begin = bytes((BEGIN, seat)) + token(stream, BOT)
        self._news.clear()
        self._heard = 0
        self._fresh = True
        self.slept_ns = 0
        return self.revive()

    def revive(self) -> Awaitable[int]:
        """Run the bot's file for this game.

        With its next question it is told all that it has seen.
        """
        self._sent = 0
        self.questions.clear()
        self.spent_ns = self.owed_ns = 0
        self.starting = True
        return self._answered(self._head + self._begin)

    def deal(self, direction: int, totals: list[int], hand: list[int]) -> None:
        """Take up a hand of a new round."""
        self._hear()
        points = b"".join([total.to_bytes(2, "little") for total in totals])
        self._news += bytes((DEAL, direction)) + points + bytes(hand)

    def gave(self, card: int) -> None:
        """Note that a card was passed on."""
        self._news += bytes((GAVE, card))

    def got(self, cards: list[int]) -> None:
        """Note that cards were passed to this seat; play begins."""
        self._news += bytes((GOT, *cards))
        self._heard = 0

    def _hear(self) -> None:
        """Note the cards played since the last call."""
        plays, heard = self._plays, self._heard
        count = len(plays)
        if count > heard:
            self._news += _HEARD[count - heard] + plays[heard:]
            self._heard = count

    def ask(self, legal: int, seconds: float, *, play: bool) -> Awaitable[int]:
        """Ask the bot, with a limit of processor time."""
        if play:
            self._hear()
        news, sent = self._news, self._sent
        self.seconds, self.starting, self._sent = seconds, False, len(news)
        asked = (legal << 8 | (PLAY if play else PASS)).to_bytes(3, "little")
        return self._answered(self._head + news[sent:] + asked)

    @types.coroutine
    def _answered(self, question: bytes) -> Generator[tuple[SandboxedBot], None, int]:
        """Wait for an answer, which may be any integer; raises BotMistake or LostError."""
        self.questions.append(question)
        self.bot_process.waiting.append(self)
        yield (self,)
        if self.failed is not None:
            raise self.failed
        return self.reply

    def answer_alone(self) -> None:
        """Answer the question without those of other tables."""
        self.bot_process.waiting.remove(self)
        while not self.bot_process.ask([self]):
            pass

    def admit(self) -> None:
        """Set how long it may take to start, now that its turn has come."""
        if self._fresh:
            self.bot_process.startup.left += self._limits.starts
            self._fresh = False
        self.seconds = self.start_seconds

    @property
    def start_seconds(self) -> float:
        """Seconds that a start may take."""
        return max(min(self._limits.start, self.bot_process.startup.left), _LEAST)

    @property
    def sleep_left(self) -> float:
        """Seconds that it may still sleep in this game, while it is asked."""
        return max(self._limits.sleep - self.slept_ns / _NANO, 0.0)

    def late(self) -> LostError:
        """Return the error of a bot that has taken longer than it may."""
        message = f"took more than {self.seconds:.2g} s to start, of processor time{self._all()}"
        if not self.starting:
            had = f"{self.seconds * 1000:.0f} ms of processor time, all that it had left"
            message = f"gave no answer in {had}, and was ended"
        return LostError(LATE, message)

    def slept(self) -> LostError:
        """Return the error of a bot that has slept longer than it may."""
        message = f"slept while it had to start, for more than {self.seconds:.2g} s{self._all()}"
        if not self.starting:
            message = (
                "did not compute while it was asked: its process slept for "
                f"{self.slept_ns / _NANO:.1f} s of this game, and {self._limits.sleep:g} s are "
                "allowed"
            )
        return LostError(SLEPT, message)

    def _all(self) -> str:
        """Return why a start had less time than a single one may take."""
        limits = self._limits
        if self.seconds == limits.start:
            return ""
        return (
            f": all that was left, as its starts may take {limits.starts:g} s a game together "
            f"plus {limits.start:g} s"
        )

    @property
    def printed(self) -> str:
        """The end of what the bot has printed, safe for a terminal."""
        return self.bot_process.printed

    def leave(self) -> None:
        """Leave the table."""
        if self in self.bot_process.waiting:
            self.bot_process.waiting.remove(self)
        self.bot_process.leave(self.table)

    def close(self) -> None:
        """End the bot's process."""
        self.bot_process.close()


class BotProcess:
    """A sandbox for one bot, started at its first question, and again when lost.

    Nothing that comes from it is trusted. `life` counts its processes. `alone` says that its memory
    does not suffice for several tables.
    """

    def __init__(
        self,
        text: BotText,
        level: int,
        limits: BotLimits,
        *,
        processor: int | None = None,
        startup: StartupBudget | None = None,
        traced: bool = False,
    ) -> None:
        """Take a bot; its process will run on `processor`, or on any.

        If it is `traced`, its mistakes have tracebacks.
        """
        source, files = text.text or "", dict(text.files)
        self._payload = marshal.dumps((source, text.file, helper_text(), files, traced))
        self._imports = _mentioned(source.encode(), *files.values())
        self._file = text.file
        self._level = SandboxLevel(level)
        self.limits = limits
        self._usual = limits.move + limits.grace
        self._usual_ns = int(self._usual * _NANO)
        self._most = self._usual + limits.bank
        self._processor = processor
        self._sandbox: Sandbox | None = None
        self._tables: set[int] = set()
        self._left = b""
        self._mean = 0.0
        self._printed = ""
        self.startup = startup or StartupBudget(limits.start)
        self.life = 0
        self.alone = False
        self.loss: LostError | None = None
        """Why it was lost with several tables in it, the last time, unless that was for memory."""
        self.waiting: list[SandboxedBot] = []
        """Bots at tables with open questions."""

    @property
    def at_once(self) -> int:
        """The number of questions that a message should have, by the times so far."""
        return max(1, int(_AT_ONCE / max(self._mean, 1e-6)))

    def ask(self, bots: Sequence[SandboxedBot]) -> bool:
        """Make bots answer their questions; each then has its reply.

        False means that the process was lost with several tables in it, so that the cause is not
        known; then no bot has an answer.
        """
        first = bots[0]
        if first.starting:
            first.admit()
        try:
            sandbox = self._sandbox or self._started()
            for bot in bots:
                if bot.life != self.life:
                    self._restore(sandbox, bot)
            self._exchange(sandbox, bots)
        except LostError as lost:
            only = len(bots) == 1 and len(self._tables) <= 1
            self.close()
            if not only:
                self.loss = None if self.alone else lost
                return False
            first.failed = lost
            first.took_ns = 0 if lost.kind == SLEPT else int(first.seconds * _NANO)
        if first.starting:
            self.startup.left -= first.took_ns / _NANO
            first.started_ns = first.took_ns
        return True

    def _started(self) -> Sandbox:
        """Start the process."""
        self.life += 1
        try:
            self._sandbox = Sandbox(
                _runtime(), self._payload, self._level,
                SandboxLimits(memory=self.limits.memory << 20), self._file,
                start_seconds=_START_SECONDS, processor=self._processor, imports=self._imports,
            )  # fmt: skip
        except ConfineError as error:
            raise BotSandboxError(f"the sandbox for {self._file} fails: {error.reason}") from None
        except SandboxError as error:
            raise LostError(DIED, f"could not be started: {error.reason}") from None
        return self._sandbox

    def _restore(self, sandbox: Sandbox, bot: SandboxedBot) -> None:
        """Repeat all earlier questions of this game, so that the bot is in its former state.

        What that takes beyond what the same questions took before is added to the next answer.
        """
        bot.life = self.life
        self._tables.add(bot.table)
        if len(bot.questions) <= 1:
            return
        free = int(_AGAIN * bot.started_ns)
        seconds = free / _NANO + bot.start_seconds
        late = (
            f"took more than {seconds:.2g} s of processor time to start again, after "
            f"{bot.started_ns / _NANO:.2g} s before"
        )
        self._message(sandbox, [bot], bot.questions[0], seconds, late, start=True)
        used = sandbox.used_ns or 0
        self.startup.left -= max(used - free, 0) / _NANO
        bot.started_ns = max(used, bot.started_ns)
        earlier = b"".join(bot.questions[1:-1])
        if not earlier:
            return
        free = int(_AGAIN * bot.spent_ns)
        seconds = free / _NANO + bot.seconds
        late = (
            f"took {seconds:.2g} s of processor time when its moves of this game were repeated, "
            f"which had taken {bot.spent_ns / _NANO:.2g} s, and was ended"
        )
        self._message(sandbox, [bot], earlier, seconds, late)
        used = sandbox.used_ns or 0
        bot.owed_ns = max(used - free, 0)
        bot.spent_ns = max(used, bot.spent_ns)

    def _exchange(self, sandbox: Sandbox, bots: Sequence[SandboxedBot]) -> None:
        """Ask the open questions, and hand out the replies."""
        first = bots[0]
        seconds, late = self._most + len(bots) * self._usual, "gave no answer in time"
        if len(bots) == 1:
            seconds, late = first.seconds - first.owed_ns / _NANO, ""
        request = b"".join([bot.questions[-1] for bot in bots])
        replies = self._message(sandbox, bots, request, seconds, late, start=first.starting)
        reported = self._read(bots, replies)
        used = sandbox.used_ns
        if used is None:
            used = min(reported, sandbox.last_ns)
        self._mean += (used / _NANO / len(bots) - self._mean) / 8
        if not reported <= used <= min(reported + _UNREPORTED, self._usual_ns):
            self._charge(bots, used, used - reported)
        for bot in bots:
            if not bot.starting:
                bot.spent_ns += bot.took_ns
            if bot.owed_ns:
                bot.took_ns += bot.owed_ns
                bot.owed_ns = 0
                if bot.took_ns > bot.seconds * _NANO:
                    bot.failed = bot.late()
        if sandbox.overslept:
            for bot in bots:
                if bot.starting or not bot.sleep_left:
                    bot.failed = bot.slept()

    def _charge(self, bots: Sequence[SandboxedBot], used: int, unreported: int) -> None:
        """Judge the times of bots, one of which may be late or report a wrong time."""
        for bot in bots:
            if unreported > _UNREPORTED:  # a bot computes between moves, or has changed the clock
                bot.took_ns += unreported
            bot.took_ns = min(bot.took_ns, used)
            if bot.took_ns > bot.seconds * _NANO:
                bot.failed = bot.late()

    def _read(self, bots: Sequence[SandboxedBot], replies: bytes) -> int:
        """Hand out replies, and return their total time in nanoseconds, as reported."""
        at, reported, size, unpack = 0, 0, REPLY.size, REPLY.unpack_from
        for bot in bots:
            if at + size > len(replies):
                raise LostError(NONSENSE, _NO_ANSWER)
            status, kind, length, bot.took_ns, bot.reply = unpack(replies, at)
            reported += bot.took_ns
            bot.failed, bot.changed = None, status == CHANGED
            at += size
            if kind:
                end = at + kind + length
                bot.failed = self._mistake(replies[at : at + kind], replies[at + kind : end])
                at = end
        if at != len(replies):
            raise LostError(NONSENSE, _NO_ANSWER)
        return reported

    def _mistake(self, kind: bytes, message: bytes) -> BotMistake:
        """Return the mistake that a reply reports; raises LostError if it reports none."""
        word = kind.decode("ascii", "replace")
        text, _, trace = message.decode("utf-8", "replace").partition("\0")
        words = _printable(text[: bot_runtime.WORDS])
        steps = map(_printable, trace[: bot_runtime.TRACE].split("\n"))
        if word not in _KINDS:
            raise LostError(NONSENSE, _NO_ANSWER)
        if _MEMORY in words and len(self._tables) > 1:
            self.alone = True
            raise LostError(DIED, words)
        return BotMistake(word, words, "\n".join(steps))

    def _message(
        self,
        sandbox: Sandbox,
        bots: Sequence[SandboxedBot],
        request: bytes,
        seconds: float,
        late: str = "",
        *,
        start: bool = False,
    ) -> bytes:
        """Send a message about these bots, and return the reply; raises LostError.

        They share what the process sleeps in the meantime; a `start` takes it from its own seconds.
        """
        sleep = seconds if start else len(bots) * min([bot.sleep_left for bot in bots])
        if self._left:
            request, self._left = self._left + request, b""
        idle = False
        try:
            return sandbox.compute(request, seconds + _MARGIN, sleep)
        except LateError:
            idle = sandbox.used_ns is not None and sandbox.used_ns <= seconds * _NANO
        except NonsenseError as error:
            raise LostError(NONSENSE, f"{error.reason}; it was ended") from None
        except SandboxError as error:
            raise LostError(DIED, _last_words(error)) from None
        finally:
            if sandbox.slept_ns:
                if start:
                    self.startup.left -= sandbox.slept_ns / _NANO
                for bot in () if start else bots:
                    bot.slept_ns += sandbox.slept_ns // len(bots)
        if sandbox.overslept:
            raise bots[0].slept()
        if idle or late:
            raise LostError(LATE, _IDLE if idle else late)
        raise bots[0].late()

    def leave(self, table: int) -> None:
        """Note that a table's game is over or will be restarted."""
        if table in self._tables:
            self._tables.remove(table)
            self._left += bytes((table, END))

    @property
    def printed(self) -> str:
        """The end of what the bot has printed, safe for a terminal."""
        return self._printed + ("" if self._sandbox is None else self._sandbox.printed)

    def close(self) -> None:
        """End the process."""
        self._tables.clear()
        self._left = b""
        if self._sandbox is not None:
            self._sandbox.close()
            self._printed = self.printed[:_KEPT]
            self._sandbox = None


def _printable(text: str) -> str:
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def _last_words(error: SandboxError) -> str:
    """Return how a bot ended, with the last line that it printed."""
    printed = error.output.strip().splitlines()
    return f"{error.reason}: {printed[-1]}"[: bot_runtime.WORDS] if printed else error.reason


_HEAVY = {
    "numpy": (b"numpy", b"pandas"),
    "pandas": (b"pandas",),
    "zoneinfo": (b"tz", b"zone"),
}
"""Modules that bots may import, or that these need for time zones, and words of who does."""


def _mentioned(*texts: bytes) -> tuple[str, ...]:
    """Return what a process has to load before its bot can open no file any more.

    The bot's text and files decide: without the word there is no such import, and most bots need
    not wait for any of these.
    """
    named = [
        name
        for name, words in _HEAVY.items()
        if any(word in text for text in texts for word in words)
    ]
    return tuple(named) if "numpy" in named else ()


@cache
def _runtime() -> bytes:
    """Return the text of the code that runs beside a bot."""
    return inspect.getsource(bot_runtime).encode()

"""Untrusted bots: each at a table, and in a process where it plays at several."""

from __future__ import annotations

import inspect
import marshal
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from cardwright.game.errors import CardwrightError
from cardwright.game.seeds import token
from cardwright.league import bot_runtime, seen, served
from cardwright.league.bot import LostError
from cardwright.league.plan import BOT
from cardwright.league.play import DIED, LATE, SLEPT
from cardwright.league.seen import PublicTable
from cardwright.sandbox import random_source
from cardwright.sandbox.errors import ConfineError, LateError, NonsenseError, SandboxError
from cardwright.sandbox.limits import JailLimits
from cardwright.sandbox.sandbox import Sandbox

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cardwright.interpreter.stream import Stream
    from cardwright.league.bot_runtime import BotMistake
    from cardwright.league.plan import BotLimits
    from cardwright.sandbox.limits import JailLevel

NONSENSE = "nonsense"

_NANO = 1_000_000_000
_KINDS = {bot_runtime.RAISED, bot_runtime.NO_INTEGER, bot_runtime.INDEX}
_MEMORY = "MemoryError"

_START_SECONDS = 60.0
"""Wall-clock seconds until the runtime is ready in a process; the bot has not run there yet."""

_KEPT = 1 << 12
"""Characters kept of the output of processes that have ended."""

_MARGIN = 0.01
"""Seconds of processor time that a message itself may take."""

_IDLE = "gave no answer for a long time in which it computed little, and was ended"

_AGAIN = 1.5
"""How many times longer than before a start, or the moves of a game, may take when repeated."""

_UNREPORTED = 10_000_000
"""Nanoseconds of processor time that the process may use between moves."""

_AT_ONCE = 0.005
"""Seconds that the questions of a message should take together: others have to wait for them."""


class JailError(CardwrightError):
    """A jail that cannot be built, though this machine was found to offer it."""


@dataclass
class StartupBudget:
    """The seconds that a bot's starts may still take in the games of a block."""

    left: float


class BotProcess:
    """A jailed process for one bot, started at its first question, and again when lost.

    Nothing that comes from it is trusted. `life` counts its processes. `alone` says that its memory
    does not suffice for several tables.
    """

    loss: LostError | None = None
    """Why it was lost with several tables in it, the last time, unless that was for memory."""

    def __init__(
        self,
        source: str,
        file: str,
        helper: str,
        level: JailLevel,
        limits: BotLimits,
        *,
        processor: int | None = None,
        files: Mapping[str, bytes] | None = None,
        startup: StartupBudget | None = None,
        traced: bool = False,
    ) -> None:
        """Take a bot's text and its files; its process will run on `processor`, or on any.

        If it is `traced`, its mistakes have tracebacks.
        """
        self._payload = marshal.dumps((source, file, helper, dict(files or {}), traced))
        self._imports = _mentioned(source.encode(), *(files or {}).values())
        self._file = file
        self._level = level
        self._limits = limits
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
        self.waiting: list[JailedBot] = []
        """Bots at tables with open questions."""

    @property
    def at_once(self) -> int:
        """The number of questions that a message should have, by the times so far."""
        return max(1, int(_AT_ONCE / max(self._mean, 1e-6)))

    def ask(self, bots: Sequence[JailedBot]) -> bool:
        """Make bots answer their questions; each then has its reply.

        False means that the process was lost with several tables in it, so that the cause is not
        known; then no bot has an answer.
        """
        if bots[0].starting:
            bots[0].admit()
        try:
            if self._sandbox is None:
                self._start()
            for bot in bots:
                if bot.life != self.life:
                    self._restore(bot)
            self._exchange(bots)
        except _Lost as lost:
            self.close()
            if not lost.alone or len(bots) > 1:
                self.loss = None if self.alone else lost.error
                return False
            bot = bots[0]
            bot.failed = lost.error
            bot.took_ns = 0 if lost.error.kind == SLEPT else int(bot.seconds * _NANO)
        if bots[0].starting:
            self.startup.left -= bots[0].took_ns / _NANO
            bots[0].started_ns = bots[0].took_ns
        return True

    def _start(self) -> None:
        """Start the process."""
        limits = JailLimits(memory=self._limits.memory << 20)
        self.life += 1
        try:
            self._sandbox = Sandbox(
                _runtime(), self._payload, self._level, limits, self._file,
                start_seconds=_START_SECONDS, processor=self._processor, imports=self._imports,
            )  # fmt: skip
        except ConfineError as error:
            raise JailError(f"the jail for {self._file} fails: {error.reason}") from None
        except SandboxError as error:
            failed = LostError(DIED, f"could not be started: {error.reason}")
            raise _Lost(failed, alone=True) from None

    def _restore(self, bot: JailedBot) -> None:
        """Repeat all earlier questions of this game, so that the bot is in its former state.

        What that takes beyond what the same questions took before is added to the next answer.
        """
        bot.life = self.life
        self._tables.add(bot.table)
        if bot.asked <= 1:
            return
        assert self._sandbox is not None
        start, questions = bot.history
        free = int(_AGAIN * bot.started_ns)
        seconds = free / _NANO + bot.start_seconds
        late = (
            f"took more than {seconds:.2g} s of processor time to start again, after "
            f"{bot.started_ns / _NANO:.2g} s before"
        )
        self._message([bot], start, seconds, late, start=True)
        used = self._sandbox.used_ns or 0
        self.startup.left -= max(used - free, 0) / _NANO
        bot.started_ns = max(used, bot.started_ns)
        if not questions:
            return
        free = int(_AGAIN * bot.spent_ns)
        late = (
            f"took {free / _NANO + bot.seconds:.2g} s of processor time when its moves of this "
            f"game were repeated, which had taken {bot.spent_ns / _NANO:.2g} s, and was ended"
        )
        self._message([bot], questions, free / _NANO + bot.seconds, late)
        used = self._sandbox.used_ns or 0
        bot.owed_ns = max(used - free, 0)
        bot.spent_ns = max(used, bot.spent_ns)

    def _exchange(self, bots: Sequence[JailedBot]) -> None:
        """Ask the open questions, and hand out the replies."""
        granted, late = self._most + len(bots) * self._usual, ""
        if len(bots) == 1:
            granted, late = bots[0].seconds - bots[0].owed_ns / _NANO, bots[0].late()
        request = b"".join([bot.question for bot in bots])
        reported = self._read(
            bots, self._message(bots, request, granted, late, start=bots[0].starting)
        )
        assert self._sandbox is not None
        used = self._sandbox.used_ns
        if used is None:
            used = min(reported, self._sandbox.last_ns)
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
                    bot.failed = LostError(LATE, bot.late())
        if self._sandbox.overslept:
            for bot in bots:
                if bot.starting or not bot.sleep_left:
                    bot.failed = LostError(SLEPT, bot.slept())

    def _charge(self, bots: Sequence[JailedBot], used: int, unreported: int) -> None:
        """Judge the times of bots, one of which may be late or report a wrong time."""
        for bot in bots:
            if unreported > _UNREPORTED:  # a bot computes between moves, or has changed the clock
                bot.took_ns += unreported
            bot.took_ns = min(bot.took_ns, used)
            if bot.took_ns > bot.seconds * _NANO:
                bot.failed = LostError(LATE, bot.late())

    def _read(self, bots: Sequence[JailedBot], replies: bytes) -> int:
        """Hand out replies, and return their total time in nanoseconds, as reported."""
        at, reported, size = 0, 0, served.REPLY.size
        unpack, changed = served.REPLY.unpack_from, served.CHANGED
        for bot in bots:
            if at + size > len(replies):
                raise self._nonsense()
            status, kind, length, bot.took_ns, bot.reply = unpack(replies, at)
            reported += bot.took_ns
            bot.failed, bot.changed = None, status == changed
            at += size
            if kind:
                end = at + kind + length
                bot.failed = self._fault(replies[at : at + kind], replies[at + kind : end])
                at = end
        if at != len(replies):
            raise self._nonsense()
        return reported

    def _message(
        self,
        bots: Sequence[JailedBot],
        request: bytes,
        seconds: float,
        late: str,
        *,
        start: bool = False,
    ) -> bytes:
        """Send a message about these bots, and return the reply; raises _Lost.

        They share what the process sleeps in the meantime; a `start` takes it from its own seconds.
        """
        assert self._sandbox is not None
        sleep = seconds if start else len(bots) * min([bot.sleep_left for bot in bots])
        if self._left:
            request, self._left = self._left + request, b""
        late_for: str | None = None
        try:
            return self._sandbox.compute(request, seconds + _MARGIN, sleep)
        except LateError:
            used = self._sandbox.used_ns
            late_for = late if used is None or used > seconds * _NANO else _IDLE
        except NonsenseError as error:
            failed = LostError(NONSENSE, f"{error.reason}; it was ended")
        except SandboxError as error:
            failed = LostError(DIED, _last_words(error))
        finally:
            if self._sandbox.slept_ns:
                self._slept(bots, self._sandbox.slept_ns, start=start)
        if late_for is not None:
            overslept = self._sandbox.overslept
            failed = LostError(SLEPT, bots[0].slept()) if overslept else LostError(LATE, late_for)
        raise _Lost(failed, alone=len(self._tables) == 1)

    def _slept(self, bots: Sequence[JailedBot], slept_ns: int, *, start: bool) -> None:
        """Charge bots for what the process has slept while they were asked."""
        if start:
            self.startup.left -= slept_ns / _NANO
            return
        for bot in bots:
            bot.slept_ns += slept_ns // len(bots)

    def _fault(self, kind: bytes, message: bytes) -> bot_runtime.BotMistake:
        """Return the fault that a reply reports; raises _Lost if it reports none."""
        word = kind.decode("ascii", "replace")
        text, _, trace = message.decode("utf-8", "replace").partition("\0")
        words = _printable(text[: bot_runtime.WORDS])
        steps = map(_printable, trace[: bot_runtime.TRACE].split("\n"))
        if word not in _KINDS:
            raise self._nonsense()
        if _MEMORY in words and len(self._tables) > 1:
            self.alone = True
            raise _Lost(LostError(DIED, words), alone=False)
        return bot_runtime.BotMistake(word, words, "\n".join(steps))

    def _nonsense(self) -> _Lost:
        failed = LostError(NONSENSE, "answered with bytes that are not an answer, and was ended")
        return _Lost(failed, alone=len(self._tables) == 1)

    def leave(self, table: int) -> None:
        """Note that a table's game is over or will be restarted."""
        if table in self._tables:
            self._tables.remove(table)
            self._left += bytes((table, served.END))

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


class _Lost(Exception):  # noqa: N818 - it is not an error of the program
    """A lost process, and whether it had only one table."""

    def __init__(self, error: LostError, *, alone: bool) -> None:
        self.error = error
        self.alone = alone
        super().__init__(error.message)


def _printable(text: str) -> str:
    return "".join(one if one.isprintable() else "?" for one in text)


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


_TOGETHER = """
import sys, types, unicodedata
from encodings import ascii, cp1252, iso8859_1, iso8859_15, latin_1, utf_16, utf_32, utf_8_sig
for name, text in {parts!r}:
    module = sys.modules[name] = types.ModuleType(name)
    exec(compile(text, name, "exec"), vars(module))
sys.modules[{random_source!r}].everywhere()
serve = module.serve
"""
"""The code that runs beside a bot: trusted modules, each of which may import those before it.

Names of letters in a text, and encodings of a file, are modules that Python imports by itself.
"""


@cache
def _runtime() -> bytes:
    """Return the text of the code that runs beside a bot."""
    parts = [
        (module.__name__, inspect.getsource(module))
        for module in (random_source, seen, bot_runtime, served)
    ]
    return _TOGETHER.format(parts=parts, random_source=random_source.__name__).encode()


_ASKED = (served.PASS, served.PLAY)
_LEAST = 0.001
"""Seconds that a start may take in any case."""

_HEARD = [bytes((served.PLAYED, count)) for count in range(64)]


class JailedBot:
    """A bot in a jail, at one table: it gets news and questions as bytes, see `served.Served`.

    A question is answered once its process has asked it, with others or by `attend`. A lost bot can
    be revived for the next move, and is then told all that it had seen of the game.
    """

    waits = True
    life = 0
    """The `life` of the bot process that knows this game; 0 for none."""

    question = b""
    """The current question."""

    seconds = 0.0
    """Seconds of processor time that it may take."""

    starting = False
    """Whether the question is to start for a game."""

    took_ns = 0
    slept_ns = 0
    """Nanoseconds that it has slept in this game while it was asked."""

    started_ns = 0
    """Nanoseconds that its last start has taken."""

    spent_ns = 0
    """Nanoseconds that its answers have taken since then."""

    owed_ns = 0
    """Nanoseconds that count as its next answer's, because questions had to be repeated."""

    reply = 0
    failed: BotMistake | LostError | None = None
    changed = False

    def __init__(self, bot_process: BotProcess, limits: BotLimits, table: int = 0) -> None:
        """Put a bot at a table; tables in use at the same time have different numbers."""
        self.bot_process = bot_process
        self.table = table
        self._head = bytes((table,))
        self._fresh = True
        self._limits = limits
        self._begin = b""
        self._plays = PublicTable().plays
        self._news = bytearray()
        self._sent = 0
        self._heard = 0
        self._asked = bytearray()
        self.asked = 0
        """The number of questions since its last start, including this one."""

    def begin(self, seat: int, stream: Stream, table: PublicTable) -> None:
        """Start for a game."""
        self._plays = table.plays
        self._begin = bytes((served.BEGIN, seat)) + token(stream, BOT)
        self._news.clear()
        self._heard = 0
        self._fresh = True
        self.slept_ns = 0
        self.revive()

    def revive(self) -> None:
        """Run the bot's file for this game.

        With its next question it is told all that it has seen.
        """
        self._sent = 0
        self._asked.clear()
        self.asked = self.spent_ns = self.owed_ns = 0
        self.starting = True
        self._ask(self._begin)

    def deal(self, direction: int, totals: list[int], hand: list[int]) -> None:
        """Take up a hand of a new round."""
        self._hear()
        points = b"".join([total.to_bytes(2, "little") for total in totals])
        self._news += bytes((served.DEAL, direction)) + points + bytes(hand)

    def gave(self, card: int) -> None:
        """Note that a card was passed on."""
        self._news += bytes((served.GAVE, card))

    def got(self, cards: list[int]) -> None:
        """Note that cards were passed to this seat; play begins."""
        self._news += bytes((served.GOT, *cards))
        self._heard = 0

    def _hear(self) -> None:
        """Note the cards played since the last call."""
        plays, heard = self._plays, self._heard
        count = len(plays)
        if count > heard:
            self._news += _HEARD[count - heard] + plays[heard:]
            self._heard = count

    def choose(self, legal: int, seconds: float, *, play: bool) -> int:
        """Ask the bot, with a limit of processor time; the result means nothing."""
        news = self._news
        if play:
            plays, heard = self._plays, self._heard
            count = len(plays)
            if count > heard:
                news += _HEARD[count - heard] + plays[heard:]
                self._heard = count
        sent = self._sent
        self.seconds, self.starting, self._sent = seconds, False, len(news)
        asked = (legal << 8 | _ASKED[play]).to_bytes(3, "little")
        self.question = question = self._head + news[sent:] + asked
        self._asked += question
        self.asked += 1
        self.bot_process.waiting.append(self)
        return 0

    def _ask(self, items: bytes | bytearray) -> None:
        self.question = question = self._head + items
        self._asked += question
        self.asked += 1
        self.bot_process.waiting.append(self)

    @property
    def history(self) -> tuple[bytes, bytes]:
        """Its last start in this game, and its earlier questions since then."""
        start = len(self._head) + len(self._begin)
        asked = bytes(self._asked[: -len(self.question)])
        return asked[:start], asked[start:]

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
        return max(self._limits.sleep - self.slept_ns / 1e9, 0.0)

    def late(self) -> str:
        """Return the message for a bot that has taken longer than it may."""
        if self.starting:
            return f"took more than {self.seconds:.2g} s to start, of processor time{self._all()}"
        had = f"{self.seconds * 1000:.0f} ms of processor time, all that it had left"
        return f"gave no answer in {had}, and was ended"

    def slept(self) -> str:
        """Return the message for a bot that has slept longer than it may."""
        if self.starting:
            return f"slept while it had to start, for more than {self.seconds:.2g} s{self._all()}"
        return (
            "did not compute while it was asked: its process slept for "
            f"{self.slept_ns / 1e9:.1f} s of this game, and {self._limits.sleep:g} s are allowed"
        )

    def _all(self) -> str:
        """Return why a start had less time than a single one may take."""
        limits = self._limits
        if self.seconds == limits.start:
            return ""
        return (
            f": all that was left, as its starts may take {limits.starts:g} s a game together "
            f"plus {limits.start:g} s"
        )

    def attend(self) -> None:
        """Answer the question alone."""
        waiting = self.bot_process.waiting
        waiting.remove(self)
        while not self.bot_process.ask([self]):
            pass

    def answer(self) -> int:
        """Return the answer, which may be any integer; raises BotMistake or LostError."""
        if self.failed is not None:
            raise self.failed
        return self.reply

    @property
    def printed(self) -> str:
        """The end of what the bot has printed, safe for a terminal."""
        return self.bot_process.printed

    def leave(self) -> None:
        """Leave the table."""
        waiting = self.bot_process.waiting
        if self in waiting:
            waiting.remove(self)
        self.bot_process.leave(self.table)

    def close(self) -> None:
        """End the bot's process."""
        self.bot_process.close()

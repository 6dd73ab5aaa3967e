"""Untrusted bots: each at a table, and in a bot process."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.game.seeds import token
from cardwright.league import served
from cardwright.league.chances import BOT
from cardwright.league.seen import PublicTable

if TYPE_CHECKING:
    from cardwright.interpreter.stream import Stream
    from cardwright.league.bot import LostError
    from cardwright.league.bot_limits import BotLimits
    from cardwright.league.bot_process import BotProcess
    from cardwright.league.bot_runtime import BotMistake

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

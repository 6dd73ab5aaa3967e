"""Watched bots: they play as usual, while their times and faults are recorded."""

from __future__ import annotations

import io
import re
import time
from collections import Counter
from contextlib import redirect_stderr, redirect_stdout
from typing import TYPE_CHECKING

from cardwright.league.bot import LostError
from cardwright.league.bot_runtime import BotMistake

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.interpreter.stream import Stream
    from cardwright.league.bot import Bot
    from cardwright.league.seen import PublicTable

PRINTED = 2_000
"""Characters kept of what a bot prints."""

MOST_KINDS = 50
"""The most different messages kept; all others are counted together."""

_MORE = "other errors, with other messages"
_NUMBER = re.compile(r"\d+(\.\d+)?(e-?\d+)?")


class WatchedBot:
    """A bot, its faults in all its games, and the times of its moves and starts.

    `faults` counts pairs of a line of the bot's file, None if unknown, and a message; messages that
    differ only in numbers count as the first of them. Times are in nanoseconds. `meant` counts
    answers that mean another card because the bot has changed `legalMoves` in place.
    """

    def __init__(self, bot: Bot, file: str) -> None:
        self._bot = bot
        self._place = re.compile(rf"{re.escape(file)}, line (\d+): ")
        self._sink = _Sink()
        self.faults: Counter[tuple[int | None, str]] = Counter()
        self._first: dict[tuple[int | None, str], str] = {}
        self.moves: list[int] = []
        self.starts: list[int] = []
        self.meant = 0
        self.printed = ""
        self._asked = ""
        self._legal: int | None = None

    @property
    def changed(self) -> bool:
        """Whether the last answer meant another card because the bot had changed `legalMoves`."""
        return self._bot.changed

    @property
    def waits(self) -> bool:
        """Whether answers come from `answer`."""
        return self._bot.waits

    @property
    def took_ns(self) -> int:
        """Nanoseconds that the last answer took."""
        return self._bot.took_ns

    def begin(self, seat: int, stream: Stream, table: PublicTable) -> None:
        """Start the bot for a game."""
        self._start(lambda: self._bot.begin(seat, stream, table), "at the start of a game")

    def revive(self) -> None:
        """Restart the bot after it was lost."""
        self._start(self._bot.revive, "when it was started again")

    def _start(self, start: Callable[[], None], when: str) -> None:
        self._asked, self._legal = when, None
        self._do(start)

    def choose(self, legal: int, seconds: float, *, play: bool) -> int:
        """Return the bot's answer, recording what is wrong with it."""
        self._asked, self._legal = "getPlay" if play else "getSluff", legal
        return self._do(lambda: self._bot.choose(legal, seconds, play=play))

    def answer(self) -> int:
        """Return the answer of a bot that waits, recording what is wrong with it."""
        return self._note_answer(self._bot.answer, lambda: self._bot.took_ns)

    def _do(self, ask: Callable[[], int | None]) -> int:
        """Ask the bot; if it does not wait, this is when it answers."""
        if self.waits:
            ask()
            return 0
        begun = time.thread_time_ns()
        with redirect_stdout(self._sink), redirect_stderr(self._sink):
            return self._note_answer(ask, lambda: time.thread_time_ns() - begun)

    def _note_answer(self, ask: Callable[[], int | None], took: Callable[[], int]) -> int:
        legal, asked = self._legal, self._asked
        try:
            answer = ask()
        except (BotMistake, LostError) as fault:
            self._note(_said(fault.message, asked, start=legal is None))
            raise
        finally:
            (self.starts if legal is None else self.moves).append(took())
        if legal is None or answer is None:
            return 0
        self.meant += self.changed
        if not 0 <= answer < legal.bit_count():
            below = "a negative index" if answer < 0 else "an index beyond the end of legalMoves"
            self._note(f"{asked} returned {below}; a random card was played")
        return answer

    def deal(self, direction: int, totals: list[int], hand: list[int]) -> None:
        """Take up a hand of a new round."""
        self._bot.deal(direction, totals, hand)

    def gave(self, card: int) -> None:
        """Note that a card was passed on."""
        self._bot.gave(card)

    def got(self, cards: list[int]) -> None:
        """Note that cards were passed to this seat."""
        self._bot.got(cards)

    def attend(self) -> None:
        """Make a bot that waits answer."""
        self._bot.attend()

    def leave(self) -> None:
        """End the game."""
        self._bot.leave()

    def end_game(self) -> None:
        """Check what has been printed."""
        text = self._sink.kept or getattr(self._bot, "printed", "")  # only a jail keeps the output
        if text.strip() and not self.printed:
            self.printed = text[:PRINTED]

    def close(self) -> None:
        """End the bot."""
        self._bot.close()

    def _note(self, message: str) -> None:
        match = self._place.search(message)
        line = int(match[1]) if match else None
        message = self._place.sub("", message, count=1)
        like = (line, _NUMBER.sub("0", message))
        if like not in self._first and len(self._first) >= MOST_KINDS:
            line, message, like = None, _MORE, (None, _MORE)
        self.faults[line, self._first.setdefault(like, message)] += 1


def _said(message: str, asked: str, *, start: bool) -> str:
    """Return what a bot did wrong, and when, as one line."""
    if start:
        return f"{asked}: {message}"
    return message if message.startswith(asked) else f"{message} (in {asked})"


class _Sink(io.TextIOBase):
    """Takes what is printed, and keeps its beginning."""

    kept = ""

    def writable(self) -> bool:
        """Say that it can be written to."""
        return True

    def write(self, text: str) -> int:
        """Keep a text up to the limit."""
        if len(self.kept) < PRINTED:
            self.kept += text[:PRINTED]
        return len(text)

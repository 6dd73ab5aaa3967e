"""Watched bots: they play as usual, while their times and faults are recorded."""

from __future__ import annotations

import heapq
import io
import re
import sys
import time
from collections import Counter
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING

from cardwright.league.authors.hearts_cards import name
from cardwright.league.block import CARD_BITS, SEATS
from cardwright.league.bot import LostError
from cardwright.league.bot_runtime import BotMistake
from cardwright.league.seen import MASKS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from cardwright.interpreter.stream import Stream
    from cardwright.league.bot import Bot
    from cardwright.league.seen import PublicTable

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


class WatchedBot:
    """A bot, its faults in all its games, and the times of its moves and starts.

    `faults` counts pairs of a line of the bot's file, None if unknown, and a message; messages that
    differ only in numbers count as the first of them. Times are in nanoseconds. `meant` counts
    answers that mean another card because the bot has changed `legalMoves` in place. `scenes` says
    where each fault happened first, and `slowest` are the slowest moves. Whoever lets it play sets
    `game`, the number of the game from 1.
    """

    def __init__(self, bot: Bot, file: str) -> None:
        self.bot = bot
        self.game = 1
        self._place = re.compile(rf"{re.escape(file)}, line (\d+): ")
        self._sink = _Sink()
        self.faults: Counter[tuple[int | None, str]] = Counter()
        self.scenes: dict[tuple[int | None, str], FaultScene] = {}
        self.slowest: list[SlowMove] = []
        self._first: dict[tuple[int | None, str], str] = {}
        self.moves: list[int] = []
        self.starts: list[int] = []
        self.lost: list[int] = []
        """The times of moves with which it was lost; they are among `moves`."""

        self.meant = 0
        self.printed = ""
        self._asked = ""
        self._legal: int | None = None
        self._table: PublicTable | None = None
        self._hand: list[int] = []
        self._seat = self._round = self._given = 0

    @property
    def changed(self) -> bool:
        """Whether the last answer meant another card because the bot had changed `legalMoves`."""
        return self.bot.changed

    @property
    def waits(self) -> bool:
        """Whether answers come from `answer`."""
        return self.bot.waits

    @property
    def took_ns(self) -> int:
        """Nanoseconds that the last answer took."""
        return self.bot.took_ns

    def begin(self, seat: int, stream: Stream, table: PublicTable) -> None:
        """Start the bot for a game."""
        self._seat, self._table, self._round = seat, table, 0
        self._start(lambda: self.bot.begin(seat, stream, table), "at the start of a game")

    def revive(self) -> None:
        """Restart the bot after it was lost."""
        self._start(self.bot.revive, "when it was started again")

    def _start(self, start: Callable[[], None], when: str) -> None:
        self._asked, self._legal = when, None
        self._do(start)

    def choose(self, legal: int, seconds: float, *, play: bool) -> int:
        """Return the bot's answer, recording what is wrong with it."""
        self._asked, self._legal = "getPlay" if play else "getSluff", legal
        return self._do(lambda: self.bot.choose(legal, seconds, play=play))

    def answer(self) -> int:
        """Return the answer of a bot that waits, recording what is wrong with it."""
        return self._note_answer(self.bot.answer, lambda: self.bot.took_ns)

    def _do(self, ask: Callable[[], int | None]) -> int:
        """Ask the bot; if it does not wait, this is when it answers."""
        if self.waits:
            ask()
            return 0
        begun = time.thread_time_ns()
        self._sink.real = sys.stdout
        with redirect_stdout(self._sink), redirect_stderr(self._sink):
            return self._note_answer(ask, lambda: time.thread_time_ns() - begun)

    def _note_answer(self, ask: Callable[[], int | None], took: Callable[[], int]) -> int:
        legal, asked = self._legal, self._asked
        try:
            answer = ask()
        except (BotMistake, LostError) as fault:
            trace = fault.trace if isinstance(fault, BotMistake) else ""
            if isinstance(fault, LostError) and legal is not None:
                self.lost.append(took())
            self._note(_said(fault.message, asked, start=legal is None), trace)
            raise
        finally:
            self._timed(took())
        if legal is None or answer is None:
            return 0
        self.meant += self.changed
        if not 0 <= answer < legal.bit_count():
            below = "a negative index" if answer < 0 else "an index beyond the end of legalMoves"
            self._note(f"{asked} returned {below}; a random card was played")
        return answer

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
        plays = b"" if self._table is None else self._table.plays
        return f"trick {len(plays) // SEATS + 1}"

    def _scene(self, trace: str) -> FaultScene:
        """Return where the bot is now."""
        steps = tuple(trace.splitlines())
        if self._legal is None:
            return FaultScene(self.game, self._seat, trace=steps)
        hand = self._hand
        cards = [
            f"hand          {_names(hand)}",
            f"legalMoves    {_names(hand[at] for at in MASKS[self._legal])}",
        ]
        if self._asked == "getPlay" and self._table is not None:
            plays = self._table.plays
            there = plays[len(plays) // SEATS * SEATS :]
            low = (1 << CARD_BITS) - 1
            played = [f"{name(one & low)} (seat {(one >> CARD_BITS) + 1})" for one in there]
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

    def attend(self) -> None:
        """Make a bot that waits answer."""
        self.bot.attend()

    def leave(self) -> None:
        """End the game."""
        self.bot.leave()

    @contextmanager
    def unheard(self) -> Iterator[None]:
        """Let the bot play without keeping what it prints."""
        sink = _Sink()
        sink.real = sys.stdout
        with redirect_stdout(sink), redirect_stderr(sink):
            yield

    def end_game(self) -> None:
        """Check what has been printed."""
        text = self._sink.kept or getattr(self.bot, "printed", "")  # only a jail keeps the output
        if text.strip() and not self.printed:
            self.printed = text[:PRINTED]

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


def _said(message: str, asked: str, *, start: bool) -> str:
    """Return what a bot did wrong, and when, as one line."""
    if start:
        return f"{asked}: {message}"
    return message if message.startswith(asked) else f"{message} (in {asked})"


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


def _debugging() -> bool:
    """Say whether one of Python's debuggers, or one made from them, follows this thread."""
    if "bdb" not in sys.modules:
        return False
    monitoring = getattr(sys, "monitoring", None)  # from Python 3.12 on; debuggers may use it
    if monitoring is not None and monitoring.get_tool(monitoring.DEBUGGER_ID) is not None:
        return True
    return isinstance(getattr(sys.gettrace(), "__self__", None), sys.modules["bdb"].Bdb)


def _names(cards: Iterable[int]) -> str:
    return " ".join(map(name, cards))

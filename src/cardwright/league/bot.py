"""Bots as the referee asks them: random ones, players of the library, and trusted files.

Whatever a bot does wrong is raised as `bot_runtime.BotMistake`, or as `LostError` if it has to be
restarted. Untrusted bots are in `bot_process`.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from cardwright.game.seeds import token
from cardwright.league.authors import helper_text
from cardwright.league.bot_runtime import DRAWN, INDEX, RAISED, BotMistake, BotRuntime, in_words
from cardwright.league.plan import BOT
from cardwright.players.player import Decision, index_or_reason
from cardwright.program.cards import Seat

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from cardwright.interpreter.stream import Stream
    from cardwright.league.bot_runtime import PublicTable
    from cardwright.league.dealer import Dealer
    from cardwright.league.plan import BotText
    from cardwright.players.player import Player


LATE, SLEPT, DIED, SUSPENDED = "late", "slept", "died", "suspended"
"""Kinds of faults, besides those of `bot_runtime`."""


class LostError(Exception):
    """A bot that has to be restarted; `kind` and `message` say what happened to it."""

    def __init__(self, kind: str, message: str) -> None:
        self.kind = kind
        self.message = message
        super().__init__(message)


class Bot:
    """A bot that chooses cards for a seat: it is asked for the index of a legal card.

    A bot of this process answers at once, any other is awaited; see `play.finished`. What a kind of
    bot does not need does nothing.
    """

    apart = False
    """Whether it is asked in a process of its own, so that others can be asked at the same time."""

    took_ns = 0
    """Nanoseconds of processor time of the last start or answer; 0 if nobody counts them."""

    def begin(self, seat: int, stream: Stream, table: PublicTable) -> Awaitable[object]:
        """Start for a game, with the random stream of this seat, at a table that gets all plays.

        Only trusted code gets the stream. A bot's own code gets a token derived from it, which
        reveals nothing about other streams (`game.seeds`).
        """
        raise NotImplementedError

    def ask(self, legal: int, seconds: float, *, play: bool) -> int | Awaitable[int]:
        """Return the index of the chosen legal card, within `seconds` where a limit applies.

        `legal` has a bit for each card of the hand. The answer may be any integer.
        """
        raise NotImplementedError

    def revive(self) -> Awaitable[object]:
        """Restart after the bot was lost, to continue the game."""
        return _nothing()

    def deal(self, direction: int, totals: list[int], hand: list[int]) -> None:
        """Take up the hand of a new round; the caller keeps the list up to date."""

    def gave(self, card: int) -> None:
        """Note that a card was passed."""

    def got(self, cards: list[int]) -> None:
        """Note that cards were passed to this seat."""

    @property
    def changed(self) -> bool:
        """Whether the last answer meant another card because the bot had changed `legalMoves`."""
        return False

    @property
    def printed(self) -> str:
        """What it has printed, if its process keeps that; safe for a terminal."""
        return ""

    def leave(self) -> None:
        """End the game."""

    def close(self) -> None:
        """Release the bot's resources."""


async def _nothing() -> None:
    pass


class RandomBot(Bot):
    """Chooses a legal card uniformly at random."""

    _stream: Stream

    async def begin(self, seat: int, stream: Stream, table: PublicTable) -> None:
        """Start for a game."""
        del seat, table
        self._stream = stream

    def ask(self, legal: int, seconds: float, *, play: bool) -> int:
        """Return the index of a legal card."""
        del seconds, play
        return self._stream.below(legal.bit_count())


class LibraryBot(Bot):
    """A player of the library, new for every game, which decides in the dealer's state."""

    _player: Player
    _stream: Stream

    def __init__(self, make: Callable[[], Player], dealer: Dealer) -> None:
        self._make = make
        self._dealer = dealer
        self._seat = Seat(0)

    async def begin(self, seat: int, stream: Stream, table: PublicTable) -> None:
        """Start for a game."""
        del table
        self._player, self._seat, self._stream = self._make(), Seat(seat), stream

    def ask(self, legal: int, seconds: float, *, play: bool) -> int:
        """Return the player's choice: options are the legal cards in the order of the hand."""
        del seconds, play
        state = self._dealer.state
        decision = Decision(self._seat, legal.bit_count(), self._stream, state, len(state.choices))
        try:
            chosen = index_or_reason(self._player.choose(decision), decision)
        except Exception as error:  # the season goes on, whatever a player does
            raise BotMistake(RAISED, in_words(error, "")) from None
        if isinstance(chosen, str):
            raise BotMistake(INDEX, f"{chosen}; {DRAWN}")
        return chosen


class InProcessBot(Bot):
    """A trusted bot, which runs in this process: nothing stops it."""

    def __init__(self, text: BotText, *, traced: bool = False) -> None:
        """Make a bot of the text of its file; if it is `traced`, its mistakes have tracebacks."""
        source, files = text.text or "", dict(text.files)
        self._runtime = BotRuntime(
            source, text.file, helper_text(), files, guarded=False, traced=traced
        )

    @property
    def changed(self) -> bool:
        """Whether the last answer meant another card because the bot had changed `legalMoves`."""
        return self._runtime.changed

    async def begin(self, seat: int, stream: Stream, table: PublicTable) -> None:
        """Start for a game: the file is run again."""
        begun = time.thread_time_ns()
        try:
            self._runtime.begin(seat, token(stream, BOT), table)
        finally:
            self.took_ns = time.thread_time_ns() - begun

    def ask(self, legal: int, seconds: float, *, play: bool) -> int:
        """Ask the bot, however long it takes."""
        del seconds
        begun = time.thread_time_ns()
        try:
            return self._runtime.choose(legal, play=play)
        finally:
            self.took_ns = time.thread_time_ns() - begun

    def deal(self, direction: int, totals: list[int], hand: list[int]) -> None:
        """Take up a hand of a new round."""
        self._runtime.seen.deal(direction, totals, hand)

    def gave(self, card: int) -> None:
        """Note that a card was passed."""
        self._runtime.seen.given.append(card)

    def got(self, cards: list[int]) -> None:
        """Note that cards were passed to this seat."""
        self._runtime.seen.received = cards

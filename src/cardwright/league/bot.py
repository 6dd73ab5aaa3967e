"""Bots of a season as whoever deals asks them: random ones, library players, and files.

Whatever a bot does wrong comes out as `runtime.Fault`, or as `LostError` if it has to be started
anew.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from cardwright.game.one_way import token
from cardwright.league.bot_runtime import RAISED, BotMistake, BotRuntime, in_words
from cardwright.league.chances import BOT
from cardwright.players.player import Decision
from cardwright.program.cards import Seat

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from cardwright.interpreter.stream import Stream
    from cardwright.league.dealer import Dealer
    from cardwright.league.seen import PublicTable
    from cardwright.players.player import Player


class LostError(Exception):
    """A bot that has to be started anew; `kind` and `message` say what happened to it."""

    def __init__(self, kind: str, message: str) -> None:
        self.kind = kind
        self.message = message
        super().__init__(message)


class Bot(Protocol):
    """Whoever chooses cards for a seat.

    A bot that `waits` does not do at once what it is asked by `begin`, `revive` and `choose`, whose
    results mean nothing then: once it was attended to, by `attend` or together with others,
    `answer` returns what came of it, and `took_ns` the time that it took.
    """

    @property
    def waits(self) -> bool:
        """Whether `answer` has the answers."""
        ...

    @property
    def took_ns(self) -> int:
        """Nanoseconds of processor time that the last answer took; for bots that wait."""
        ...

    @property
    def changed(self) -> bool:
        """Whether the last answer meant another card, as the bot had changed `legalMoves`."""
        ...

    def begin(self, seat: int, stream: Stream, table: PublicTable) -> None:
        """Start for a game, with the chances of this seat, at a table where all plays will lie.

        The stream is for our code alone. A bot's own gets a token of it, from which nobody learns
        of other streams (`game.one_way`).
        """
        ...

    def revive(self) -> None:
        """Start anew after the bot was lost, to go on with the game."""
        ...

    def deal(self, direction: int, totals: list[int], hand: list[int]) -> None:
        """Take up a hand of a new round, which others keep."""
        ...

    def gave(self, card: int) -> None:
        """Note that a card was passed on."""
        ...

    def got(self, cards: list[int]) -> None:
        """Note that cards were passed to this seat."""
        ...

    def choose(self, legal: int, seconds: float, *, play: bool) -> int:
        """Return which of the legal cards is chosen, if need be within so many seconds.

        `legal` has a bit for each card of the hand. The answer may be any integer.
        """
        ...

    def attend(self) -> None:
        """Have a bot that waits answer."""
        ...

    def answer(self) -> int:
        """Return what came of what was asked last, 0 for a start; raises Fault or LostError."""
        ...

    def leave(self) -> None:
        """End the game."""
        ...

    def close(self) -> None:
        """Give back what belongs to the bot."""
        ...


class Prompt:
    """A bot that does at once what it is asked."""

    waits = False
    took_ns = 0

    def attend(self) -> None:
        """Do nothing."""

    def answer(self) -> int:
        """Fail: there is nothing to be waited for."""
        raise AssertionError("this bot has answered already")

    def leave(self) -> None:
        """Do nothing: the bot is ready for another game."""


class Unmoved(Prompt):
    """A bot that is never lost, and needs not be told anything."""

    changed = False

    def revive(self) -> None:
        """Do nothing."""

    def deal(self, direction: int, totals: list[int], hand: list[int]) -> None:
        """Do nothing."""

    def gave(self, card: int) -> None:
        """Do nothing."""

    def got(self, cards: list[int]) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""


class RandomBot(Unmoved):
    """Chooses any legal card, all with the same chance."""

    def __init__(self) -> None:
        self._stream: Stream | None = None

    def begin(self, seat: int, stream: Stream, table: PublicTable) -> None:
        """Start for a game."""
        del seat, table
        self._stream = stream

    def choose(self, legal: int, seconds: float, *, play: bool) -> int:
        """Return the index of a legal card."""
        del seconds, play
        assert self._stream is not None
        return self._stream.below(legal.bit_count())


class LibraryBot(Unmoved):
    """A player of the library, made anew for every game, which is asked about the dealer's."""

    def __init__(self, make: Callable[[], Player], dealer: Dealer) -> None:
        self._make = make
        self._dealer = dealer
        self._player: Player | None = None
        self._stream: Stream | None = None
        self._seat = Seat(0)

    def begin(self, seat: int, stream: Stream, table: PublicTable) -> None:
        """Start for a game."""
        del table
        self._player, self._seat, self._stream = self._make(), Seat(seat), stream

    def choose(self, legal: int, seconds: float, *, play: bool) -> int:
        """Return the player's choice: options are the legal cards in the order of the hand."""
        del seconds, play
        assert self._player is not None
        assert self._stream is not None
        state = self._dealer.state
        decision = Decision(self._seat, legal.bit_count(), self._stream, state, len(state.choices))
        try:
            return self._player.choose(decision)
        except Exception as error:  # the season goes on, whatever a player does
            raise BotMistake(RAISED, in_words(error, "")) from None


class HomeBot(Prompt):
    """One's own bot, which runs in this process: it is trusted, and nothing stops it."""

    def __init__(
        self, source: str, file: str, helper: str, files: Mapping[str, bytes] | None = None
    ) -> None:
        self._runtime = BotRuntime(source, file, helper, files, guarded=False)

    @property
    def changed(self) -> bool:
        """Whether the last answer meant another card, as the bot had changed `legalMoves`."""
        return self._runtime.changed

    def begin(self, seat: int, stream: Stream, table: PublicTable) -> None:
        """Start for a game: the file is run anew."""
        self._runtime.begin(seat, token(stream, BOT), table)

    def revive(self) -> None:
        """Do nothing: what runs in this process is not lost."""

    def deal(self, direction: int, totals: list[int], hand: list[int]) -> None:
        """Take up a hand of a new round."""
        self._runtime.seen.deal(direction, totals, hand)

    def gave(self, card: int) -> None:
        """Note that a card was passed on."""
        self._runtime.seen.given.append(card)

    def got(self, cards: list[int]) -> None:
        """Note that cards were passed to this seat."""
        self._runtime.seen.received = cards

    def choose(self, legal: int, seconds: float, *, play: bool) -> int:
        """Ask the bot, for as long as it takes."""
        del seconds
        return self._runtime.choose(legal, play=play)

    def close(self) -> None:
        """Do nothing: there is nothing to give back."""

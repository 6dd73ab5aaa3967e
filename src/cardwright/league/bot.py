"""Bots of a season as the referee sees them: random ones, library players, and files.

Whatever a bot does wrong is raised as `bot_runtime.BotMistake`, or as `LostError` if it has to be
restarted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from cardwright.game.seeds import token
from cardwright.league.bot_runtime import RAISED, BotMistake, BotRuntime, in_words
from cardwright.league.plan import BOT
from cardwright.players.player import Decision
from cardwright.program.cards import Seat

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from cardwright.interpreter.stream import Stream
    from cardwright.league.dealer import Dealer
    from cardwright.league.seen import PublicTable
    from cardwright.players.player import Player


class LostError(Exception):
    """A bot that has to be restarted; `kind` and `message` say what happened to it."""

    def __init__(self, kind: str, message: str) -> None:
        self.kind = kind
        self.message = message
        super().__init__(message)


class Bot(Protocol):
    """A bot that chooses cards for a seat.

    A bot that `waits` does not do at once what `begin`, `revive` and `choose` request, and their
    results mean nothing: once the request was served, by `attend` or together with others, `answer`
    returns its result, and `took_ns` the time that it took.
    """

    @property
    def waits(self) -> bool:
        """Whether answers come from `answer`."""
        ...

    @property
    def took_ns(self) -> int:
        """Nanoseconds of processor time of the last answer; for bots that wait."""
        ...

    @property
    def changed(self) -> bool:
        """Whether the last answer meant another card because the bot had changed `legalMoves`."""
        ...

    def begin(self, seat: int, stream: Stream, table: PublicTable) -> None:
        """Start for a game, with the random stream of this seat, at a table that gets all plays.

        Only trusted code gets the stream. A bot's own code gets a token derived from it, which
        reveals nothing about other streams (`game.seeds`).
        """
        ...

    def revive(self) -> None:
        """Restart after the bot was lost, to continue the game."""
        ...

    def deal(self, direction: int, totals: list[int], hand: list[int]) -> None:
        """Take up the hand of a new round; the caller keeps the list up to date."""
        ...

    def gave(self, card: int) -> None:
        """Note that a card was passed."""
        ...

    def got(self, cards: list[int]) -> None:
        """Note that cards were passed to this seat."""
        ...

    def choose(self, legal: int, seconds: float, *, play: bool) -> int:
        """Return the index of the chosen legal card, within `seconds` where a limit applies.

        `legal` has a bit for each card of the hand. The answer may be any integer.
        """
        ...

    def attend(self) -> None:
        """Make a bot that waits answer."""
        ...

    def answer(self) -> int:
        """Return the result of the last request, 0 for a start; raises BotMistake or LostError."""
        ...

    def leave(self) -> None:
        """End the game."""
        ...

    def close(self) -> None:
        """Release the bot's resources."""
        ...


class Prompt:
    """A bot that does at once what is requested."""

    waits = False
    took_ns = 0

    def attend(self) -> None:
        """Do nothing."""

    def answer(self) -> int:
        """Fail: there is nothing to wait for."""
        raise AssertionError("this bot has answered already")

    def leave(self) -> None:
        """Do nothing: the bot is ready for another game."""


class Unmoved(Prompt):
    """A bot that is never lost and needs no messages."""

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
    """Chooses a legal card uniformly at random."""

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
    """A player of the library, new for every game, which decides in the dealer's state."""

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
    """A trusted bot, which runs in this process: nothing stops it."""

    def __init__(
        self,
        source: str,
        file: str,
        helper: str,
        files: Mapping[str, bytes] | None = None,
        *,
        traced: bool = False,
    ) -> None:
        self._runtime = BotRuntime(source, file, helper, files, guarded=False, traced=traced)

    @property
    def changed(self) -> bool:
        """Whether the last answer meant another card because the bot had changed `legalMoves`."""
        return self._runtime.changed

    def begin(self, seat: int, stream: Stream, table: PublicTable) -> None:
        """Start for a game: the file is run again."""
        self._runtime.begin(seat, token(stream, BOT), table)

    def revive(self) -> None:
        """Do nothing: a bot in this process is never lost."""

    def deal(self, direction: int, totals: list[int], hand: list[int]) -> None:
        """Take up a hand of a new round."""
        self._runtime.seen.deal(direction, totals, hand)

    def gave(self, card: int) -> None:
        """Note that a card was passed."""
        self._runtime.seen.given.append(card)

    def got(self, cards: list[int]) -> None:
        """Note that cards were passed to this seat."""
        self._runtime.seen.received = cards

    def choose(self, legal: int, seconds: float, *, play: bool) -> int:
        """Ask the bot, however long it takes."""
        del seconds
        return self._runtime.choose(legal, play=play)

    def close(self) -> None:
        """Do nothing: there is nothing to release."""

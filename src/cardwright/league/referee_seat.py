"""Referee seats: bots under the league's rules, so that they always answer with a legal card.

The rules:

- A bot makes a *fault* if it raises an exception, answers with something that is not an integer, is
  late, or dies. Then a random legal card is drawn for it, from a stream of the referee that no bot
  uses. An index outside `legalMoves`, a number like infinity, or the index of a card that is not
  legal is also replaced by a random card, and noted, but does not count: the league has always
  allowed it.
- With more faults in a game than `BotLimits` allows, with too many restarts, or if it cannot be
  started, a bot *forfeits* the game: it is no longer asked, and all its cards are drawn. In the
  next game it plays again, unless it has forfeited three games in a row: then it is *suspended*
  until the end of the block of games, so that a bot that hangs costs a season little. Blocks do not
  depend on the number of workers.
- A bot in this process cannot be interrupted, only judged: a late answer stands.
- Time is processor time, not wall-clock time: a busy machine makes no bot late. A process that
  sleeps while it is asked has a limit of its own for that.
- A process that is lost while it plays several games, for a reason that comes back in none of them,
  is one fault, in the last of these games.

A bot that waits (`bot.Bot`) is asked in two steps, `choose` and `decided`, and so is its start.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cardwright.interpreter.stream import Stream
from cardwright.league.block import BotFault
from cardwright.league.bot import LostError
from cardwright.league.bot_limits import SUSPENDED_AFTER, BotLimits
from cardwright.league.bot_runtime import DRAWN, INDEX, BotMistake, short

if TYPE_CHECKING:
    from cardwright.league.bot import Bot
    from cardwright.league.seen import PublicTable

_REFEREE = 0x5851F42D4C957F2D
"""Turns the seed of the seats' streams into one for the referee's own draws."""

_NANO = 1_000_000_000
MOST_NOTED = 20
"""The most faults of a seat in a game that are recorded."""

LATE, SLEPT, DIED, SUSPENDED = "late", "slept", "died", "suspended"


@dataclass
class BotConduct:
    """What is remembered about a roster entry throughout a block of games."""

    forfeits: int = 0
    times: list[int] = field(default_factory=list)
    """The time of each move, in nanoseconds."""

    @property
    def suspended(self) -> bool:
        """Whether the bot is no longer started."""
        return self.forfeits >= SUSPENDED_AFTER


class RefereeSeat:
    """A bot in a seat of one game."""

    def __init__(
        self, bot: Bot, conduct: BotConduct, limits: BotLimits, *, timed: bool = True
    ) -> None:
        """Seat a bot; if not `timed`, it may take any time."""
        self.bot = bot
        self.faults: list[BotFault] = []
        self.forfeited = False
        self._conduct = conduct
        self._limits = limits
        self._timed = timed
        self._move_ns = int((limits.move + limits.grace) * _NANO)
        self._bank = int(limits.bank * _NANO)
        self._seconds = (self._move_ns + self._bank) / _NANO
        self._counted = 0
        self._lost = 0
        self._down = False
        self._game = 0
        self._seat = 0
        self.round = 0
        self._referee = Stream(0)
        self._legal = 0
        self._turn = 0
        self._play = False
        self._starting = False
        self.suspended = conduct.suspended
        """Whether this game is played without the bot, because of earlier games."""
        self.times: list[int] = []
        """The times of its moves, in nanoseconds."""

    def begin(self, game: int, seat: int, chances: int, table: PublicTable) -> bool:
        """Start the bot for a game at a table, with the seed of all seats' chances.

        Return whether it has to be waited for; then `begun` handles the result.
        """
        self._game, self._seat = game, seat
        self._referee = Stream.of_seat(chances ^ _REFEREE, seat)
        if self.suspended:
            self._note(-1, SUSPENDED, f"forfeited {SUSPENDED_AFTER} games in a row", forfeit=True)
            self.forfeited = True
            return False
        try:
            self.bot.begin(seat, Stream.of_seat(chances, seat), table)
        except (BotMistake, LostError) as fault:
            self._forfeit(-1, fault.kind, fault.message)
            return False
        return self.bot.waits

    def begun(self) -> None:
        """Handle the result of a start that was waited for."""
        try:
            self.bot.answer()
        except (BotMistake, LostError) as fault:
            self._forfeit(-1, fault.kind, fault.message)

    def blame(self, kind: str, message: str) -> None:
        """Count a fault of the bot that belongs to no choice, at the end of the game."""
        self._counted += 1
        self._note(self._turn, kind, message)

    def end(self) -> None:
        """Record the outcome of this game for the following ones."""
        self._conduct.times += self.times
        if not self.forfeited:
            self._conduct.forfeits = 0
        elif not self._conduct.suspended:
            self._conduct.forfeits += 1

    @property
    def outdated(self) -> bool:
        """Whether earlier games, finished in the meantime, have changed whether the bot plays."""
        return self.suspended != self._conduct.suspended

    def deal(self, direction: int, totals: list[int], hand: list[int]) -> None:
        """Show the bot its hand of the next round."""
        self.round += 1
        if not self.forfeited:
            self.bot.deal(direction, totals, hand)

    def gave(self, card: int) -> None:
        """Tell the bot which card was passed for it."""
        if not self.forfeited:
            self.bot.gave(card)

    def got(self, cards: list[int]) -> None:
        """Tell the bot which cards it has received."""
        if not self.forfeited:
            self.bot.got(cards)

    def choose(self, legal: int, turn: int, *, play: bool) -> int | None:
        """Return the index of a legal card: the bot's choice, or the referee's instead.

        None means that the bot has to be waited for: then `decided` returns it.
        """
        if self.forfeited:
            return self._referee.below(legal.bit_count())
        self._legal, self._turn, self._play = legal, turn, play
        if self._down:
            return self._revived()
        bot = self.bot
        if bot.waits:
            bot.choose(legal, self._seconds, play=play)
            return None
        return self._prompted()

    def decided(self) -> int | None:
        """Return the index from `choose` for a bot that was waited for; None to wait again."""
        failed: BotMistake | LostError | None = None
        answer = -1
        bot = self.bot
        try:
            answer = bot.answer()
        except (BotMistake, LostError) as fault:
            failed = fault
        if self._starting:
            self._starting = False
            return self._up(failed)
        took = bot.took_ns
        if failed is None and 0 <= answer < self._legal.bit_count() and took <= self._move_ns:
            self.times.append(took)
            return answer
        return self._settled(answer, failed, took)

    def _prompted(self) -> int:
        """Ask a bot that answers at once."""
        answer = -1
        failed: BotMistake | LostError | None = None
        begun = time.thread_time_ns() if self._timed else 0
        try:
            answer = self.bot.choose(self._legal, self._seconds, play=self._play)
        except (BotMistake, LostError) as fault:
            failed = fault
        return self._settled(answer, failed, time.thread_time_ns() - begun if self._timed else 0)

    def _settled(self, answer: int, failed: BotMistake | LostError | None, took: int) -> int:
        """Return the index of a legal card, after an answer or an error."""
        count = self._legal.bit_count()
        self.times.append(took)
        wrong = ""
        if failed is not None and failed.kind == INDEX:
            wrong, failed = failed.message, None
        if failed is not None or (took > self._move_ns and self._timed):
            self._judge(self._turn, took, failed)
        if failed is None and 0 <= answer < count:
            return answer
        if failed is None:
            wrong = wrong or f"chose {short(answer)} of {count} legal cards; {DRAWN}"
            self._note(self._turn, INDEX, wrong, counts=False)
        return self._referee.below(count)

    def _revived(self) -> int | None:
        """Restart a lost bot, and ask it."""
        failed: BotMistake | LostError | None = None
        try:
            self.bot.revive()
        except (BotMistake, LostError) as fault:
            failed = fault
        if failed is None and self.bot.waits:
            self._starting = True
            return None
        return self._up(failed)

    def _up(self, failed: BotMistake | LostError | None) -> int | None:
        """Ask a restarted bot, unless the restart has failed."""
        if failed is not None:
            self._judge(self._turn, 0, failed)
            return self._referee.below(self._legal.bit_count())
        self._down = False
        return self.choose(self._legal, self._turn, play=self._play)

    def _judge(self, turn: int, took: int, failed: BotMistake | LostError | None) -> None:
        """Count a fault, or a move that took longer than it should."""
        if took > self._move_ns and self._timed:
            self._bank -= took - self._move_ns
            if self._bank < 0 and failed is None:
                self._bank = 0
                failed = BotMistake(LATE, self._late(took))
            self._bank = max(self._bank, 0)
            self._seconds = (self._move_ns + self._bank) / _NANO
        if failed is None:
            return
        self._counted += 1
        if isinstance(failed, LostError):
            self._lost += 1
            self._down = True
        limits = self._limits
        if self._counted > limits.faults or self._lost > limits.restarts:
            self._forfeit(turn, failed.kind, failed.message)
        else:
            self._note(turn, failed.kind, failed.message)

    def _late(self, took: int) -> str:
        move, bank = self._limits.move * 1000, self._limits.bank
        return (
            f"took {took / 1e6:.0f} ms of processor time for a move that may take {move:.0f}, and "
            f"had used up the bank of {bank:g} s per game"
        )

    def _forfeit(self, turn: int, kind: str, message: str) -> None:
        self.forfeited = True
        self._note(turn, kind, message, forfeit=True)

    def _note(
        self, turn: int, kind: str, message: str, *, counts: bool = True, forfeit: bool = False
    ) -> None:
        if forfeit or len(self.faults) < MOST_NOTED:
            at = (self._game, self._seat, self.round, turn)
            self.faults.append(BotFault(*at, kind, message, counts, forfeit))

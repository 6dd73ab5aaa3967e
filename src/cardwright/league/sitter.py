"""Sitters: bots at the table under the league's rules, which always answer with a legal card.

The rules:

- A bot makes a *fault* if it raises an exception, answers with something that is no integer, is
  late, or dies. Then a card is drawn for it from all legal ones, by a stream of the referee's that
  no bot draws from. An index outside `legalMoves`, a number like infinity or one of a card that is
  not legal is answered with such a card too, and noted, but does not count: the league has always
  allowed it.
- With more faults in a game than `Patience` allows, with too many restarts, or if it cannot be
  started, a bot *forfeits* the game: it is not asked any more, and all its cards are drawn. In the
  next game it plays again, unless it has forfeited three games in a row: then it is *suspended*
  until the block of games that is played together is over, so that a bot that hangs costs a season
  little. Blocks do not depend on how many workers there are.
- A bot in this process cannot be interrupted, only judged: a late answer stands.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cardwright.interpreter.stream import Stream
from cardwright.league.block import Fault
from cardwright.league.bot import LostError
from cardwright.league.guest import DRAWN, INDEX, MASKS, short
from cardwright.league.guest import Fault as BotFault
from cardwright.league.patience import SUSPENDED_AFTER, Patience

if TYPE_CHECKING:
    from cardwright.league.bot import Bot
    from cardwright.league.guest import Table

_REFEREE = 0x5851F42D4C957F2D
"""Turns the seed of the seats' streams into one for the referee's own draws."""

_NANO = 1_000_000_000
MOST_NOTED = 20
"""Faults of a seat in a game that are written down."""

LATE, SUSPENDED = "late", "suspended"


@dataclass
class Conduct:
    """What is remembered of a roster entry through a block of games."""

    forfeits: int = 0
    times: list[int] = field(default_factory=list)
    """How long each move took, in nanoseconds."""

    @property
    def suspended(self) -> bool:
        """Whether the bot is not started any more."""
        return self.forfeits >= SUSPENDED_AFTER


class Sitter:
    """A bot in a seat of one game."""

    def __init__(
        self, bot: Bot, conduct: Conduct, patience: Patience, *, timed: bool = True
    ) -> None:
        """Seat a bot; one that is not `timed` may take any time."""
        self.bot = bot
        self.faults: list[Fault] = []
        self.forfeited = False
        self._conduct = conduct
        self._patience = patience
        self._timed = timed
        self._move_ns = int((patience.move + patience.grace) * _NANO)
        self._bank = int(patience.bank * _NANO)
        self._counted = 0
        self._lost = 0
        self._down = False
        self._game = 0
        self._seat = 0
        self.round = 0
        self._referee = Stream(0)

    def begin(self, game: int, seat: int, chances: int, table: Table) -> None:
        """Start the bot for a game at a table, with the seed of all seats' chances."""
        self._game, self._seat = game, seat
        self._referee = Stream.of_seat(chances ^ _REFEREE, seat)
        if self._conduct.suspended:
            self._note(-1, SUSPENDED, f"forfeited {SUSPENDED_AFTER} games in a row", forfeit=True)
            self.forfeited = True
            return
        try:
            self.bot.begin(seat, Stream.of_seat(chances, seat), table)
        except (BotFault, LostError) as fault:
            self._forfeit(-1, fault.kind, fault.message)

    def end(self) -> None:
        """Note for the games to come how this one went."""
        if not self.forfeited:
            self._conduct.forfeits = 0
        elif not self._conduct.suspended:
            self._conduct.forfeits += 1

    def deal(self, direction: int, totals: list[int], hand: list[int]) -> None:
        """Show the bot its hand of the next round."""
        self.round += 1
        if not self.forfeited:
            self.bot.deal(direction, totals, hand)

    def gave(self, card: int) -> None:
        """Tell the bot which card was passed on for it."""
        if not self.forfeited:
            self.bot.gave(card)

    def got(self, cards: list[int]) -> None:
        """Tell the bot which cards have come to it."""
        if not self.forfeited:
            self.bot.got(cards)

    def choose(self, legal: int, turn: int, *, play: bool) -> int:
        """Return the index of a legal card: the bot's choice, or the referee's in its place."""
        count = len(MASKS[legal])
        if self.forfeited:
            return self._referee.below(count)
        if self._down and not self._revived(turn):
            return self._referee.below(count)
        answer = -1
        failed: BotFault | LostError | None = None
        begun = time.perf_counter_ns()
        try:
            answer = self.bot.choose(legal, (self._move_ns + self._bank) / _NANO, play=play)
        except (BotFault, LostError) as fault:
            failed = fault
        took = time.perf_counter_ns() - begun
        self._conduct.times.append(took)
        wrong = f"chose {short(answer)} of {count} legal cards; {DRAWN}"
        if failed is not None and failed.kind == INDEX:
            wrong, failed = failed.message, None
        if failed is not None or (took > self._move_ns and self._timed):
            self._judge(turn, took, failed)
        if failed is None and 0 <= answer < count:
            return answer
        if failed is None:
            self._note(turn, INDEX, wrong, counts=False)
        return self._referee.below(count)

    def _revived(self, turn: int) -> bool:
        """Start a bot anew that was lost, and say whether it can be asked; no move has to wait."""
        try:
            self.bot.revive()
        except (BotFault, LostError) as fault:
            self._judge(turn, 0, fault)
            return False
        self._down = False
        return True

    def _judge(self, turn: int, took: int, failed: BotFault | LostError | None) -> None:
        """Count a fault, or a move that took longer than it should."""
        if took > self._move_ns and self._timed:
            self._bank -= took - self._move_ns
            if self._bank < 0 and failed is None:
                self._bank = 0
                failed = BotFault(LATE, self._late(took))
            self._bank = max(self._bank, 0)
        if failed is None:
            return
        self._counted += 1
        if isinstance(failed, LostError):
            self._lost += 1
            self._down = True
        patience = self._patience
        if self._counted > patience.faults or self._lost > patience.restarts:
            self._forfeit(turn, failed.kind, failed.message)
        else:
            self._note(turn, failed.kind, failed.message)

    def _late(self, took: int) -> str:
        move, bank = self._patience.move * 1000, self._patience.bank
        return (
            f"took {took / 1e6:.0f} ms for a move that may take {move:.0f}, and had used up the "
            f"{bank:g} s that a game gives besides"
        )

    def _forfeit(self, turn: int, kind: str, message: str) -> None:
        self.forfeited = True
        self._note(turn, kind, message, forfeit=True)

    def _note(
        self, turn: int, kind: str, message: str, *, counts: bool = True, forfeit: bool = False
    ) -> None:
        if forfeit or len(self.faults) < MOST_NOTED:
            at = (self._game, self._seat, self.round, turn)
            self.faults.append(Fault(*at, kind, message, counts, forfeit))

"""Tabless: the games of a block at tables side by side, with the results of one after the other.

Bots that nobody trusts are asked by messages, which cost less the more questions go in one. So
games are played at several tables, each to where a bot has to be waited for, and the process with
the most open questions is asked next.

Two things go from one game of a block to later ones, and are kept to the order of the games. A bot
that has forfeited three in a row does not play in those that follow: these are played anew if they
were begun before. And while a bot is *in doubt*, as it has forfeited a game or its process was
lost, it goes on only in the first game that is not over yet. So a bot that hangs costs no more time
than it would in one game after the other, and what its process is lost by next is its fault there.
"""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright.league.dealer import Dealer
from cardwright.league.play import match

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from cardwright.league.block import BotFault
    from cardwright.league.bot import Bot
    from cardwright.league.bot_pool import BotPool
    from cardwright.league.bot_process import BotProcess
    from cardwright.league.jailed import JailedBot
    from cardwright.league.plan import SeasonPlan
    from cardwright.league.play import Match
    from cardwright.league.referee_seat import RefereeSeat


@dataclass(frozen=True)
class MatchPlan:
    """A game to be played: its place in the block and number in the season, who, and the seeds."""

    at: int
    number: int
    entries: tuple[int, ...]
    seed: int
    chances: int


@dataclass(frozen=True, eq=False)
class FinishedGame:
    """A game that is over: all its choices, as `play.match` gives them, and the bots' faults."""

    plan: MatchPlan
    record: bytes
    faults: tuple[BotFault, ...]


@dataclass(eq=False)
class _OpenTable:
    """A table with a game that goes on, or is over and waits for those before it."""

    number: int
    plan: MatchPlan
    referee_seats: list[RefereeSeat]
    playing: Match
    asked: Sequence[RefereeSeat] = ()
    """Those who have to be waited for, and how many of them have not answered yet."""

    open: int = 0
    record: bytes | None = None

    def seats(self, entry: int) -> bool:
        """Say whether a roster entry plays here."""
        return entry in self.plan.entries


class ConcurrentTables:
    """Tables at which the games of a block are played; for one block."""

    def __init__(self, plan: SeasonPlan, stable: BotPool, dealer: Dealer) -> None:
        """Open a tables for bots of a stable; one table uses a dealer that is there already."""
        self._plan = plan
        self._stable = stable
        count = plan.tables if plan.level and plan.files else 1
        self._free = list(range(count))[::-1]
        self._dealers = {0: dealer}
        self._waiting: deque[MatchPlan] = deque()
        self._tables: list[_OpenTable] = []
        self._at: dict[Bot, _OpenTable] = {}
        self._doubtful: dict[int, float] = {}

    def play(self, games: Iterable[MatchPlan]) -> Iterator[FinishedGame]:
        """Play games, and give what came of them, in their order."""
        self._waiting.extend(games)
        while self._waiting or self._tables:
            self._sit_down()
            first = self._tables[0]
            if first.record is None:
                self._ask()
            else:
                del self._tables[0]
                yield self._over(first, first.record)

    def _sit_down(self) -> None:
        """Begin the next games, as far as there are tables for them."""
        while self._waiting and self._free and self._may_begin(self._waiting[0]):
            plan, number = self._waiting.popleft(), self._free.pop()
            dealer = self._dealers.get(number)
            if dealer is None:
                dealer = self._dealers[number] = Dealer(self._plan.rules)
            referee_seats = self._stable.referee_seats(plan.entries, dealer, number)
            state = self._stable.needs_state(plan.entries)
            playing = match(
                dealer, referee_seats, plan.number, plan.seed, plan.chances, state=state
            )
            table = _OpenTable(number, plan, referee_seats, playing)
            self._tables.append(table)
            self._tables.sort(key=lambda one: one.plan.at)
            self._at.update(
                (referee_seat.bot, table)
                for referee_seat in referee_seats
                if referee_seat.bot.waits
            )
            self._go_on(table)

    def _may_begin(self, plan: MatchPlan) -> bool:
        """Say whether a game may begin; the first that is not over always may."""
        before = [table for table in self._tables if table.plan.at < plan.at]
        if not before:
            return True
        doubtful = self._doubtful.keys() & plan.entries
        if any(table.seats(entry) for table in before for entry in doubtful):
            return False
        return self._stable.has_room(plan.entries)

    def _may_go_on(self, table: _OpenTable) -> bool:
        """Say whether nobody at a table is in doubt, unless this is the bot's first game."""
        return all(
            next(one for one in self._tables if one.seats(entry)) is table
            for entry in self._doubtful.keys() & table.plan.entries
        )

    def _ask(self) -> None:
        """Have the bot with the most open questions answer them, and go on at its tables."""
        bot_process, ready = self._next()
        if ready[0].starting:
            asked = ready[:1]
        else:
            asked = [bot for bot in ready if not bot.starting][: bot_process.at_once]
        if not bot_process.ask(asked):
            self._doubt(self._at[asked[0]], asked[0], alone=bot_process.alone)
            return
        if len(asked) == len(bot_process.waiting):
            bot_process.waiting = []
        else:
            bot_process.waiting = [bot for bot in bot_process.waiting if bot not in asked]
        for bot in asked:
            table = self._at[bot]
            table.open -= 1
            if not table.open:
                self._go_on(table)

    def _next(self) -> tuple[BotProcess, list[JailedBot]]:
        """Return the process with the most open questions, and the bots that wait there."""
        if not self._doubtful:
            bot_process = max(self._stable.bot_processes(), key=lambda one: len(one.waiting))
            return bot_process, bot_process.waiting
        may = {table: self._may_go_on(table) for table in self._tables}
        ready = [
            (bot_process, [bot for bot in bot_process.waiting if may[self._at[bot]]])
            for bot_process in self._stable.bot_processes()
        ]
        return max(ready, key=lambda one: len(one[1]))

    def _go_on(self, table: _OpenTable) -> None:
        """Play at a table until a bot has to be waited for."""
        asked = table.asked
        try:
            table.asked = next(table.playing)
            table.open = len(table.asked)
        except StopIteration as over:
            table.record = over.value
            self._stand_up(table)
        for referee_seat in asked:
            if referee_seat.forfeited:
                self._doubt(table, referee_seat.bot)

    def _stand_up(self, table: _OpenTable) -> None:
        """Free a table."""
        for referee_seat in table.referee_seats:
            self._at.pop(referee_seat.bot, None)
        self._stable.release(table.plan.entries, table.referee_seats)
        self._free.append(table.number)

    def _doubt(self, table: _OpenTable, bot: Bot, *, alone: bool = False) -> None:
        """Let a bot go on in one game after the other, until those are over that have begun."""
        seat = [referee_seat.bot for referee_seat in table.referee_seats].index(bot)
        entry = table.plan.entries[seat]
        last = max((one.plan.at for one in self._tables if one.seats(entry)), default=0)
        self._doubtful[entry] = math.inf if alone else max(self._doubtful.get(entry, 0), last)

    def _over(self, table: _OpenTable, record: bytes) -> FinishedGame:
        """Take note of the first game, which is over; those that it changes are played anew."""
        for referee_seat in table.referee_seats:
            referee_seat.end()
        for later in self._tables[::-1]:
            if any(referee_seat.outdated for referee_seat in later.referee_seats):
                self._tables.remove(later)
                if later.record is None:
                    later.playing.close()
                    self._stand_up(later)
                self._waiting.appendleft(later.plan)
        at = table.plan.at
        self._doubtful = {entry: last for entry, last in self._doubtful.items() if last > at}
        faults = tuple(
            fault for referee_seat in table.referee_seats for fault in referee_seat.faults
        )
        return FinishedGame(table.plan, record, faults)

"""Tables: the games of a block are played side by side by the bots of a pool."""

from __future__ import annotations

import math
from collections import Counter, OrderedDict, defaultdict, deque
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from cardwright.arena.entrants import parse_spec
from cardwright.league.authors import helper_text
from cardwright.league.bot import HomeBot, LibraryBot, LostError, RandomBot
from cardwright.league.dealer import Dealer
from cardwright.league.plan import RANDOM
from cardwright.league.play import BotConduct, RefereeSeat, match

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from types import TracebackType
    from typing import TypeAlias

    from cardwright.league.block import BotFault
    from cardwright.league.bot import Bot
    from cardwright.league.bot_process import BotProcess, JailedBot, StartupBudget
    from cardwright.league.plan import BotText, SeasonPlan
    from cardwright.league.play import Match
    from cardwright.players.kind import Trust
    from cardwright.players.player import Player

    _Key: TypeAlias = tuple[int, int]


@dataclass(frozen=True)
class MatchPlan:
    """A game to play: its place in the block, number in the season, roster entries and seeds."""

    at: int
    number: int
    entries: tuple[int, ...]
    seed: int
    chances: int


@dataclass(frozen=True, eq=False)
class FinishedGame:
    """A finished game: all its choices, as returned by `play.match`, and the bots' faults."""

    plan: MatchPlan
    record: bytes
    faults: tuple[BotFault, ...]


@dataclass(eq=False)
class _OpenTable:
    """A table with a game in progress, or with a finished one that waits for those before it."""

    number: int
    plan: MatchPlan
    referee_seats: list[RefereeSeat]
    playing: Match
    asked: Sequence[RefereeSeat] = ()
    """The bots that have to be waited for, and how many of them have not answered yet."""

    open: int = 0
    record: bytes | None = None

    def seats(self, entry: int) -> bool:
        """Say whether a roster entry plays here."""
        return entry in self.plan.entries


class ConcurrentTables:
    """Tables at which the games of a block are played; for one block."""

    def __init__(self, plan: SeasonPlan, bot_pool: BotPool, dealer: Dealer) -> None:
        """Open tables for the bots of a pool; the first table uses the given dealer."""
        self._plan = plan
        self._bot_pool = bot_pool
        count = plan.tables if plan.level and plan.files else 1
        self._free = list(range(count))[::-1]
        self._dealers = {0: dealer}
        self._waiting: deque[MatchPlan] = deque()
        self._tables: list[_OpenTable] = []
        self._at: dict[Bot, _OpenTable] = {}
        self._doubtful: dict[int, float] = {}
        self._unexplained: dict[int, LostError] = {}
        """Losses of processes, by roster entry, that have not come back in a game so far."""

    def play(self, games: Iterable[MatchPlan]) -> Iterator[FinishedGame]:
        """Play games, and yield their results in order."""
        self._waiting.extend(games)
        while self._waiting or self._tables:
            self._open()
            first = self._tables[0]
            if first.record is None:
                self._ask()
            else:
                del self._tables[0]
                yield self._over(first, first.record)

    def _open(self) -> None:
        """Begin the next games while there are free tables."""
        while self._waiting and self._free and self._may_begin(self._waiting[0]):
            plan, number = self._waiting.popleft(), self._free.pop()
            dealer = self._dealers.get(number)
            if dealer is None:
                dealer = self._dealers[number] = Dealer(self._plan.rules)
            referee_seats = self._bot_pool.referee_seats(plan.entries, dealer, number)
            state = self._bot_pool.needs_state(plan.entries)
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
            self._advance(table)

    def _may_begin(self, plan: MatchPlan) -> bool:
        """Say whether a game may begin; the first unfinished one always may."""
        before = [table for table in self._tables if table.plan.at < plan.at]
        if not before:
            return True
        doubtful = self._doubtful.keys() & plan.entries
        if any(table.seats(entry) for table in before for entry in doubtful):
            return False
        return self._bot_pool.has_room(plan.entries)

    def _may_go_on(self, table: _OpenTable) -> bool:
        """Say whether no bot at a table is in doubt, except in its first unfinished game."""
        return all(
            next(one for one in self._tables if one.seats(entry)) is table
            for entry in self._doubtful.keys() & table.plan.entries
        )

    def _ask(self) -> None:
        """Make the bot with the most open questions answer them, and continue at its tables."""
        bot_process, ready = self._next()
        if ready[0].starting:
            asked = ready[:1]
        else:
            asked = [bot for bot in ready if not bot.starting][: bot_process.at_once]
        if not bot_process.ask(asked):
            entry = self._doubt(self._at[asked[0]], asked[0], alone=bot_process.alone)
            if bot_process.loss is not None:
                self._unexplained.setdefault(entry, bot_process.loss)
            return
        if self._unexplained and isinstance(asked[0].failed, LostError):
            self._unexplained.pop(self._entry(self._at[asked[0]], asked[0]), None)
        if len(asked) == len(bot_process.waiting):
            bot_process.waiting = []
        else:
            bot_process.waiting = [bot for bot in bot_process.waiting if bot not in asked]
        for bot in asked:
            table = self._at[bot]
            table.open -= 1
            if not table.open:
                self._advance(table)

    def _next(self) -> tuple[BotProcess, list[JailedBot]]:
        """Return the process with the most open questions, and the bots with those questions."""
        if not self._doubtful:
            bot_process = max(self._bot_pool.bot_processes(), key=lambda one: len(one.waiting))
            return bot_process, bot_process.waiting
        may = {table: self._may_go_on(table) for table in self._tables}
        ready = [
            (bot_process, [bot for bot in bot_process.waiting if may[self._at[bot]]])
            for bot_process in self._bot_pool.bot_processes()
        ]
        return max(ready, key=lambda one: len(one[1]))

    def _advance(self, table: _OpenTable) -> None:
        """Play at a table until a bot has to be waited for."""
        asked = table.asked
        try:
            table.asked = next(table.playing)
            table.open = len(table.asked)
        except StopIteration as over:
            table.record = over.value
            self._free_table(table)
        for referee_seat in asked:
            if referee_seat.forfeited:
                self._doubt(table, referee_seat.bot)

    def _free_table(self, table: _OpenTable) -> None:
        """Free a table."""
        for referee_seat in table.referee_seats:
            self._at.pop(referee_seat.bot, None)
        self._bot_pool.release(table.plan.entries, table.referee_seats)
        self._free.append(table.number)

    @staticmethod
    def _entry(table: _OpenTable, bot: Bot) -> int:
        """Return the roster entry of a bot at a table."""
        seat = [referee_seat.bot for referee_seat in table.referee_seats].index(bot)
        return table.plan.entries[seat]

    def _doubt(self, table: _OpenTable, bot: Bot, *, alone: bool = False) -> int:
        """Restrict a bot to one game at a time, until all games that have begun are over.

        Return its roster entry.
        """
        entry = self._entry(table, bot)
        last = max((one.plan.at for one in self._tables if one.seats(entry)), default=0)
        self._doubtful[entry] = math.inf if alone else max(self._doubtful.get(entry, 0), last)
        return entry

    def _blame(self, table: _OpenTable) -> None:
        """Count the losses that have not come back by now, at the end of the last game of them."""
        at = table.plan.at
        for entry in [one for one in self._unexplained if self._doubtful.get(one, 0) <= at]:
            lost = self._unexplained.pop(entry)
            if not table.seats(entry):
                continue
            self._doubtful[entry] = math.inf
            table.referee_seats[table.plan.entries.index(entry)].blame(
                lost.kind, f"was lost while it played several games, in none of them alone: {lost}"
            )

    def _over(self, table: _OpenTable, record: bytes) -> FinishedGame:
        """Finish the first game; later ones that it affects are restarted."""
        self._blame(table)
        for referee_seat in table.referee_seats:
            referee_seat.end()
        for later in self._tables[::-1]:
            if any(referee_seat.outdated for referee_seat in later.referee_seats):
                self._tables.remove(later)
                if later.record is None:
                    later.playing.close()
                    self._free_table(later)
                self._waiting.appendleft(later.plan)
        at = table.plan.at
        self._doubtful = {entry: last for entry, last in self._doubtful.items() if last > at}
        faults = tuple(
            fault for referee_seat in table.referee_seats for fault in referee_seat.faults
        )
        return FinishedGame(table.plan, record, faults)


KEPT = 24
"""Bot processes kept ready at a time; more only if a single game needs more."""


class BotPool:
    """The bots of some games, and their conduct in these.

    A roster entry in several seats of a game is as many bots, which share nothing. The pool is a
    context manager: at its end all bots are closed.
    """

    def __init__(self, plan: SeasonPlan, processor: int | None = None) -> None:
        """Make a pool without bots, whose processes will run on `processor`, or on any."""
        self._plan = plan
        self._processor = processor
        self._homes: dict[_Key, Bot] = {}
        self._bot_processes: OrderedDict[_Key, BotProcess] = OrderedDict()
        self._busy: Counter[_Key] = Counter()
        self._startups: dict[_Key, StartupBudget] = {}
        self.conduct: defaultdict[int, BotConduct] = defaultdict(BotConduct)

    def __enter__(self) -> BotPool:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        while self._bot_processes:
            self._bot_processes.popitem()[1].close()

    def referee_seats(
        self, entries: Sequence[int], dealer: Dealer, table: int = 0
    ) -> list[RefereeSeat]:
        """Return the referee seats of a game for its roster entries.

        Bots of other games may be at other tables in the meantime; `release` ends the game.
        """
        seats = []
        for entry, key in zip(entries, keys(entries), strict=True):
            timed = self._plan.bots[entry].text is not None
            bot = self._bot(key, dealer, table)
            seats.append(RefereeSeat(bot, self.conduct[entry], self._plan.limits, timed=timed))
        return seats

    def release(self, entries: Sequence[int], referee_seats: Sequence[RefereeSeat]) -> None:
        """Release the bots of a game."""
        self._busy.subtract(keys(entries))
        self._busy += Counter()  # drops those that have become 0
        for referee_seat in referee_seats:
            referee_seat.bot.leave()

    def has_room(self, entries: Sequence[int]) -> bool:
        """Say whether there is capacity for these bots besides those at tables."""
        jailed = [key for key in keys(entries) if self._plan.bots[key[0]].text is not None]
        return len({*self._busy, *jailed}) <= KEPT

    def needs_state(self, entries: Sequence[int]) -> bool:
        """Say whether any of these is a library player other than the random one."""
        return any(self._plan.bots[entry].builtin not in {None, RANDOM} for entry in entries)

    def bot_processes(self) -> Iterable[BotProcess]:
        """Return all bot processes."""
        return self._bot_processes.values()

    def _bot(self, key: _Key, dealer: Dealer, table: int) -> Bot:
        text = self._plan.bots[key[0]]
        if text.text is None:
            return make_bot(text, self._plan, dealer)
        if not self._plan.level:
            if key not in self._homes:
                self._homes[key] = make_bot(text, self._plan, dealer)
            return self._homes[key]
        from cardwright.league.bot_process import JailedBot

        self._busy[key] += 1
        return JailedBot(self._bot_process(key, text), self._plan.limits, table)

    def _bot_process(self, key: _Key, text: BotText) -> BotProcess:
        found = self._bot_processes.pop(key, None)
        if found is None:
            startup = self._startups.get(key)
            found = make_bot_process(text, self._plan, self._processor, startup)
            self._startups[key] = found.startup
        self._bot_processes[key] = found
        idle = [one for one in self._bot_processes if one not in self._busy]
        for one in idle[: max(len(self._bot_processes) - KEPT, 0)]:
            self._bot_processes.pop(one).close()
        return found


def keys(entries: Sequence[int]) -> list[_Key]:
    """Return the bot of each seat: its roster entry, and the number among this entry's bots."""
    return [(entry, list(entries[:seat]).count(entry)) for seat, entry in enumerate(entries)]


def make_bot(text: BotText, plan: SeasonPlan, dealer: Dealer, *, traced: bool = False) -> Bot:
    """Return a bot of a roster entry for one table, as the plan says how bots are played.

    If it is `traced`, its mistakes have tracebacks.
    """
    if text.builtin == RANDOM:
        return RandomBot()
    if text.builtin is not None:
        return LibraryBot(_built(text.builtin, plan.trust), dealer)
    assert text.text is not None
    if not plan.level:
        return HomeBot(text.text, text.file, helper_text(), dict(text.files), traced=traced)
    from cardwright.league.bot_process import JailedBot

    return JailedBot(make_bot_process(text, plan, traced=traced), plan.limits)


@cache
def _built(spec: str, trust: Trust) -> Callable[[], Player]:
    return parse_spec(spec, trust).build


def make_bot_process(
    text: BotText,
    plan: SeasonPlan,
    processor: int | None = None,
    startup: StartupBudget | None = None,
    *,
    traced: bool = False,
) -> BotProcess:
    """Return the process of an untrusted bot, with the rest of its budget for starts."""
    from cardwright.league.bot_process import BotProcess
    from cardwright.sandbox.levels import JailLevel

    assert text.text is not None
    level = JailLevel(plan.level)
    return BotProcess(
        text.text, text.file, helper_text(), level, plan.limits,
        processor=processor, files=dict(text.files), startup=startup, traced=traced,
    )  # fmt: skip

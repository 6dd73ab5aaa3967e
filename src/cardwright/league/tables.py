"""Tables: the games of a block, played at once, with the results of sequential play.

Untrusted bots are asked by messages, which cost less the more questions go in one. So games are
played at several tables, each until a bot has to be waited for, and the process with the most open
questions is asked next.

Two things carry over from one game of a block to later ones, and follow the order of the games. A
bot that has forfeited three in a row does not play in the games that follow: those already begun
are restarted. And while a bot is *in doubt*, because it has forfeited a game or its process was
lost, it continues only in the first unfinished game. So a bot that hangs costs no more time than in
sequential play, and the next loss of its process is its fault in that game.

A loss that does not come back in any of the games that were in the process is counted once, in the
last of them. Such a bot depends on its other games, and plays one at a time from then on.
"""

from __future__ import annotations

import math
from collections import defaultdict, deque
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from cardwright.arena.entrants import parse_spec
from cardwright.league.bot import InProcessBot, LibraryBot, LostError, RandomBot
from cardwright.league.bot_process import BotProcess, SandboxedBot, StartupBudget
from cardwright.league.dealer import Dealer
from cardwright.league.plan import RANDOM
from cardwright.league.play import BotController, BotPenalties, match

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterable, Iterator, Sequence
    from typing import TypeAlias

    from cardwright.league.block import BotFault
    from cardwright.league.bot import Bot
    from cardwright.league.plan import BotText, SeasonPlan
    from cardwright.players.kind import Trust
    from cardwright.players.player import Player

    _Key: TypeAlias = tuple[int, int]

KEPT = 24
"""Bot processes kept ready at a time; more only if a single game needs more."""


@dataclass(frozen=True)
class MatchPlan:
    """A game to play: its place in the block, number in the season, roster entries and seeds."""

    at: int
    number: int
    entries: tuple[int, ...]
    seed: int
    chances: int

    @property
    def keys(self) -> list[_Key]:
        """The bot of each seat: its roster entry, and the number among this entry's bots."""
        entries = self.entries
        return [(entry, entries[:seat].count(entry)) for seat, entry in enumerate(entries)]


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
    controllers: list[BotController]
    playing: Coroutine[Sequence[SandboxedBot], None, bytes]
    asked: Sequence[SandboxedBot] = ()
    """The bots that it waits for, and how many of them have not answered yet."""

    open: int = 0
    record: bytes | None = None

    def seats(self, entry: int) -> bool:
        """Say whether a roster entry plays here."""
        return entry in self.plan.entries


class ConcurrentTables:
    """Tables at which the games of a block are played; for one block, and to be closed.

    A roster entry in several seats of a game is as many bots, which share nothing. `penalties` are
    those of each entry.
    """

    def __init__(self, plan: SeasonPlan, dealer: Dealer, processor: int | None = None) -> None:
        """Open tables, the first of which uses the given dealer.

        Processes of bots will run on `processor`, or on any.
        """
        self.penalties: defaultdict[int, BotPenalties] = defaultdict(BotPenalties)
        self._plan = plan
        self._processor = processor
        count = plan.tables if plan.level and plan.files else 1
        self._free = list(range(count))[::-1]
        self._dealers = {0: dealer}
        self._waiting: deque[MatchPlan] = deque()
        self._tables: list[_OpenTable] = []
        self._at: dict[int, _OpenTable] = {}
        """Those with a game in progress, by their numbers."""
        self._in_process: dict[_Key, Bot] = {}
        self._processes: dict[_Key, BotProcess] = {}
        """Those of untrusted bots; the one whose last game began first comes first."""
        self._startups: dict[_Key, StartupBudget] = {}
        self._doubtful: dict[int, float] = {}
        self._unexplained: dict[int, LostError] = {}
        """Losses of processes, by roster entry, that have not come back in a game so far."""

    def close(self) -> None:
        """End all processes."""
        while self._processes:
            self._processes.popitem()[1].close()

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
            if number not in self._dealers:
                self._dealers[number] = Dealer(self._plan.rules)
            dealer = self._dealers[number]
            texts = [self._plan.bots[entry] for entry in plan.entries]
            controllers = [
                BotController(
                    self._bot(key, plan, dealer, number), self.penalties[key[0]], self._plan.limits,
                    timed=text.text is not None,
                )
                for key, text in zip(plan.keys, texts, strict=True)
            ]  # fmt: skip
            state = any(text.builtin not in {None, RANDOM} for text in texts)
            playing = match(dealer, controllers, plan.number, plan.seed, plan.chances, state=state)
            table = self._at[number] = _OpenTable(number, plan, controllers, playing)
            self._tables.append(table)
            self._tables.sort(key=lambda one: one.plan.at)
            self._advance(table)

    def _may_begin(self, plan: MatchPlan) -> bool:
        """Say whether a game may begin; the first unfinished one always may."""
        before = [table for table in self._tables if table.plan.at < plan.at]
        if not before:
            return True
        doubtful = self._doubtful.keys() & plan.entries
        if any(table.seats(entry) for table in before for entry in doubtful):
            return False
        needed = [key for key in plan.keys if self._plan.bots[key[0]].text is not None]
        return len({*self._busy(), *needed}) <= KEPT

    def _busy(self) -> set[_Key]:
        """Return the bots that are at tables."""
        return {key for table in self._at.values() for key in table.plan.keys}

    def _may_go_on(self, table: _OpenTable) -> bool:
        """Say whether no bot at a table is in doubt, except in its first unfinished game."""
        return all(
            next(one for one in self._tables if one.seats(entry)) is table
            for entry in self._doubtful.keys() & table.plan.entries
        )

    def _bot(self, key: _Key, game: MatchPlan, dealer: Dealer, table: int) -> Bot:
        """Return the bot of a seat, whose process is ready after those of other bots."""
        plan, text = self._plan, self._plan.bots[key[0]]
        if text.text is None or not plan.level:
            if key not in self._in_process or text.text is None:
                self._in_process[key] = make_bot(text, plan, dealer)
            return self._in_process[key]
        process = self._processes.pop(key, None)
        if process is None:
            startup = self._startups.setdefault(key, StartupBudget(plan.limits.start))
            process = BotProcess(
                text, plan.level, plan.limits, processor=self._processor, startup=startup
            )
        self._processes[key] = process
        idle = [one for one in self._processes if one not in {*self._busy(), *game.keys}]
        for one in idle[: max(len(self._processes) - KEPT, 0)]:
            self._processes.pop(one).close()
        return SandboxedBot(process, table)

    def _ask(self) -> None:
        """Make the bot with the most open questions answer them, and continue at its tables."""
        process, ready = self._next()
        asked = ready[:1]
        if not asked[0].starting:
            asked = [bot for bot in ready if not bot.starting][: process.at_once]
        if not process.ask(asked):
            entry = self._entry(asked[0])
            self._doubt(entry, alone=process.alone)
            if process.loss is not None:
                self._unexplained.setdefault(entry, process.loss)
            return
        if self._unexplained and isinstance(asked[0].failed, LostError):
            self._unexplained.pop(self._entry(asked[0]), None)
        if len(asked) == len(process.waiting):
            process.waiting = []
        else:
            process.waiting = [bot for bot in process.waiting if bot not in asked]
        for bot in asked:
            table = self._at[bot.table]
            table.open -= 1
            if not table.open:
                self._advance(table)

    def _next(self) -> tuple[BotProcess, list[SandboxedBot]]:
        """Return the process with the most open questions, and the bots with those questions."""
        if not self._doubtful:
            process = max(self._processes.values(), key=lambda one: len(one.waiting))
            return process, process.waiting
        may = {number: self._may_go_on(table) for number, table in self._at.items()}
        ready = [
            (process, [bot for bot in process.waiting if may[bot.table]])
            for process in self._processes.values()
        ]
        return max(ready, key=lambda one: len(one[1]))

    def _advance(self, table: _OpenTable) -> None:
        """Play at a table until bots have to be waited for."""
        asked = table.asked
        try:
            table.asked = table.playing.send(None)
            table.open = len(table.asked)
        except StopIteration as over:
            table.record = over.value
            self._free_table(table)
        for bot in asked:
            if table.controllers[bot.seat].forfeited:
                self._doubt(table.plan.entries[bot.seat])

    def _free_table(self, table: _OpenTable) -> None:
        del self._at[table.number]
        for controller in table.controllers:
            controller.bot.leave()
        self._free.append(table.number)

    def _entry(self, bot: SandboxedBot) -> int:
        """Return the roster entry of a bot at a table."""
        return self._at[bot.table].plan.entries[bot.seat]

    def _doubt(self, entry: int, *, alone: bool = False) -> None:
        """Restrict a bot to one game at a time, until all games that have begun are over."""
        last = max((table.plan.at for table in self._tables if table.seats(entry)), default=0)
        self._doubtful[entry] = math.inf if alone else max(self._doubtful.get(entry, 0), last)

    def _blame(self, table: _OpenTable) -> None:
        """Count the losses that have not come back by now, at the end of the last game of them."""
        at = table.plan.at
        for entry in [one for one in self._unexplained if self._doubtful.get(one, 0) <= at]:
            lost = self._unexplained.pop(entry)
            if not table.seats(entry):
                continue
            self._doubtful[entry] = math.inf
            table.controllers[table.plan.entries.index(entry)].blame(
                lost.kind, f"was lost while it played several games, in none of them alone: {lost}"
            )

    def _over(self, table: _OpenTable, record: bytes) -> FinishedGame:
        """Finish the first game; later ones that it affects are restarted."""
        self._blame(table)
        for controller in table.controllers:
            controller.end()
        for later in self._tables[::-1]:
            if any(controller.outdated for controller in later.controllers):
                self._tables.remove(later)
                if later.record is None:
                    later.playing.close()
                    self._free_table(later)
                self._waiting.appendleft(later.plan)
        at = table.plan.at
        self._doubtful = {entry: last for entry, last in self._doubtful.items() if last > at}
        faults = tuple(fault for controller in table.controllers for fault in controller.faults)
        return FinishedGame(table.plan, record, faults)


def make_bot(text: BotText, plan: SeasonPlan, dealer: Dealer, *, traced: bool = False) -> Bot:
    """Return a bot of a roster entry for one table, as the plan says how bots are played.

    If it is `traced`, its mistakes have tracebacks.
    """
    if text.builtin == RANDOM:
        return RandomBot()
    if text.builtin is not None:
        return LibraryBot(_built(text.builtin, plan.trust), dealer)
    if not plan.level:
        return InProcessBot(text, traced=traced)
    return SandboxedBot(BotProcess(text, plan.level, plan.limits, traced=traced))


@cache
def _built(spec: str, trust: Trust) -> Callable[[], Player]:
    return parse_spec(spec, trust).build

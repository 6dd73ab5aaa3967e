"""Bot pools: they keep the bots of a block of games ready."""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from cardwright.arena.entrants import parse_spec
from cardwright.league.bot import HomeBot, LibraryBot, RandomBot
from cardwright.league.bot_runtime import HELPER
from cardwright.league.plan import RANDOM
from cardwright.league.referee_seat import BotConduct, RefereeSeat

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from types import TracebackType
    from typing import TypeAlias

    from cardwright.league.bot import Bot
    from cardwright.league.bot_process import BotProcess, StartupBudget
    from cardwright.league.dealer import Dealer
    from cardwright.league.plan import BotText, SeasonPlan
    from cardwright.players.kind import Trust
    from cardwright.players.player import Player

    _Key: TypeAlias = tuple[int, int]

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
        from cardwright.league.jailed import JailedBot

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
    from cardwright.league.jailed import JailedBot

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
    from cardwright.jail.levels import JailLevel
    from cardwright.league.bot_process import BotProcess

    assert text.text is not None
    level = JailLevel(plan.level)
    return BotProcess(
        text.text, text.file, helper_text(), level, plan.limits,
        processor=processor, files=dict(text.files), startup=startup, traced=traced,
    )  # fmt: skip


@cache
def helper_text() -> str:
    """Return the text of the module of cards and tricks that bots may import."""
    return files("cardwright.league.authors").joinpath(f"{HELPER}.py").read_text("utf-8")

"""Stables: where the bots of a block of games are, ready to be asked."""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from cardwright.arena.entrants import entrant
from cardwright.league.bot import HomeBot, LibraryBot, RandomBot
from cardwright.league.guest import HELPER
from cardwright.league.plan import RANDOM
from cardwright.league.sitter import Conduct, Sitter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from types import TracebackType
    from typing import TypeAlias

    from cardwright.league.bot import Bot
    from cardwright.league.dealer import Dealer
    from cardwright.league.plan import BotText, SeasonPlan
    from cardwright.league.ward import Startup, Ward
    from cardwright.players.player import Player

    _Key: TypeAlias = tuple[int, int]

KEPT = 24
"""Processes of bots that are kept ready at a time; more only if a single game needs more."""


class Stable:
    """The bots of some games, and how they have behaved in these.

    A roster entry that sits in several seats of a game is as many bots, which share nothing. It is
    a context manager: at its end all bots are given back.
    """

    def __init__(self, plan: SeasonPlan, processor: int | None = None) -> None:
        """Make a stable without bots, whose processes will run on a `processor`, or on any."""
        self._plan = plan
        self._processor = processor
        self._homes: dict[_Key, Bot] = {}
        self._wards: OrderedDict[_Key, Ward] = OrderedDict()
        self._busy: Counter[_Key] = Counter()
        self._startups: dict[_Key, Startup] = {}
        self.conduct: defaultdict[int, Conduct] = defaultdict(Conduct)

    def __enter__(self) -> Stable:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        while self._wards:
            self._wards.popitem()[1].close()

    def sitters(self, entries: Sequence[int], dealer: Dealer, table: int = 0) -> list[Sitter]:
        """Return the roster entries that sit down to a game, by seat.

        Bots of other games may sit at other tables meanwhile, and `release` says when this is over.
        """
        sitting = []
        for entry, key in zip(entries, keys(entries), strict=True):
            timed = self._plan.bots[entry].text is not None
            bot = self._bot(key, dealer, table)
            sitting.append(Sitter(bot, self.conduct[entry], self._plan.patience, timed=timed))
        return sitting

    def release(self, entries: Sequence[int], sitters: Sequence[Sitter]) -> None:
        """Let those go who have sat down to a game."""
        self._busy.subtract(keys(entries))
        self._busy += Counter()  # drops those that have become 0
        for sitter in sitters:
            sitter.bot.leave()

    def has_room(self, entries: Sequence[int]) -> bool:
        """Say whether so many bots can be kept ready as would sit at tables with these."""
        jailed = [key for key in keys(entries) if self._plan.bots[key[0]].text is not None]
        return len({*self._busy, *jailed}) <= KEPT

    def needs_state(self, entries: Sequence[int]) -> bool:
        """Say whether a library player sits among these, other than random ones."""
        return any(self._plan.bots[entry].builtin not in {None, RANDOM} for entry in entries)

    def wards(self) -> Iterable[Ward]:
        """Return the processes that there are."""
        return self._wards.values()

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
        return JailedBot(self._ward(key, text), self._plan.patience, table)

    def _ward(self, key: _Key, text: BotText) -> Ward:
        found = self._wards.pop(key, None)
        if found is None:
            startup = self._startups.get(key)
            found = make_ward(text, self._plan, self._processor, startup)
            self._startups[key] = found.startup
        self._wards[key] = found
        idle = [one for one in self._wards if one not in self._busy]
        for one in idle[: max(len(self._wards) - KEPT, 0)]:
            self._wards.pop(one).close()
        return found


def keys(entries: Sequence[int]) -> list[_Key]:
    """Return for each seat which bot sits there: a roster entry, and which of its bots."""
    return [(entry, list(entries[:seat]).count(entry)) for seat, entry in enumerate(entries)]


def make_bot(text: BotText, plan: SeasonPlan, dealer: Dealer) -> Bot:
    """Return a bot of a roster entry for one table, as the plan says how bots are played."""
    if text.builtin == RANDOM:
        return RandomBot()
    if text.builtin is not None:
        return LibraryBot(_built(text.builtin), dealer)
    assert text.text is not None
    if not plan.level:
        return HomeBot(text.text, text.file, helper_text(), dict(text.files))
    from cardwright.league.jailed import JailedBot

    return JailedBot(make_ward(text, plan), plan.patience)


@cache
def _built(spec: str) -> Callable[[], Player]:
    return entrant(spec).build


def make_ward(
    text: BotText, plan: SeasonPlan, processor: int | None = None, startup: Startup | None = None
) -> Ward:
    """Return the process of a bot that nobody trusts, which has so much `startup` left."""
    from cardwright.jail.levels import Level
    from cardwright.league.ward import Ward

    assert text.text is not None
    level = Level(plan.level)
    return Ward(
        text.text, text.file, helper_text(), level, plan.patience,
        processor=processor, files=dict(text.files), startup=startup,
    )  # fmt: skip


@cache
def helper_text() -> str:
    """Return the text of the module of cards and hands that bots may import."""
    return files("cardwright.league.authors").joinpath(f"{HELPER}.py").read_text("utf-8")

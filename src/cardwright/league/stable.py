"""Stables: where the bots of a block of games are, ready to be asked."""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from cardwright.arena.entrants import entrant
from cardwright.league.bot import HomeBot, LibraryBot, RandomBot
from cardwright.league.guest import HELPER
from cardwright.league.plan import RANDOM
from cardwright.league.sitter import Conduct, Sitter

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import TracebackType

    from cardwright.league.bot import Bot
    from cardwright.league.dealer import Dealer
    from cardwright.league.plan import BotText, SeasonPlan

KEPT = 24
"""Bots at most that are kept ready at a time, each perhaps with a process of its own."""


class Stable:
    """The bots of some games, and how they have behaved in these.

    A roster entry that sits in several seats of a game is as many bots, which share nothing. It is
    a context manager: at its end all bots are given back.
    """

    def __init__(self, plan: SeasonPlan, dealer: Dealer, processor: int | None = None) -> None:
        """Make a stable without bots, whose processes will run on a `processor`, or on any."""
        self._plan = plan
        self._processor = processor
        self._dealer = dealer
        self._bots: OrderedDict[tuple[int, int], Bot] = OrderedDict()
        self.conduct: defaultdict[int, Conduct] = defaultdict(Conduct)

    def __enter__(self) -> Stable:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        while self._bots:
            self._bots.popitem()[1].close()

    def sitters(self, entries: Sequence[int]) -> list[Sitter]:
        """Return the roster entries that sit down to a game, by seat."""
        sitting = []
        for seat, entry in enumerate(entries):
            key = entry, list(entries[:seat]).count(entry)
            bot = self._bot(key)
            timed = self._plan.bots[entry].text is not None
            conduct = self.conduct[entry]
            sitting.append(Sitter(bot, conduct, self._plan.patience, timed=timed))
        return sitting

    def needs_state(self, entries: Sequence[int]) -> bool:
        """Say whether a library player sits among these, other than random ones."""
        return any(self._plan.bots[entry].builtin not in {None, RANDOM} for entry in entries)

    def _bot(self, key: tuple[int, int]) -> Bot:
        found = self._bots.pop(key, None)
        if found is None:
            found = make_bot(self._plan.bots[key[0]], self._plan, self._dealer, self._processor)
        self._bots[key] = found
        if len(self._bots) > KEPT:
            self._bots.popitem(last=False)[1].close()
        return found


def make_bot(text: BotText, plan: SeasonPlan, dealer: Dealer, processor: int | None = None) -> Bot:
    """Return a bot of a roster entry, as the plan says how bots are played."""
    if text.builtin == RANDOM:
        return RandomBot()
    if text.builtin is not None:
        return LibraryBot(entrant(text.builtin).build, dealer)
    assert text.text is not None
    if not plan.level:
        return HomeBot(text.text, text.file, helper_text())
    from cardwright.jail.levels import Level  # noqa: PLC0415 - not for trusted bots
    from cardwright.league.jailed import JailedBot  # noqa: PLC0415 - as above

    level = Level(plan.level)
    return JailedBot(text.text, text.file, helper_text(), level, plan.patience, processor=processor)


@cache
def helper_text() -> str:
    """Return the text of the module of cards and hands that bots may import."""
    return files("cardwright.league.authors").joinpath(f"{HELPER}.py").read_text("utf-8")

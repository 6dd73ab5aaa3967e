"""The audience: all who are told of a game, each what its eyes see of it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from cardwright.table.account import Account, DealOver
from cardwright.table.eyes import OPEN, PUBLIC

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.game.wording.naming import PeopleNamer
    from cardwright.table.account import Entry
    from cardwright.table.course import GameCourse
    from cardwright.table.eyes import Eyes
    from cardwright.table.referee import Ply, RefereeRules
    from cardwright.table.scene import TableScene
    from cardwright.table.scene_maker import SceneMaker
    from cardwright.table.score_sheet import DealEnd
    from cardwright.table.setup import SeatSetup


class Audience:
    """The accounts of a game, written when somebody asks for them, and its scenes.

    If it is `delayed`, open eyes are told of finished deals only: `revealed` is the last decision
    of such a deal, or None. At the end of the game they are told the rest. `person` says whether
    seats are called `you` in their own accounts.
    """

    def __init__(
        self, course: GameCourse, maker: SceneMaker, *, person: bool, delayed: bool
    ) -> None:
        self.revealed: int | None = None
        self._course = course
        self._maker = maker
        self._first = maker.namer
        self._person = person
        self._delayed = delayed
        self._past: list[Entry] = []
        self._accounts: dict[Eyes, Account] = {}
        self._shown: TableScene | None = None
        self._told = 0

    @property
    def rules(self) -> RefereeRules:
        """The rules of the game."""
        return self._maker.rules

    @property
    def past(self) -> Sequence[Entry]:
        """All that has happened, from the first decision."""
        return self._past

    def note(self, entry: Entry) -> None:
        """Note what has happened, for all to be told."""
        self._past.append(entry)

    def rename(self, namer: PeopleNamer) -> None:
        """Tell what happens from now on by another namer."""
        self._maker.use(namer)
        self._past.append(namer)

    def choose(self, option: int, seats: Sequence[SeatSetup], *, rests: bool = False) -> Ply:
        """Let the course go on by an option, and note it; raises GameError: nothing has changed.

        Where the table `rests`, the end of a deal of several is told, but not yet how the next one
        begins.
        """
        scene = self._maker.scene(self._course.referee, OPEN, seats) if self._delayed else None
        deals = len(self._course.referee.book.deals)
        ply = self._course.choose(option)
        if scene is not None and ply.deals > deals:
            self.revealed, self._shown, self._told = ply.number, scene, len(self._past)
        over = self._course.referee.due is None
        if rests and ply.deal is not None and ply.deal.number > int(over):
            self._past += (replace(ply, begun=()), DealOver(ply.deal))
        else:
            self._past.append(ply)
        return ply

    def account(self, eyes: Eyes) -> Account:
        """Return what eyes were told so far."""
        account = self._accounts.get(eyes)
        if account is None:
            opening = self._course.beginning.opening
            account = self._accounts[eyes] = Account(
                self.rules, eyes, opening, self._first, person=self._person
            )
        account.follow(self._past, self._told if self._waits(eyes) else None)
        return account

    def scene(self, eyes: Eyes, seats: Sequence[SeatSetup]) -> TableScene:
        """Return what eyes see now.

        Delayed ones see the last decision of the last finished deal, since what follows it shows
        new cards; before that, the beginning as all see it.
        """
        if not self._waits(eyes):
            return self._maker.scene(self._course.referee, eyes, seats)
        return self._shown or self._maker.scene(self._course.beginning, PUBLIC, seats)

    def rest(self, eyes: Eyes, seats: Sequence[SeatSetup], end: DealEnd) -> TableScene:
        """Return what eyes see of a deal that has just ended."""
        if self._waits(eyes):
            return self.scene(eyes, seats)
        return self._maker.rest(self._course.moment(), eyes, seats, end)

    def _waits(self, eyes: Eyes) -> bool:
        return self._delayed and eyes == OPEN and self._course.referee.due is not None

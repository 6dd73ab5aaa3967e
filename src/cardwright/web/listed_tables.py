"""Listed tables: those whose makers let the first page lead spectators there.

They are known while the server runs: links are kept as hashes only, so that a server that is
started anew does not know them any more.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cardwright.library import catalogue
from cardwright.table.setup import RulesText
from cardwright.web.refusal import Refusal

if TYPE_CHECKING:
    from cardwright.table.setup import TableSetup
    from cardwright.web.tables import SiteTables

MOST = 12
"""Tables that are listed at a time; an older one gives way."""


@dataclass(frozen=True)
class ListedTable:
    """A table that may be watched: the link for spectators, its game, and who plays."""

    link: str
    title: str
    players: tuple[str, ...]

    def record(self) -> dict[str, Any]:
        """Return this as a JSON object."""
        return {"link": self.link, "title": self.title, "players": list(self.players)}


class ListedTables:
    """The tables that are listed, the latest first."""

    def __init__(self, tables: SiteTables) -> None:
        self._tables = tables
        self._listed: list[ListedTable] = []

    def add(self, setup: TableSetup, link: str) -> None:
        """List a table under its link for spectators."""
        players = tuple(seat.name or f"Player {at}" for at, seat in enumerate(setup.seats, 1))
        one = ListedTable(link, _title(setup), players)
        self._listed = [one, *self._listed][:MOST]

    async def current(self) -> list[dict[str, Any]]:
        """Return those at which a game is in play; the others are listed no more."""
        over = {one for one in self._listed if not await self._in_play(one)}
        self._listed = [one for one in self._listed if one not in over]
        return [one.record() for one in self._listed]

    async def _in_play(self, listed: ListedTable) -> bool:
        try:
            table, _ = await self._tables.find(listed.link.rpartition("/")[2])
            due = await table.ask({"do": "due"})
        except Refusal:
            return False
        return due["seat"] is not None


def _title(setup: TableSetup) -> str:
    name = setup.game.name
    if isinstance(setup.game, RulesText) or name not in catalogue.names():
        return name
    return catalogue.facts(name).title

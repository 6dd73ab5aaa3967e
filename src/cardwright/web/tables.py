"""The tables of a site: made, found by their links, and brought back from the store."""

from __future__ import annotations

import asyncio
import hashlib
import re
import secrets
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from cardwright.game.errors import CardwrightError
from cardwright.table.commands import TableCommands
from cardwright.table.setup import RulesText, TableSetup
from cardwright.table.table import Table
from cardwright.web.api import aside
from cardwright.web.hosts import ProcessHost
from cardwright.web.live_table import LiveTable, LocalHost
from cardwright.web.refusal import Refusal
from cardwright.web.stored import INVITED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.web.hosts import HostRoom
    from cardwright.web.limits import Limits
    from cardwright.web.live_table import Host
    from cardwright.web.stored import LinkRole, StoredCommand, StoredTable, TableStore
    from cardwright.web.thinking import Thinkers

TOKEN_LENGTH = 22
_SHAPE = re.compile(rf"[A-Za-z0-9_-]{{{TOKEN_LENGTH}}}")


def new_token() -> str:
    """Return a token of 128 random bits, as 22 characters that need no quoting in an address."""
    return secrets.token_urlsafe(16)


def token_hash(token: str) -> bytes | None:
    """Return the hash by which a token is looked up; None if no token looks like that.

    Who reads the storage cannot sit down at its tables. Tokens are random, so that a plain hash is
    enough; and as a hash is looked up, the time that it takes tells nothing about the token.
    """
    if not _SHAPE.fullmatch(token):
        return None
    return hashlib.sha256(token.encode("ascii")).digest()


_SWEEP = 60.0
"""Seconds between two looks for tables that need not be in memory, or are too old."""

_IDLE = 600.0
"""Seconds after which a table at which nobody looks leaves the memory."""

_DAY = 86_400.0
_NO_TABLE = "no table has this link: a part of it is missing, or the table was removed"
_MOST_ROLES = 20_000
"""Links that are remembered, so that not every request has to be looked up in the store."""

_SLICE = 0.02
"""Seconds for which a table is brought back before others have their turn."""


class SiteTables:
    """The tables in memory, and how others come there."""

    def __init__(
        self, limits: Limits, store: TableStore, thinkers: Thinkers, room: HostRoom
    ) -> None:
        self._limits = limits
        self._store = store
        self._thinkers = thinkers
        self._room = room
        self._live: dict[str, LiveTable] = {}
        self._roles: dict[bytes, LinkRole] = {}
        self._coming: dict[str, asyncio.Task[LiveTable]] = {}
        self._sweeper: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Begin to look after the tables."""
        self._sweeper = asyncio.get_running_loop().create_task(self._sweep())

    async def stop(self) -> None:
        """Take all tables out of memory."""
        if self._sweeper is not None:
            self._sweeper.cancel()
        for task in self._coming.values():
            task.cancel()
        await asyncio.gather(*(table.close() for table in self._live.values()))
        self._live.clear()

    def end_streams(self) -> None:
        """Tell all who follow a table that nothing more will come."""
        for table in self._live.values():
            table.end_streams()

    # Making -------------------------------------------------------------------------------

    async def make(self, setup: TableSetup) -> dict[str, Any]:
        """Make a table; return its links. Raises Refusal."""
        if await self._store.count() >= self._limits.tables:
            raise Refusal(
                "busy",
                f"there are {self._limits.tables:,} tables here, and no room for more; those that "
                f"nobody plays at are removed after {self._limits.days} days",
            )
        name = secrets.token_hex(8)
        table = await self._opened(
            LiveTable(name, setup, self._store, self._thinkers, self._seconds)
        )
        people = [seat for seat, one in enumerate(setup.seats) if one.kind == "person"]
        tokens = {seat: new_token() for seat in people}
        watch = None if setup.watch == "no" else new_token()
        invited = new_token() if any(one.kind == "empty" for one in setup.seats) else None
        links: dict[bytes, int | None] = {_hash(token): seat for seat, token in tokens.items()}
        if watch is not None:
            links[_hash(watch)] = None
        if invited is not None:
            links[_hash(invited)] = INVITED
        await self._store.add(name, setup.data(), links)
        self._live[name] = table
        return {
            "table": name,
            "seats": [{"seat": seat, "link": f"/t/{token}"} for seat, token in tokens.items()],
            "watch": None if watch is None else f"/t/{watch}",
            "invite": None if invited is None else f"/join/{invited}",
        }

    @property
    def _seconds(self) -> float:
        return self._limits.milliseconds / 1000

    # Finding ------------------------------------------------------------------------------

    async def named(self, name: str) -> LiveTable:
        """Return the table of a name, which nobody outside knows; raises Refusal."""
        return await self._table(name)

    async def seat_link(self, table: LiveTable, seat: int | None) -> str:
        """Return a new link to a seat of a table, or for spectators."""
        token = new_token()
        await self._store.link(table.name, _hash(token), seat)
        return f"/t/{token}"

    async def invitation(self, token: str) -> LiveTable:
        """Return the table to which a link invites; raises Refusal."""
        return await self._table((await self.role(token, invited=True)).table)

    async def role(self, token: str, *, invited: bool = False) -> LinkRole:
        """Return what a link is for; raises Refusal if it is for nothing.

        A link that invites is no link to a table, and the other way round.
        """
        link = token_hash(token)
        role = None if link is None else self._roles.get(link) or await self._store.role(link)
        if link is None or role is None or (role.seat == INVITED) is not invited:
            raise Refusal("no-such-table", _NO_TABLE)
        if len(self._roles) >= _MOST_ROLES:
            self._roles.clear()
        self._roles[link] = role
        return role

    async def find(self, token: str) -> tuple[LiveTable, LinkRole]:
        """Return the table of a link, and what the link is for; raises Refusal."""
        role = await self.role(token)
        return await self._table(role.table), role

    async def _table(self, name: str) -> LiveTable:
        table = self._live.get(name)
        if table is not None and table.lost:
            await self._drop(table)
            table = None
        return table or await self._brought_back(name)

    async def _brought_back(self, name: str) -> LiveTable:
        """Return a table that is not in memory; who asks at the same time waits for the same."""
        task = self._coming.get(name)
        if task is None:
            task = self._coming[name] = asyncio.get_running_loop().create_task(self._load(name))
            task.add_done_callback(lambda _: self._coming.pop(name, None))
        return await asyncio.shield(task)

    async def _load(self, name: str) -> LiveTable:
        kept = await self._store.table(name)
        if kept is None:
            raise Refusal("no-such-table", _NO_TABLE)
        table = await self._opened(_restored(kept, self._store, self._thinkers, self._seconds))
        self._live[name] = table
        return table

    async def _opened(self, table: LiveTable) -> LiveTable:
        """Give a table its host; raises Refusal if its game cannot be played, or not any more."""
        table.open(await self._host(table.setup, table.commands))
        await table.ask({"do": "due"})  # so that rules that do not work are told at once
        return table

    async def _host(self, setup: TableSetup, commands: Sequence[StoredCommand]) -> Host:
        """Return where a table stands: rules that are not in the library, in a process."""
        requests = [command.request for command in commands]
        if isinstance(setup.game, RulesText):
            return ProcessHost(self._room, setup.data(), requests)
        try:
            handler = TableCommands(await aside(Table, setup, rests=True))
        except CardwrightError as error:
            raise Refusal("invalid", str(error)) from None
        turn = time.monotonic()
        for request in requests:
            if refused := handler.handle(request).get("error"):
                raise Refusal("changed", f"this table cannot go on: {refused['message']}")
            if time.monotonic() - turn > _SLICE:
                await asyncio.sleep(0)
                turn = time.monotonic()
        return LocalHost(handler)

    # Sweeping -----------------------------------------------------------------------------

    async def _sweep(self) -> None:
        while True:
            with suppress(CardwrightError):
                for name in await self._store.forget(time.time() - self._limits.days * _DAY):
                    self._roles.clear()
                    if (old := self._live.get(name)) is not None:
                        await self._drop(old)
            await self._make_room()
            await asyncio.sleep(_SWEEP)

    async def _make_room(self) -> None:
        """Let go of tables at which nobody looks: idle ones, and more if there are too many."""
        free = sorted(
            (table for table in self._live.values() if not table.attendance.anybody),
            key=lambda table: table.attendance.used,
        )
        over = len(self._live) - self._limits.live
        now = time.monotonic()
        for number, table in enumerate(free):
            if number < over or now - table.attendance.used > _IDLE:
                await self._drop(table)

    async def _drop(self, table: LiveTable) -> None:
        if self._live.get(table.name) is table:
            del self._live[table.name]
        await table.close()


def _restored(
    kept: StoredTable, store: TableStore, thinkers: Thinkers, seconds: float
) -> LiveTable:
    setup = TableSetup.of_data(kept.setup)
    return LiveTable(kept.id, setup, store, thinkers, seconds, commands=kept.commands)


def _hash(token: str) -> bytes:
    found = token_hash(token)
    assert found is not None
    return found

"""Tables as they are kept, and a store that keeps them in memory."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

from cardwright.game.errors import CardwrightError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


class StoreError(CardwrightError):
    """A storage that cannot be read or written; the message says why."""


@dataclass(frozen=True)
class LinkRole:
    """What a link is for: a table, and a seat at it, or None for spectators."""

    table: str
    seat: int | None


@dataclass(frozen=True)
class StoredCommand:
    """A request that changed a table, and the seat from which it came; None for the server."""

    request: dict[str, Any]
    by: int | None = None


@dataclass(frozen=True)
class StoredTable:
    """A table as it is kept: its setup, and what changed it, in order."""

    id: str
    setup: dict[str, Any]
    commands: tuple[StoredCommand, ...]


class TableStore(Protocol):
    """What keeps tables; a value is returned only when it is kept. All raise StoreError."""

    async def add(
        self, table: str, setup: Mapping[str, Any], links: Mapping[bytes, int | None]
    ) -> None:
        """Keep a new table with its links, which are hashes, and the seat that each is for."""
        ...

    async def note(self, table: str, number: int, command: StoredCommand) -> None:
        """Keep what was done at a table, its command of a number from 0."""
        ...

    async def role(self, link: bytes) -> LinkRole | None:
        """Return what the link with this hash is for; None if there is none."""
        ...

    async def table(self, table: str) -> StoredTable | None:
        """Return a table with all that was done at it; None if there is none."""
        ...

    async def count(self) -> int:
        """Return how many tables are kept."""
        ...

    async def forget(self, before: float) -> list[str]:
        """Remove tables at which nothing was done since a time; return which."""
        ...

    def close(self) -> None:
        """Finish what waits, and let go of the storage."""
        ...


class MemoryStore:
    """Keeps tables in memory, and tells `changed` the id of each that is new, changed or gone."""

    def __init__(self, changed: Callable[[str], None] = lambda _: None) -> None:
        self._changed = changed
        self._tables: dict[str, StoredTable] = {}
        self._links: dict[bytes, LinkRole] = {}
        self._touched: dict[str, float] = {}

    async def add(
        self, table: str, setup: Mapping[str, Any], links: Mapping[bytes, int | None]
    ) -> None:
        """Keep a new table."""
        if table in self._tables or self._links.keys() & links.keys():
            raise StoreError(f"table {table}, or one of its links, is kept already")
        self._keep(StoredTable(table, dict(setup), ()))
        self._links |= {link: LinkRole(table, seat) for link, seat in links.items()}
        self._changed(table)

    async def note(self, table: str, number: int, command: StoredCommand) -> None:
        """Keep what was done at a table."""
        stored = self._tables.get(table)
        if stored is None or number != len(stored.commands):
            raise StoreError(f"command {number} does not follow what is kept of table {table}")
        self._keep(replace(stored, commands=(*stored.commands, command)))
        self._changed(table)

    def _keep(self, stored: StoredTable) -> None:
        self._tables[stored.id] = stored
        self._touched[stored.id] = time.time()

    async def role(self, link: bytes) -> LinkRole | None:
        """Return what a link is for."""
        return self._links.get(link)

    async def table(self, table: str) -> StoredTable | None:
        """Return a table."""
        return self._tables.get(table)

    async def count(self) -> int:
        """Return how many tables are kept."""
        return len(self._tables)

    async def forget(self, before: float) -> list[str]:
        """Remove tables at which nothing was done since a time."""
        old = [table for table, touched in self._touched.items() if touched < before]
        for table in old:
            del self._tables[table], self._touched[table]
            self._changed(table)
        self._links = {link: role for link, role in self._links.items() if role.table not in old}
        return old

    def close(self) -> None:
        """Do nothing: all of it goes with this object."""

    # What outlives the memory -------------------------------------------------------------

    def record(self, table: str) -> dict[str, Any] | None:
        """Return all of a table as a JSON object, from which `restore` brings it back."""
        stored = self._tables.get(table)
        if stored is None:
            return None
        links = {link.hex(): role.seat for link, role in self._links.items() if role.table == table}
        commands = [[command.request, command.by] for command in stored.commands]
        return {
            "table": table, "setup": stored.setup, "commands": commands, "links": links,
            "touched": self._touched[table],
        }  # fmt: skip

    def restore(self, record: Mapping[str, Any]) -> None:
        """Bring a table back; raises StoreError for what is no record of one."""
        try:
            commands = tuple(StoredCommand(dict(request), by) for request, by in record["commands"])
            stored = StoredTable(str(record["table"]), dict(record["setup"]), commands)
            links = {
                bytes.fromhex(link): LinkRole(stored.id, None if seat is None else int(seat))
                for link, seat in record["links"].items()
            }
            touched = float(record["touched"])
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise StoreError(f"this is no record of a table: {error!r}") from None
        self._tables[stored.id], self._touched[stored.id] = stored, touched
        self._links |= links

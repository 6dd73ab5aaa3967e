"""Tables and records of games as they are kept, and a store that keeps them in memory."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

from cardwright.game.errors import CardwrightError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping


class StoreError(CardwrightError):
    """A storage that cannot be read or written; the message says why."""


INVITED = -1
"""In the place of a seat: whoever has the link may sit down where a seat is free."""


@dataclass(frozen=True)
class LinkRole:
    """What a link is for: a table, and a seat at it, None for spectators, or `INVITED`."""

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


@dataclass(frozen=True)
class RecordedGame:
    """A finished game in somebody's record: its table, the seat, and what is told of it."""

    table: str
    seat: int
    told: dict[str, Any]


class TableStore(Protocol):
    """What keeps tables and records; a value is returned only when it is kept.

    All methods raise StoreError.
    """

    async def add(
        self, table: str, setup: Mapping[str, Any], links: Mapping[bytes, int | None]
    ) -> None:
        """Keep a new table with its links, which are hashes, and the seat that each is for."""
        ...

    async def link(self, table: str, link: bytes, seat: int | None) -> None:
        """Keep another link to a seat of a table, or for spectators."""
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

    async def note_game(self, game: RecordedGame, owner: bytes) -> bool:
        """Keep a finished game in the record of an owner; return whether it is there now.

        It is not if it is, or has been, in the record of anybody else, or was removed from one.
        """
        ...

    async def games(self, owner: bytes) -> list[RecordedGame]:
        """Return the games in a record, in the order in which they were kept."""
        ...

    async def count_games(self) -> int:
        """Return how many games are in all records."""
        ...

    async def forget_games(self, owner: bytes, wanted: Collection[tuple[str, int]] | None) -> int:
        """Remove games of a record, by table and seat, or all if none are given; return how many.

        That they were there is known as long as their tables are.
        """
        ...

    def close(self) -> None:
        """Finish what waits, and let go of the storage."""
        ...


_GAMES = "games of "
"""How the names begin by which the games of an owner are kept."""


class MemoryStore:
    """Keeps all in memory, and tells `changed` the name of what is new, changed or gone.

    That is the id of a table, or a name for the games in the record of an owner.
    """

    def __init__(self, changed: Callable[[str], None] = lambda _: None) -> None:
        self._changed = changed
        self._tables: dict[str, StoredTable] = {}
        self._links: dict[bytes, LinkRole] = {}
        self._touched: dict[str, float] = {}
        self._games: dict[tuple[str, int], tuple[bytes, RecordedGame | None]] = {}

    async def add(
        self, table: str, setup: Mapping[str, Any], links: Mapping[bytes, int | None]
    ) -> None:
        """Keep a new table."""
        if table in self._tables or self._links.keys() & links.keys():
            raise StoreError(f"table {table}, or one of its links, is kept already")
        self._keep(StoredTable(table, dict(setup), ()))
        self._links |= {link: LinkRole(table, seat) for link, seat in links.items()}
        self._changed(table)

    async def link(self, table: str, link: bytes, seat: int | None) -> None:
        """Keep another link to a seat of a table, or for spectators."""
        if table not in self._tables or link in self._links:
            raise StoreError(f"table {table} is not kept, or the link is already")
        self._links[link] = LinkRole(table, seat)
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
        for place, (_, game) in list(self._games.items()):
            if game is None and place[0] in old:
                del self._games[place]
        self._links = {link: role for link, role in self._links.items() if role.table not in old}
        return old

    async def note_game(self, game: RecordedGame, owner: bytes) -> bool:
        """Keep a finished game in the record of an owner."""
        place = game.table, game.seat
        if place not in self._games:
            self._games[place] = owner, game
            self._changed(_GAMES + owner.hex())
        whose, known = self._games[place]
        return whose == owner and known is not None

    async def games(self, owner: bytes) -> list[RecordedGame]:
        """Return the games in a record."""
        return [game for whose, game in self._games.values() if whose == owner and game is not None]

    async def count_games(self) -> int:
        """Return how many games are in all records."""
        return sum(game is not None for _, game in self._games.values())

    async def forget_games(self, owner: bytes, wanted: Collection[tuple[str, int]] | None) -> int:
        """Remove games of a record."""
        gone = [
            (game.table, game.seat)
            for game in await self.games(owner)
            if wanted is None or (game.table, game.seat) in wanted
        ]
        self._games |= dict.fromkeys(gone, (owner, None))
        self._changed(_GAMES + owner.hex())
        return len(gone)

    def close(self) -> None:
        """Do nothing: all of it goes with this object."""

    # What outlives the memory -------------------------------------------------------------

    def record(self, name: str) -> dict[str, Any] | None:
        """Return what `changed` was told of as a JSON object, for `restore` to bring it back.

        That is a table, or the games in the record of an owner.
        """
        if name.startswith(_GAMES):
            owner = bytes.fromhex(name.removeprefix(_GAMES))
            games = [
                [*place, None if game is None else game.told]
                for place, (whose, game) in self._games.items()
                if whose == owner
            ]
            return {"owner": owner.hex(), "games": games}
        stored = self._tables.get(name)
        if stored is None:
            return None
        links = {link.hex(): role.seat for link, role in self._links.items() if role.table == name}
        commands = [[command.request, command.by] for command in stored.commands]
        return {
            "table": name, "setup": stored.setup, "commands": commands, "links": links,
            "touched": self._touched[name],
        }  # fmt: skip

    def restore(self, record: Mapping[str, Any]) -> None:
        """Bring back what was kept; raises StoreError for what is nothing of that kind."""
        try:
            if "owner" in record:
                owner = bytes.fromhex(record["owner"])
                for table, seat, told in record["games"]:
                    game = None if told is None else RecordedGame(str(table), int(seat), dict(told))
                    self._games[str(table), int(seat)] = owner, game
                return
            commands = tuple(StoredCommand(dict(request), by) for request, by in record["commands"])
            stored = StoredTable(str(record["table"]), dict(record["setup"]), commands)
            links = {
                bytes.fromhex(link): LinkRole(stored.id, None if seat is None else int(seat))
                for link, seat in record["links"].items()
            }
            touched = float(record["touched"])
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise StoreError(f"this is nothing that was kept: {error!r}") from None
        self._tables[stored.id], self._touched[stored.id] = stored, touched
        self._links |= links

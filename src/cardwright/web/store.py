"""The store: tables, their links, what was done there, and records, in SQLite by one writer."""

from __future__ import annotations

import asyncio
import json
import os
import queue
import sqlite3
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from cardwright.web.stored import LinkRole, RecordedGame, StoredCommand, StoredTable, StoreError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    Job = tuple[Callable[[sqlite3.Connection], Any], asyncio.Future[Any], asyncio.AbstractEventLoop]

_Value = TypeVar("_Value")

VERSION = 4
_PATIENCE = 0.5
"""Seconds for which a server waits for another one that is just ending."""

_BATCH = 200
"""The most jobs of one transaction."""

_SCHEMA = """
CREATE TABLE tables (
    id TEXT PRIMARY KEY, setup TEXT NOT NULL, made REAL NOT NULL, touched REAL NOT NULL
) WITHOUT ROWID;
CREATE INDEX tables_touched ON tables (touched);
CREATE TABLE links (
    hash BLOB PRIMARY KEY, table_id TEXT NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    seat INTEGER
) WITHOUT ROWID;
CREATE INDEX links_table ON links (table_id);
CREATE TABLE commands (
    table_id TEXT NOT NULL REFERENCES tables (id) ON DELETE CASCADE, number INTEGER NOT NULL,
    made REAL NOT NULL, seat INTEGER, command TEXT NOT NULL, PRIMARY KEY (table_id, number)
) WITHOUT ROWID;
CREATE TABLE games (
    table_id TEXT NOT NULL, seat INTEGER NOT NULL, owner BLOB NOT NULL, made REAL NOT NULL,
    told TEXT, PRIMARY KEY (table_id, seat)
) WITHOUT ROWID;
CREATE INDEX games_owner ON games (owner, made);
"""


class DiskStore:
    """Keeps tables; a value is returned only when it is on the disk.

    All work is done by a thread of its own. What waits at the same moment is one transaction, so
    that many tables need no more writes than one.
    """

    def __init__(self, path: Path) -> None:
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._connection = _opened(path)
        self._closed = False
        self._thread = threading.Thread(target=self._work, name="store", daemon=True)
        self._thread.start()

    # What is kept -------------------------------------------------------------------------

    async def add(
        self, table: str, setup: Mapping[str, Any], links: Mapping[bytes, int | None]
    ) -> None:
        """Keep a new table with its links, which are hashes, and the seat that each is for."""
        now, text = time.time(), json.dumps(setup)

        def write(connection: sqlite3.Connection) -> None:
            connection.execute("INSERT INTO tables VALUES (?, ?, ?, ?)", (table, text, now, now))
            connection.executemany(
                "INSERT INTO links VALUES (?, ?, ?)",
                [(one, table, seat) for one, seat in links.items()],
            )

        await self._done(write)

    async def link(self, table: str, link: bytes, seat: int | None) -> None:
        """Keep another link to a seat of a table, or for spectators."""
        await self._done(
            lambda connection: connection.execute(
                "INSERT INTO links VALUES (?, ?, ?)", (link, table, seat)
            )
        )

    async def note(self, table: str, number: int, command: StoredCommand) -> None:
        """Keep what was done at a table, its command of a number from 0."""
        now = time.time()
        row = (table, number, now, command.by, json.dumps(command.request))

        def write(connection: sqlite3.Connection) -> None:
            connection.execute("INSERT INTO commands VALUES (?, ?, ?, ?, ?)", row)
            connection.execute("UPDATE tables SET touched = ? WHERE id = ?", (now, table))

        await self._done(write)

    async def role(self, link: bytes) -> LinkRole | None:
        """Return what the link with this hash is for; None if there is none."""
        row = await self._done(
            lambda connection: connection.execute(
                "SELECT table_id, seat FROM links WHERE hash = ?", (link,)
            ).fetchone()
        )
        return None if row is None else LinkRole(*row)

    async def table(self, table: str) -> StoredTable | None:
        """Return a table with all that was done at it; None if there is none."""

        def read(connection: sqlite3.Connection) -> StoredTable | None:
            row = connection.execute("SELECT setup FROM tables WHERE id = ?", (table,)).fetchone()
            if row is None:
                return None
            rows = connection.execute(
                "SELECT command, seat FROM commands WHERE table_id = ? ORDER BY number", (table,)
            )
            commands = tuple(StoredCommand(json.loads(command), seat) for command, seat in rows)
            return StoredTable(table, json.loads(row[0]), commands)

        return await self._done(read)

    async def count(self) -> int:
        """Return how many tables are kept."""
        return await self._done(
            lambda connection: int(connection.execute("SELECT count(*) FROM tables").fetchone()[0])
        )

    async def forget(self, before: float) -> list[str]:
        """Remove tables at which nothing was done since a time; return which."""

        def write(connection: sqlite3.Connection) -> list[str]:
            rows = connection.execute(
                "DELETE FROM tables WHERE touched < ? RETURNING id", (before,)
            ).fetchall()
            connection.executemany("DELETE FROM games WHERE table_id = ? AND told IS NULL", rows)
            return [row[0] for row in rows]

        return await self._done(write)

    # Records of games ---------------------------------------------------------------------

    async def note_game(self, game: RecordedGame, owner: bytes) -> bool:
        """Keep a finished game in the record of an owner; return whether it is there now."""
        row = game.table, game.seat, owner, time.time(), json.dumps(game.told)

        def write(connection: sqlite3.Connection) -> bool:
            connection.execute("INSERT OR IGNORE INTO games VALUES (?, ?, ?, ?, ?)", row)
            found = connection.execute(
                "SELECT owner FROM games WHERE table_id = ? AND seat = ? AND told IS NOT NULL",
                row[:2],
            ).fetchone()
            return bool(found == (owner,))

        return await self._done(write)

    async def games(self, owner: bytes) -> list[RecordedGame]:
        """Return the games in a record, in the order in which they were kept."""
        rows = await self._done(
            lambda connection: connection.execute(
                "SELECT table_id, seat, told FROM games WHERE owner = ? AND told IS NOT NULL "
                "ORDER BY made", (owner,),
            ).fetchall()
        )  # fmt: skip
        return [RecordedGame(table, seat, json.loads(told)) for table, seat, told in rows]

    async def count_games(self) -> int:
        """Return how many games are in all records."""
        return await self._done(
            lambda connection: int(
                connection.execute("SELECT count(*) FROM games WHERE told IS NOT NULL").fetchone()[
                    0
                ]
            )
        )

    async def forget_games(self, owner: bytes, wanted: Collection[tuple[str, int]] | None) -> int:
        """Remove games of a record, or all; return how many."""
        remove = "UPDATE games SET told = NULL WHERE owner = ? AND told IS NOT NULL"

        def write(connection: sqlite3.Connection) -> int:
            if wanted is None:
                return connection.execute(remove, (owner,)).rowcount
            one = f"{remove} AND table_id = ? AND seat = ?"
            return sum(connection.execute(one, (owner, *place)).rowcount for place in wanted)

        return await self._done(write)

    # The thread ---------------------------------------------------------------------------

    async def _done(self, job: Callable[[sqlite3.Connection], _Value]) -> _Value:
        if self._closed:
            raise StoreError("the storage of tables is closed")
        loop = asyncio.get_running_loop()
        future: asyncio.Future[_Value] = loop.create_future()
        self._jobs.put((job, future, loop))
        return await future

    def close(self) -> None:
        """Finish what waits, and close the database."""
        self._closed = True
        self._jobs.put(None)
        self._thread.join()

    def _work(self) -> None:
        while self._transaction():
            pass
        self._connection.close()

    def _transaction(self) -> bool:
        """Do what waits in one transaction; return False at the end of all work."""
        first = self._jobs.get()
        if first is None:
            return False
        jobs, more = [first], True
        while len(jobs) < _BATCH and not self._jobs.empty():
            job = self._jobs.get()
            if job is None:
                more = False
                break
            jobs.append(job)
        _settle(jobs, self._carried_out(jobs))
        return more

    def _carried_out(self, jobs: list[Job]) -> list[Any]:
        """Return the value or the error of each job, which are errors all if nothing was kept."""
        connection, values = self._connection, []
        try:
            connection.execute("BEGIN IMMEDIATE")
            for job, _, _ in jobs:
                connection.execute("SAVEPOINT job")
                try:
                    values.append(job(connection))
                except sqlite3.IntegrityError as error:
                    connection.execute("ROLLBACK TO job")
                    values.append(_store_error(error))
                connection.execute("RELEASE job")
            connection.execute("COMMIT")
        except sqlite3.Error as error:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            return [_store_error(error)] * len(jobs)
        return values


def _settle(jobs: list[Job], values: list[Any]) -> None:
    for (_, future, loop), value in zip(jobs, values, strict=True):
        try:
            loop.call_soon_threadsafe(_tell, future, value)
        except RuntimeError:  # the loop is closed: nobody waits any more
            continue


def _tell(future: asyncio.Future[Any], value: object) -> None:
    if future.done():
        return
    if isinstance(value, StoreError):
        future.set_exception(value)
    else:
        future.set_result(value)


def _store_error(error: sqlite3.Error) -> StoreError:
    return StoreError(f"the storage of tables failed: {error}")


def _opened(path: Path) -> sqlite3.Connection:
    """Return the database at a path, made if it is not there, locked for this process alone."""
    name = str(path)
    connection = None
    try:
        path.touch(mode=0o600)  # what is played here is nobody else's business
        connection = sqlite3.connect(
            name, timeout=_PATIENCE, isolation_level=None, check_same_thread=False
        )
        _prepare(connection, name)
    except (sqlite3.Error, OSError, StoreError) as error:
        if connection is not None:
            connection.close()
        raise error if isinstance(error, StoreError) else _unusable(name, error) from None
    return connection


def _prepare(connection: sqlite3.Connection, name: str) -> None:
    """Lock a database, and make its tables if it has none; raises StoreError."""
    connection.execute("PRAGMA locking_mode = EXCLUSIVE")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version == 0:
        connection.executescript(f"BEGIN;{_SCHEMA}PRAGMA user_version = {VERSION};COMMIT;")
    elif version == VERSION:
        connection.execute("BEGIN IMMEDIATE")  # the lock is taken with the first write
        connection.execute("COMMIT")
    else:
        raise StoreError(
            f"{name} has tables in format {version}; this Cardwright reads format {VERSION}: take "
            "the one that wrote it, or another --data folder"
        )


def _unusable(name: str, error: Exception) -> StoreError:
    if "locked" in str(error):
        words = "is used by another server: end that one, or take another --data folder"
    else:
        words = f"cannot be used for tables ({error}): take another --data folder"
    return StoreError(f"{name} {words}")


def default_data_folder() -> Path:
    """Return the folder for tables; raises RuntimeError for someone without a home."""
    if sys.platform == "win32":
        named, usual = os.environ.get("LOCALAPPDATA", ""), "AppData/Local"
    elif sys.platform == "darwin":
        named, usual = "", "Library/Application Support"
    else:
        named, usual = os.environ.get("XDG_DATA_HOME", ""), ".local/share"
    # By the XDG specification, a path that is not absolute is ignored.
    base = Path(named) if Path(named).is_absolute() else Path.home() / usual
    return base / "cardwright"

"""The store: what is confirmed is on the disk, and one failure is not another's."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from dataclasses import replace

import pytest

from cardwright.web.site import DATABASE
from cardwright.web.store import DiskStore, default_data_folder
from cardwright.web.stored import LinkRole, MemoryStore, RecordedGame, StoredCommand, StoreError

SETUP = {"seed": "5"}


@pytest.fixture
def path(tmp_path):
    return tmp_path / DATABASE


def test_what_is_kept_is_given_back(path):
    choose = StoredCommand({"do": "choose", "option": 1}, 0)
    commands = [choose, StoredCommand({"do": "pace"}, None)]

    async def keep(store):
        await store.add("one", SETUP, {b"a": 0, b"b": None})
        for number, command in enumerate(commands):
            await store.note("one", number, command)

    async def kept(store):
        table = await store.table("one")
        assert (table.setup, table.commands) == (SETUP, tuple(commands))
        assert await store.role(b"a") == LinkRole("one", 0)
        assert await store.role(b"b") == LinkRole("one", None)
        assert await store.role(b"c") is None
        assert await store.table("two") is None
        assert await store.count() == 1

    for work in (keep, kept):
        store = DiskStore(path)
        asyncio.run(work(store))
        store.close()


def test_a_command_that_is_there_already_is_refused_and_others_are_kept(path):
    """So a table that two have in memory cannot go two ways; what waits with it is not lost."""
    store = DiskStore(path)

    async def notes():
        await store.add("one", SETUP, {})
        numbers = [0, 1, 1, 2, 0]
        commands = (store.note("one", number, StoredCommand({"n": number})) for number in numbers)
        return await asyncio.gather(*commands, return_exceptions=True)

    found = asyncio.run(notes())
    store.close()
    assert [type(one) for one in found] == [
        type(None), type(None), StoreError, type(None), StoreError,
    ]  # fmt: skip
    with closing(sqlite3.connect(path)) as file:
        assert [row[0] for row in file.execute("SELECT number FROM commands")] == [0, 1, 2]


@pytest.mark.parametrize("kind", ["disk", "memory"])
def test_what_does_not_fit_is_refused(path, kind):
    store = DiskStore(path) if kind == "disk" else MemoryStore()

    async def refuse():
        await store.add("one", SETUP, {b"a": 0})
        await store.note("one", 0, StoredCommand({}))
        for wrong in (
            store.note("none", 0, StoredCommand({})),
            store.note("one", 0, StoredCommand({})),
            store.add("one", SETUP, {}),
            store.add("two", SETUP, {b"a": 0}),
            store.link("one", b"a", 0),
            store.link("none", b"d", 0),
        ):
            with pytest.raises(StoreError):
                await wrong
        return await store.count(), len((await store.table("one")).commands)

    assert asyncio.run(refuse()) == (1, 1)
    store.close()


def test_memory_keeps_the_same():
    """And tells what has changed."""
    changed = []
    store = MemoryStore(changed.append)

    async def keep():
        await store.add("one", SETUP, {b"a": 0, b"b": None})
        await store.note("one", 0, StoredCommand({"do": "pace"}))
        assert await store.role(b"b") == LinkRole("one", None)
        assert await store.role(b"c") is None
        other = MemoryStore()
        other.restore(store.record("one"))
        assert await other.table("one") == await store.table("one")
        assert await other.role(b"a") == LinkRole("one", 0)
        return await store.forget(1e12), await store.role(b"a"), await store.count()

    assert asyncio.run(keep()) == (["one"], None, 0)
    assert changed == ["one"] * 3
    assert store.record("one") is None


@pytest.mark.parametrize("kind", ["disk", "memory"])
def test_a_game_is_in_one_record_and_what_was_removed_stays_away(path, kind):
    store = DiskStore(path) if kind == "disk" else MemoryStore()
    games = [RecordedGame(table, 0, {"score": at}) for at, table in enumerate(("one", "two"))]

    async def work():
        await store.add("one", SETUP, {})
        assert [await store.note_game(game, b"ann") for game in (*games, *games)] == [True] * 4
        assert not await store.note_game(games[0], b"bob")
        assert await store.note_game(replace(games[0], seat=1), b"bob")
        assert await store.games(b"ann") == games
        assert await store.forget_games(b"bob", {("one", 0)}) == 0  # that of somebody else
        assert await store.forget_games(b"ann", {("one", 0), ("three", 0)}) == 1
        assert not await store.note_game(games[0], b"ann")
        assert await store.games(b"ann") == games[1:]
        assert await store.count_games() == 2
        await store.forget(1e12)  # with its table nobody can ask for it again
        assert await store.note_game(games[0], b"ann")
        assert await store.forget_games(b"ann", None) == 2
        return await store.games(b"ann"), len(await store.games(b"bob"))

    assert asyncio.run(work()) == ([], 1)
    store.close()


def test_a_record_in_memory_is_brought_back():
    changed = []
    store = MemoryStore(changed.append)
    game = RecordedGame("one", 0, {"score": 3})

    async def work():
        await store.note_game(game, b"ann")
        await store.note_game(replace(game, seat=1), b"ann")
        await store.forget_games(b"ann", {("one", 1)})
        other = MemoryStore()
        other.restore(store.record(changed[-1]))
        assert await other.games(b"ann") == [game]
        assert not await other.note_game(replace(game, seat=1), b"ann")

    asyncio.run(work())
    assert len(changed) == 3


def test_what_goes_with_a_table_is_forgotten_with_it(path):
    store = DiskStore(path)

    async def forget():
        await store.add("one", SETUP, {b"a": 0})
        await store.note("one", 0, StoredCommand({}))
        return await store.forget(1e12), await store.role(b"a"), await store.count()

    assert asyncio.run(forget()) == (["one"], None, 0)
    store.close()
    with closing(sqlite3.connect(path)) as file:
        assert not file.execute("SELECT * FROM commands UNION SELECT *, 0, 0 FROM links").fetchall()


def test_one_server_at_a_time_has_the_file(path):
    store = DiskStore(path)
    with pytest.raises(StoreError, match="used by another server"):
        DiskStore(path)
    store.close()
    DiskStore(path).close()


@pytest.mark.parametrize("content", [b"no database, but long enough to look like one" * 10])
def test_another_file_is_refused(path, content):
    path.write_bytes(content)
    with pytest.raises(StoreError, match="another --data folder"):
        DiskStore(path)
    assert path.read_bytes() == content


def test_tables_of_another_format_are_refused(path):
    DiskStore(path).close()
    with closing(sqlite3.connect(path)) as file:
        file.execute("PRAGMA user_version = 99")
    with pytest.raises(StoreError, match="format 99"):
        DiskStore(path)


def test_a_store_that_is_closed_says_so(path):
    store = DiskStore(path)
    store.close()
    with pytest.raises(StoreError, match="closed"):
        asyncio.run(store.count())


@pytest.mark.parametrize(
    ("platform", "variable", "value", "folder"),
    [
        ("linux", "XDG_DATA_HOME", "/data", "/data/cardwright"),
        ("linux", "XDG_DATA_HOME", "relative", "/home/ann/.local/share/cardwright"),
        ("linux", "XDG_DATA_HOME", "", "/home/ann/.local/share/cardwright"),
        ("darwin", "XDG_DATA_HOME", "/data", "/home/ann/Library/Application Support/cardwright"),
        ("win32", "LOCALAPPDATA", "/local", "/local/cardwright"),
    ],
)
def test_the_folder_of_the_platform(monkeypatch, platform, variable, value, folder):
    monkeypatch.setattr("sys.platform", platform)
    monkeypatch.setenv("HOME", "/home/ann")
    monkeypatch.setenv(variable, value)
    assert str(default_data_folder()) == folder

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from cardwright.compiler.cache import ObjectCache
from cardwright.interfaces.cli import cache as module

Run = Callable[..., Result]

posix = pytest.mark.skipif(os.name != "posix", reason="modes are POSIX's")


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ObjectCache:
    """Return the cache that the command is about, with three entries of two games."""
    monkeypatch.setenv("CARDWRIGHT_CACHE", str(tmp_path / "objects"))
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("TZ", "UTC")
    found = ObjectCache()
    for key, size, label in (("a", 500, "hearts"), ("b", 9000, "leduc"), ("c", 900, "hearts")):
        found.put(key, bytes(size), label)
    assert found.folder
    for at, place in enumerate(sorted(found.folder.iterdir())):
        os.utime(place, (1_800_000_000 + 60 * at,) * 2)
    return found


def rows(result: Result) -> list[list[str]]:
    return [line.split() for line in result.stdout.splitlines()]


def test_it_shows_folder_games_and_sizes(run: Run, cache: ObjectCache) -> None:
    """The folder comes first, then a line a game, the largest first, then the sum."""
    result = run("cache")
    assert result.exit_code == 0
    first, heads, _, leduc, hearts, last = rows(result)
    assert first == [str(cache.folder)]
    assert heads == ["game", "entries", "size", "last", "used"]
    assert leduc[:4] == ["leduc", "1", "9.0", "kB"]
    assert hearts[:4] == ["hearts", "2", "1.5", "kB"]
    assert leduc[4].startswith("2027-01-15")
    assert " ".join(last) == "3 entries, 10.5 kB of at most 200.0 MB"
    assert all(line == line.rstrip() for line in result.stdout.splitlines())


def test_json_has_numbers(run: Run, cache: ObjectCache) -> None:
    """The object has the folder, the sums, the limit and every game."""
    found = json.loads(run("cache", "--format", "json").stdout)
    assert list(found) == ["folder", "entries", "bytes", "limit", "games"]
    assert found["folder"] == str(cache.folder)
    assert found["entries"] == 3
    assert found["bytes"] == sum(entry.size for entry in cache.entries())
    assert found["bytes"] == sum(game["bytes"] for game in found["games"])
    assert found["limit"] == 200_000_000
    assert [game["game"] for game in found["games"]] == ["leduc", "hearts"]
    assert [game["entries"] for game in found["games"]] == [1, 2]
    newest = max(game["last_used"] for game in found["games"])
    assert newest == "2027-01-15T08:02:00Z"


@pytest.mark.parametrize("missing", [True, False])
def test_an_empty_cache_is_no_mistake(
    run: Run, missing: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder that is empty or not there yet has no entries; it is not made for a look."""
    folder = tmp_path / "objects"
    monkeypatch.setenv("CARDWRIGHT_CACHE", str(folder))
    if not missing:
        folder.mkdir(0o700)
    result = run("cache")
    assert result.exit_code == 0
    assert result.stdout == f"{folder}\n0 entries, 0 bytes of at most 200.0 MB\n"
    assert json.loads(run("cache", "--format", "json").stdout)["games"] == []
    assert run("cache", "clear").stdout == f"removed 0 files (0 bytes) from {folder}\n"
    assert folder.exists() is not missing


def test_clear_removes_and_says_how_much(run: Run, cache: ObjectCache) -> None:
    """After `clear` the cache is empty; the sizes are those that were shown."""
    size = sum(entry.size for entry in cache.entries())
    result = run("cache", "clear")
    assert result.exit_code == 0
    assert result.stdout == f"removed 3 files ({size / 1000:.1f} kB) from {cache.folder}\n"
    assert cache.entries() == []


@pytest.mark.parametrize("words", [("clear", "--format", "json"), ("--format", "json", "clear")])
def test_clear_in_json(run: Run, cache: ObjectCache, words: tuple[str, ...]) -> None:
    """The object of `clear` has what went; options may stand before or after the word."""
    size = sum(entry.size for entry in cache.entries())
    found = json.loads(run("cache", *words).stdout)
    assert found == {"folder": str(cache.folder), "removed": 3, "bytes": size}
    assert cache.entries() == []


def test_what_cannot_be_removed_is_said(
    run: Run, cache: ObjectCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Files that stay after `clear` are an error."""

    def stuck(_: Path, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "unlink", stuck)
    result = run("cache", "clear")
    assert result.exit_code == 1
    assert result.stdout.startswith("removed 0 files (0 bytes)")
    assert result.stderr == f"error: 3 files could not be removed from {cache.folder}\n"


@pytest.mark.parametrize("words", [(), ("clear",)])
def test_a_cache_that_is_off_says_so(
    run: Run, words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a cache there is nothing to show or remove, and that is fine."""
    monkeypatch.setenv("CARDWRIGHT_CACHE", "off")
    result = run("cache", *words)
    assert result.exit_code == 0
    assert result.stdout.startswith("nothing is kept: CARDWRIGHT_CACHE is `off`")
    assert json.loads(run("cache", *words, "--format", "json").stdout)["folder"] is None


@posix
def test_a_folder_of_others_is_warned_of(run: Run, cache: ObjectCache) -> None:
    """A folder that others may write is shown as empty, with one warning, and left alone."""
    assert cache.folder
    cache.folder.chmod(0o777)
    for words in ((), ("clear",)):
        result = run("cache", *words)
        assert result.exit_code == 0
        assert result.stderr.count("warning:") == 1
        assert f"warning: compiled games in {cache.folder} are not used" in result.stderr
    assert len(list(cache.folder.iterdir())) == 3


def test_labels_are_no_markup_and_move_no_cursor(run: Run, cache: ObjectCache) -> None:
    """A label is a text: neither rich nor the terminal obeys it."""
    cache.clear()
    cache.put("key", b"code", "[bold]games\x1b[31m\n/x.rcy")
    assert "[bold]games\ufffd[31m /x.rcy" in run("cache").stdout


def test_long_labels_leave_the_numbers(
    run: Run, cache: ObjectCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However long a path, what is kept of it can be read."""
    monkeypatch.setenv("COLUMNS", "60")
    cache.put("key", bytes(20_000), "/a/folder" * 12 + "/x.rcy")
    result = run("cache")
    assert max(map(len, result.stdout.splitlines()[1:])) <= 60
    assert "entries" in result.stdout.splitlines()[1]
    assert "20.1 kB" in result.stdout


@pytest.mark.parametrize("words", [("claer",), ("clear", "hearts"), ("--format", "yaml")])
def test_wrong_calls(run: Run, cache: ObjectCache, words: tuple[str, ...]) -> None:
    """What is not `clear` removes nothing."""
    assert run("cache", *words).exit_code == 2
    assert len(cache.entries()) == 3


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (0, "0 bytes"),
        (999, "999 bytes"),
        (1000, "1.0 kB"),
        (999_949, "999.9 kB"),
        (999_960, "1.0 MB"),
        (200_000_000, "200.0 MB"),
        (5_000_000_000, "5000.0 MB"),
    ],
)
def test_sizes_have_the_unit_that_people_would_take(count: int, text: str) -> None:
    assert module._bytes(count) == text

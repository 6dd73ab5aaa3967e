from __future__ import annotations

import errno
import hashlib
import os
import stat
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from cardwright.compiler import cache as module
from cardwright.compiler.cache import CacheEntry, CacheWarning, ObjectCache, default_folder
from deep import usually
from patience import PATIENCE, wait_until

if TYPE_CHECKING:
    from collections.abc import Callable

posix = pytest.mark.skipif(os.name != "posix", reason="owners and modes are POSIX's")
HOMES = ("HOME", "USERPROFILE", "XDG_CACHE_HOME", "LOCALAPPDATA", "CARDWRIGHT_CACHE")


@pytest.fixture
def cache(tmp_path: Path) -> ObjectCache:
    return ObjectCache(tmp_path / "objects")


def files(cache: ObjectCache) -> list[Path]:
    assert cache.folder
    return sorted(cache.folder.iterdir()) if cache.folder.exists() else []


def use(cache: ObjectCache, age: float) -> None:
    """Let the newest file have been used some seconds ago."""
    newest = max(files(cache), key=lambda place: place.stat().st_mtime)
    os.utime(newest, (time.time() - age,) * 2)


# What is put can be got -------------------------------------------------------------------


@pytest.mark.parametrize("code", [b"", b"\x7fELF\r\n\x1a\0", bytes(range(256)) * 4000])
@pytest.mark.parametrize("label", ["hearts", "", "Cœur ♥\n", "\udcff.rcy", "x" * 70_000])
def test_code_comes_back(cache: ObjectCache, code: bytes, label: str) -> None:
    """Any bytes come back under their key and no other, whatever the label."""
    cache.put("a key", code, label)
    assert cache.get("a key") == code
    assert cache.get("another") is None
    assert ObjectCache(cache.folder).get("a key") == code


def test_the_last_code_counts(cache: ObjectCache) -> None:
    """A key has one file, named by its digest."""
    for code in (b"long before", b"new"):
        cache.put("clé\ud800", code, "hearts")
    assert cache.get("clé\ud800") == b"new"
    name = hashlib.sha256("clé\ud800".encode("utf-8", "surrogatepass")).hexdigest()
    assert [place.name for place in files(cache)] == [f"{name}.object"]


def test_entries_say_what_is_there(cache: ObjectCache) -> None:
    """Entries have label, size and time of use; use moves an entry to the end."""
    assert cache.entries() == []
    cache.put("1", b"one", "hearts")
    use(cache, 3000)
    cache.put("2", b"twelve", "leduc")
    use(cache, 2000)
    first, second = cache.entries()
    assert [first.label, second.label] == ["hearts", "leduc"]
    assert second.size - first.size == len("twelveleduc") - len("onehearts")
    assert first.used == pytest.approx(time.time() - 3000, abs=100)
    cache.get("1")
    assert [entry.label for entry in cache.entries()] == ["leduc", "hearts"]
    assert cache.entries()[1].used == pytest.approx(time.time(), abs=100)


def test_looking_is_no_use(cache: ObjectCache) -> None:
    """To list the entries does not change when they were used."""
    cache.put("1", b"one", "hearts")
    use(cache, 3000)
    assert cache.entries() == cache.entries()


def test_import_is_light() -> None:
    """The module needs nothing but small parts of the standard library."""
    heavy = "{'llvmlite', 'numpy', 'click', 'rich', 'tempfile', 'shutil', 'cardwright.game'}"
    code = f"import sys, cardwright.compiler.cache; sys.exit(repr({heavy} & set(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=PATIENCE
    )
    assert done.stderr.strip() == "set()"


# What is not whole is not there ------------------------------------------------------------


def damage(data: bytes) -> list[bytes]:
    """Return every way to cut a file short, or to change one of its bytes, and a longer one."""
    places = range(len(data))
    return [
        *(data[:end] for end in places),
        *(
            data[:at] + bytes([data[at] ^ change]) + data[at + 1 :]
            for at in places
            for change in (0x01, 0x80, 0xFF)
        ),
        data + b"\0",
        data * 2,
    ]


def test_damage_at_every_byte_is_found(cache: ObjectCache) -> None:
    """A file with any byte changed, added or missing counts as absent and goes."""
    cache.put("key", b"object code", "hearts")
    (place,) = files(cache)
    for data in damage(place.read_bytes()):
        place.write_bytes(data)
        assert cache.get("key") is None, data
        assert not place.exists()
    cache.put("key", b"again", "hearts")
    assert cache.get("key") == b"again"


def test_damage_is_not_listed(cache: ObjectCache) -> None:
    """An entry is what `get` would return; a file that is none goes."""
    cache.put("key", b"object code", "hearts")
    (place,) = files(cache)
    place.write_bytes(place.read_bytes()[:-1])
    assert cache.entries() == []
    assert not place.exists()


def test_a_file_counts_under_its_own_name_only(cache: ObjectCache) -> None:
    """A file that was copied to the name of another key is not taken for it."""
    cache.put("one", b"code of one", "hearts")
    (place,) = files(cache)
    other = place.with_name(hashlib.sha256(b"two").hexdigest() + ".object")
    other.write_bytes(place.read_bytes())
    assert cache.get("two") is None
    assert cache.get("one") == b"code of one"


def test_other_versions_count_as_absent(
    cache: ObjectCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A whole file of another format's version is not read."""
    with monkeypatch.context() as patch:
        patch.setattr(module, "_VERSION", 3)
        cache.put("key", b"code", "hearts")
        assert cache.get("key") == b"code"
    assert cache.get("key") is None
    assert files(cache) == []


# Who may write it -------------------------------------------------------------------------


@posix
@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077])
def test_only_the_user_may_read_it(cache: ObjectCache, umask: int) -> None:
    """The folder has mode 0700 and its files 0600, whatever the umask."""
    before = os.umask(umask)
    try:
        cache.put("key", b"code", "hearts")
    finally:
        os.umask(before)
    assert cache.folder
    assert stat.S_IMODE(cache.folder.stat().st_mode) == 0o700
    assert [stat.S_IMODE(place.stat().st_mode) for place in files(cache)] == [0o600]


def open_folder(folder: Path, _: pytest.MonkeyPatch) -> None:
    folder.chmod(0o770)


def open_to_all(folder: Path, _: pytest.MonkeyPatch) -> None:
    folder.chmod(0o707)


def open_file(folder: Path, _: pytest.MonkeyPatch) -> None:
    next(folder.iterdir()).chmod(0o620)


def of_another(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = folder.stat().st_uid + 1
    monkeypatch.setattr(os, "geteuid", lambda: other)


@posix
@pytest.mark.parametrize("spoil", [open_folder, open_to_all, open_file, of_another])
def test_what_others_may_write_is_not_read(
    cache: ObjectCache,
    spoil: Callable[[Path, pytest.MonkeyPatch], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A folder or file that others may write is as good as empty, with one warning in all."""
    cache.put("key", b"code", "hearts")
    assert cache.folder
    spoil(cache.folder, monkeypatch)
    said: list[str] = []
    wary = ObjectCache(cache.folder, said.append)
    assert wary.get("key") is None
    assert wary.get("key") is None
    assert wary.entries() == []
    assert len(said) == 1
    assert str(cache.folder) in said[0]


@posix
@pytest.mark.parametrize("spoil", [open_folder, of_another])
def test_an_open_folder_is_left_alone(
    cache: ObjectCache,
    spoil: Callable[[Path, pytest.MonkeyPatch], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Nothing is written to a folder that is not trusted, and nothing removed from it."""
    cache.put("key", b"code", "hearts")
    assert cache.folder
    spoil(cache.folder, monkeypatch)
    wary = ObjectCache(cache.folder, lambda _: None)
    wary.put("key", b"other", "hearts")
    wary.put("new", b"other", "hearts")
    assert wary.clear() == (0, 0)
    assert wary.prune(0) == (0, 0)
    assert len(files(cache)) == 1


@posix
def test_an_open_file_is_replaced(cache: ObjectCache) -> None:
    """A file that others may write gives way to one that they may not."""
    cache.put("key", b"theirs", "hearts")
    files(cache)[0].chmod(0o666)
    wary = ObjectCache(cache.folder, lambda _: None)
    wary.put("key", b"ours", "hearts")
    assert wary.get("key") == b"ours"


@posix
def test_the_warning_is_a_warning(cache: ObjectCache) -> None:
    """Without a function there is a warning with a class of its own."""
    assert cache.folder
    cache.folder.mkdir()
    cache.folder.chmod(0o777)
    with pytest.warns(CacheWarning, match="are not used: others may write it"):
        assert cache.get("key") is None
    cache.put("key", b"code", "hearts")  # warnings are errors here: there is no second one
    assert cache.get("key") is None


@posix
def test_links_and_pipes_are_not_followed(cache: ObjectCache, tmp_path: Path) -> None:
    """A link, a pipe or a folder in a file's place is no code, and nothing waits for it."""
    cache.put("key", b"code", "hearts")
    (place,) = files(cache)
    place.rename(tmp_path / "elsewhere")
    place.symlink_to(tmp_path / "elsewhere")
    assert cache.get("key") is None
    place.unlink()
    os.mkfifo(place, 0o600)
    assert cache.get("key") is None
    place.unlink()
    place.mkdir(0o700)
    assert cache.get("key") is None
    cache.put("key", b"code", "hearts")
    assert cache.get("key") is None
    assert cache.entries() == []


# What cannot be written -------------------------------------------------------------------


@pytest.mark.parametrize("number", [errno.EROFS, errno.ENOSPC, errno.EACCES, errno.ENAMETOOLONG])
@pytest.mark.parametrize("step", ["mkdir", "replace", "unlink", "iterdir", "stat"])
def test_failures_of_the_disk_are_no_errors(
    cache: ObjectCache, step: str, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whichever step fails, the cache does less and nothing is raised."""
    cache.put("old", b"code", "hearts")

    def fail(*_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(Path, step, fail)
    cache.put("new", b"code", "hearts")
    cache.get("old")
    cache.get("new")
    cache.entries()
    cache.prune(0)
    cache.clear()


def test_a_path_through_a_file_is_no_folder(tmp_path: Path) -> None:
    """A folder that cannot be made is a cache that stays empty."""
    (tmp_path / "file").write_text("")
    for folder in (tmp_path / "file", tmp_path / "file" / "objects", tmp_path / ("x" * 5000)):
        cache = ObjectCache(folder)
        cache.put("key", b"code", "hearts")
        assert cache.get("key") is None
        assert cache.entries() == []
        assert cache.clear() == (0, 0)


@posix
@pytest.mark.skipif(os.name == "posix" and os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_folder_is_read(cache: ObjectCache) -> None:
    """From a folder that cannot be written the code still comes."""
    cache.put("key", b"code", "hearts")
    assert cache.folder
    cache.folder.chmod(0o500)
    try:
        cache.put("new", b"code", "hearts")
        cache.put("key", b"other", "hearts")
        assert cache.get("new") is None
        assert cache.get("key") == b"code"
        assert cache.clear() == (0, 0)
    finally:
        cache.folder.chmod(0o700)


FULL = """
import resource, sys
from pathlib import Path
from cardwright.compiler.cache import ObjectCache
cache = ObjectCache(Path(sys.argv[1]))
cache.put("small", b"code", "hearts")
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
cache.put("large", bytes(100_000), "hearts")
cache.put("small", bytes(100_000), "hearts")
assert cache.get("large") is None
assert cache.get("small") == b"code"
assert len(list(cache.folder.iterdir())) == 1
"""


@posix
def test_a_write_that_fails_half_way_leaves_nothing(tmp_path: Path) -> None:
    """When no more bytes can be written, the file of before stays and no part of the new one."""
    subprocess.run([sys.executable, "-c", FULL, str(tmp_path / "o")], check=True, timeout=PATIENCE)


def test_code_that_is_too_large_is_not_kept(
    cache: ObjectCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Code above the limit does not drive all other code out."""
    monkeypatch.setattr(module, "LIMIT", 1000)
    cache.put("small", b"code", "hearts")
    cache.put("large", bytes(1000), "hearts")
    assert cache.get("large") is None
    assert cache.get("small") == b"code"


# Removal ----------------------------------------------------------------------------------


def fill(cache: ObjectCache, ages: dict[str, float]) -> int:
    """Put a kilobyte for each key, used so many seconds ago; return the bytes of one file."""
    for key, age in ages.items():
        cache.put(key, bytes(1000), "hearts")
        use(cache, age)
    return cache.entries()[0].size


def test_prune_takes_the_longest_unused(cache: ObjectCache) -> None:
    """What was used last stays, as much of it as the limit lets."""
    size = fill(cache, {"a": 300, "b": 500, "c": 100, "d": 400})
    assert cache.prune(4 * size) == (0, 0)
    assert cache.prune(2 * size + 1) == (2, 2 * size)
    assert [key for key in "abcd" if cache.get(key)] == ["a", "c"]
    assert cache.prune(0) == (2, 2 * size)
    assert files(cache) == []


def test_put_keeps_to_the_limit(cache: ObjectCache, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache never grows beyond the limit; a get saves an entry from going next."""
    size = fill(cache, {"a": 5000, "b": 4000, "c": 3000})
    monkeypatch.setattr(ObjectCache.prune, "__defaults__", (3 * size,))
    cache.get("a")
    cache.put("d", bytes(1000), "hearts")
    assert [key for key in "abcd" if cache.get(key)] == ["a", "c", "d"]


def test_the_limit_is_200_megabytes() -> None:
    """The limit is what the documentation says."""
    assert module.LIMIT == 200_000_000
    assert ObjectCache.prune.__defaults__ == (module.LIMIT,)


def test_clear_takes_what_is_ours(cache: ObjectCache) -> None:
    """Entries and unfinished files go and are counted; files of others stay."""
    size = fill(cache, {"a": 1, "b": 2})
    assert cache.folder
    unfinished = files(cache)[0].with_suffix(".0123456789abcdef.new")
    unfinished.write_bytes(b"12345")
    foreign = [cache.folder / name for name in ("notes.txt", "x.object", "f" * 64)]
    foreign.append(cache.folder / ("f" * 64 + ".object~"))
    for place in foreign:
        place.write_text("mine")
    assert cache.clear() == (3, 2 * size + 5)
    assert files(cache) == sorted(foreign)
    assert cache.clear() == (0, 0)


def test_looking_leaves_what_is_being_written(cache: ObjectCache) -> None:
    """Entries are finished files; the others are no broken ones."""
    fill(cache, {"a": 1})
    unfinished = files(cache)[0].with_suffix(".0123456789abcdef.new")
    unfinished.write_bytes(b"half")
    assert len(cache.entries()) == 1
    assert unfinished.exists()


@posix
def test_clear_takes_links_that_lead_nowhere(cache: ObjectCache, tmp_path: Path) -> None:
    """A link in a file's place goes, even if there is nothing at its end."""
    fill(cache, {"a": 1})
    (place,) = files(cache)
    place.unlink()
    place.symlink_to(tmp_path / "nowhere")
    assert cache.clear()[0] == 1
    assert files(cache) == []


def test_prune_takes_abandoned_files(cache: ObjectCache) -> None:
    """What a killed process left goes after a while; what is being written now does not."""
    fill(cache, {"a": 1})
    place = files(cache)[0]
    for digit, age in (("0", 60), ("1", 7200)):
        other = place.with_suffix(f".{digit * 16}.new")
        other.write_bytes(b"")
        os.utime(other, (time.time() - age,) * 2)
    cache.put("b", b"code", "hearts")
    assert [place.name[65:] for place in files(cache) if place.suffix == ".new"] == [
        "0" * 16 + ".new"
    ]
    assert len(cache.entries()) == 2


# Which folder -----------------------------------------------------------------------------


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    for name in HOMES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", "/home/ann")
    return monkeypatch


TAIL = "cardwright/objects"


@posix
@pytest.mark.parametrize(
    ("platform", "variables", "expected"),
    [
        ("linux", {}, f"/home/ann/.cache/{TAIL}"),
        ("linux", {"XDG_CACHE_HOME": "/var/x"}, f"/var/x/{TAIL}"),
        ("linux", {"XDG_CACHE_HOME": ""}, f"/home/ann/.cache/{TAIL}"),
        ("linux", {"XDG_CACHE_HOME": "not/absolute"}, f"/home/ann/.cache/{TAIL}"),
        ("freebsd14", {"XDG_CACHE_HOME": "/var/x"}, f"/var/x/{TAIL}"),
        ("darwin", {"XDG_CACHE_HOME": "/var/x"}, f"/home/ann/Library/Caches/{TAIL}"),
        ("win32", {"LOCALAPPDATA": "/C/Local"}, f"/C/Local/{TAIL}"),
        ("win32", {}, f"/home/ann/AppData/Local/{TAIL}"),
        ("linux", {"CARDWRIGHT_CACHE": "/fast/objects"}, "/fast/objects"),
        ("win32", {"CARDWRIGHT_CACHE": "/fast/objects"}, "/fast/objects"),
        ("linux", {"CARDWRIGHT_CACHE": "~/objects"}, "/home/ann/objects"),
        ("linux", {"CARDWRIGHT_CACHE": "~nobody-of-this-name/objects"}, None),
        ("linux", {"CARDWRIGHT_CACHE": ""}, f"/home/ann/.cache/{TAIL}"),
        ("linux", {"CARDWRIGHT_CACHE": " "}, f"/home/ann/.cache/{TAIL}"),
        ("linux", {"CARDWRIGHT_CACHE": "off"}, None),
        ("linux", {"CARDWRIGHT_CACHE": " OFF "}, None),
        ("linux", {"CARDWRIGHT_CACHE": "/a folder/ünï\udcff"}, "/a folder/ünï\udcff"),
        ("linux", {"HOME": "not/absolute"}, None),
    ],
)
def test_folder_by_environment(
    environment: pytest.MonkeyPatch,
    platform: str,
    variables: dict[str, str],
    expected: str | None,
) -> None:
    """The variable counts before the platform's custom; values that make no sense do no harm."""
    environment.setattr(sys, "platform", platform)
    for name, value in variables.items():
        environment.setenv(name, value)
    folder = default_folder()
    assert folder == (None if expected is None else Path(expected))
    assert ObjectCache().folder == folder


def test_relative_folders_stay_where_they_are(
    environment: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A folder named from the current one is the same after a change of folder."""
    environment.chdir(tmp_path)
    environment.setenv("CARDWRIGHT_CACHE", "objects")
    caches = [ObjectCache(), ObjectCache(Path("objects"))]
    caches[0].put("key", b"code", "hearts")
    (tmp_path / "elsewhere").mkdir()
    environment.chdir(tmp_path / "elsewhere")
    assert [cache.get("key") for cache in caches] == [b"code", b"code"]


def test_without_a_home_there_is_no_cache(environment: pytest.MonkeyPatch) -> None:
    """Where nobody knows a home, the cache is empty and stays so."""

    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    environment.setattr(Path, "home", homeless)
    assert default_folder() is None


@posix
def test_without_a_current_folder_there_is_no_cache(
    environment: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A relative name in a folder that is gone names nothing."""
    gone = tmp_path / "gone"
    gone.mkdir()
    environment.chdir(gone)
    gone.rmdir()
    environment.setenv("CARDWRIGHT_CACHE", "objects")
    assert default_folder() is None


def test_off_is_off(environment: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A cache that is off keeps nothing, and says nothing; a folder in the call still counts."""
    environment.setenv("CARDWRIGHT_CACHE", "off")
    environment.setenv("HOME", str(tmp_path))
    cache = ObjectCache()
    cache.put("key", b"code", "hearts")
    assert cache.get("key") is None
    assert cache.entries() == []
    assert cache.clear() == cache.prune() == (0, 0)
    assert list(tmp_path.iterdir()) == []
    given = ObjectCache(tmp_path / "objects")
    given.put("key", b"code", "hearts")
    assert given.get("key") == b"code"


# Many at once -----------------------------------------------------------------------------

WORKER = """
import sys
from pathlib import Path
from cardwright.compiler.cache import ObjectCache

cache, mark = ObjectCache(Path(sys.argv[1])), sys.argv[2].encode()
for rounds in range(int(sys.argv[4])):
    size = 50_000 + rounds * 7919 % 400_000
    cache.put("key", mark * size, mark.decode())
    found = cache.get("key")
    if sys.argv[3] == "keep":
        assert found is not None, "a half written file was seen"
    elif rounds % 5 == 0:
        cache.clear(), cache.prune(0), cache.entries()
    assert found is None or (len(found) >= 50_000 and len(set(found)) == 1)
"""


@pytest.mark.slow
@pytest.mark.parametrize("way", ["keep", "clear"])
def test_many_processes_write_one_key(cache: ObjectCache, way: str) -> None:
    """Processes that write and read the same key see whole code of one of them, at any time."""
    command = [sys.executable, "-W", "error", "-c", WORKER, str(cache.folder)]
    rounds = str(usually(25, 300))
    workers = [
        subprocess.Popen([*command, mark, way, rounds], stderr=subprocess.PIPE, text=True)
        for mark in "abcd"
    ]
    said = [worker.communicate(timeout=PATIENCE)[1] for worker in workers]
    assert [worker.returncode for worker in workers] == [0, 0, 0, 0], "\n".join(said)
    if way == "keep":
        assert len(files(cache)) == 1, "files that were not finished are left"
        (entry,) = cache.entries()
        assert isinstance(entry, CacheEntry)
        assert cache.get("key") == entry.label.encode() * len(cache.get("key") or b"")
    cache.put("key", b"code", "hearts")
    assert cache.get("key") == b"code"


# One makes it, others wait ----------------------------------------------------------------

MAKER = """
import sys, time
from pathlib import Path
from cardwright.compiler import cache as module

folder, told, seconds = Path(sys.argv[1]), Path(sys.argv[2]), float(sys.argv[3])

def make():
    with told.open("a") as file:
        file.write("made\\n")
    time.sleep(seconds)
    return b"code"

assert module.ObjectCache(folder).get_or_make("key", make, "hearts") == b"code"
"""


def maker(cache: ObjectCache, told: Path, seconds: float) -> subprocess.Popen[bytes]:
    words = [str(cache.folder), str(told), str(seconds)]
    return subprocess.Popen([sys.executable, "-W", "error", "-c", MAKER, *words])


@posix
def test_one_process_makes_what_many_want(cache: ObjectCache, tmp_path: Path) -> None:
    """The first makes it, and the others wait; no lock is left."""
    told = tmp_path / "told"
    first = maker(cache, told, 0.7)
    wait_until(told.exists)
    others = [maker(cache, told, 0), maker(cache, told, 0)]
    assert cache.get_or_make("key", lambda: b"made here", "hearts") == b"code"
    assert [process.wait(60) for process in (first, *others)] == [0, 0, 0]
    assert told.read_text() == "made\n"
    assert [place.suffix for place in files(cache)] == [".object"]


def test_other_keys_are_not_waited_for(cache: ObjectCache) -> None:
    """What is made may need something else that is made."""

    def make() -> bytes:
        return cache.get_or_make("inner", lambda: b"inner", "hearts") + b" and outer"

    assert cache.get_or_make("outer", make, "hearts") == b"inner and outer"
    assert (cache.get("inner"), cache.get("outer")) == (b"inner", b"inner and outer")


@posix
def test_a_killed_maker_is_not_waited_for(cache: ObjectCache, tmp_path: Path) -> None:
    """Who waits for a process that is killed makes it; the lock that it left is used again."""
    told = tmp_path / "told"
    process = maker(cache, told, 600)
    wait_until(lambda: told.exists() and told.read_text() != "")
    waiting = maker(cache, told, 0)
    process.kill()
    process.wait(60)
    assert waiting.wait(60) == 0
    assert cache.get("key") == b"code"
    assert told.read_text() == "made\nmade\n"
    assert [place.suffix for place in files(cache)] == [".object"]


@posix
def test_a_halted_maker_is_waited_for_no_longer_than_the_patience(
    cache: ObjectCache, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = tmp_path / "told"
    process = maker(cache, told, 600)
    try:
        wait_until(told.exists)
        monkeypatch.setattr(module, "MOST_WAIT", 0.1)
        assert cache.get_or_make("key", lambda: b"made here", "hearts") == b"made here"
    finally:
        process.kill()
        process.wait(60)
    assert cache.get("key") == b"made here"


@posix
def test_what_cannot_be_made_holds_nobody_up(
    cache: ObjectCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After an error the lock is gone, and the next one tries."""
    monkeypatch.setattr(module, "MOST_WAIT", 600)

    def fail() -> bytes:
        raise MemoryError

    with pytest.raises(MemoryError):
        cache.get_or_make("key", fail, "hearts")
    assert files(cache) == []
    assert cache.get_or_make("key", lambda: b"code", "hearts") == b"code"


@posix
def test_a_lock_that_is_cleared_away_is_taken_anew(cache: ObjectCache) -> None:
    """Clearing the cache disturbs nobody: what is made at the same time is kept."""

    def make() -> bytes:
        assert cache.clear() == (1, 0)
        return cache.get_or_make("key", lambda: b"inner", "hearts")

    assert cache.get_or_make("key", make, "hearts") == b"inner"
    assert [place.suffix for place in files(cache)] == [".object"]


@posix
@pytest.mark.parametrize("obstacle", ["link", "folder", "closed"])
def test_where_no_lock_can_be_it_is_made(cache: ObjectCache, tmp_path: Path, obstacle: str) -> None:
    """Something in the lock's place, or a folder that others may write, costs no run."""
    assert cache.folder
    cache.folder.mkdir(mode=0o700)
    place = (cache.folder / module._name("key")).with_suffix(".lock")
    if obstacle == "link":
        place.symlink_to(tmp_path / "elsewhere")
    elif obstacle == "folder":
        place.mkdir()
    else:
        cache.folder.chmod(0o777)
        cache = ObjectCache(cache.folder, warn=lambda _: None)
    assert cache.get_or_make("key", lambda: b"code", "hearts") == b"code"
    assert cache.get("key") == (None if obstacle == "closed" else b"code")
    assert not (tmp_path / "elsewhere").exists()


def test_without_a_cache_it_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARDWRIGHT_CACHE", "off")
    assert ObjectCache().get_or_make("key", lambda: b"code", "hearts") == b"code"


@posix
def test_prune_takes_locks_that_nobody_holds_any_more(cache: ObjectCache) -> None:
    fill(cache, {"a": 1})
    for digit, age in (("0", 60), ("1", 7200)):
        lock = files(cache)[0].with_name(digit * 64 + ".lock")
        lock.write_bytes(b"")
        os.utime(lock, (time.time() - age,) * 2)
    cache.prune()
    assert [place.name for place in files(cache) if place.suffix == ".lock"] == ["0" * 64 + ".lock"]

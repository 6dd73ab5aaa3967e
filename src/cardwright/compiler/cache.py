"""A folder of compiled object code, so that a game is compiled once and not in every process.

Its contents are executed. So only files that nobody but the user can have written are read, and
only complete ones: each carries a digest of its contents. What cannot be read, trusted or written
counts as missing; a bad cache may cost a compilation, never a run.

One process makes an entry while others that want it wait. Each entry has a lock of its own for
that: a file that is removed when the entry is made. The system releases the lock of a process that
is killed; others wait for one that is merely halted no longer than `MOST_WAIT`.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
import sys
import time
import warnings
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

VARIABLE = "CARDWRIGHT_CACHE"
"""The environment variable that names the folder; `off` means that there is none."""

LIMIT = 200_000_000
"""Default limit of the total size of a cache's files, in bytes."""

_VERSION = 2
"""The version of files: a digest, the length of the label in 2 bytes, the label and the code."""

_LONGEST_LABEL = 200
_SUFFIX = ".object"
_OURS = re.compile(r"[0-9a-f]{64}(\.object|\.lock|\.[0-9a-f]{16}\.new)")
_ABANDONED = 3600.0
"""Seconds after which an unfinished file counts as abandoned."""

MOST_WAIT = 60.0
"""Seconds to wait for an entry that another process makes, before making it here as well."""

_LOOK = 0.02
"""Seconds between two checks whether it is made."""

_CAREFULLY = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
"""Open no link, and do not wait for a writer if it is a pipe."""


class CacheWarning(UserWarning):
    """Issued once for a cache that is not used because others could have written it."""


@dataclass(frozen=True)
class CacheEntry:
    """A file of the cache: the game that it is for, its bytes, and when it was last used."""

    label: str
    size: int
    used: float


def default_folder() -> Path | None:
    """Return the folder named by the environment, or the platform's default; None for no cache."""
    named = os.environ.get(VARIABLE, "").strip()
    if named.lower() == "off":
        return None
    with suppress(RuntimeError, OSError):  # there is no home or no current folder
        if named:
            return Path(os.environ[VARIABLE]).expanduser().absolute()
        folder = _user_cache() / "cardwright" / "objects"
        return folder if folder.is_absolute() else None
    return None


def _user_cache() -> Path:
    """Return where programs keep what they can recreate; raises RuntimeError without a home."""
    if sys.platform == "win32":
        named, custom = os.environ.get("LOCALAPPDATA", ""), "AppData/Local"
    elif sys.platform == "darwin":
        named, custom = "", "Library/Caches"
    else:
        named, custom = os.environ.get("XDG_CACHE_HOME", ""), ".cache"
    # By the XDG specification, a path that is not absolute is ignored.
    return Path(named) if Path(named).is_absolute() else Path.home() / custom


def _warn(message: str) -> None:
    warnings.warn(message, CacheWarning, stacklevel=2)


class ObjectCache:
    """Object code by key, in one folder; any number of processes may use it at once.

    A given folder counts whatever the environment says. Without one it is `default_folder()`, and
    if that is None too the cache stays empty. `warn` is called at most once, when the folder or a
    file in it cannot be trusted.
    """

    def __init__(self, folder: Path | None = None, warn: Callable[[str], object] = _warn) -> None:
        self.folder = folder.absolute() if folder else default_folder()
        self._warn: Callable[[str], object] | None = warn

    def get(self, key: str) -> bytes | None:
        """Return the code stored under a key; None if there is no complete entry."""
        if self.folder is None or not self._trusted(self.folder):
            return None
        place = self.folder / _name(key)
        entry = self._read(place)
        if entry is None:
            return None
        with suppress(OSError):
            os.utime(place)  # the time of use: many systems do not record access times
        return entry[1]

    def get_or_make(self, key: str, make: Callable[[], bytes], label: str) -> bytes:
        """Return the code under a key, made and stored if there is none.

        If several processes want the same entry, one makes it and the others wait.
        """
        code = self.get(key)
        if code is None:
            with self._alone(key):
                code = self.get(key)
                if code is None:
                    code = make()
                    self.put(key, code, label)
        return code

    def put(self, key: str, code: bytes, label: str) -> None:
        """Store code under a key, if possible; the label tells people what it is."""
        name = _name(key)
        data = _packed(name, code, label)
        if len(data) > LIMIT:
            return
        with suppress(OSError):
            folder = self._made_folder()
            if folder is not None:
                _write(folder / name, data)
                self.prune()

    def _made_folder(self) -> Path | None:
        """Return the folder, made if need be; None if it cannot be trusted."""
        if self.folder is not None:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if self._trusted(self.folder):
                return self.folder
        return None

    @contextmanager
    def _alone(self, key: str) -> Iterator[None]:
        """Lock a key against other processes while a block runs, where that is possible."""
        file = place = None
        with suppress(OSError):
            folder = self._made_folder()
            if folder is not None:
                place = (folder / _name(key)).with_suffix(".lock")
                file = _locked(place)
        try:
            yield
        finally:
            if file is not None and place is not None:
                # It may have been removed meanwhile. Then two processes can hold locks of one name,
                # which costs no more than a compilation.
                _unlink(place)
                release_lock(file)
                os.close(file)
                if sys.platform == "win32":  # where no file is removed that is open
                    _unlink(place)

    def entries(self) -> list[CacheEntry]:
        """Return the entries of the cache, least recently used first."""
        entries = [
            CacheEntry(read[0], status.st_size, status.st_mtime)
            for place, status in self._files()
            if place.suffix == _SUFFIX and (read := self._read(place))
        ]
        return sorted(entries, key=lambda entry: entry.used)

    def clear(self) -> tuple[int, int]:
        """Remove all files, unfinished ones too; return how many, and their bytes together."""
        return _removed(self._files())

    def prune(self, limit: int = LIMIT) -> tuple[int, int]:
        """Remove the least recently used entries, until no more than `limit` bytes are left.

        Abandoned files of other processes are removed too. Returns the same as `clear`.
        """
        now = time.time()
        doomed, total = [], 0
        for place, status in sorted(self._files(), key=lambda file: -file[1].st_mtime):
            if place.suffix == _SUFFIX:
                total += status.st_size
                too_much = total > limit
            else:
                too_much = now - status.st_mtime > _ABANDONED
            if too_much:
                doomed.append((place, status))
        return _removed(doomed)

    def _files(self) -> list[tuple[Path, os.stat_result]]:
        """Return the files with our naming; other files in the folder are left alone."""
        files = []
        with suppress(OSError):
            if self.folder and self._trusted(self.folder):
                for place in self.folder.iterdir():
                    if _OURS.fullmatch(place.name):
                        with suppress(OSError):  # another process was faster
                            files.append((place, place.lstat()))
        return files

    def _read(self, place: Path) -> tuple[str, bytes] | None:
        """Return the label and the code in a file; an incomplete file is removed."""
        try:
            with open(place, "rb", opener=_opened) as file:
                status = os.fstat(file.fileno())
                if not stat.S_ISREG(status.st_mode) or self._doubts(place, status):
                    return None
                data = file.read()
        except OSError:
            return None
        entry = _unpacked(place.name, data)
        if entry is None:
            # If it was replaced by a good one meanwhile, that one is compiled again.
            _unlink(place)
        return entry

    def _trusted(self, folder: Path) -> bool:
        """Return whether the folder exists and nobody else can put files into it."""
        try:
            return not self._doubts(folder, folder.stat())
        except OSError:
            return False

    def _doubts(self, place: Path, status: os.stat_result) -> bool:
        """Return whether others could have written a file or folder; warn the first time."""
        if not hasattr(os, "geteuid"):
            return False  # where there are no owners and modes
        if status.st_uid != os.geteuid():
            reason = "it belongs to another user"
        elif status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
            reason = "others may write it (`chmod go-w` would change that)"
        else:
            return False
        if self._warn:
            warn, self._warn = self._warn, None
            warn(f"compiled games in {place} are not used: {reason}")
        return True


# Files ------------------------------------------------------------------------------------


def _name(key: str) -> str:
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest() + _SUFFIX


def _digest(name: str, content: bytes) -> bytes:
    """Return the digest of a file, its name included: under another name it is invalid."""
    return hashlib.sha256(f"{name} {_VERSION}\n".encode() + content).digest()


def _packed(name: str, code: bytes, label: str) -> bytes:
    text = label[:_LONGEST_LABEL].encode("utf-8", "replace")
    content = len(text).to_bytes(2, "little") + text + code
    return _digest(name, content) + content


def _unpacked(name: str, data: bytes) -> tuple[str, bytes] | None:
    """Return the label and the code of a file's bytes; None if they are not as written."""
    digest, content = data[:32], data[32:]
    if digest != _digest(name, content):
        return None
    start = 2 + int.from_bytes(content[:2], "little")
    return content[2:start].decode("utf-8", "replace"), content[start:]


def _opened(name: str, flags: int) -> int:
    return os.open(name, flags | _CAREFULLY, 0o600)


def _write(place: Path, data: bytes) -> None:
    """Replace a file atomically: readers see what was there before, or all of the new one.

    There is no fsync: the digest exposes what a crash of the machine leaves half written.
    """
    new = place.with_suffix(f".{os.urandom(8).hex()}.new")
    try:
        with open(new, "xb", opener=_opened) as file:
            file.write(data)
        new.replace(place)
    finally:
        _unlink(new)


def _unlink(place: Path) -> None:
    with suppress(OSError):
        place.unlink()


def _removed(files: list[tuple[Path, os.stat_result]]) -> tuple[int, int]:
    """Remove files; return how many could be removed, and their bytes together."""
    sizes = []
    for place, status in files:
        with suppress(OSError):
            place.unlink()
            sizes.append(status.st_size)
    return len(sizes), sum(sizes)


# Locks, which the system releases when their process ends, however it does -------------------


_HELD = PermissionError if sys.platform == "win32" else BlockingIOError
"""What the system raises if another process holds a lock."""


def take_lock(file: int) -> bool:
    """Lock the file of a descriptor if nobody holds it, and return whether it is locked now.

    Raises OSError where its file system has no locks. Windows locks the first byte, which need not
    exist.
    """
    try:
        if sys.platform == "win32":
            import msvcrt

            os.lseek(file, 0, os.SEEK_SET)
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except _HELD:
        return False
    return True


def release_lock(file: int) -> None:
    """Release a lock, also where a process that was forked meanwhile has the file open too."""
    with suppress(OSError):
        if sys.platform == "win32":
            import msvcrt

            os.lseek(file, 0, os.SEEK_SET)
            msvcrt.locking(file, msvcrt.LK_UNLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_UN)


def _locked(place: Path) -> int:
    """Wait for a lock, and return its open file; OSError on a timeout, and without locks."""
    file = os.open(place, os.O_RDWR | os.O_CREAT | _CAREFULLY, 0o600)
    end = time.monotonic() + MOST_WAIT
    try:
        while not take_lock(file):
            if time.monotonic() > end:
                raise TimeoutError(f"{place} is locked")
            time.sleep(_LOOK)
    except BaseException:
        os.close(file)
        raise
    return file


# The sources that determine machine code: a change in one is a new compiler -------------------

PACKAGES = frozenset({"english", "syntax", "program", "compiler"})
"""The packages through which every program passes on its way to machine code."""

_PACKAGE = str(Path(__file__).parents[1])
_ROOT = __name__.partition(".")[0]


def source_digest(modules: Iterable[str] = ()) -> str:
    """Return a hash of the sources behind all machine code, and behind kernels in some modules.

    Packages are hashed whole, so that no new module in them can be forgotten, and by their
    contents: neither size nor time reveals every change.
    """
    return _packages_digest(PACKAGES.union(map(_package_of, modules)))


def _package_of(module: str) -> str:
    root, package = module.split(".")[:2]
    if root != _ROOT:
        msg = f"kernels belong in this package, not in {module}"
        raise ValueError(msg)
    return package


@cache
def _packages_digest(packages: frozenset[str]) -> str:
    return hashlib.sha256("".join(map(_package_digest, sorted(packages))).encode()).hexdigest()


@cache
def _package_digest(package: str) -> str:
    marks = hashlib.sha256()
    for place in sorted(_sources(os.path.join(_PACKAGE, package))):  # noqa: PTH118 - see below
        # Without Path and the layers of file objects, which halves the cost at every start of a
        # game.
        file = os.open(place, os.O_RDONLY | getattr(os, "O_BINARY", 0))
        try:
            content = os.read(file, os.fstat(file).st_size)
        finally:
            os.close(file)
        marks.update(f"{place[len(_PACKAGE) :]}\n{len(content)}\n".encode())
        marks.update(content)
    return marks.hexdigest()


def _sources(folder: str) -> Iterator[str]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(".py"):
                yield entry.path
            elif "." not in entry.name and entry.name != "__pycache__" and entry.is_dir():
                yield from _sources(entry.path)

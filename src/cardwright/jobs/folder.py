"""The folder of a job: its manifest, its blocks with digests, inspection and resuming."""

from __future__ import annotations

import json
import shlex
import sys
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import IO, TYPE_CHECKING, Any

from cardwright._version import RESULTS_VERSION
from cardwright.compiler.cache import take_lock
from cardwright.jobs.files import (
    DamagedError,
    RecordsError,
    changed,
    digest,
    write_several,
    write_whole,
)
from cardwright.syntax.data_files import parse_json, read_bytes, read_text

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

FILE = "manifest.json"


@dataclass(frozen=True)
class Format:
    """What identifies the manifests of one kind of job.

    `whose` manifests they are is for messages, such as `a season`; `unfinished` holds what they say
    of an unfinished job, besides that it is not complete and has no digests.
    """

    name: str
    version: int
    whose: str
    unfinished: Mapping[str, Any] = field(default_factory=dict)

    def read(self, folder: Path) -> dict[str, Any] | None:
        """Return what the manifest of a folder says; None if there is none.

        Raises RecordsError for a file that cannot be read, that is not a manifest of this format,
        and for other versions of it.
        """
        file = folder / FILE
        try:
            data = parse_json(read_text(file))
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            raise RecordsError(f"{file} cannot be read: {error}") from None
        if not isinstance(data, dict) or data.get("format") != self.name:
            raise RecordsError(f"{file} is not the manifest of {self.whose}")
        if data.get("format_version") != self.version:
            raise RecordsError(
                f"{folder} has records of format {data.get('format_version')}; this version of "
                f"Cardwright reads format {self.version}"
            )
        return {"results_version": 1, **data}

    def write(self, folder: Path, data: Mapping[str, Any]) -> None:
        """Write a manifest with these entries after its format; raises RecordsError.

        It is of this version's results, unless the entries say of which others.
        """
        whole = {
            "format": self.name,
            "format_version": self.version,
            "results_version": RESULTS_VERSION,
            **data,
        }
        content = json.dumps(whole, indent=2, ensure_ascii=False) + "\n"
        write_whole(folder / FILE, content.encode())

    def reopen(self, folder: Path) -> None:
        """Mark the job of a folder as not finished in its manifest."""
        unfinished = {"complete": False, "digests": {}, **self.unfinished}
        self.write(folder, (self.read(folder) or {}) | unfinished)


def read_digests(data: Mapping[str, Any]) -> dict[str, str]:
    """Return the digests of files in a manifest; none, if it was written without them.

    Raises TypeError for anything else in their place.
    """
    found = data.get("digests", {})
    if not isinstance(found, dict) or not all(isinstance(one, str) for one in found.values()):
        raise TypeError("its digests are not strings by file name")
    return found


def unreadable(folder: Path, error: Exception) -> RecordsError:
    """Return the error for a manifest that lacks something, or has something wrong."""
    return RecordsError(f"{folder / FILE} is damaged: {type(error).__name__}: {error}")


def how_to_mend(folder: Path, what: str) -> str:
    """Say what to do about a damaged file of records: `what` is the run, or whatever they hold."""
    command = f"cardwright records {shlex.quote(str(folder))} --set-aside"
    return f"`{command}` sets damaged files aside; then resume {what}, which plays them again"


def of_versions(there: str, here: str) -> list[str]:
    """Say that the job to be resumed was begun by another version of Cardwright: no line if not."""
    return [] if there == here else [f"Cardwright's version: {there} there, {here} here"]


def of_results(there: int) -> list[str]:
    """Say that a job to be resumed has results of another version: no line if it has not."""
    if there == RESULTS_VERSION:
        return []
    here = f"{RESULTS_VERSION} here, where the same seeds play other games"
    return [f"version of results: {there} there, {here}"]


LOCK = ".lock"


@contextmanager
def held(folder: Path, inner: str, what: str) -> Iterator[None]:
    """Make a folder, and an `inner` one for results; keep other processes out of it.

    Raises RecordsError if that fails, or if another process holds it: it is playing `what`.
    """
    with using(folder):
        (folder / inner).mkdir(parents=True, exist_ok=True)
        lock = locked(folder, what)
    with lock:
        yield


@contextmanager
def using(folder: Path) -> Iterator[None]:
    """Raise RecordsError, which names the folder, where the system refuses an operation there."""
    try:
        yield
    except OSError as error:
        raise RecordsError(f"{folder} cannot be used: {error.strerror or error}") from None


def locked(folder: Path, what: str) -> IO[bytes]:
    """Return a file that keeps other processes out while it is open, where its system can.

    Raises RecordsError if another process holds it: it is playing `what`.
    """
    lock = (folder / LOCK).open("wb")
    if not take_lock(lock.fileno()):
        lock.close()
        raise RecordsError(f"another process is playing {what}")
    return lock


def remove_lock(folder: Path) -> None:
    """Remove the lock of a folder where all is done, while it is held.

    Windows removes no file that is open; there it stays, empty.
    """
    if sys.platform != "win32":
        (folder / LOCK).unlink(missing_ok=True)


def check_empty(kind: str, folder: Path, own: Collection[str] = ()) -> None:
    """Raise RecordsError if a folder holds anything but what a killed job may leave.

    That is what all jobs leave and what this `kind` of job, such as `a run`, does: its `own` files
    and folders, which are empty.
    """
    names = {one.relative_to(folder).as_posix() for one in folder.rglob("*")}
    if names - {LOCK, f".{FILE}.new", *own}:
        raise RecordsError(
            f"{folder} is not empty, and has no records of {kind}: name another folder"
        )


def tidy(folder: Path) -> None:
    """Remove files that were being written when a job was killed."""
    for file in (*folder.glob(".*.new"), *folder.glob("*/.*.new")):
        file.unlink(missing_ok=True)


def check_same(
    kind: str, folder: Path, finished: str, differences: Sequence[str], *, resume: bool
) -> None:
    """Raise RecordsError unless the job begun in a folder is to be resumed, and is the same.

    `kind` says what that is, such as `a run`, and `finished` that it is over, or is empty if it is
    not; `differences` are the lines that say where it differs from what is to be played.
    """
    if not resume:
        advice = "name another folder" if differences else "resume it, or name another folder"
        raise RecordsError(
            f"there is already {kind} in {folder}, which {finished or 'is not finished'}: {advice}"
        )
    if differences:
        listed = "\n".join(f"  {one}" for one in differences)
        _, _, name = kind.partition(" ")
        raise RecordsError(f"the {name} in {folder} differs from this one:\n{listed}")


BLOCKS = "blocks"
MOST_BYTES = 1 << 30
"""Bytes that a block, or a piece of one, may have."""


@dataclass(frozen=True)
class Blocks:
    """The blocks in the folder of a job, which has `count` of them when all are there.

    `what` is the job, such as `season`, and `tasks` what its blocks hold, such as `games`.
    `digests` has the SHA-256 of each block by the name of its file, if the job is finished;
    `advice` says what to do about a block whose digest differs.
    """

    folder: Path
    count: int
    what: str
    tasks: str
    advice: str
    digests: Mapping[str, str] = field(default_factory=dict)

    def name(self, number: int) -> str:
        """Return the name by which a manifest knows a block."""
        return f"{BLOCKS}/{number:06}.npz"

    def file(self, number: int) -> Path:
        """Return the file of a block."""
        return self.folder / self.name(number)

    def there(self) -> list[int]:
        """Return the numbers of the blocks that exist, in order."""
        return [number for number in range(self.count) if self.file(number).exists()]

    def number(self, file: Path) -> int:
        """Return the number of the block in a file; raises RecordsError for any other file."""
        number = int(file.stem) if file.stem.isascii() and file.stem.isdigit() else -1
        if not 0 <= number < self.count or file != self.file(number):
            raise RecordsError(f"{file} is not a block of this {self.what}: remove it")
        return number

    def changed(self, number: int) -> str:
        """Say how a block has changed since the end of its job; empty if it has not."""
        return changed(self.folder, self.name(number), self.digests)

    def check(self, number: int) -> None:
        """Raise DamagedError for a block that is missing or was changed after its job ended."""
        if wrong := self.changed(number):
            raise self.damaged(number, wrong, self.advice)

    def damaged(self, number: int, reason: str, advice: str = "") -> DamagedError:
        """Return the error for a damaged block."""
        return DamagedError(str(self.file(number)), reason, self.what, self.tasks, advice)

    def read(self, number: int) -> bytes:
        """Return the content of a block; raises DamagedError or RecordsError if it has none."""
        self.check(number)
        return self._content(number)

    def write(self, contents: Mapping[int, bytes]) -> None:
        """Write blocks, all of them or as many as there is time for."""
        write_several({self.file(number): content for number, content in contents.items()})

    def digested(self, numbers: Iterable[int]) -> dict[str, str]:
        """Return the digests of the blocks that exist."""
        return {self.name(number): digest(self._content(number)) for number in numbers}

    def _content(self, number: int) -> bytes:
        file = self.file(number)
        try:
            return read_bytes(file, MOST_BYTES)
        except OSError as error:
            raise RecordsError(f"{file} cannot be read: {error.strerror or error}") from None


ASIDE = "damaged"
"""The folder, in that of the records, to which damaged files are moved."""


@dataclass(frozen=True)
class Inspection:
    """What was found out about the files of some records.

    `what` is the kind of records, such as `run`, and `format` that of their manifest. `looked` has
    the names of the files that were inspected, each with what is wrong, if anything. `digests` says
    whether there were any to check against: there are none before the end, until when each file has
    checksums of its own. `again` says what is played again if damaged files are set aside.
    """

    folder: Path
    what: str
    format: Format
    complete: bool
    looked: Mapping[str, str]
    digests: bool
    again: str

    @property
    def files(self) -> int:
        """How many files were inspected."""
        return len(self.looked)

    @property
    def damaged(self) -> dict[str, str]:
        """The names of the files that are damaged or missing, each with what is wrong."""
        return {name: reason for name, reason in self.looked.items() if reason}


def set_aside(found: Inspection) -> list[Path]:
    """Move the damaged files of records away, and return the new places of those that existed.

    The manifest then says that the job is not finished. Raises RecordsError if another process is
    writing there, or if moving fails.
    """
    moved = []
    try:
        with locked(found.folder, f"the {found.what} in {found.folder}"):
            if found.complete:
                found.format.reopen(found.folder)
            for name in found.damaged:
                file = found.folder / name
                if file.exists():
                    target = _free(found.folder / ASIDE / file.name)
                    target.parent.mkdir(exist_ok=True)
                    file.replace(target)
                    moved.append(target)
        remove_lock(found.folder)
    except OSError as error:
        raise RecordsError(f"{found.folder}: {error.strerror or error}") from None
    return moved


def _free(file: Path) -> Path:
    """Return an unused name like this one."""
    number, free = 1, file
    while free.exists():
        number += 1
        free = file.with_stem(f"{file.stem}-{number}")
    return free

"""The folder of a job: held by one process alone, and never mistaken for that of another job."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING

from cardwright.compiler.cache import take_lock
from cardwright.jobs.errors import RecordsError
from cardwright.jobs.manifest import FILE

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from pathlib import Path

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

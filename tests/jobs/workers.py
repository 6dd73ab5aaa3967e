"""What tests of jobs share: functions that play batches, and die over them, and who is running."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path

from cardwright.jobs.long_steps import begin_step, end_step
from patience import wait_until

BATCHES = [range(4), range(4, 5), range(5, 9), range(9, 12)]


def listed(batch: range) -> list[int]:
    """Return the numbers of a batch."""
    return list(batch)


def lengths(batch: range) -> int:
    """Return how many numbers a batch has."""
    return len(batch)


def failing(batch: range) -> None:
    """Raise an error that no batch should."""
    raise KeyError(batch[0])


def printing(batch: range) -> list[int]:
    """Print something, which nobody asked for."""
    print("hello")  # noqa: T201 - as players do
    return list(batch)


def counted_slowly(batch: range) -> int:
    """Return how many numbers there are, after a while."""
    time.sleep(0.2)
    return len(batch)


@dataclass(frozen=True)
class Dying:
    """Lists batches, but kills its process when it comes to a number, as long as marks are left.

    The marks are files in a folder: each death takes one.
    """

    number: int
    marks: str

    def __call__(self, batch: range) -> list[int]:
        if self.number in batch:
            for mark in sorted(Path(self.marks).iterdir()):
                mark.unlink()
                os.kill(os.getpid(), signal.SIGKILL)
        return list(batch)


def marked(folder: Path, count: int) -> str:
    """Make so many marks, and return their folder."""
    marks = folder / "marks"
    marks.mkdir()
    for number in range(count):
        (marks / str(number)).touch()
    return str(marks)


@dataclass(frozen=True)
class Slow:
    """Takes a while for every batch but single numbers, and then writes a file."""

    file: str

    def __call__(self, batch: range) -> int:
        if len(batch) > 1:
            time.sleep(1.5)
            Path(self.file).touch()
        return len(batch)


def running() -> dict[int, int]:
    """Return the processes that run, each with the one that has started it."""
    found = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue  # it has ended just now
            if fields[0] != "Z":
                found[int(entry.name)] = int(fields[1])
    return found


def children(parent: int | None = None) -> list[int]:
    """Return the processes that one has started, or this one."""
    return [pid for pid, of in running().items() if of == (parent or os.getpid())]


@dataclass(frozen=True)
class Held:
    """Is at a step until there is a file."""

    file: str

    def __call__(self, batch: range) -> int:
        begin_step("Ann", f"deal {batch[0]}")
        try:
            wait_until(Path(self.file).exists)
        finally:
            end_step()
        return len(batch)

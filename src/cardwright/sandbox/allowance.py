"""Time limits, by wall-clock time or by the processor time of a process, and one processor.

A process that waits for a busy machine computes nothing in the meantime, so computing is limited by
processor time. Sleeping is limited by itself: a process that is waited for is looked at from time
to time, and the kernel says whether it sleeps, or only waits for a processor or a disk. Wall-clock
time is limited as well, generously, for systems whose kernel does not say so.
"""

from __future__ import annotations

import os
import random
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

CEILING = 2.0
"""Wall-clock seconds that are always granted, however little is computed."""

STRETCH = 20
"""A process may also wait for its machine, this many times longer than it computes."""

LOOKED_AT = 60.0
"""The same as `CEILING` for a process whose sleep is limited: it is not kept waiting by itself."""

FIRST_LOOK, LAST_LOOK = 0.002, 0.02
"""Seconds after which a process that has not answered is looked at, and how far apart looks get."""

_NANO = 1_000_000_000
_SCHEDULED = 2
"""The kernel's number for the clock of a process's total processor time (CPUCLOCK_SCHED)."""


class Allowance(Protocol):
    """A time limit for something that is waited for."""

    def left(self) -> float:
        """Return the seconds until it may be used up, at the earliest; 0 or less if it is."""
        ...


class WallTime:
    """A number of wall-clock seconds, from now on."""

    def __init__(self, seconds: float) -> None:
        self._end = time.perf_counter_ns() + int(seconds * _NANO)

    def left(self) -> float:
        """Return the seconds that are left."""
        return (self._end - time.perf_counter_ns()) / _NANO


class Sleep:
    """Seconds that a process may sleep while it is waited for.

    Looks come at random times, and each speaks for the time since the one before: a process that
    is awake now and then, for as short as it may be, gains nothing by it. Time counts only if the
    process was found asleep, at most as much as was to pass between two looks, so that who is
    looking may be kept waiting too. `asleep` says whether the process sleeps and still owes an
    answer.
    """

    def __init__(self, asleep: Callable[[], bool], seconds: float) -> None:
        self.spent_ns = 0
        """Nanoseconds for which it was found asleep."""
        self._asleep = asleep
        self._seconds = seconds
        self._mean = FIRST_LOOK
        self._looked = time.perf_counter_ns()
        self._used = 0.0
        self._step = int(FIRST_LOOK * _NANO)

    def left(self, used: float) -> float:
        """Return the seconds until the next look, given the processor time so far; 0 if spent."""
        now = time.perf_counter_ns()
        gone = now - self._looked
        if gone >= self._step:
            if self._asleep():
                computed = int((used - self._used) * _NANO)
                self.spent_ns += max(min(gone, self._step) - computed, 0)
            self._looked, self._used, gone = now, used, 0
            self._mean = min(2 * self._mean, LAST_LOOK)
            self._step = int(random.uniform(0.5, 1.5) * self._mean * _NANO)
        return 0.0 if self.spent else (self._step - gone) / _NANO

    @property
    def spent(self) -> bool:
        """Whether it has slept for longer than it may."""
        return self.spent_ns > self._seconds * _NANO


class ProcessorTime:
    """Seconds of a process's processor time; in wall-clock time, `STRETCH` times what it uses."""

    def __init__(
        self,
        clock: Callable[[], int],
        since: int,
        seconds: float,
        *,
        ceiling: float | None = None,
        sleep: Sleep | None = None,
    ) -> None:
        """Grant seconds of a clock, from its time `since` on; `ceiling` of wall-clock time anyway.

        A process of low priority needs a higher ceiling than `CEILING`: others may keep it waiting.
        So does one whose `sleep` is limited.
        """
        self._clock = clock
        self._since = since
        self._seconds = seconds
        usual = CEILING if sleep is None else LOOKED_AT
        self._ceiling = usual if ceiling is None else ceiling
        self._sleep = sleep
        self._begun = time.perf_counter_ns()

    def left(self) -> float:
        """Return the shortest time after which any can be used up, or is looked at."""
        used = (self._clock() - self._since) / _NANO
        gone = (time.perf_counter_ns() - self._begun) / _NANO
        left = min(self._seconds - used, self._ceiling + STRETCH * used - gone)
        return left if self._sleep is None else min(left, self._sleep.left(used))


def without_clock(seconds: float) -> WallTime:
    """Return the wall-clock limit for a number of processor seconds that cannot be measured."""
    return WallTime(max(CEILING, STRETCH * seconds))


def clock_of(pid: int) -> Callable[[], int] | None:
    """Return a function that reads a process's processor time, in nanoseconds; None if none can.

    Once the process has ended, it returns the last time read.
    """
    if sys.platform != "linux":
        return None
    number = ~pid << 3 | _SCHEDULED  # see clock_getcpuclockid(3)
    last = 0

    def read() -> int:
        nonlocal last
        try:
            last = time.clock_gettime_ns(number)
        except OSError:
            return last
        return last

    try:
        time.clock_gettime_ns(number)
    except OSError:
        return None
    return read


_KEPT_WAITING = b"RDTt"
"""States of processes that compute, or that others keep waiting: see proc_pid_stat(5).

They wait for a processor or a disk, or were stopped, which no sandbox can do to itself.
"""


def state_of(pid: int) -> Callable[[], bool] | None:
    """Return a function that says whether a process sleeps; None if this system does not say so."""
    file = Path(f"/proc/{pid}/stat")

    def asleep() -> bool:
        try:
            # The name, in parentheses, may have any character in it.
            return file.read_bytes().rpartition(b")")[2].split(None, 1)[0] not in _KEPT_WAITING
        except (OSError, IndexError):
            return False

    return asleep if sys.platform == "linux" and file.exists() else None


WORKER = "CARDWRIGHT_WORKER"
"""Environment variable with the number of a worker process, from 0."""


@contextmanager
def one_processor() -> Iterator[int | None]:
    """Pin this thread to one processor and return its number; None where that is not possible.

    A sandbox and its caller wait for each other. On one processor the switch takes a few
    microseconds; an idle one has to wake up first, which takes longer than most answers do.

    Workers with different numbers get different processors, if there are enough.
    """
    if not hasattr(os, "sched_setaffinity"):
        yield None
        return
    allowed = os.sched_getaffinity(0)
    worker = os.environ.get(WORKER, "0")
    order = sorted(allowed)
    chosen = order[int(worker) % len(order)] if worker.isdecimal() else order[0]
    os.sched_setaffinity(0, {chosen})
    try:
        yield chosen
    finally:
        os.sched_setaffinity(0, allowed)

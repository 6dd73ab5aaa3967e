"""Time limits, by wall-clock time or by the processor time of a process.

A process that waits for a busy machine computes nothing in the meantime, so computing is limited by
processor time. Wall-clock time is limited as well, generously: otherwise a process that sleeps
would never be late.
"""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

CEILING = 2.0
"""Wall-clock seconds that are always granted, however little is computed."""

STRETCH = 20
"""A process may also wait for its machine, this many times longer than it computes."""

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


class ProcessorTime:
    """Seconds of a process's processor time; in wall-clock time, `STRETCH` times what it uses."""

    def __init__(
        self,
        clock: Callable[[], int],
        since: int,
        seconds: float,
        *,
        ceiling: float | None = None,
    ) -> None:
        """Grant seconds of a clock, from its time `since` on; `ceiling` of wall-clock time anyway.

        A process of low priority needs a higher ceiling than `CEILING`: others may keep it waiting.
        """
        self._clock = clock
        self._since = since
        self._seconds = seconds
        self._ceiling = CEILING if ceiling is None else ceiling
        self._begun = time.perf_counter_ns()

    def left(self) -> float:
        """Return the shortest time after which either can be used up."""
        used = (self._clock() - self._since) / _NANO
        gone = (time.perf_counter_ns() - self._begun) / _NANO
        return min(self._seconds - used, self._ceiling + STRETCH * used - gone)


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

"""How long something may take: by the clock on the wall, or by the processor time of a process.

A process that waits for a busy machine computes nothing meanwhile, so who computes is judged by
processor time. The time on the wall is bounded all the same, generously: else a process that sleeps
would never be late.
"""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

CEILING = 2.0
"""Seconds on the wall that are always granted, whatever is computed."""

STRETCH = 20
"""So many times longer than it computes a process may besides wait for its machine."""

_NANO = 1_000_000_000
_SCHEDULED = 2
"""What the kernel calls the clock of all processor time of a process (CPUCLOCK_SCHED)."""


class Allowance(Protocol):
    """What is granted for something that is waited for."""

    def left(self) -> float:
        """Return after how many seconds it may be used up, at the earliest; 0 or less: it is."""
        ...


class WallTime:
    """A number of seconds on the wall, from now on."""

    def __init__(self, seconds: float) -> None:
        self._end = time.perf_counter_ns() + int(seconds * _NANO)

    def left(self) -> float:
        """Return the seconds that are left."""
        return (self._end - time.perf_counter_ns()) / _NANO


class ProcessorTime:
    """Seconds of a process's processor time, and `STRETCH` times what it uses on the wall."""

    def __init__(self, clock: Callable[[], int], since: int, seconds: float) -> None:
        """Grant so many seconds of a clock, from its time `since` on."""
        self._clock = clock
        self._since = since
        self._seconds = seconds
        self._begun = time.perf_counter_ns()

    def left(self) -> float:
        """Return the least time after which either can be used up."""
        used = (self._clock() - self._since) / _NANO
        gone = (time.perf_counter_ns() - self._begun) / _NANO
        return min(self._seconds - used, CEILING + STRETCH * used - gone)


def without_clock(seconds: float) -> WallTime:
    """Return what is granted for so many seconds of a processor that nobody can measure."""
    return WallTime(max(CEILING, STRETCH * seconds))


def clock_of(pid: int) -> Callable[[], int] | None:
    """Return what reads the processor time of a process, in nanoseconds; None if nothing can.

    Once the process has ended, the time that was read last is given.
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

"""What takes long: the steps that this process and its workers have been at for some seconds.

A step is noted when it begins and when it ends, one in each thread; that costs next to nothing, so
every move of a player can be one. Worker processes report theirs once they take long.
"""

from __future__ import annotations

from threading import get_ident
from time import monotonic
from typing import NamedTuple

LONG = 5.0
"""Seconds after which a step is worth mentioning."""


class LongStep(NamedTuple):
    """A step under way: who is at it, in what, and for how many seconds by now."""

    who: str
    where: str
    seconds: float


_steps: dict[int, tuple[float, str, str]] = {}
"""When the step of a thread began, who is at it, and in what."""

_reports: dict[int, tuple[float, tuple[LongStep, ...]]] = {}
"""What workers have reported last, and when."""


def begin_step(who: str, where: str) -> None:
    """Note that a step of this thread begins; no other is under way in it."""
    _steps[get_ident()] = monotonic(), who, where


def end_step() -> None:
    """Note that the step of this thread has ended."""
    _steps.pop(get_ident(), None)


def report_steps(worker: int, steps: tuple[LongStep, ...]) -> None:
    """Note what a worker with this number has reported, in place of what it did before."""
    if steps:
        _reports[worker] = monotonic(), steps
    else:
        _reports.pop(worker, None)


def long_steps() -> tuple[LongStep, ...]:
    """Return the steps that have taken long by now, here and in workers, the longest first."""
    now = monotonic()
    found = [LongStep(who, where, now - begun) for begun, who, where in list(_steps.values())]
    for reported, steps in list(_reports.values()):
        found += [step._replace(seconds=step.seconds + now - reported) for step in steps]
    return tuple(
        sorted((one for one in found if one.seconds >= LONG), key=lambda one: -one.seconds)
    )

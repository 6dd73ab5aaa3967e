"""What a peer's script measures and says: rates on one core, a line of JSON for each."""

from __future__ import annotations

import json
import os
import sys
import time
from dataclasses import asdict, dataclass
from importlib import import_module
from statistics import median
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable

What: TypeAlias = Literal["traced", "bulk", "rollouts", "python"]
"""What is done a second: games of which every decision is seen, games of which only the outcome
is, or only what follows after the deal of one position. `python` are the native engine's games of
which every decision is made from Python; other programs have them under `traced`."""


@dataclass(frozen=True)
class Figure:
    """How many random games of one kind a peer plays in a second of process time.

    The game has the name that it has in the library here, if it is there.
    """

    peer: str
    game: str
    what: What
    per_second: float
    note: str

    def print(self) -> None:
        """Print this as one line of JSON."""
        print(json.dumps(asdict(self)), flush=True)


def package(name: str) -> Any:
    """Return a package; leave with a line that says so if it is not installed."""
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        sys.stderr.write(f"skipped: {error.name} is not installed here (peers/requirements.txt)\n")
        sys.exit(0)


def pin() -> None:
    """Keep this process on one core, so that nobody is measured with several."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def rate(play: Callable[[int], object], seconds: float = 0.5, repeats: int = 5) -> float:
    """Return the games a second of `play`, which plays as many games as it is told.

    The median of some repeats, each long enough to be measured, after others to warm up.
    """
    count = 1
    while (spent := _seconds(play, count)) < seconds / 2:
        count *= 2
    count = max(1, round(count * seconds / spent))
    return median(count / _seconds(play, count) for _ in range(repeats))


def _seconds(play: Callable[[int], object], count: int) -> float:
    start = time.process_time()
    play(count)
    return time.process_time() - start

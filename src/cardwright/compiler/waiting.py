"""A notice during a long compilation, for callers that want it.

The command line does; programs that use the package get none by default.
"""

from __future__ import annotations

import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

DELAY = 2.0
"""Seconds of processor time before the notice; on a busy machine it takes longer."""

_LOOK = 0.1
"""Seconds between two readings of the clock."""

_say: Callable[[str], object] | None = None


def tell(say: Callable[[str], object] | None) -> None:
    """Set a function to call with a game's name when its compilation takes long; None for none.

    It is called in another thread, once for each such game.
    """
    global _say  # noqa: PLW0603 - one process has one place for such words
    _say = say


@contextmanager
def waited_for(name: str) -> Iterator[None]:
    """Record that a game is being compiled while a block runs."""
    if _say is None:
        yield
        return
    from threading import Event, Thread

    say, over = _say, Event()
    end = time.process_time() + DELAY

    def watch() -> None:
        while not over.wait(_LOOK):
            if time.process_time() >= end:
                say(name)
                return

    Thread(target=watch, daemon=True).start()
    try:
        yield
    finally:
        over.set()

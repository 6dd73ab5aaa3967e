"""A word to whoever waits for a long compilation, if somebody has asked for it.

The command line asks; programs that use the package are left in peace.
"""

from __future__ import annotations

import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PATIENCE = 2.0
"""Seconds of processor time until something is said; on a busy machine it takes longer."""

_LOOK = 0.1
"""Seconds between two looks at the clock."""

_say: Callable[[str], object] | None = None


def tell(say: Callable[[str], object] | None) -> None:
    """Let a function be called with a game's name when its compilation takes long; None for no one.

    It is called in another thread, once for each such game.
    """
    global _say  # noqa: PLW0603 - one process has one place for such words
    _say = say


@contextmanager
def waited_for(name: str) -> Iterator[None]:
    """Note that a game is being compiled for as long as a block runs."""
    if _say is None:
        yield
        return
    from threading import Event, Thread

    say, over = _say, Event()
    end = time.process_time() + PATIENCE

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

"""A word to whoever waits for a long compilation, if somebody has asked for it.

The command line asks; programs that use the package are left in peace.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PATIENCE = 2.0
"""Seconds until something is said."""

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
    from threading import Timer  # noqa: PLC0415 - the command line loads this module at its start

    timer = Timer(PATIENCE, _say, (name,))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()

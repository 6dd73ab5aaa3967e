"""Ctrl-C as a wish to stop, instead of an exception at any point."""

from __future__ import annotations

import signal
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@contextmanager
def on_interrupt(act: Callable[[], object]) -> Iterator[None]:
    """Let Ctrl-C call a function for a while.

    Signals belong to the main thread, and to a program that handles them in a way of its own: there
    nothing changes.
    """
    before = signal.getsignal(signal.SIGINT)
    main = threading.current_thread() is threading.main_thread()
    if not main or before is not signal.default_int_handler:
        yield
        return
    signal.signal(signal.SIGINT, lambda *_: act())
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)

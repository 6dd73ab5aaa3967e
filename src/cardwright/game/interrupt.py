"""Ctrl-C as a request to stop, instead of an exception at any point; and for threads at work."""

from __future__ import annotations

import signal
import threading
from concurrent.futures import wait
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from concurrent.futures import Future

    from cardwright.compiler.context import Context

Result = TypeVar("Result")

_AGAIN = 0.02
"""Seconds until threads are asked again to stop, for those that had not begun."""


@contextmanager
def on_interrupt(act: Callable[[], object]) -> Iterator[None]:
    """Make Ctrl-C call a function while a block runs.

    Signals belong to the main thread, and to programs with handlers of their own: elsewhere, or
    with such a handler, nothing changes.
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


def all_done(futures: Sequence[Future[Result]], contexts: Sequence[Context]) -> list[Result]:
    """Return the results of threads, which work in some contexts; more may be added meanwhile.

    On any other exception, such as Ctrl-C, they are all stopped first.
    """
    try:
        return [future.result() for future in futures]
    except BaseException:
        for future in futures:
            future.cancel()
        while True:
            for context in contexts:
                context.stop()
            if not wait(futures, _AGAIN).not_done:
                break
        for context in contexts:
            context.resume()
        raise

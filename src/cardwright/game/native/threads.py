"""Threads that run machine code, and Ctrl-C as a request to stop instead of an exception."""

from __future__ import annotations

import os
import signal
import threading
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from concurrent.futures import Future

    from cardwright.compiler.context import Context
    from cardwright.game.native.engine import NativeEngine

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


def check_threads(threads: int) -> None:
    """Refuse a number of threads below 1."""
    if threads < 1:
        raise ValueError(f"games need 1 thread or more, not {threads}")


def spread(
    engine: NativeEngine,
    function: str,
    *args: Any,
    games: int,
    threads: int,
    with_context: bool = True,
) -> None:
    """Call a function for all games; each thread takes a range of them.

    The function takes boards, the context of the thread if it wants one, the other arguments, and
    the first game of the range and the one after its last.
    """
    check_threads(threads)
    threads = engine.threads(threads)
    boards, *others = args

    def part(stretch: tuple[int, int]) -> None:
        if not with_context:
            engine.call(function, boards, *others, *stretch)
            return
        context = engine.context()
        context.token += 1
        contexts.append(context)
        engine.call(function, boards, context.address, *others, *stretch)
        context.check()

    contexts: list[Context] = []
    if threads == 1:
        part((0, games))
        return
    cuts = [at * games // threads for at in range(threads + 1)]
    pool = _pool(threads, os.getpid())
    all_done([pool.submit(part, stretch) for stretch in pairwise(cuts)], contexts)


@cache
def _pool(threads: int, process: int) -> ThreadPoolExecutor:
    """Return a lasting pool of threads; a forked process does not inherit its parent's."""
    del process
    return ThreadPoolExecutor(threads, thread_name_prefix="cardwright-batch")

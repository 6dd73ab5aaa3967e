"""Calls of machine code for many games at once, spread over threads."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

from cardwright.game.interrupt import all_done

if TYPE_CHECKING:
    from cardwright.compiler.context import Context
    from cardwright.game.native import NativeEngine


def check_threads(threads: int) -> None:
    """Refuse a number of threads below 1."""
    if threads < 1:
        raise ValueError(f"games are played by 1 thread or more, not by {threads}")


def spread(
    engine: NativeEngine,
    function: str,
    *args: int,
    games: int,
    threads: int,
    with_context: bool = True,
) -> None:
    """Call a function for all games; each thread takes a range of them.

    The function takes boards, the context of the thread if it wants one, the other arguments, and
    the first game of the range and the one after its last.
    """
    check_threads(threads)
    boards, *others = args

    def part(stretch: tuple[int, int]) -> None:
        before = [boards]
        if with_context:
            context = engine.context()
            context.token += 1
            before.append(context.address)
            contexts.append(context)
        engine.call(function, *before, *others, *stretch)
        if with_context:
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

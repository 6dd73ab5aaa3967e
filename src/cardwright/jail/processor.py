"""One processor for two: whoever asks a sandbox waits while it answers, and it while nobody asks.

A process that wakes another one on a processor at rest has to wait for that one to wake up as well,
which takes longer than most answers do: some 60 microseconds on a virtual machine. On one and the
same processor they hand over in a few.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

WORKER = "CARDWRIGHT_WORKER"
"""Variable of the environment with the number of a worker process, from 0."""


@contextmanager
def one_processor() -> Iterator[int | None]:
    """Keep this thread on one processor, and give its number; None where that is not possible.

    Workers with different numbers get different processors, as far as there are enough.
    """
    if not hasattr(os, "sched_setaffinity"):
        yield None
        return
    allowed = os.sched_getaffinity(0)
    worker = os.environ.get(WORKER, "0")
    order = sorted(allowed)
    chosen = order[int(worker) % len(order)] if worker.isdecimal() else order[0]
    os.sched_setaffinity(0, {chosen})
    try:
        yield chosen
    finally:
        os.sched_setaffinity(0, allowed)

"""One processor for a sandbox and its caller: each of them waits while the other runs.

A process that wakes another one on an idle processor also has to wait for that processor to wake
up, which takes longer than most answers do: some 60 microseconds on a virtual machine. On the same
processor the switch takes a few microseconds.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

WORKER = "CARDWRIGHT_WORKER"
"""Environment variable with the number of a worker process, from 0."""


@contextmanager
def one_processor() -> Iterator[int | None]:
    """Pin this thread to one processor and return its number; None where that is not possible.

    Workers with different numbers get different processors, if there are enough.
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

"""Processes that are killed while they write."""

from __future__ import annotations

import os
import signal


def kill_at_write(left: int) -> None:
    """Let this process be killed at its `left`-th write to the disk."""
    sync = os.fsync

    def killing(handle: int) -> None:
        nonlocal left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        sync(handle)

    os.fsync = killing

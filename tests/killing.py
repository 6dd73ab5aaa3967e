"""Processes that are killed while they write."""

from __future__ import annotations

import os
import signal
import traceback
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


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


def killed_at_write(left: int, work: Callable[[], object]) -> bool:
    """Work in a fork that is killed at its `left`-th write to the disk; return whether it was.

    This process must have no other threads: a test starts one of its own for it.
    """
    process = os.fork()
    if process == 0:
        status = 1
        try:
            kill_at_write(left)
            work()
            status = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(status)
    ended = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    assert ended in {0, -signal.SIGKILL}, ended
    return ended != 0

"""Locks of open files, which the system releases when their process ends, however it does.

Unix locks a whole file, and Windows its first byte, which need not exist.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress


def take_lock(file: int) -> bool:
    """Lock the file of a descriptor if nobody holds it, and return whether it is locked now.

    Raises OSError where its file system has no locks.
    """
    if sys.platform == "win32":
        import msvcrt

        os.lseek(file, 0, os.SEEK_SET)
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except PermissionError:
            return False
        return True
    import fcntl

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def release_lock(file: int) -> None:
    """Release a lock, also where a process that was forked meanwhile has the file open too."""
    with suppress(OSError):
        if sys.platform == "win32":
            import msvcrt

            os.lseek(file, 0, os.SEEK_SET)
            msvcrt.locking(file, msvcrt.LK_UNLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_UN)

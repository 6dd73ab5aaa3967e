"""Starting processes from a thread that lives as long as this process.

A sandbox dies with the *thread* that started it (prctl(2), PR_SET_PDEATHSIG). So all are started by
one thread that ends with the program, and not by the thread that needs one.
"""

from __future__ import annotations

import os
import subprocess
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

ENVIRONMENT = {
    "LC_ALL": "C.UTF-8",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "PYTHONHASHSEED": "0",
}
"""The complete environment of a sandbox; NumPy must not try to start threads."""


class _Starter:
    """The thread, created when it is first needed, and again in a fork of this process."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Drop the thread in a fork, which inherits the object but not the thread."""
        self._lock = Lock()
        self._thread: ThreadPoolExecutor | None = None

    def thread(self) -> ThreadPoolExecutor:
        with self._lock:
            if self._thread is None:
                self._thread = ThreadPoolExecutor(1, "sandboxes")
            return self._thread


_starter = _Starter()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_starter.forget)


def start(command: Sequence[str], inherited: Sequence[int]) -> subprocess.Popen[bytes]:
    """Start a command in its own session, with pipes to its three standard streams.

    `inherited` are further descriptors that it gets. Raises OSError if it cannot be started.
    """
    return _starter.thread().submit(_start, command, inherited).result()


def _start(command: Sequence[str], inherited: Sequence[int]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        command,
        bufsize=0,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        pass_fds=inherited,
        cwd="/",
        env=ENVIRONMENT,
        start_new_session=True,
    )

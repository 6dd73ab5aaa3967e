"""The process of a sandbox: how it is started, observed, and ended without a trace."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from cardwright.jail.allowance import clock_of, state_of
from cardwright.jail.bubblewrap import bubblewrap, bubblewrapped
from cardwright.jail.errors import ConfineError, how_it_ended
from cardwright.jail.interpreter import interpreter
from cardwright.jail.level import JailLevel
from cardwright.jail.order import BOOT, FLAGS, packed
from cardwright.jail.start import start
from cardwright.jail.users import Lease

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable, Sequence

    from cardwright.jail.limits import JailLimits

_EXIT_SECONDS = 1.0
"""Seconds that a process which has closed its pipe may take to exit by itself."""

_SIGNALLED = 128
"""What bubblewrap adds to a signal's number to form an exit code."""


class JailProcess:
    """The process of one sandbox, with its pipes; `open` starts it, `close` leaves nothing."""

    requests: int
    """The descriptor to write to; it never blocks."""

    replies: int
    errors: int

    def __init__(self, level: JailLevel) -> None:
        self._level = level
        self._lease: Lease | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._info_fd: int | None = None
        self._inner: int | None = None
        self.pid = 0
        """The id of the process, or of process 1 in its namespace, which ends with it."""
        self.clock: Callable[[], int] | None = None
        """Reads its processor time, once it is confined; None where that is not possible."""
        self.asleep: Callable[[], bool] | None = None
        """Says whether it sleeps, once it is confined; None where that is not possible."""

    def order(
        self, limits: JailLimits, processor: int | None, runtime: bytes, imports: Sequence[str]
    ) -> bytes:
        """Return the order to send first; raises ConfineError if the jail cannot work."""
        try:
            if self._level >= JailLevel.CONFINED and os.geteuid() == 0:
                self._lease = Lease()
            user = self._lease.uid if self._lease else None
            return packed(self._level, limits, user, processor, runtime, imports)
        except OSError as error:
            raise ConfineError(str(error)) from None

    def open(self, length: int) -> None:
        """Start the process, which waits for an order of `length` bytes."""
        python = interpreter()
        command = [python.program, *FLAGS, "-c", BOOT, str(length)]
        inherited: tuple[int, ...] = ()
        try:
            if self._level == JailLevel.WALLED:
                program = bubblewrap()
                if program is None:
                    raise ConfineError("bubblewrap is not installed")
                self._info_fd, info_out = os.pipe()
                inherited = (info_out,)
                command = (
                    bubblewrapped(program, python, self._lease is not None, info_out) + command
                )
            self._process = process = start(command, inherited)
        except OSError as error:
            raise ConfineError(f"cannot start a process: {error}") from None
        finally:
            for file in inherited:
                os.close(file)
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        self.pid = process.pid
        self.requests = process.stdin.fileno()
        self.replies = process.stdout.fileno()
        self.errors = process.stderr.fileno()
        os.set_blocking(self.requests, False)

    def confined(self) -> None:
        """Find the process inside bubblewrap, which must exist by now, its clock and its state."""
        if self._info_fd is not None:
            self.pid = json.loads(os.read(self._info_fd, 1 << 12))["child-pid"]
            self._inner = os.pidfd_open(self.pid)
            inner = _only_child(self.pid)
        else:
            inner = self.pid
        if inner is not None:
            self.clock, self.asleep = clock_of(inner), state_of(inner)

    def ended(self) -> str:
        """Wait a little for a process that seems to have ended, and return how it ended."""
        process = self._process
        assert process is not None
        until = time.monotonic() + _EXIT_SECONDS
        while not _has_ended(process):
            if time.monotonic() > until:
                return "closed the pipes of its requests and replies"
            time.sleep(0.001)
        self._kill()
        code = process.returncode
        if self._level == JailLevel.WALLED and code > _SIGNALLED:
            code = _SIGNALLED - code
        return how_it_ended(code)

    def close(self) -> None:
        """Kill the process and release all its resources. May be repeated."""
        self._kill()
        for file in (self._info_fd, self._inner):
            if file is not None:
                os.close(file)
        self._info_fd = self._inner = None
        if self._process is not None:
            for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
                if pipe is not None:
                    pipe.close()
        if self._lease is not None:
            self._lease.end()
            self._lease = None

    def _kill(self) -> None:
        """Kill what is still alive and wait until it is gone.

        Bubblewrap has time to reap the processes inside before it exits; killed first, it would
        leave an orphan to a process 1 that, in a container, may not reap it.
        """
        process = self._process
        if process is None or process.returncode is not None:
            return
        if self._inner is not None:
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._inner, signal.SIGKILL)
            until = time.monotonic() + _EXIT_SECONDS
            while not _has_ended(process) and time.monotonic() < until:
                time.sleep(0.0005)
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)  # not yet waited for, so the id is still its own
        process.wait()


def _only_child(pid: int) -> int | None:
    """Return the single child of a process; None if the kernel does not say."""
    try:
        listed = Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split()
    except OSError:
        return None
    return int(listed[0]) if len(listed) == 1 else None


def _has_ended(process: subprocess.Popen[bytes]) -> bool:
    """Say whether a process has ended, without reaping it where that is possible."""
    if sys.platform != "linux":
        return process.poll() is not None
    flags = os.WEXITED | os.WNOHANG | os.WNOWAIT
    return os.waitid(os.P_PID, process.pid, flags) is not None

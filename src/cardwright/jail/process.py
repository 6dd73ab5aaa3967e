"""The process around a sandbox: how it is started, held, and ended without a trace."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from cardwright.jail.allowance import clock_of
from cardwright.jail.bubblewrap import bubblewrap, wall
from cardwright.jail.errors import ConfineError, how_it_ended
from cardwright.jail.interpreter import interpreter
from cardwright.jail.level import JailLevel
from cardwright.jail.order import BOOT, FLAGS, packed
from cardwright.jail.start import start
from cardwright.jail.users import Lease

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable

    from cardwright.jail.limits import JailLimits

_PATIENCE = 1.0
"""Seconds that a process which has closed its pipe may take to end by itself."""

_SIGNALLED = 128
"""What bubblewrap adds to the number of a signal to have an exit code."""


class JailProcess:
    """The process of one sandbox with its pipes; `open` starts it, `close` leaves nothing of it."""

    requests: int
    """The descriptor to write to; it never blocks."""

    replies: int
    errors: int

    def __init__(self, level: JailLevel) -> None:
        self._level = level
        self._lease: Lease | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._told: int | None = None
        self._inner: int | None = None
        self.pid = 0
        """The process itself, or process 1 behind its walls; it ends with it."""
        self.clock: Callable[[], int] | None = None
        """Reads its processor time, once it is confined; None where nothing can."""

    def order(self, limits: JailLimits, processor: int | None, guest: bytes) -> bytes:
        """Return what to send first; raises ConfineError if it is known that it cannot be done."""
        try:
            if self._level >= JailLevel.CONFINED and os.geteuid() == 0:
                self._lease = Lease()
            user = self._lease.uid if self._lease else None
            return packed(self._level, limits, user, processor, guest)
        except OSError as error:
            raise ConfineError(str(error)) from None

    def open(self, length: int) -> None:
        """Start the process, which waits for an order of so many bytes."""
        python = interpreter()
        command = [python.program, *FLAGS, "-c", BOOT, str(length)]
        inherited: tuple[int, ...] = ()
        try:
            if self._level == JailLevel.WALLED:
                program = bubblewrap()
                if program is None:
                    raise ConfineError("bubblewrap is not installed")
                self._told, tells = os.pipe()
                inherited = (tells,)
                command = wall(program, python, self._lease is not None, tells) + command
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
        """Get hold of the process behind the walls, which must be there now, and of its clock."""
        if self._told is not None:
            self.pid = json.loads(os.read(self._told, 1 << 12))["child-pid"]
            self._inner = os.pidfd_open(self.pid)
            inner = _only_child(self.pid)
        else:
            inner = self.pid
        self.clock = None if inner is None else clock_of(inner)

    def ended(self) -> str:
        """Wait a little for a process that seems to have ended; say how it did."""
        process = self._process
        assert process is not None
        until = time.monotonic() + _PATIENCE
        while not _has_ended(process):
            if time.monotonic() > until:
                return "closed the pipes by which it is asked and answers"
            time.sleep(0.001)
        self._bury()
        code = process.returncode
        if self._level == JailLevel.WALLED and code > _SIGNALLED:
            code = _SIGNALLED - code
        return how_it_ended(code)

    def close(self) -> None:
        """Kill the process and give back all that belongs to it. May be repeated."""
        self._bury()
        for file in (self._told, self._inner):
            if file is not None:
                os.close(file)
        self._told = self._inner = None
        if self._process is not None:
            for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
                if pipe is not None:
                    pipe.close()
        if self._lease is not None:
            self._lease.end()
            self._lease = None

    def _bury(self) -> None:
        """Kill what lives and wait until it is gone.

        Bubblewrap is left to bury what was inside before it ends itself; killed first, it would
        leave an orphan to a process 1 that, in a container, may bury nobody.
        """
        process = self._process
        if process is None or process.returncode is not None:
            return
        if self._inner is not None:
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._inner, signal.SIGKILL)
            until = time.monotonic() + _PATIENCE
            while not _has_ended(process) and time.monotonic() < until:
                time.sleep(0.0005)
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)  # not yet waited for, so the number is its own
        process.wait()


def _only_child(pid: int) -> int | None:
    """Return the one process that another has started; None if the kernel does not tell."""
    try:
        listed = Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split()
    except OSError:
        return None
    return int(listed[0]) if len(listed) == 1 else None


def _has_ended(process: subprocess.Popen[bytes]) -> bool:
    """Say whether a process has ended, and leave it to be waited for where that is possible."""
    if sys.platform != "linux":
        return process.poll() is not None
    flags = os.WEXITED | os.WNOHANG | os.WNOWAIT
    return os.waitid(os.P_PID, process.pid, flags) is not None

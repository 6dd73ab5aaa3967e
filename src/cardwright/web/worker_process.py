"""Worker processes, as the server sees them: asked, waited for, and killed when they pass a limit.

The other side is `worker_loop`. A process is started when it is first asked, and again after it has
ended, so whoever uses one first sends what it has to know.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from cardwright.game.errors import CardwrightError
from cardwright.sandbox.allowance import ProcessorTime, clock_of, without_clock
from cardwright.sandbox.errors import how_it_ended
from cardwright.web.process_limits import MEGABYTE, ProcessLimits
from cardwright.web.worker_loop import OUT_OF_MEMORY

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.sandbox.allowance import Allowance

PYTHON = (sys.executable, "-P", "-m")
"""How modules are run: with -P none is taken from the folder in which the server was started."""

_CEILING = 15.0
"""Wall-clock seconds that a process of low priority is always granted."""

_LOOK = 0.25
"""Seconds between two looks at the memory of a process that works."""

_SECONDS_TO_END = 2.0
"""Seconds that a process whose pipe is closed may take to end by itself."""


class ProcessEndedError(CardwrightError):
    """A process that gave no answer, and has been ended; the message says why.

    `code` is `slow`, `memory`, `processor` or `long` for a limit that was passed, and `died` for a
    process that ended by itself. `reason` is a clause without a subject: "used more than ...".
    `part` is the number of the line that it owed, from 0.
    """

    part = 0

    def __init__(self, code: str, reason: str) -> None:
        self.code = code
        self.reason = reason
        super().__init__(f"it {reason}")


class SiteWorker(Protocol):
    """What answers one request at a time: a process, or what stands for one."""

    limits: ProcessLimits
    starts: int

    @property
    def running(self) -> bool:
        """Whether it has been started, and keeps what it was told."""
        ...

    @property
    def pid(self) -> int | None:
        """The id of its process; None if there is none."""
        ...

    def used(self) -> float:
        """Return the seconds of processor time that it has used; 0 where it is unknown."""
        ...

    def resident(self) -> int:
        """Return the bytes of memory that it has in use; 0 where that is unknown."""
        ...

    async def start(self) -> None:
        """Start it if it is not running."""
        ...

    async def ask(self, request: dict[str, Any], *seconds: float) -> dict[str, Any]:
        """Return the answer to a request; raises ProcessEndedError."""
        ...

    async def kill(self) -> None:
        """End it at once; it can be started again."""
        ...


Workers: TypeAlias = "Callable[[str, ProcessLimits], SiteWorker]"
"""What makes a worker of a module, with limits."""


class WorkerProcess:
    """A process that answers one request at a time, within limits.

    `module` is the program, one that calls `worker_loop.serve`. `starts` counts how often it was
    started: after a change it remembers nothing.
    """

    def __init__(self, module: str, limits: ProcessLimits) -> None:
        self.limits = limits
        self.starts = 0
        self._module = module
        self._process: asyncio.subprocess.Process | None = None
        self._clock: Callable[[], int] | None = None

    @property
    def running(self) -> bool:
        """Whether there is a process at the moment."""
        return self._process is not None and self._process.returncode is None

    @property
    def pid(self) -> int | None:
        """The id of the process; None if there is none."""
        return self._process.pid if self._process is not None and self.running else None

    def used(self) -> float:
        """Return the seconds of processor time that the process has used; 0 where it is unknown."""
        return self._clock() / 1e9 if self._clock else 0.0

    def resident(self) -> int:
        """Return the bytes of memory that the process has in use; 0 where that is unknown."""
        try:
            pages = Path(f"/proc/{self.pid}/statm").read_text(encoding="ascii").split()[1]
        except OSError:
            return 0
        return int(pages) * os.sysconf("SC_PAGE_SIZE")

    async def start(self) -> None:
        """Start the process if there is none; raises OSError if the system starts no more."""
        if self.running:
            return
        self._process = await asyncio.create_subprocess_exec(
            *PYTHON,
            self._module,
            self.limits.text(),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=self.limits.reply,
            process_group=0 if os.name == "posix" else None,  # Ctrl-C is for the server alone
            env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},
        )
        self._clock = clock_of(self._process.pid)
        self.starts += 1

    async def ask(self, request: dict[str, Any], *seconds: float) -> dict[str, Any]:
        """Return the answer to a request; the process may take so many seconds of processor time.

        With several limits the process sends as many lines, each within its own: those before the
        last say that a part of the work is done. An error ends them early. Raises ProcessEndedError
        if a limit is passed or the process ends: then there is none any more, nor if this is
        cancelled.
        """
        await self.start()
        process = self._process
        assert process is not None
        assert process.stdin is not None
        answer: dict[str, Any] = {}
        part = 0
        try:
            with suppress(ConnectionError):  # reading says how it ended
                process.stdin.write(json.dumps(request, ensure_ascii=False).encode() + b"\n")
                await process.stdin.drain()
            while part < len(seconds) and "error" not in answer:
                answer = await self._line(process, seconds[part])
                part += 1
        except ProcessEndedError as error:
            error.part = part
            await self.kill()
            raise
        except BaseException:
            await self.kill()
            raise
        return answer

    async def _line(self, process: asyncio.subprocess.Process, seconds: float) -> dict[str, Any]:
        assert process.stdout is not None
        reading = asyncio.ensure_future(process.stdout.readline())
        allowance = self._allowance(seconds)
        try:
            while not reading.done() and (left := allowance.left()) > 0:
                await asyncio.wait({reading}, timeout=min(max(left, 0.01), _LOOK))
                if 0 < self.limits.resident < self.resident():
                    raise self._too_large(self.limits.resident)
            if not reading.done():
                raise ProcessEndedError("slow", f"took longer than {seconds:g} seconds")
            line = reading.result()
        except ValueError:
            size = self.limits.reply // MEGABYTE
            raise ProcessEndedError("long", f"gave an answer longer than {size} MB") from None
        finally:
            reading.cancel()
        if not line.endswith(b"\n"):
            raise await self._ended(process)
        answer: dict[str, Any] = json.loads(line)
        return answer

    def _allowance(self, seconds: float) -> Allowance:
        if self._clock is None:
            return without_clock(seconds)
        return ProcessorTime(self._clock, self._clock(), seconds, ceiling=_CEILING + seconds)

    async def _ended(self, process: asyncio.subprocess.Process) -> ProcessEndedError:
        """Return why a process has ended that closed its pipe."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_SECONDS_TO_END):
                await process.wait()
        await self.kill()
        code = process.returncode
        if code == OUT_OF_MEMORY:
            return self._too_large(self.limits.memory)
        if code == -_XCPU:
            most = self.limits.processor
            return ProcessEndedError(
                "processor", f"used more than {most} seconds of processor time in all"
            )
        return ProcessEndedError("died", how_it_ended(code or 0))

    def _too_large(self, limit: int) -> ProcessEndedError:
        size = limit // MEGABYTE
        return ProcessEndedError("memory", f"used more than {size} MB of memory")

    async def kill(self) -> None:
        """End the process at once, if there is one; it can be started again."""
        process, self._process = self._process, None
        if process is None:
            return
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()


_XCPU = int(getattr(signal, "SIGXCPU", 0))

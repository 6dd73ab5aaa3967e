"""The processes that do the studio's work: rules of strangers are read and played there alone."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from cardwright.web.process_limits import MEGABYTE, ProcessLimits
from cardwright.web.refusal import STATUSES, Refusal
from cardwright.web.worker_process import ProcessEndedError, WorkerProcess

if TYPE_CHECKING:
    from cardwright.web.worker_process import Workers

_MODULE = "cardwright.web.studio.worker"
_PLAYED = {"statistics", "thinking", "flow"}
_ADVICE = {
    "slow": "make a loop shorter, or ask for fewer games",
    "memory": "use fewer cards, or smaller groups of them",
}


@dataclass(frozen=True)
class StudioLimits:
    """What the studio's work may take.

    `reading` and `playing` are seconds of processor time for one request of either kind. One
    process does the work of a kind, `waiting` requests at most wait for it, `each` of them from one
    address. It is ended after `idle` seconds, and after `used` seconds of processor time, since
    whatever was played stays in its memory.
    """

    reading: float = 5.0
    playing: float = 20.0
    waiting: int = 40
    each: int = 8
    idle: float = 600.0
    used: float = 300.0
    process: ProcessLimits = field(
        default_factory=lambda: ProcessLimits(
            memory=1024 * MEGABYTE, reply=8 * MEGABYTE, niceness=5
        )
    )


class StudioWorkers:
    """Does the studio's work: texts are read in one process, and games played in another."""

    def __init__(
        self, limits: StudioLimits | None = None, workers: Workers = WorkerProcess
    ) -> None:
        self.limits = limits or StudioLimits()
        self._reader = _Queue(self.limits, self.limits.reading, workers)
        self._player = _Queue(self.limits, self.limits.playing, workers)

    async def do(self, request: dict[str, Any], address: str) -> dict[str, Any]:
        """Return what came of a request to `studio_work`, sent from some address.

        Raises Refusal if too many wait already, and if the work was stopped at a limit.
        """
        queue = self._player if request["do"] in _PLAYED else self._reader
        return await queue.do(request, address)

    async def close(self) -> None:
        """End the processes."""
        await asyncio.gather(self._reader.close(), self._player.close())

    def pids(self) -> list[int]:
        """Return the ids of the processes there are."""
        found = (self._reader.process.pid, self._player.process.pid)
        return [pid for pid in found if pid is not None]


class _Queue:
    """One process, and those who wait for it."""

    def __init__(self, limits: StudioLimits, seconds: float, workers: Workers) -> None:
        self.process = workers(_MODULE, limits.process)
        self._limits = limits
        self._seconds = seconds
        self._lock = asyncio.Lock()
        self._waiting: Counter[str] = Counter()
        self._timer: asyncio.TimerHandle | None = None

    async def do(self, request: dict[str, Any], address: str) -> dict[str, Any]:
        if self._waiting[address] >= self._limits.each:
            message = "too many requests of yours wait already: try again in a moment"
            raise Refusal("too-many", message, {"Retry-After": "2"})
        if self._waiting.total() >= self._limits.waiting:
            message = "the studio is busy with the rules of others: try again in a moment"
            raise Refusal("busy", message, {"Retry-After": "5"})
        self._waiting[address] += 1
        try:
            async with self._lock:
                return await self._done(request)
        finally:
            self._waiting[address] -= 1
            if not self._waiting[address]:
                del self._waiting[address]
            self._rest()

    async def _done(self, request: dict[str, Any]) -> dict[str, Any]:
        if self.process.used() > self._limits.used:
            await self.process.kill()
        try:
            answer = await self.process.ask(request, self._seconds)
        except ProcessEndedError as error:
            advice = _ADVICE.get(error.code, "nothing is lost: try again")
            raise Refusal("stopped", f"the work was stopped: {error}; {advice}") from None
        except OSError as error:
            message = f"no process can be started ({error.strerror}): try again in a moment"
            raise Refusal("busy", message) from None
        if "error" in answer and answer["error"]["code"] not in STATUSES:
            raise Refusal("broken", "the studio made a mistake, and nothing of yours is lost")
        return answer

    def _rest(self) -> None:
        """End the process when it has been idle for long."""
        if self._timer is not None:
            self._timer.cancel()
        loop = asyncio.get_running_loop()
        self._timer = loop.call_later(self._limits.idle, self._idle)

    def _idle(self) -> None:
        if not self._lock.locked():
            self._ending = asyncio.ensure_future(self.close())

    async def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        async with self._lock:
            await self.process.kill()

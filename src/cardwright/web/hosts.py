"""Hosts of tables of rules from elsewhere, which may loop, or want all memory there is.

Such a table stands in a process with limits. When it passes one, it is killed, the table tells
which, and the next request brings it back as it was before.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from cardwright.table.commands import CHANGES
from cardwright.web.process_limits import MEGABYTE, ProcessLimits
from cardwright.web.worker_process import ProcessEndedError, WorkerProcess

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cardwright.web.worker_process import Workers

Message = dict[str, Any]

_MODULE = "cardwright.web.host_worker"
_MOST_DEATHS = 2
"""How often a table may fail to be brought back before it is given up."""


@dataclass(frozen=True)
class HostLimits:
    """What a table in a process may take.

    `opening` is how many seconds of processor time the rules may take to be checked and played up
    to the pending decision, `seconds` a request. There are at most `processes`, each with limits of
    its own, and one that is `idle` for so many seconds is ended.
    """

    processes: int = 8
    opening: float = 10.0
    seconds: float = 5.0
    idle: float = 300.0
    patience: float = 10.0
    process: ProcessLimits = field(
        default_factory=lambda: ProcessLimits(memory=256 * MEGABYTE, reply=8 * MEGABYTE, niceness=5)
    )


class HostRoom:
    """The room for tables in processes: so many at a time, of which idle ones have to go."""

    def __init__(self, limits: HostLimits | None = None, workers: Workers = WorkerProcess) -> None:
        self.limits = limits or HostLimits()
        self.workers = workers
        self._running: OrderedDict[ProcessHost, None] = OrderedDict()
        self._freed = asyncio.Condition()

    async def enter(self, host: ProcessHost) -> bool:
        """Give a host a place, which it keeps while it runs; False if there is none in time."""
        async with self._freed:
            try:
                async with asyncio.timeout(self.limits.patience):
                    while not await self._found(host):
                        await self._freed.wait()
            except TimeoutError:
                return False
            self._running[host] = None
            self._running.move_to_end(host)
            return True

    async def rested(self, host: ProcessHost) -> None:
        """Note that a host is idle, or has ended: another one may have its place."""
        async with self._freed:
            if not host.running:
                self._running.pop(host, None)
            self._freed.notify_all()

    async def _found(self, host: ProcessHost) -> bool:
        """Say whether there is a place, made by ending the host that is idle for longest."""
        if host in self._running or len(self._running) < self.limits.processes:
            return True
        for other in self._running:
            if not other.busy:
                del self._running[other]
                await other.end()
                return True
        return False

    async def close(self) -> None:
        """End all processes."""
        for host in list(self._running):
            await host.close()

    def pids(self) -> list[int]:
        """Return the ids of the processes there are."""
        return [host.pid for host in self._running if host.pid is not None]


class ProcessHost:
    """A table in a process with limits, started when it is asked and again after it has ended.

    `setup` is the data of the table's setup, from which a new process begins; then it does again
    what was done at the table (`CHANGES`) and not refused, `commands` before it stood here.
    """

    def __init__(self, room: HostRoom, setup: Message, commands: Iterable[Message] = ()) -> None:
        self._room = room
        self._setup = setup
        self._commands = list(commands)
        self._process = room.workers(_MODULE, room.limits.process)
        self._lock = asyncio.Lock()
        self._deaths = 0
        self._waiting = 0
        self._timer: asyncio.TimerHandle | None = None
        self._given_up: Message | None = None

    @property
    def running(self) -> bool:
        """Whether there is a process at the moment."""
        return self._process.running

    @property
    def busy(self) -> bool:
        """Whether a request is being answered, or waits."""
        return self._waiting > 0

    @property
    def pid(self) -> int | None:
        """The id of the process; None if there is none."""
        return self._process.pid

    @property
    def starts(self) -> int:
        """How often a process was started."""
        return self._process.starts

    async def ask(self, request: Message) -> Message:
        """Return the answer of the handler in the process, or which limit the rules have passed."""
        if self._given_up is not None:
            return self._given_up
        self._waiting += 1
        try:
            async with self._lock:
                if not await self._room.enter(self):
                    count = self._room.limits.processes
                    return _error(
                        "busy",
                        f"all {count} places for rules from elsewhere are busy: try again in a "
                        "moment",
                    )
                return await self._asked(request)
        finally:
            self._waiting -= 1
            self._rest()
            await self._room.rested(self)

    async def _asked(self, request: Message) -> Message:
        limits = self._room.limits
        try:
            if not self._process.running and (refused := await self._opened()) is not None:
                return refused
            answer = await self._process.ask(request, limits.seconds)
            if request.get("do") in CHANGES and "error" not in answer:
                self._commands.append(request)
            return answer
        except ProcessEndedError as error:
            return _stopped(error)

    async def _opened(self) -> Message | None:
        """Start the process and bring the table back; return the error if that is not possible."""
        try:
            record = {"setup": self._setup, "commands": self._commands}
            opened = await self._process.ask(record, self._room.limits.opening)
        except ProcessEndedError as error:
            self._deaths += 1
            if self._deaths >= _MOST_DEATHS:
                self._given_up = _stopped(error)
            return _stopped(error)
        if "error" in opened:
            await self._process.kill()
            return opened
        self._deaths = 0
        return None

    def _rest(self) -> None:
        """End the process when it has been idle for long."""
        if self._timer is not None:
            self._timer.cancel()
        loop = asyncio.get_running_loop()
        self._timer = loop.call_later(self._room.limits.idle, self._idle)

    def _idle(self) -> None:
        if not self.busy:
            self._ending = asyncio.ensure_future(self.close())

    async def end(self) -> None:
        """End the process; the next request starts another one."""
        await self._process.kill()

    async def close(self) -> None:
        """End the process, when it has answered what it was asked."""
        if self._timer is not None:
            self._timer.cancel()
        async with self._lock:
            await self.end()
            await self._room.rested(self)


def _stopped(error: ProcessEndedError) -> Message:
    if error.code == "died":
        told = f"the process of this table {error.reason}: ask again, and it comes back"
    else:
        told = f"the rules of this table {error.reason}, and were stopped"
    return _error(error.code, told)


def _error(code: str, message: str) -> Message:
    return {"error": {"code": code, "message": message}}

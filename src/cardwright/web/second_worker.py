"""What works for a page in a second worker of the browser, so that tables need not wait for it."""

from __future__ import annotations

import asyncio
import json
import time
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol

from cardwright.web.local_worker import LocalWorker
from cardwright.web.worker_loop import answered, finished
from cardwright.web.worker_process import ProcessEndedError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from cardwright.web.process_limits import ProcessLimits
    from cardwright.web.worker_loop import Answer
    from cardwright.web.worker_process import SiteWorker

LONG = (
    "cardwright.web.measuring",
    "cardwright.web.studio.worker",
    "cardwright.web.think_worker",
)
"""The modules some of whose work takes long; what they keep can be lost at any time."""

MOMENT = 5.0
"""Work that may take no more seconds than these is done beside the site itself."""

_STRETCH = 2.0
"""Wall-clock seconds that are granted for a second of processor time, which cannot be measured."""


class BrowserWorker(Protocol):
    """A worker of the browser with Python in it, as JavaScript gives it."""

    ready: bool
    """Whether it can be asked."""

    def begin(self) -> None:
        """Start it, unless it is there already, or comes."""
        ...

    def ask(
        self, module: str, request: str, report: Callable[[str], object]
    ) -> Awaitable[str | None]:
        """Return what a module answers, as JSON; None if the worker ends before.

        `report` is given each line that comes before the answer.
        """
        ...

    def end(self) -> None:
        """End it at once; another one is started, as it will be needed."""
        ...


class SecondPython:
    """The second worker, shared by all that work in it; called, it makes them as `Workers` do."""

    def __init__(self, browser: BrowserWorker) -> None:
        self.browser = browser
        self.turn = asyncio.Lock()
        self.ends = 0

    def __call__(self, module: str, limits: ProcessLimits) -> SiteWorker:
        """Return what works for a module: in the second worker, if it may take long."""
        here = LocalWorker(module, limits)
        if module in LONG:
            return SecondWorker(module, here, self)
        return here

    def end(self) -> None:
        """End the worker, and with it what all modules keep."""
        self.browser.end()
        self.ends += 1


class SecondWorker:
    """Works in the second worker for what may take long, and `here` until that is there."""

    pid = None

    def __init__(self, module: str, here: LocalWorker, second: SecondPython) -> None:
        self.limits = here.limits
        self.starts = 0
        """How often it has begun there, where it keeps nothing from the time before."""
        self._module = module
        self._here = here
        self._second = second
        self._seconds = 0.0
        self._begun = 0.0
        self._ends: int | None = None

    @property
    def running(self) -> bool:
        """Whether it keeps what it was told."""
        return self._ends == self._second.ends or self._here.running

    def used(self) -> float:
        """Return the seconds that its answers have taken."""
        return self._seconds + self._here.used()

    def resident(self) -> int:
        """Return 0: its memory is that of others too."""
        return 0

    async def start(self) -> None:
        """Do nothing: it is started by what it is asked."""

    async def ask(self, request: dict[str, Any], *seconds: float) -> dict[str, Any]:
        """Return the answer to a request; raises ProcessEndedError at a limit.

        The limits are those of `WorkerProcess.ask`, by the clock on the wall.
        """
        second = self._second
        if sum(seconds) <= MOMENT or not second.browser.ready:
            if sum(seconds) > MOMENT:
                second.browser.begin()
            return await self._here.ask(request, *seconds)
        await second.turn.acquire()
        self.starts += self._ends != second.ends
        self._ends, self._begun = second.ends, time.perf_counter()
        work = asyncio.ensure_future(self._asked(request, [_STRETCH * most for most in seconds]))
        work.add_done_callback(self._done)
        return await asyncio.shield(work)  # what is no longer wanted ends by itself, or at a limit

    def _done(self, work: asyncio.Future[dict[str, Any]]) -> None:
        if work.cancelled() or work.exception() is not None:
            self._second.end()
        self._seconds += time.perf_counter() - self._begun
        self._second.turn.release()

    async def _asked(self, request: dict[str, Any], seconds: list[float]) -> dict[str, Any]:
        part, loop = 0, asyncio.get_running_loop()

        def report(_: str) -> None:
            nonlocal part
            part = min(part + 1, len(seconds) - 1)
            limit.reschedule(loop.time() + seconds[part])

        try:
            async with asyncio.timeout(seconds[0]) as limit:
                text = await self._second.browser.ask(self._module, json.dumps(request), report)
        except TimeoutError:
            error = ProcessEndedError("slow", f"took longer than {seconds[part]:g} seconds")
        else:
            if text is not None:
                answer: dict[str, Any] = json.loads(text)
                return answer
            error = ProcessEndedError("died", "needed more than this browser gives")
        error.part = part
        raise error

    async def kill(self) -> None:
        """Forget all it was told here; what is kept in the second worker does no harm there."""
        await self._here.kill()


_ANSWERS: dict[str, Answer] = {}
_REPORTS: list[Callable[[str], object]] = []


def work(module: str, request: str, report: Callable[[str], object]) -> str:
    """Return what a module answers, as JSON, in the second worker itself.

    Raises MemoryError, after which the worker is of no use.
    """
    _REPORTS[:] = [report]
    if module not in _ANSWERS:
        _ANSWERS[module] = import_module(module).opened(lambda line: _REPORTS[0](json.dumps(line)))
    return json.dumps(finished(answered(_ANSWERS[module], json.loads(request))))

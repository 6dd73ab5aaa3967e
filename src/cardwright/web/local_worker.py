"""A worker in this very process, for a page, where there are no others."""

from __future__ import annotations

import asyncio
import json
import time
from contextlib import closing
from importlib import import_module
from typing import TYPE_CHECKING, Any

from cardwright.web.worker_loop import answered
from cardwright.web.worker_process import ProcessEndedError

if TYPE_CHECKING:
    from cardwright.web.process_limits import ProcessLimits
    from cardwright.web.worker_loop import Answer, Steps


_TURN = 0.02
"""Seconds of work after which others have a turn."""

_PATIENCE = 45.0
"""The most seconds that an answer may take, as the page gives up a worker after a minute."""


class LocalWorker:
    """Answers as the process of a module would; its limits hold between the steps of its work."""

    pid = None

    def __init__(self, module: str, limits: ProcessLimits) -> None:
        self.limits = limits
        self.starts = 0
        self._module = module
        self._answer: Answer | None = None
        self._seconds = 0.0

    @property
    def running(self) -> bool:
        """Whether it keeps what it was told."""
        return self._answer is not None

    def used(self) -> float:
        """Return the seconds of processor time that its answers have taken."""
        return self._seconds

    def resident(self) -> int:
        """Return 0: its memory is that of all others."""
        return 0

    async def start(self) -> None:
        """Begin with an empty memory, unless it is running."""
        if self._answer is None:
            self._answer = import_module(self._module).opened(lambda _: None)
            self._seconds = 0.0
            self.starts += 1

    async def ask(self, request: dict[str, Any], *seconds: float) -> dict[str, Any]:
        """Return the answer to a request; others have a turn before and now and then."""
        await asyncio.sleep(0)
        await self.start()
        assert self._answer is not None
        with closing(answered(self._answer, json.loads(json.dumps(request)))) as steps:
            answer = await self._worked(steps, min(sum(seconds), _PATIENCE))
        whole: dict[str, Any] = json.loads(json.dumps(answer))
        return whole

    async def _worked(self, steps: Steps, most: float) -> dict[str, Any]:
        """Return the answer of work that may take so many seconds; raises ProcessEndedError."""
        spent = 0.0
        while True:
            begun = time.process_time()
            try:
                next(steps)
                while time.process_time() - begun < _TURN:
                    next(steps)
            except StopIteration as end:
                answer: dict[str, Any] = end.value
                return answer
            except (MemoryError, SystemError):
                await self.kill()
                raise ProcessEndedError("memory", "used more memory than there is") from None
            finally:
                took = time.process_time() - begun
                self._seconds += took
                spent += took
            if spent > most:
                await self.kill()
                raise ProcessEndedError("slow", f"took longer than {most:g} seconds")
            await asyncio.sleep(0)

    async def kill(self) -> None:
        """Forget all it was told."""
        self._answer = None

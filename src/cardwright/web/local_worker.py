"""A worker in this very process, for a page, where there are no others."""

from __future__ import annotations

import asyncio
import json
import time
from importlib import import_module
from typing import TYPE_CHECKING, Any

from cardwright.web.worker_loop import answered
from cardwright.web.worker_process import ProcessEndedError

if TYPE_CHECKING:
    from cardwright.web.process_limits import ProcessLimits
    from cardwright.web.worker_loop import Answer


class LocalWorker:
    """Answers as the process of a module would; nothing stops it at its limits."""

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
        """Return the answer to a request, once others have had their turn."""
        await asyncio.sleep(0)
        await self.start()
        assert self._answer is not None
        begun = time.process_time()
        try:
            answer = answered(self._answer, json.loads(json.dumps(request)))
        except (MemoryError, SystemError):
            await self.kill()
            raise ProcessEndedError("memory", "used more memory than there is") from None
        finally:
            self._seconds += time.process_time() - begun
        whole: dict[str, Any] = json.loads(json.dumps(answer))
        return whole

    async def kill(self) -> None:
        """Forget all it was told."""
        self._answer = None

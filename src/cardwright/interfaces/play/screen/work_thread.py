"""The work thread: one thread that does all work on a session, a piece after the other.

Computer players may think for long; the screen lives on while they do. There is only one thread, so
that nobody changes a game while somebody reads it. It does not keep the program from ending.
"""

from __future__ import annotations

import asyncio
import queue
import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")


class WorkThread:
    """Does pieces of work in its thread; `busy` says whether one is being done or waits."""

    def __init__(self) -> None:
        self._work: queue.SimpleQueue[tuple[Callable[[], Any], asyncio.Future[Any]]]
        self._work = queue.SimpleQueue()
        self._open = 0
        threading.Thread(target=self._run, name="clerk", daemon=True).start()

    @property
    def busy(self) -> bool:
        """Whether there is work that is not done."""
        return self._open > 0

    async def do(self, work: Callable[[], T]) -> T:
        """Return what a piece of work gives, when its turn has come; raises what it raises."""
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._open += 1
        self._work.put((work, future))
        try:
            return await asyncio.shield(future)
        finally:
            self._open -= 1

    def _run(self) -> None:
        while True:
            work, future = self._work.get()
            try:
                done, result, error = True, work(), None
            except BaseException as raised:  # told to who waits for it
                done, result, error = False, None, raised
            with suppress(RuntimeError):  # the screen is gone: nobody waits
                future.get_loop().call_soon_threadsafe(_tell, future, done, result, error)


def _tell(
    future: asyncio.Future[Any], done: bool, result: object, error: BaseException | None
) -> None:
    if future.done():
        return
    if done:
        future.set_result(result)
    else:
        assert error is not None
        future.set_exception(error)

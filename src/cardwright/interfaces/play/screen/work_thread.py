"""The work thread: one thread that does all work on a session, one task at a time.

Computer players may take long; the screen stays responsive in the meantime. There is only one
thread, so that the game does not change while it is being read. It is a daemon: the program can end
without it.
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
    """Runs tasks in its thread; `busy` says whether one is running or waiting."""

    def __init__(self) -> None:
        self._work: queue.SimpleQueue[tuple[Callable[[], Any], asyncio.Future[Any]]]
        self._work = queue.SimpleQueue()
        self._open = 0
        threading.Thread(target=self._run, name="work", daemon=True).start()

    @property
    def busy(self) -> bool:
        """Whether there are unfinished tasks."""
        return self._open > 0

    async def do(self, work: Callable[[], T]) -> T:
        """Run a task in its turn and return its result; raises what it raises."""
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
            except BaseException as raised:  # passed on to the waiting caller
                done, result, error = False, None, raised
            with suppress(RuntimeError):  # the screen is closed: nobody waits
                future.get_loop().call_soon_threadsafe(_resolve, future, done, result, error)


def _resolve(
    future: asyncio.Future[Any], done: bool, result: object, error: BaseException | None
) -> None:
    if future.done():
        return
    if done:
        future.set_result(result)
    else:
        assert error is not None
        future.set_exception(error)

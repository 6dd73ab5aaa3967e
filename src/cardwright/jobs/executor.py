"""Executors: they carry out batches of tasks, here or elsewhere, one or many at a time.

An executor knows nothing of games. It is given a function and batches, calls the function with each
batch, and hands over results as they arrive. Nothing that must not depend on the number of workers
is decided here: see `job`.
"""

from __future__ import annotations

import os
import threading
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Protocol, TypeAlias, TypeVar, cast

from cardwright.game.errors import CardwrightError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

Result = TypeVar("Result")
Batch: TypeAlias = range
"""The numbers of consecutive tasks."""

Call: TypeAlias = "Callable[[Batch], Result]"


_HEARING = 0.2
"""Seconds after which waiting begins anew: a wait without end need not be ended by Ctrl-C."""

DEATHS = 3
"""How many workers may die over one batch before the run is stopped."""


class ExecutorError(CardwrightError):
    """An executor that does not exist, or cannot start."""


class WorkerError(CardwrightError):
    """A batch over which workers died again and again; `noun` says what its numbers count."""

    def __init__(self, batch: Batch, last: str, noun: str = "deal") -> None:
        self.batch = batch
        self.last = last
        self.noun = noun
        several = f"{noun}s {batch[0]} to {batch[-1]}"
        super().__init__(
            f"{DEATHS} workers died over {f'{noun} {batch[0]}' if len(batch) == 1 else several}; "
            f"the last {last}. A player may have ended its process or used up the memory; what was "
            "finished before is kept, if there is a folder"
        )


class Executor(Protocol):
    """Carries out batches."""

    @property
    def workers(self) -> int:
        """How many batches are carried out at a time, if this is known."""
        ...

    def run(self, function: Call[Result], batches: Iterable[Batch]) -> Iterator[tuple[int, Result]]:
        """Yield the number of each batch, from 0, with its result, in the order of completion.

        Batches are taken as they are needed. What the function raises is raised here. Closing the
        iterator ends all work that is under way.
        """
        ...


def processors() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@dataclass(frozen=True)
class SerialExecutor:
    """Carries out batches sequentially, in this process and thread."""

    workers: int = field(default=1, init=False)

    def run(self, function: Call[Result], batches: Iterable[Batch]) -> Iterator[tuple[int, Result]]:
        """Yield results in the order of the batches."""
        for number, batch in enumerate(batches):
            yield number, function(batch)


@dataclass(frozen=True)
class ThreadExecutor:
    """Carries out batches in threads of this process.

    Threads share Python's lock, so they only help where machine code does the work. A running batch
    cannot be interrupted: closing waits for it.
    """

    workers: int

    def run(self, function: Call[Result], batches: Iterable[Batch]) -> Iterator[tuple[int, Result]]:
        """Yield results as threads complete them."""
        yield from crew([function] * self.workers, batches)


def crew(
    calls: Sequence[Call[Result]],
    batches: Iterable[Batch],
    stop: Callable[[], object] | None = None,
) -> Iterator[tuple[int, Result]]:
    """Carry out batches by several equivalent functions, each in a thread of its own.

    At the end, or when the iterator is closed, `stop` is called and the threads are joined.
    """
    tasks: SimpleQueue[tuple[int, Batch] | None] = SimpleQueue()
    done: SimpleQueue[tuple[int, Result | None, BaseException | None]] = SimpleQueue()
    stopping = threading.Event()

    def work(call: Call[Result]) -> None:
        while (task := tasks.get()) is not None and not stopping.is_set():
            number, batch = task
            try:
                done.put((number, call(batch), None))
            except BaseException as error:  # it is raised where the result is awaited
                done.put((number, None, error))

    threads = [threading.Thread(target=work, args=(call,), daemon=True) for call in calls]
    for thread in threads:
        thread.start()
    numbered = enumerate(batches)
    waiting = 0
    try:
        while True:
            while waiting < 2 * len(calls) and (task := next(numbered, None)) is not None:
                tasks.put(task)
                waiting += 1
            if not waiting:
                return
            try:
                number, result, error = done.get(timeout=_HEARING)
            except Empty:
                continue
            waiting -= 1
            if error is not None:
                raise error
            yield number, cast("Result", result)
    finally:
        stopping.set()
        for _ in threads:
            tasks.put(None)
        if stop is not None:
            stop()
        for thread in threads:
            thread.join()

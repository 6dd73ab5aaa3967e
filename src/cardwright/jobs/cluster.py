"""Batches carried out by a dask cluster: on this machine, or on many."""

from __future__ import annotations

import itertools
import logging
import signal
import time
import uuid
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import resource_tracker
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, TypeVar

from cardwright.extras import absent, advice
from cardwright.jobs.executor import (
    DEATHS,
    Batch,
    Call,
    ExecutorError,
    Result,
    WorkerError,
    processors,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from distributed import Client, Future, LocalCluster

Value = TypeVar("Value")

_PATIENCE = 30
"""Seconds to wait for a scheduler's answer, and for a worker while there is none."""

_CHECK_EVERY = 5
"""Seconds without a result after which the scheduler is asked whether it has workers."""


@dataclass(frozen=True)
class DaskExecutor:
    """Carries out batches by `dask.distributed`.

    `scheduler` is the address of one that is running, such as `tcp://host:8786`; without it, a
    scheduler and `count` worker processes are started on this machine for the duration of the run.
    Workers need the same Cardwright, and game and player files at the same paths. dask replaces
    workers that die and carries out their batches again; the run stops when its scheduler gives up:
    on this machine after three deaths, elsewhere after as many as its `allowed-failures` says.
    """

    scheduler: str | None = None
    count: int | None = None

    def __post_init__(self) -> None:
        """Raise ExecutorError without dask: before a folder is made for what cannot be played."""
        if absent("distributed"):
            raise ExecutorError(f"a cluster needs dask.distributed; {advice('cluster')}")

    @property
    def workers(self) -> int:
        """How many batches are carried out at a time; a guess for a remote scheduler."""
        return self.count or processors()

    def run(self, function: Call[Result], batches: Iterable[Batch]) -> Iterator[tuple[int, Result]]:
        """Yield results as workers complete them.

        Raises ExecutorError if the scheduler is lost, or has had no worker for some time.
        """
        with self._client() as client:
            try:
                yield from _carried_out(client, function, batches)
            except _LostError as error:
                trouble, remedy = f"was lost ({error})", "a scheduler is running again"
            except _NoWorkerError:
                trouble = f"has had no worker for {_PATIENCE:g} seconds: all have ended"
                remedy = "it has workers again"
            else:
                return
        where = f" {self.scheduler}" if self.scheduler else ""
        raise ExecutorError(
            f"the dask scheduler{where} {trouble}. What was finished before is kept, if there is a "
            f"folder: once {remedy}, continue with --resume, or `resume=True` from Python"
        )

    @contextmanager
    def _client(self) -> Iterator[Client]:
        """Connect to the cluster, or start one."""
        import dask
        from distributed import Client, LocalCluster

        with ExitStack() as stack:
            stack.enter_context(_without_logs())
            try:
                address: Any = self.scheduler
                if address is None:
                    settings = {"distributed.scheduler.allowed-failures": DEATHS - 1}
                    stack.enter_context(dask.config.set(settings))
                    with _ignoring_interrupts():
                        local = LocalCluster(
                            n_workers=self.workers,
                            threads_per_worker=1,
                            dashboard_address="127.0.0.1:0",
                            silence_logs=logging.CRITICAL,
                        )
                    address = local
                    stack.callback(_close, local)
                client = stack.enter_context(Client(address, timeout=_PATIENCE))
                client.wait_for_workers(1, timeout=_PATIENCE)
            except (OSError, RuntimeError, ValueError) as error:
                raise ExecutorError(self._trouble(error)) from None
            yield client

    def _trouble(self, error: Exception) -> str:
        said = str(error) or type(error).__name__
        if self.scheduler is not None:
            return f"the dask scheduler {self.scheduler} cannot be used: {said}"
        return (
            f"no dask cluster can be started here: {said}; in a script, it must be started under "
            '`if __name__ == "__main__":`'
        )


def _close(local: LocalCluster) -> None:
    """Close a cluster; dask fails to where it is just about to replace a worker that has died."""
    with suppress(AssertionError):
        local.close()


class _LostError(Exception):
    """The scheduler no longer answers."""


class _NoWorkerError(Exception):
    """The scheduler answers, but nobody carries out what it is given."""


@contextmanager
def _without_logs() -> Iterator[None]:
    """Keep dask's client from logging the traceback of a lost connection: our message says it."""
    logger = logging.getLogger("distributed.client")
    before = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(before)


@contextmanager
def _requesting() -> Iterator[None]:
    """Raise _LostError if a request finds that the scheduler is gone."""
    from distributed.client import FutureCancelledError

    try:
        yield
    except (FutureCancelledError, OSError, RuntimeError) as error:
        raise _LostError((str(error) or type(error).__name__).splitlines()[0]) from None


@contextmanager
def _ignoring_interrupts() -> Iterator[None]:
    """Make threads and processes that are started meanwhile ignore Ctrl-C, where that is possible.

    Only the thread that waits for results handles it: workers would just die noisily.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # the signal is unblocked again once it is started
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _carried_out(
    client: Client, function: Call[Result], batches: Iterable[Batch]
) -> Iterator[tuple[int, Result]]:
    from distributed import KilledWorker
    from distributed.client import FutureCancelledError

    job = uuid.uuid4().hex
    numbered = enumerate(batches)
    tasks: dict[Future[Any], tuple[int, Batch]] = {}
    completed: SimpleQueue[Future[Any]] = SimpleQueue()
    try:
        while True:
            # No batch is queued at a worker: when one dies, dask blames all batches it held.
            with _requesting():
                room = max(1, sum(client.nthreads().values())) - len(tasks)
            for number, batch in itertools.islice(numbered, max(0, room)):
                key = f"cardwright-{job}-{number}"
                with _requesting():
                    future = client.submit(function, batch, key=key)
                    future.add_done_callback(completed.put)
                tasks[future] = number, batch
            if not tasks:
                return
            future = _awaited(client, lambda seconds: completed.get(timeout=seconds))
            number, batch = tasks.pop(future)
            try:
                result = _fetched(client, future)
            except KilledWorker as error:
                raise WorkerError(batch, f"was at {error.last_worker.address}") from None
            except FutureCancelledError as error:
                raise _LostError(error.reason) from None
            future.release()
            yield number, result
    finally:
        with suppress(_LostError), _requesting():
            client.cancel(list(tasks), force=True)


def _awaited(client: Client, wait: Callable[[float], Value]) -> Value:
    """Return what `wait` brings within some seconds or raises Empty, again and again.

    Raises _NoWorkerError where that is for want of workers: dask itself would wait for ever.
    """
    last_alive = time.monotonic()
    while True:
        try:
            return wait(min(_CHECK_EVERY, _PATIENCE))
        except Empty:
            with _requesting():
                alive = client.nthreads()
        if alive:
            last_alive = time.monotonic()
        elif time.monotonic() - last_alive >= _PATIENCE:
            raise _NoWorkerError


def _fetched(client: Client, future: Future[Any]) -> Any:
    """Return the result of a batch that is done; it is played again if its worker has ended since.

    Each try has twice the time of the one before, as a large result may take long to come.
    """
    limits = (_PATIENCE * 2**tries for tries in itertools.count())

    def fetch(_: float) -> Any:
        try:
            return future.result(timeout=next(limits))
        except TimeoutError:
            if future.status == "error":  # the batch itself has raised it
                raise
            raise Empty from None

    return _awaited(client, fetch)

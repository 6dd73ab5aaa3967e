"""Batches carried out by processes of this machine, which may die without harm.

A worker is a new interpreter that runs `worker` and speaks through its standard input and output.
The modules `multiprocessing` and `concurrent.futures` would not do: with them a script has to be
guarded by `if __name__ == "__main__"`, and one worker that dies takes all batches with it.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, cast

from cardwright.jobs.executor import DEATHS, Batch, Call, Result, WorkerError, crew
from cardwright.jobs.long_steps import report_steps
from cardwright.jobs.worker import Report, receive, send
from cardwright.sandbox.allowance import WORKER
from cardwright.sandbox.errors import how_it_ended

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_START = "import sys; sys.path[:] = {path!r}; from cardwright.jobs.worker import main; main()"
_SECONDS_TO_END = 2.0
"""Seconds that a worker may take to end by itself."""


@dataclass(frozen=True)
class ProcessExecutor:
    """Carries out batches in several processes; function and results must be picklable.

    A worker that dies is replaced and its batch carried out again; a batch over which three died
    stops the run with a WorkerError. Workers do not receive the terminal's Ctrl-C, and end when
    this process does.
    """

    workers: int

    def run(self, function: Call[Result], batches: Iterable[Batch]) -> Iterator[tuple[int, Result]]:
        """Yield results as processes complete them."""
        with LastingProcesses(self.workers) as processes:
            yield from processes.run(function, batches)


class LastingProcesses:
    """Carries out the batches of one job after another in processes that stay: use it with `with`.

    Each job would otherwise wait for new processes to start. In all else it is like
    `ProcessExecutor`; those that are at work when a job is given up are replaced.
    """

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self._children: list[_Child[Any]] = [_Child(number) for number in range(workers)]

    def run(self, function: Call[Result], batches: Iterable[Batch]) -> Iterator[tuple[int, Result]]:
        """Yield results as processes complete them."""
        for child in self._children:
            child.take(function)

        def stop() -> None:
            for child in self._children:
                child.stop(busy=True)

        yield from crew(self._children, batches, stop)

    def close(self) -> None:
        """End all processes."""
        for child in self._children:
            child.stop()
        for child in self._children:
            child.reap()

    def __enter__(self) -> LastingProcesses:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()


class _DiedError(Exception):
    """A worker process that has ended; the message says how."""


class _Child(Generic[Result]):
    """A worker process as seen from here: a function that starts it when it is needed."""

    def __init__(self, number: int) -> None:
        self._function: Call[Result] | None = None
        self._number = number
        self._told = False
        self._busy = False
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()
        self._stopped = False

    def __call__(self, batch: Batch) -> Result:
        """Return the function's result for a batch, from a process that survived it."""
        last = ""
        self._busy = True
        for _ in range(DEATHS):
            try:
                result, error = self._ask(batch)
            except _DiedError as died:
                last = str(died)
                continue
            self._busy = False
            if error is not None:
                raise error
            return cast("Result", result)
        raise WorkerError(batch, last)

    def take(self, function: Call[Result]) -> None:
        """Carry out the next batches by another function; none may be under way."""
        self._function = function
        self._told = self._stopped = self._busy = False

    def _ask(self, batch: Batch) -> Any:
        process = self._started()
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            if not self._told:
                send(process.stdin, self._function)
                self._told = True
            send(process.stdin, batch)
            while isinstance(message := receive(process.stdout), Report):
                report_steps(id(self), message.steps)
            return message
        except (OSError, EOFError):
            raise _DiedError(self._reaped(process)) from None
        finally:
            report_steps(id(self), ())

    def _started(self) -> subprocess.Popen[bytes]:
        """Return the process, a new one if there is none."""
        with self._lock:
            if self._stopped:
                raise _DiedError("was not started again")
            if self._process is not None:
                return self._process
            process = self._process = started_worker(**{WORKER: str(self._number)})
            self._told = False
        return process

    def _reaped(self, process: subprocess.Popen[bytes]) -> str:
        """Wait for a process that no longer answers, and say how it ended."""
        with self._lock:
            self._process = None
            return end_of_worker(process)

    def stop(self, *, busy: bool = False) -> None:
        """End the process, if only one that is `busy`, and begin nothing before the next job."""
        with self._lock:
            self._stopped = True
            if self._process is not None and (self._busy or not busy):
                self._process.kill()  # the thread that waits for it sees the end of its pipe

    def reap(self) -> None:
        """Release what belongs to the process, if that has not been done."""
        if self._process is not None:
            self._reaped(self._process)


def started_worker(**environment: str) -> subprocess.Popen[bytes]:
    """Start a process that runs `worker`, with more in its environment, in a group of its own."""
    return subprocess.Popen(
        [sys.executable, "-c", _START.format(path=sys.path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        process_group=0 if os.name == "posix" else None,
        env={**os.environ, **environment},
    )


def end_of_worker(process: subprocess.Popen[bytes]) -> str:
    """Wait for a worker that no longer answers, release its pipes, and say how it ended."""
    try:
        code = process.wait(_SECONDS_TO_END)
    except subprocess.TimeoutExpired:
        process.kill()
        code = process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            try:
                pipe.close()
            except OSError:
                continue  # nobody would read what was not written
    return how_it_ended(code)

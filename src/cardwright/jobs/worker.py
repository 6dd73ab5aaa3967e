"""The other side of `processes`: a process that carries out tasks and answers through pipes."""

from __future__ import annotations

import os
import pickle
import queue
import sys
import threading
import time
import traceback
from contextlib import suppress
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any

from cardwright.game.errors import CardwrightError
from cardwright.jobs.long_steps import long_steps

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.jobs.long_steps import LongStep

_BYTES = 8
"""How many bytes the length takes that begins a message."""


_REPORT = 1.0
"""Seconds between two reports of what takes long."""


@dataclass(frozen=True)
class Report:
    """A message while a task is carried out: which of its steps take long."""

    steps: tuple[LongStep, ...]


def send(pipe: IO[bytes], message: object) -> None:
    """Write a message; raises OSError if nobody reads it any more."""
    content = pickle.dumps(message)
    pipe.write(len(content).to_bytes(_BYTES, "little") + content)
    pipe.flush()


def receive(pipe: IO[bytes]) -> Any:
    """Return the next message; raises EOFError if there is none, or only a part of one."""
    return pickle.loads(_exactly(pipe, int.from_bytes(_exactly(pipe, _BYTES), "little")))


def _exactly(pipe: IO[bytes], count: int) -> bytes:
    content = pipe.read(count)
    if len(content) < count:
        raise EOFError
    return content


def main() -> None:
    """Carry out tasks until the pipe is closed: when it is, this process ends at once.

    A message that can be called is the function that carries out the tasks after it. Whatever
    players print goes to standard error, and their standard input is empty.
    """
    source, sink = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    with open(os.devnull, "rb") as nothing:  # noqa: PTH123 - a device
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
    messages: queue.SimpleQueue[Any] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(source, messages), daemon=True).start()
    speaking = threading.Lock()
    threading.Thread(target=_report, args=(sink, speaking), daemon=True).start()
    function = messages.get()
    while True:
        message = messages.get()
        if callable(message):
            function = message
            continue
        outcome = _outcome(function, message)
        sys.stdout.flush()  # what players have printed must not be lost with this process
        with speaking:
            send(sink, outcome)


def _read(source: IO[bytes], messages: queue.SimpleQueue[Any]) -> None:
    """Take in messages; when the sender is gone there is nothing left to work for."""
    try:
        while True:
            messages.put(receive(source))
    except EOFError:
        os._exit(0)
    except BaseException:  # a message that cannot be read, from another version
        traceback.print_exc(file=sys.stderr)
        os._exit(1)


def _report(sink: IO[bytes], speaking: threading.Lock) -> None:
    """Send the steps that take long, every second; nothing once there are none any more."""
    told = False
    while True:
        time.sleep(_REPORT)
        with speaking, suppress(OSError):  # nobody listens: the other thread ends this process
            steps = long_steps()
            if steps or told:
                send(sink, Report(steps))
                told = bool(steps)


def _outcome(function: Callable[[Any], Any], task: Any) -> tuple[Any, BaseException | None]:
    try:
        return function(task), None
    except BaseException as error:  # it is raised in the process that waits for the result
        return None, _portable(error)


def _portable(error: BaseException) -> BaseException:
    """Return an error that another process can unpickle, with its traceback if it is unexpected."""
    words = "".join(traceback.format_exception(error))
    if not isinstance(error, CardwrightError):
        error.add_note(f"in a worker process:\n{words}")
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:  # any error that cannot be pickled
        return RuntimeError(words)
    return error

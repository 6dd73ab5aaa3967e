"""The inside of a worker process: it answers requests through pipes, a JSON object a line.

The process ends when the server does: nobody is left to answer then, even in the middle of work.
"""

from __future__ import annotations

import json
import os
import queue
import sys
import threading
import traceback
from typing import IO, TYPE_CHECKING, Any

from cardwright.game.errors import CardwrightError, GameError
from cardwright.web.process_limits import ProcessLimits

if TYPE_CHECKING:
    from collections.abc import Callable, Generator
    from typing import TypeAlias

    Steps: TypeAlias = Generator[None, None, dict[str, Any]]
    """Work in steps that returns an answer: in between, others can have their turn."""

    Answer: TypeAlias = Callable[[dict[str, Any]], dict[str, Any] | Steps]
    Report: TypeAlias = Callable[[dict[str, Any]], None]

OUT_OF_MEMORY = 77
"""The exit code of a process that has reached its limit of memory."""


def serve(opened: Callable[[Report], Answer], arguments: list[str]) -> None:
    """Answer requests until the pipe is closed, within the limits in the arguments.

    `opened` is given what sends a line before the answer itself, and returns what answers. An error
    that an answer raises is sent as one: `{"error": {"code", "message"}}`. Whatever rules and
    players print goes to standard error, and their standard input is empty.
    """
    source, sink = _pipes()
    ProcessLimits.of_text(arguments[0]).keep()
    requests: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(source, requests), daemon=True).start()

    def send(line: dict[str, Any]) -> None:
        sink.write(json.dumps(line, ensure_ascii=False).encode() + b"\n")
        sink.flush()

    try:
        answer = opened(send)
        while True:
            send(finished(answered(answer, requests.get())))
    except (MemoryError, SystemError):
        os._exit(OUT_OF_MEMORY)  # nothing that needs memory works now, a proper end included
    except OSError:
        os._exit(0)  # the server is gone


def finished(steps: Steps) -> dict[str, Any]:
    """Take all steps, and return the answer."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            answer: dict[str, Any] = end.value
            return answer


def answered(answer: Answer, request: dict[str, Any]) -> Steps:
    """Return what a function answers, an error that it raises as an answer too."""
    try:
        found = answer(request)
        return found if isinstance(found, dict) else (yield from found)
    except (MemoryError, SystemError):  # Python has the latter, too, when there is no memory
        raise
    except GameError as error:  # its whole message has the seed
        return {"error": {"code": "rules", "message": error.for_players}}
    except CardwrightError as error:
        return {"error": {"code": "rules", "message": str(error)}}
    except RecursionError:
        message = "the rules are nested too deeply to be played"
        return {"error": {"code": "rules", "message": message}}
    except Exception as error:  # the operator sees where; people see that it is no fault of theirs
        traceback.print_exc(file=sys.stderr)
        message = f"{type(error).__name__}: {error}"
        return {"error": {"code": "failed", "message": message}}


def _pipes() -> tuple[IO[bytes], IO[bytes]]:
    """Take over the pipes from and to the server, so that nothing else reads or writes there."""
    source, sink = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    with open(os.devnull, "rb") as nothing:  # noqa: PTH123 - a device
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
    return source, sink


def _read(source: IO[bytes], requests: queue.SimpleQueue[dict[str, Any]]) -> None:
    """Take in requests; when the server is gone there is nothing left to work for."""
    try:
        for line in source:
            requests.put(json.loads(line))
    except (MemoryError, ValueError):
        os._exit(OUT_OF_MEMORY)
    os._exit(0)

"""What a sandbox's process does: confine itself, then answer requests by the runtime's function.

This file is self-contained. It is sent compiled to a bare interpreter, with `confine`, `imports`
and an order: a dictionary with all that the process has to know. Messages in both directions have
the same framing: a key of eight bytes, the length of the body as four bytes, little-endian, and the
body. A reply repeats the key of its request. The first request is empty and makes the process load
what it needs and seal itself; its reply says what failed, or nothing. The second one is the
runtime's payload, and its reply, which is empty, says that the runtime is ready.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False  # importing `typing` takes half as long as starting Python does
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

KEY, HEADER = 8, 12
"""Bytes of a key and of a message's header."""

CONFINED = b"confined"
"""Key of the one unsolicited message: what failed, or nothing."""

AT_ONCE, QUICK = 1 << 16, 1 << 12
"""Bytes read at a time, and where few are expected: a larger buffer costs time."""


def main(order: dict[str, Any], tools: dict[str, Any]) -> None:
    """Carry out an order until there are no more requests; `tools` has `confine` and `imports`.

    This process is confined first. Then trusted code is loaded, and before the payload comes, which
    nobody trusts, the process loses what only loading needs.
    """
    os.closerange(3, 1 << 16)
    if order["processor"] is not None:
        os.sched_setaffinity(0, {order["processor"]})
    requests, replies = _private_pipes()
    confine = tools["confine"]
    failures = OSError, ValueError, confine["ConfiningError"]
    try:
        confine["confine" if order["confined"] else "limit"](order)
    except failures as error:
        _send(replies, CONFINED, str(error).encode())
        return
    _send(replies, CONFINED, b"")
    key, _ = _request(requests)  # so the message above is received before anything is loaded
    sys.path += order["modules"]
    runtime: dict[str, Any] = {"__name__": "runtime"}
    exec(compile(order["runtime"], "<runtime>", "exec"), runtime)
    if order["confined"]:
        tools["imports"]["load"](order["imports"], order["modules"])
        os.closerange(max(requests, replies) + 1, 1 << 16)
        try:
            confine["seal"](order["seal"])
        except failures as error:
            _send(replies, key, str(error).encode())
            return
    _send(replies, key, b"")
    key, payload = _request(requests)
    answer = runtime["serve"](payload)
    _send(replies, key, b"")
    _answer_all(requests, replies, answer)


def _private_pipes() -> tuple[int, int]:
    """Move the pipes away from standard input and output; return their new descriptors.

    What is printed goes to standard error, and standard input is empty.
    """
    requests, replies = os.dup(0), os.dup(1)
    nothing, end = os.pipe()
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    os.close(nothing)
    os.close(end)
    sys.stdout = sys.stderr
    return requests, replies


def _answer_all(requests: int, replies: int, answer: Callable[[bytes], bytes]) -> None:
    while True:
        data = os.read(requests, QUICK)  # nearly always a whole request
        if len(data) < HEADER or len(data) - HEADER != int.from_bytes(data[KEY:HEADER], "little"):
            key, request = _request(requests, data)
        else:
            key, request = data[:KEY], data[HEADER:]
        reply = answer(request)
        data = key + len(reply).to_bytes(4, "little") + reply
        sent = os.write(replies, data)
        while sent < len(data):
            sent += os.write(replies, data[sent:])


def _request(requests: int, data: bytes = b"") -> tuple[bytes, bytes]:
    """Return the key and the body of the next request; there is no other before its reply.

    `data` is what has been read of it so far.
    """
    data = data or _some(requests)
    while len(data) < HEADER:
        data += _some(requests)
    left = HEADER + int.from_bytes(data[KEY:HEADER], "little") - len(data)
    if left:
        data += _rest(requests, left)
    return data[:KEY], data[HEADER:]


def _rest(requests: int, left: int) -> bytes:
    parts = []
    while left:
        part = _some(requests)
        parts.append(part)
        left -= len(part)
    return b"".join(parts)


def _some(requests: int) -> bytes:
    """Return what there is to read; exits at the end of the conversation."""
    data = os.read(requests, AT_ONCE)
    if not data:
        sys.exit()
    return data


def _send(replies: int, key: bytes, message: bytes) -> None:
    data = key + len(message).to_bytes(4, "little") + message
    sent = os.write(replies, data)
    while sent < len(data):
        sent += os.write(replies, data[sent:])

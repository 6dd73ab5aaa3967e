"""What a sandbox's process does: confine itself, then answer requests by a function of the guest.

This file stands alone. It is sent compiled to an interpreter that has nothing else, together with
`confine` and an order: a dictionary with all that the process has to know. Messages in both
directions are framed alike: a key of eight bytes, the length of what follows as four bytes with the
lowest first, and so many bytes. A reply repeats the key of its request. The first request is the
guest's payload, and its reply, which is empty, says that the guest is ready.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False  # importing `typing` takes half as long as starting Python does
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

KEY, HEADER = 8, 12
"""Bytes of a key and of a message's head."""

CONFINED = b"confined"
"""Key of the one message that is sent unasked: what failed, or nothing."""

AT_ONCE, QUICK = 1 << 16, 1 << 12
"""Bytes read at a time, and where few are expected: room for more costs time."""


def main(order: dict[str, Any], tools: dict[str, Any]) -> None:
    """Do what an order says until there are no more requests; `tools` is the module `confine`.

    Nothing of the guest or of what it runs is touched before this process is confined.
    """
    os.closerange(3, 1 << 16)
    if order["processor"] is not None:
        os.sched_setaffinity(0, {order["processor"]})
    requests, replies = _private_pipes()
    try:
        tools["confine" if order["confined"] else "limit"](order)
    except (OSError, ValueError, tools["ConfiningError"]) as error:
        _send(replies, CONFINED, str(error).encode())
        return
    _send(replies, CONFINED, b"")
    key, payload = _request(requests)  # so the message above is heard before anything runs
    sys.path += order["modules"]
    guest: dict[str, Any] = {"__name__": "guest"}
    exec(compile(order["guest"], "<guest>", "exec"), guest)
    answer = guest["serve"](payload)
    _send(replies, key, b"")
    _answer_all(requests, replies, answer)


def _private_pipes() -> tuple[int, int]:
    """Move the pipes away from where programs read and print; return their new numbers.

    What is printed goes where errors go, and there is nothing to be read.
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
    """Return the key and the body of the next request; nothing follows it before its reply.

    `data` is what has been read of it.
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
    """Return what there is to read; without an end of the conversation it is something."""
    data = os.read(requests, AT_ONCE)
    if not data:
        sys.exit()
    return data


def _send(replies: int, key: bytes, message: bytes) -> None:
    data = key + len(message).to_bytes(4, "little") + message
    sent = os.write(replies, data)
    while sent < len(data):
        sent += os.write(replies, data[sent:])

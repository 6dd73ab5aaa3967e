"""A process in which nobody's program runs, and the conversation with it."""

from __future__ import annotations

import os
import select
import struct
import time
from typing import TYPE_CHECKING

from cardwright.jail.allowance import ProcessorTime, WallTime, without_clock
from cardwright.jail.child import CONFINED, HEADER, KEY
from cardwright.jail.errors import (
    ConfineError,
    GoneError,
    LateError,
    NonsenseError,
    SandboxError,
    printable,
)
from cardwright.jail.limits import JailLimits
from cardwright.jail.process import JailProcess

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import TracebackType

    from cardwright.jail.allowance import Allowance
    from cardwright.jail.level import JailLevel

START_SECONDS = 20.0
"""How long a sandbox may take until it can be asked, by default: importing pandas takes one."""

_CONFINE_SECONDS = 60.0
"""How long the jail itself may take to be built: some 30 milliseconds, on a busy machine more."""

_AT_ONCE = 1 << 16
_QUICK = 1 << 12
"""Bytes that are read where few are expected: room for more costs time even if it stays empty."""

_HEAD = struct.Struct("<8sI")


class Sandbox:
    """Runs a guest in a process of its own, and asks it.

    `guest` is the source of a module of *ours* that defines `serve(payload) -> (request ->
    reply)`, all bytes; it is run inside, after the process is confined, and may run there what
    nobody trusts. Whatever comes back may be that program's and not the guest's.

    To make one waits until `serve` has returned, for `start_seconds` at most. It raises an
    InmateError like `ask`, a ConfineError if the jail cannot be built. With a `processor` it runs
    on that one alone. A sandbox must be closed, or used by `with`; it ends in any case when this
    process does. It is for one thread at a time.
    """

    last_ns: int = 0
    """Nanoseconds that the last request took until it was answered or had failed."""

    used_ns: int | None = None
    """Processor time of the sandbox in them, and since the request before; None if not known.

    It is measured from outside, and only if the request was made by `compute`.
    """

    def __init__(
        self,
        guest: bytes,
        payload: bytes,
        level: JailLevel,
        limits: JailLimits | None = None,
        name: str = "inmate",
        *,
        start_seconds: float = START_SECONDS,
        processor: int | None = None,
    ) -> None:
        self.name = name
        self.level = level
        self.limits = limits or JailLimits()
        self._printed = bytearray()
        self._end: SandboxError | None = None
        self._keys = _keys()
        self._cell = cell = JailProcess(level)
        try:
            order = cell.order(self.limits, processor, guest)
            cell.open(len(order))
            self._watch = select.poll()
            self._watch.register(cell.replies, select.POLLIN)
            self._watch.register(cell.errors, select.POLLIN)
            self._confine(order)
            self._exchange(payload, WallTime(start_seconds))
            clock = cell.clock
            self._used = 0 if clock is None else clock()
        except BaseException as error:
            self._fail(error)
            raise

    def ask(self, request: bytes, seconds: float) -> bytes:
        """Return the reply to a request, which must come within so many seconds.

        Raises LateError, GoneError or NonsenseError, after which the sandbox is dead: it raises the
        same error whenever it is asked again.
        """
        return self._ask(request, WallTime(seconds))

    def compute(self, request: bytes, seconds: float) -> bytes:
        """Return the reply to a request that may take so many seconds of processor time.

        What the sandbox has computed unasked, since its last reply, counts as well. However little
        it computes, it is late after `allowance.CEILING` seconds and `allowance.STRETCH` times what
        it has used. Otherwise this is as `ask`.
        """
        clock = self._cell.clock
        if clock is None:
            self.used_ns = None
            return self._ask(request, without_clock(seconds))
        try:
            return self._ask(request, ProcessorTime(clock, self._used, seconds))
        finally:
            before, self._used = self._used, clock()
            self.used_ns = self._used - before

    def _ask(self, request: bytes, allowance: Allowance) -> bytes:
        begun = time.perf_counter_ns()
        if self._end is not None:
            raise self._end
        try:
            return self._exchange(request, allowance)
        except BaseException as error:  # an interrupt too leaves a reply that nobody waits for
            self._fail(error)
            raise
        finally:
            self.last_ns = time.perf_counter_ns() - begun

    def _exchange(self, request: bytes, allowance: Allowance) -> bytes:
        """Send a request and return its reply: nearly always it takes one call for each step."""
        key = next(self._keys)
        self._send(_HEAD.pack(key, len(request)) + request, allowance)
        received = b""
        ready = self._watch.poll(1000 * max(allowance.left(), 0))
        if len(ready) == 1 and ready[0][0] == self._cell.replies:
            received = os.read(self._cell.replies, _QUICK)
            length = len(received) - HEADER
            if length >= 0 and received[:HEADER] == key + length.to_bytes(4, "little"):
                return received[HEADER:]
            if not received:
                raise self._gone()
        return self._receive(key, allowance, received)

    @property
    def pid(self) -> int:
        """The number of the process, or behind walls of their process 1, which is its parent."""
        return self._cell.pid

    @property
    def printed(self) -> str:
        """The end of what the sandbox has printed so far, fit for a terminal."""
        if self._end is None:
            self._drain_all()
        return printable(bytes(self._printed))

    def close(self) -> None:
        """Kill the process and all that belongs to it; nothing is left of it. May be repeated."""
        if self._end is None:
            self._end = GoneError("was closed")
        self._cell.close()

    def __enter__(self) -> Sandbox:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __del__(self) -> None:
        if hasattr(self, "_cell"):
            self.close()

    def _confine(self, order: bytes) -> None:
        """Send the order, and hear that all was given up; until then what speaks is ours."""
        allowance = WallTime(_CONFINE_SECONDS)
        try:
            self._send(order, allowance)
            failed = self._receive(CONFINED, allowance)
        except SandboxError as error:
            what = printable(bytes(self._printed)).strip()
            raise ConfineError(what or error.reason, error.output) from None
        if failed:
            raise ConfineError(failed.decode("utf-8", "replace"))
        self._cell.confined()

    def _send(self, data: bytes, allowance: Allowance) -> None:
        try:
            sent = os.write(self._cell.requests, data)
            if sent < len(data):
                self._send_rest(data[sent:], allowance)
        except BlockingIOError:
            self._send_rest(data, allowance)
        except BrokenPipeError:
            raise self._gone() from None

    def _send_rest(self, data: bytes, allowance: Allowance) -> None:
        """Send what does not fit into the pipe; what is printed meanwhile must not stop it."""
        watch = select.poll()
        watch.register(self._cell.requests, select.POLLOUT)
        watch.register(self._cell.errors, select.POLLIN)
        while data:
            left = allowance.left()
            for file, _ in watch.poll(1000 * max(left, 0)):
                if file == self._cell.errors:
                    self._drain(watch)
                else:
                    data = data[os.write(file, data[:_AT_ONCE]) :]
            if left <= 0 and data:
                raise self._late()

    def _receive(self, key: bytes, allowance: Allowance, received: bytes = b"") -> bytes:
        """Return what follows a key; take no more from the pipe than a reply may be long.

        `received` is what has been read of it.
        """
        if received and self._complete(received, key):
            return received[HEADER:]
        while True:
            left = allowance.left()
            ready = self._watch.poll(1000 * max(left, 0))
            for file, _ in ready:
                if file == self._cell.errors:
                    self._drain(self._watch)
                    continue
                part = os.read(file, _AT_ONCE)
                if not part:
                    raise self._gone()
                received += part
                if self._complete(received, key):
                    return received[HEADER:]
            if left <= 0:
                raise self._late()

    def _complete(self, received: bytes, key: bytes) -> bool:
        """Say whether a reply has come in full; raises NonsenseError if it never can."""
        if not received.startswith(key) and not key.startswith(received):
            raise self._nonsense("answered something that it was not asked, or twice")
        if len(received) < HEADER:
            return False
        length = int.from_bytes(received[KEY:HEADER], "little")
        if length > self.limits.reply:
            raise self._nonsense(
                f"answered with {length} bytes; {self.limits.reply} are the most that may be"
            )
        if len(received) > HEADER + length:
            raise self._nonsense("answered more than once, or more than it had announced")
        return len(received) == HEADER + length

    def _drain(self, watch: select.poll) -> None:
        """Keep the end of what was printed; a full pipe would stop whoever prints."""
        part = os.read(self._cell.errors, _AT_ONCE)
        if not part:
            watch.unregister(self._cell.errors)
        self._printed += part
        del self._printed[: -self.limits.output or None]

    def _drain_all(self) -> None:
        """Take what is still in the pipe, of which no more than it holds can be new."""
        watch = select.poll()
        watch.register(self._cell.errors, select.POLLIN)
        for _ in range(1 + self.limits.output // _AT_ONCE):
            part = os.read(self._cell.errors, _AT_ONCE) if watch.poll(0) else b""
            if not part:
                break
            self._printed += part
        del self._printed[: -self.limits.output or None]

    def _late(self) -> LateError:
        return LateError("did not answer in time", self.printed)

    def _nonsense(self, reason: str) -> NonsenseError:
        return NonsenseError(reason, self.printed)

    def _gone(self) -> GoneError:
        reason = self._cell.ended()
        self._drain_all()
        return GoneError(reason, self.printed)

    def _fail(self, error: BaseException) -> None:
        if isinstance(error, SandboxError):
            self._end = error
        self.close()


def _keys() -> Iterator[bytes]:
    """Yield keys that nobody can know before the request; a reply in advance has the wrong one."""
    while True:
        several = os.urandom(KEY * 256)
        for at in range(0, len(several), KEY):
            yield several[at : at + KEY]

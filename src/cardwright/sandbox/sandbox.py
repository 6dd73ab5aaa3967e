"""A process that runs an untrusted program, and the communication with it."""

from __future__ import annotations

import os
import random
import select
import struct
import time
from typing import TYPE_CHECKING

from cardwright.sandbox.allowance import ProcessorTime, Sleep, WallTime, without_clock
from cardwright.sandbox.child import CONFINED, HEADER, KEY
from cardwright.sandbox.errors import (
    ConfineError,
    GoneError,
    LateError,
    NonsenseError,
    SandboxError,
    printable,
)
from cardwright.sandbox.limits import SandboxLimits
from cardwright.sandbox.process import SandboxProcess

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cardwright.sandbox.allowance import Allowance
    from cardwright.sandbox.limits import SandboxLevel

START_SECONDS = 20.0
"""Seconds until a sandbox must be ready, by default."""

_CONFINE_SECONDS = 60.0
"""Seconds that building the sandbox itself may take: some 30 ms, more on a busy machine."""

_LOAD_SECONDS = 60.0
"""Seconds that loading the runtime and all imports may take: importing pandas takes one."""

_AT_ONCE = 1 << 16
_QUICK = 1 << 12
"""Bytes read where few are expected: a larger buffer costs time even if it stays empty."""

_APART = 3.0
"""The most milliseconds that pass after a sandbox has sent something that is no whole answer.

Waits of `poll` are whole milliseconds, so that one would not be random.
"""

_HEAD = struct.Struct("<8sI")


class Sandbox:
    """Runs a runtime in a process of its own, and sends it requests.

    `runtime` is the source of a *trusted* module that defines `serve(payload) -> (request ->
    reply)`, all bytes; it runs inside, after the process is confined, and `serve` may run untrusted
    code there. Any reply may come from that code and not from the runtime. From level 2 on no file
    can be opened once `serve` is called: what can be imported then is what the runtime has
    imported, and with `imports` these modules, with all that they may need, and the standard
    library.

    The constructor waits until `serve` has returned, for `start_seconds` at most. It raises a
    SandboxError like `ask`, and a ConfineError if the sandbox cannot be built. With a `processor`
    it runs on that one alone. A sandbox must be closed, or used in a `with` block; it ends in any
    case when this process does. It is for one thread at a time.
    """

    last_ns: int = 0
    """Nanoseconds until the last request was answered or had failed."""

    used_ns: int | None = None
    """Its processor time for the last request and since the one before, in ns; None if unknown.

    It is measured from outside, and only for requests made by `compute`.
    """

    slept_ns: int = 0
    """Nanoseconds for which it was found asleep during the last request; see `compute`."""

    overslept: bool = False
    """Whether that was longer than it was allowed to."""

    def __init__(
        self,
        runtime: bytes,
        payload: bytes,
        level: SandboxLevel,
        limits: SandboxLimits | None = None,
        name: str = "sandbox",
        *,
        start_seconds: float = START_SECONDS,
        processor: int | None = None,
        imports: Sequence[str] = (),
    ) -> None:
        self.name = name
        self.level = level
        self.limits = limits or SandboxLimits()
        self._printed = bytearray()
        self._end: SandboxError | None = None
        self._keys = _keys()
        self._process = process = SandboxProcess(level)
        try:
            order = process.order(self.limits, processor, runtime, imports)
            process.open(len(order))
            self._watch = select.poll()
            self._watch.register(process.replies, select.POLLIN)
            self._watch.register(process.errors, select.POLLIN)
            self._answers = select.poll()
            self._answers.register(process.replies, select.POLLIN)
            self._confine(order)
            self._load()
            self._exchange(payload, WallTime(start_seconds))
            clock = process.clock
            self._used = 0 if clock is None else clock()
        except BaseException as error:
            self._fail(error)
            raise

    def ask(self, request: bytes, seconds: float) -> bytes:
        """Return the reply to a request, which must come within `seconds` of wall-clock time.

        Raises LateError, GoneError or NonsenseError, after which the sandbox is dead: any further
        request raises the same error.
        """
        return self._ask(request, WallTime(seconds))

    def compute(self, request: bytes, seconds: float, sleep: float | None = None) -> bytes:
        """Return the reply to a request that may take `seconds` of processor time.

        What the sandbox has computed since its last reply counts as well. It may `sleep` for so
        many seconds in the meantime, where the system says when a process sleeps. Otherwise, and
        with None, it is late after `allowance.CEILING` seconds plus `allowance.STRETCH` times what
        it has used, however little it computes. Otherwise this is like `ask`.
        """
        clock = self._process.clock
        self.slept_ns, self.overslept = 0, False
        if clock is None:
            self.used_ns = None
            return self._ask(request, without_clock(seconds))
        limit = None
        if sleep is not None and self._process.asleep is not None:
            limit = Sleep(self._owes_asleep, sleep)
        try:
            return self._ask(request, ProcessorTime(clock, self._used, seconds, sleep=limit))
        finally:
            before, self._used = self._used, clock()
            self.used_ns = self._used - before
            if limit is not None:
                self.slept_ns, self.overslept = limit.spent_ns, limit.spent

    def _owes_asleep(self) -> bool:
        """Say whether the process sleeps though it owes an answer.

        It also sleeps when it has answered: so whether there is an answer is found out afterwards.
        """
        asleep = self._process.asleep
        return asleep is not None and asleep() and not self._answers.poll(0)

    def _ask(self, request: bytes, allowance: Allowance) -> bytes:
        begun = time.perf_counter_ns()
        if self._end is not None:
            raise self._end
        try:
            return self._exchange(request, allowance)
        except BaseException as error:  # an interrupt too leaves a reply that is not waited for
            self._fail(error)
            raise
        finally:
            self.last_ns = time.perf_counter_ns() - begun

    def _exchange(self, request: bytes, allowance: Allowance) -> bytes:
        """Send a request and return its reply: each step nearly always takes a single call."""
        key = next(self._keys)
        self._send(_HEAD.pack(key, len(request)) + request, allowance)
        received = b""
        ready = self._watch.poll(1000 * max(allowance.left(), 0))
        if len(ready) == 1 and ready[0][0] == self._process.replies:
            received = os.read(self._process.replies, _QUICK)
            length = len(received) - HEADER
            if length >= 0 and received[:HEADER] == key + length.to_bytes(4, "little"):
                return received[HEADER:]
            if not received:
                raise self._gone()
        return self._receive(key, allowance, received)

    @property
    def pid(self) -> int:
        """The id of the process, or with bubblewrap of process 1 inside, which is its parent."""
        return self._process.pid

    @property
    def printed(self) -> str:
        """The end of what the sandbox has printed so far, safe for a terminal."""
        if self._end is None:
            self._drain_all()
        return printable(bytes(self._printed))

    def close(self) -> None:
        """Kill the process and release all its resources. May be repeated."""
        if self._end is None:
            self._end = GoneError("was closed")
        self._process.close()

    def __enter__(self) -> Sandbox:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def __del__(self) -> None:
        if hasattr(self, "_process"):
            self.close()

    def _confine(self, order: bytes) -> None:
        """Send the order and wait until the process is confined; until then its code is trusted."""
        allowance = WallTime(_CONFINE_SECONDS)
        try:
            self._send(order, allowance)
            failed = self._receive(CONFINED, allowance)
        except SandboxError as error:
            what = printable(bytes(self._printed)).strip()
            raise ConfineError(what or error.reason, error.output) from None
        if failed:
            raise ConfineError(failed.decode("utf-8", "replace"))
        self._process.confined()

    def _load(self) -> None:
        """Wait until the runtime is loaded and the sandbox sealed, still by trusted code alone.

        A process that ends in the meantime has too little memory, most likely; that is no
        ConfineError.
        """
        failed = self._exchange(b"", WallTime(_LOAD_SECONDS))
        if failed:
            raise ConfineError(failed.decode("utf-8", "replace"))

    def _send(self, data: bytes, allowance: Allowance) -> None:
        try:
            sent = os.write(self._process.requests, data)
            if sent < len(data):
                self._send_rest(data[sent:], allowance)
        except BlockingIOError:
            self._send_rest(data, allowance)
        except BrokenPipeError:
            raise self._gone() from None

    def _send_rest(self, data: bytes, allowance: Allowance) -> None:
        """Send what does not fit into the pipe, draining what is printed in the meantime."""
        watch = select.poll()
        watch.register(self._process.requests, select.POLLOUT)
        watch.register(self._process.errors, select.POLLIN)
        while data:
            left = allowance.left()
            for file, _ in watch.poll(1000 * max(left, 0)):
                if file == self._process.errors:
                    self._drain(watch)
                else:
                    data = data[os.write(file, data[:_AT_ONCE]) :]
            if left <= 0 and data:
                raise self._late()

    def _receive(self, key: bytes, allowance: Allowance, received: bytes = b"") -> bytes:
        """Return the body of a reply; take no more from the pipe than a reply may have.

        `received` is what has been read of it so far.
        """
        if received and self._complete(received, key):
            return received[HEADER:]
        while True:
            left = allowance.left()
            ready = self._watch.poll(1000 * max(left, 0))
            for file, _ in ready:
                if file == self._process.errors:
                    self._drain(self._watch)
                    # Not to be woken by it each time that it is looked at: see `allowance.Sleep`.
                    self._answers.poll(random.uniform(0, _APART))
                    continue
                part = os.read(file, _AT_ONCE)
                if not part:
                    raise self._gone()
                received += part
                if self._complete(received, key):
                    return received[HEADER:]
                time.sleep(random.uniform(0, _APART) / 1000)  # for the same reason
            if left <= 0:
                raise self._late()

    def _complete(self, received: bytes, key: bytes) -> bool:
        """Say whether a reply is complete; raises NonsenseError if it never can be."""
        if not received.startswith(key) and not key.startswith(received):
            raise self._nonsense("answered another request, or twice")
        if len(received) < HEADER:
            return False
        length = int.from_bytes(received[KEY:HEADER], "little")
        if length > self.limits.reply:
            raise self._nonsense(f"answered with {length} bytes; the limit is {self.limits.reply}")
        if len(received) > HEADER + length:
            raise self._nonsense("answered more than once, or more than it had announced")
        return len(received) == HEADER + length

    def _drain(self, watch: select.poll) -> None:
        """Keep the end of what was printed; a full pipe would block the process."""
        part = os.read(self._process.errors, _AT_ONCE)
        if not part:
            watch.unregister(self._process.errors)
        self._printed += part
        del self._printed[: -self.limits.output or None]

    def _drain_all(self) -> None:
        """Read what is still in the pipe, no more than a full pipe holds."""
        watch = select.poll()
        watch.register(self._process.errors, select.POLLIN)
        for _ in range(1 + self.limits.output // _AT_ONCE):
            if watch.poll(0):
                self._drain(watch)

    def _late(self) -> LateError:
        return LateError("did not answer in time", self.printed)

    def _nonsense(self, reason: str) -> NonsenseError:
        return NonsenseError(reason, self.printed)

    def _gone(self) -> GoneError:
        reason = self._process.ended()
        self._drain_all()
        return GoneError(reason, self.printed)

    def _fail(self, error: BaseException) -> None:
        if isinstance(error, SandboxError):
            self._end = error
        self.close()


def _keys() -> Iterator[bytes]:
    """Yield unpredictable keys, so that a reply sent before its request has the wrong one."""
    while True:
        several = os.urandom(KEY * 256)
        for at in range(0, len(several), KEY):
            yield several[at : at + KEY]

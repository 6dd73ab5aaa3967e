"""A bot's side of the pipe: one bot at several tables gets news and questions as bytes.

This file runs inside a jail, beside the bot, together with `bot_runtime` and `seen`. There the bot
can tamper with it in any way: the caller must check what comes out of it.
"""

from __future__ import annotations

import marshal
import struct
import time

from cardwright.league.bot_runtime import BotMistake, BotRuntime
from cardwright.league.seen import take_up

TYPE_CHECKING = False  # importing `typing` takes half as long as starting Python does
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from cardwright.league.seen import Seen

CHOSE, FAILED, CHANGED = 0, 1, 2
"""Kinds of replies: an index, or a fault.

CHANGED is CHOSE by a bot that has changed `legalMoves` in place, so that its index meant another
card than before.
"""

BEGIN, DEAL, GAVE, GOT, PLAYED, PLAY, PASS, END = range(1, 9)
"""First bytes of the items of a question; see `Served`."""

TOKEN = 32
"""Bytes of the token of a bot's random source in a game."""

REPLY = struct.Struct("<BBHQq")
"""A reply: its kind, the lengths of a fault's kind and message, nanoseconds, an index."""


class Served:
    """A bot that plays at several tables, and gets news and questions as bytes.

    A request is a sequence of questions. Each begins with the number of a table; items follow, the
    last of which asks for an answer:

    - BEGIN, the seat, a token of `TOKEN` bytes: a new game, and nothing else; the answer is 0 if
      the bot has started;
    - DEAL, the direction, the match points of all seats in 2 bytes each, 13 cards;
    - GAVE and the card that this seat has passed;
    - GOT and the three cards that were passed to it;
    - PLAYED, a count, and that many cards with the seats that played them;
    - PASS or PLAY, and the legal cards of the hand as bits, in 2 bytes.

    END, alone, also ends a question, but asks nothing: the bot leaves the table.

    The reply has a `REPLY` for each question that asks for an answer, with the processor time since
    the previous one, followed, if it is FAILED, by the kind of fault and a message. If bots are
    `traced`, a traceback may follow the message, after a null character. Integers are
    little-endian.
    """

    def __init__(
        self,
        source: str,
        file: str,
        helper: str,
        files: Mapping[str, bytes] | None = None,
        traced: bool = False,
    ) -> None:
        self._source = source, file, helper, files
        self._traced = traced
        self.runtimes: dict[int, BotRuntime] = {}
        self._last = time.process_time_ns()

    def __call__(self, request: bytes, clock: Callable[[], int] = time.process_time_ns) -> bytes:
        """Answer a request."""
        at, last, runtimes = 0, self._last, self.runtimes
        replies = []
        while at < len(request):
            table = request[at]
            item = request[at + 1]
            if item == END:
                self._leave(table)
                at += 2
                continue
            status, answer, kind, text = CHOSE, 0, b"", b""
            try:
                if item == BEGIN:
                    first, at = at + 2, at + 3 + TOKEN
                    self._begin(table, request[first:at])
                else:
                    runtime = runtimes[table]
                    at = _take_news(runtime.seen, request, at + 1) + 3
                    legal = request[at - 2] | request[at - 1] << 8
                    answer = runtime.choose(legal, play=request[at - 3] == PLAY)
                    if runtime.changed:
                        status = CHANGED
                    if not -(1 << 63) <= answer < 1 << 63:
                        answer = -1
            except BotMistake as fault:
                status, kind = FAILED, fault.kind.encode()
                said = f"{fault.message}\0{fault.trace}" if fault.trace else fault.message
                text = said.encode("utf-8", "replace")
            now = clock()
            replies.append(REPLY.pack(status, len(kind), len(text), now - last, answer))
            if kind:
                replies.append(kind + text)
            last = now
        self._last = last
        return b"".join(replies)

    def _begin(self, table: int, given: bytes) -> None:
        self._leave(table)
        self.runtimes[table] = runtime = BotRuntime(
            *self._source, guarded=True, traced=self._traced
        )
        runtime.begin(given[0], given[1:])

    def _leave(self, table: int) -> None:
        runtime = self.runtimes.pop(table, None)
        if runtime is not None:
            runtime.end()


def _take_news(seen: Seen, request: bytes, at: int) -> int:
    """Process the items from an offset on; return the offset of the one that asks."""
    while True:
        item = request[at]
        if item == PLAYED:
            end = at + 2 + request[at + 1]
            seen.table.plays += request[at + 2 : end]
            at = end
        elif item in (PLAY, PASS):
            return at
        elif item == GAVE:
            seen.hand.remove(request[at + 1])
            seen.given.append(request[at + 1])
            at += 2
        elif item == GOT:
            seen.received = list(request[at + 1 : at + 4])
            take_up(seen.hand, seen.received)
            seen.table.begin()
            at += 4
        else:
            totals = [
                int.from_bytes(request[at + 2 + 2 * seat : at + 4 + 2 * seat], "little")
                for seat in range(4)
            ]
            seen.table.deal()
            seen.deal(request[at + 1], totals, list(request[at + 10 : at + 23]))
            at += 23


def serve(payload: bytes) -> Served:
    """Return a function that answers requests to a bot, given the arguments of `Served`."""
    return Served(*marshal.loads(payload))

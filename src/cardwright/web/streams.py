"""Streams of events: how many there are, and what flows through one."""

from __future__ import annotations

from collections import Counter
from contextlib import contextmanager
from typing import TYPE_CHECKING

from cardwright.web.rates import network_of
from cardwright.web.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from cardwright.web.live_table import LiveTable, Who


class StreamCount:
    """Counts open streams: so many at most for each address, and in all."""

    def __init__(self, each: int, most: int) -> None:
        self._each = each
        self._most = most
        self._open: Counter[str] = Counter()

    def check(self, address: str) -> None:
        """Raise Refusal if there is no room for another stream."""
        if self._open[network_of(address)] >= self._each:
            raise Refusal(
                "too-many",
                f"{self._each} pages of yours follow tables already: close some",
                {"Retry-After": "5"},
            )
        if self._open.total() >= self._most:
            raise Refusal(
                "busy", "too many people follow tables here: try again", {"Retry-After": "10"}
            )

    async def following(
        self, address: str, stream: AsyncIterator[dict[str, str]]
    ) -> AsyncIterator[dict[str, str]]:
        """Yield what a stream does, and count it while it is open."""
        with self._counted(address):
            async for message in stream:
                yield message

    @contextmanager
    def _counted(self, address: str) -> Iterator[None]:
        key = network_of(address)
        self._open[key] += 1
        try:
            yield
        finally:
            self._open[key] -= 1
            if not self._open[key]:
                del self._open[key]


async def table_stream(
    table: LiveTable, seat: int | None, who: Who, since: int
) -> AsyncIterator[dict[str, str]]:
    """Yield what somebody sees of a table, whenever it has changed, from a version on.

    What changes while a client is slow is told at once when it has caught up: the events since the
    last, and the scene as it is by then.
    """
    with table.attendance.attended(seat):
        changes = -1
        while not (table.lost or table.ended):
            changes = await table.wait(changes)
            try:
                look = await table.look(who, since)
            except Refusal:  # the client asks again, and is told why
                return
            since = look.version
            yield {"id": str(since), "data": look.text}

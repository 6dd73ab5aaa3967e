"""Connections: so many at most from one address, and none that is opened and then says nothing."""

from __future__ import annotations

import ipaddress
from collections import Counter
from typing import TYPE_CHECKING, Any, cast

from uvicorn.protocols.http.h11_impl import H11Protocol

from cardwright.web.rates import network_of

if TYPE_CHECKING:
    import asyncio

PATIENCE = 20.0
"""Seconds in which the headers of the first request must have come."""


def guarded_protocol(each: int, patience: float = PATIENCE) -> type[asyncio.Protocol]:
    """Return the protocol of a server that allows `each` address so many connections at a time.

    Those from this machine are not counted: a proxy has all connections of others.
    """
    counts: Counter[str] = Counter()

    class GuardedProtocol(H11Protocol):
        """HTTP on a connection that can be refused, and has to begin in time."""

        _address: str | None = None

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            """Begin, unless the address has too many connections already."""
            super().connection_made(transport)
            address = _address_of(transport)
            if address is not None:
                if counts[address] >= each:
                    transport.abort()
                    return
                counts[address] += 1
                self._address = address
            self.loop.call_later(patience, self._begin_or_end)

        def connection_lost(self, exc: Exception | None) -> None:
            """End."""
            super().connection_lost(exc)
            if self._address is not None:
                counts[self._address] -= 1
                if not counts[self._address]:
                    del counts[self._address]

        def _begin_or_end(self) -> None:
            """Break the connection off if nothing has been asked for."""
            if cast("Any", self.scope) is None and not self.transport.is_closing():
                self.transport.abort()

    return GuardedProtocol


def _address_of(transport: asyncio.Transport) -> str | None:
    """Return whose connections are counted with this one; None for this machine's own."""
    peer = transport.get_extra_info("peername")
    if not peer:
        return None
    try:
        if ipaddress.ip_address(peer[0]).is_loopback:
            return None
    except ValueError:
        pass
    return network_of(str(peer[0]))

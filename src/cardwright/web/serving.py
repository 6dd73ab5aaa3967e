"""Serving: a site by uvicorn, from an open port to Ctrl-C."""

from __future__ import annotations

import errno
import ipaddress
import logging
import os
import socket
from collections import Counter
from typing import TYPE_CHECKING, Any, cast

import uvicorn
from sse_starlette.sse import AppStatus
from uvicorn.protocols.http.h11_impl import H11Protocol

from cardwright.game.errors import CardwrightError
from cardwright.web.app import app
from cardwright.web.rates import network_of

if TYPE_CHECKING:
    import asyncio

    from starlette.types import ASGIApp

    from cardwright.web.limits import Limits
    from cardwright.web.site import WebSite

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


_BACKLOG = 256
_SECONDS_TO_CLOSE = 3
_SECONDS_KEPT_OPEN = 30
_MOST_CONNECTIONS = 2000
_HEADERS = 16 * 1024


class PortError(CardwrightError):
    """A port that cannot be served; the message says why, and what to do."""


def open_port(host: str, port: int) -> socket.socket:
    """Return a socket that takes connections already; raises PortError.

    So a browser that is opened at once waits until the server answers. Port 0 is any free one.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    found = socket.socket(family, socket.SOCK_STREAM)
    try:
        if os.name == "posix":  # elsewhere it lets two servers share a port
            found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind((host, port))
        found.listen(_BACKLOG)
    except OSError as error:
        found.close()
        raise PortError(_why_not(host, port, error)) from None
    found.setblocking(False)
    return found


def _why_not(host: str, port: int, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return (
            f"port {port} is in use already, perhaps by another `cardwright serve`: end that one, "
            f"or take another port, as in --port {port + 1 if port < 65535 else 0}"
        )
    if error.errno == errno.EACCES:
        return f"port {port} needs rights that you do not have: take one above 1023"
    if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
        return f"{host} is not an address of this machine: leave --host out, or give one that is"
    return f"{host} cannot be served at port {port}: {error.strerror or error}"


class _Server(uvicorn.Server):
    """A server that ends long requests itself before it waits for what is still being answered."""

    def __init__(self, config: uvicorn.Config, site: WebSite) -> None:
        super().__init__(config)
        self._site = site

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End all that is going on."""
        await self._site.close()
        await super().shutdown(sockets)


def serve(site: WebSite, listening: socket.socket) -> None:
    """Serve a site until a signal ends it; Ctrl-C raises KeyboardInterrupt when all is closed."""
    logging.basicConfig(format="%(message)s")
    AppStatus.enable_automatic_graceful_drain = False  # it would break streams off
    _Server(server_config(app(site), site.limits), site).run(sockets=[listening])


def server_config(served: ASGIApp, limits: Limits) -> uvicorn.Config:
    """Return how an application is served."""
    return uvicorn.Config(
        served,
        log_config=None,
        log_level="error",  # broken requests are no news
        access_log=False,
        server_header=False,
        proxy_headers=True,
        forwarded_allow_ips="127.0.0.1,::1",
        timeout_keep_alive=_SECONDS_KEPT_OPEN,
        timeout_graceful_shutdown=_SECONDS_TO_CLOSE,
        limit_concurrency=_MOST_CONNECTIONS,
        h11_max_incomplete_event_size=_HEADERS,
        http=guarded_protocol(limits.connections),
        ws="none",
        lifespan="on",
    )

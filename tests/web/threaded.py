"""A site on a real port, served by a thread of this process: what comes through sockets is seen."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import uvicorn

from cardwright.web.app import app
from cardwright.web.serving import open_port, server_config
from cardwright.web.site import SiteSettings, WebSite
from patience import PATIENCE

if TYPE_CHECKING:
    from collections.abc import Coroutine, Iterator


class ThreadedSite:
    """A site that is being served, its port, and its loop."""

    def __init__(self, site: WebSite, port: int, loop: asyncio.AbstractEventLoop) -> None:
        self.site = site
        self.port = port
        self._loop = loop

    def run(self, coroutine: Coroutine[Any, Any, Any]) -> Any:
        """Return what a coroutine gives in the server's loop."""
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result(PATIENCE)

    def send(self, content: bytes, *more: bytes, close: bool = False) -> bytes:
        """Send bytes on a connection of their own, and return all that comes back.

        `more` is sent a moment later each; `close` ends the sending before anything is read.
        """
        with socket.create_connection(("127.0.0.1", self.port), PATIENCE) as connection:
            connection.sendall(content)
            for part in more:
                time.sleep(0.05)
                connection.sendall(part)
            if close:
                connection.shutdown(socket.SHUT_WR)
            parts = []
            try:
                while part := connection.recv(65536):
                    parts.append(part)
            except ConnectionResetError:
                pass
            return b"".join(parts)


@contextmanager
def threaded(**settings: Any) -> Iterator[ThreadedSite]:
    """Serve a site with these settings on a free port."""
    site = WebSite(SiteSettings(**settings))
    listening = open_port("127.0.0.1", 0)
    server = uvicorn.Server(server_config(app(site), site.limits))
    loop = asyncio.new_event_loop()

    def serve() -> None:
        with asyncio.Runner(loop_factory=lambda: loop) as runner:
            runner.run(server.serve(sockets=[listening]))

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        yield ThreadedSite(site, listening.getsockname()[1], loop)
    finally:
        server.should_exit = True
        thread.join(PATIENCE)

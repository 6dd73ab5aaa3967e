"""A stream of server-sent events from an application in this process, read as it comes."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

from patience import PATIENCE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.types import ASGIApp


class StreamReader:
    """Reads one stream; `status` and `headers` are there when `open` returns."""

    def __init__(self, app: ASGIApp, path: str, headers: Mapping[str, str] | None = None) -> None:
        self.status = 0
        self.headers: dict[str, str] = {}
        self.raw = b""
        self._rest = b""
        self._app = app
        given = {"host": "localhost", **(headers or {})}
        path, _, query = path.partition("?")
        self._scope = {
            "type": "http", "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": "1.1", "method": "GET", "scheme": "http", "path": path,
            "raw_path": path.encode(), "query_string": query.encode(), "root_path": "",
            "headers": [(name.lower().encode(), text.encode()) for name, text in given.items()],
            "client": ("127.0.0.1", 4321), "server": ("localhost", 80),
        }  # fmt: skip
        self._left = asyncio.Event()
        self._begun = asyncio.Event()
        self._parts: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._task: asyncio.Task[None] | None = None

    async def open(self) -> StreamReader:
        self._task = asyncio.ensure_future(self._app(self._scope, self._receive, self._send))
        await asyncio.wait_for(self._begun.wait(), PATIENCE)
        return self

    async def next(self) -> tuple[str, Any]:
        """Return the id and the data of the next message; raises EOFError at the end."""
        while True:
            block, end, rest = self._rest.partition(b"\n\n")
            if end:
                self._rest = rest
                fields = dict(line.split(": ", 1) for line in block.decode().splitlines() if line)
                if "data" in fields:
                    return fields["id"], json.loads(fields["data"])
                continue
            part = await asyncio.wait_for(self._parts.get(), PATIENCE)
            if part is None:
                raise EOFError
            self._rest += part

    async def until(self, version: int) -> Any:
        """Return the data of the first message of a version, or a later one."""
        while True:
            number, data = await self.next()
            if int(number) >= version:
                return data

    async def close(self) -> None:
        """Leave, as somebody does who closes the page."""
        self._left.set()
        if self._task is not None:
            await asyncio.wait_for(self._task, PATIENCE)

    async def _receive(self) -> dict[str, Any]:
        await self._left.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Any) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.headers = {name.decode(): text.decode() for name, text in message["headers"]}
            self._begun.set()
        else:
            self.raw += message.get("body", b"")
            self._parts.put_nowait(message.get("body", b""))
            if not message.get("more_body"):
                self._parts.put_nowait(None)

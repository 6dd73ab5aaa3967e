"""A site in a page: it answers the requests of its client in this process, without a server."""

from __future__ import annotations

import asyncio
import json
import re
import sys
import traceback
from contextlib import aclosing
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, unquote, urlsplit

from cardwright.game.errors import CardwrightError
from cardwright.syntax.data_files import parse_json
from cardwright.web import (
    library_routes,
    openapi,
    record_routes,
    replay_routes,
    studio_routes,
    table_routes,
)
from cardwright.web.api import (
    PATH_PART,
    ApiCall,
    ApiRoute,
    Events,
    Payload,
    json_object,
    not_kept,
    too_large,
)
from cardwright.web.local_worker import LocalWorker
from cardwright.web.refusal import Refusal
from cardwright.web.site import SiteSettings, WebSite
from cardwright.web.stored import MemoryStore, StoreError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from cardwright.web.worker_process import Workers

PARTS = openapi, library_routes, record_routes, replay_routes, studio_routes, table_routes
"""The modules of routes that a page has."""


class PageHost:
    """The site of a page.

    `kept` is told the name of each table, and of each record of games, that is new or changed, and
    what is to be kept of it, None for one that is gone; `restore` takes such texts again. `workers`
    makes what works for the site, `data` is a folder that keeps measurements, `files` are games
    besides those of the library, and `opponents` who plays against people, by game.
    """

    def __init__(
        self,
        kept: Callable[[str, str | None], Any] = lambda _table, _record: None,
        workers: Workers = LocalWorker,
        data: Path | None = None,
        files: Iterable[str | Path] = (),
        opponents: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        self._store = MemoryStore(self._changed)
        self._kept = kept
        self._following: dict[int, asyncio.Task[None]] = {}
        self.site = WebSite(
            SiteSettings(data=data, files=tuple(map(Path, files)), opponents=opponents or {}),
            workers,
            self._store,
        )
        routes = [route for part in PARTS for route in part.routes(self.site)]
        self._routes = [
            (re.compile(PATH_PART.sub(r"(?P<\1>[^/]+)", route.path)), route)
            for route in routes
            if isinstance(route, ApiRoute)
        ]

    def _changed(self, table: str) -> None:
        record = self._store.record(table)
        self._kept(table, None if record is None else json.dumps(record))

    def restore(self, record: str) -> bool:
        """Bring something back that was kept; return whether that was possible."""
        try:
            self._store.restore(parse_json(record))
        except (StoreError, ValueError):
            return False
        return True

    async def start(self) -> None:
        """Begin to answer."""
        await self.site.start()

    async def stop(self) -> None:
        """End: nobody is answered any more."""
        await self.site.close()
        await self.site.stop()

    async def ask(self, method: str, address: str, body: str | None = None) -> tuple[int, str]:
        """Return the status and the text of the answer to a request, JSON unless it is a file's."""
        try:
            route, call = self._call(method, address, body)
            answer = await route.call(call)
            match answer:
                case Payload(data=bytes(data)):
                    return 200, data.decode()
                case Payload(data=str(text)):
                    return 200, text
                case Events():
                    raise Refusal("wrong-type", "this address gives a stream: follow it")
            return route.status, json.dumps(answer, ensure_ascii=False)
        except Exception as error:
            return _error(error)

    async def follow(
        self, key: int, address: str, after: str | None, tell: Callable[[str, str], Any]
    ) -> tuple[int, str]:
        """Tell the id and the data of each event of a stream, until it ends, or `end` is called.

        Return 200 and nothing then, or why it could not begin, as `ask` does.
        """
        task = asyncio.ensure_future(self._follow(address, after, tell))
        self._following[key] = task
        try:
            await task
        except asyncio.CancelledError:
            if not task.cancelled():
                task.cancel()
                raise
        except Exception as error:
            return _error(error)
        finally:
            del self._following[key]
        return 200, ""

    async def _follow(
        self, address: str, after: str | None, tell: Callable[[str, str], Any]
    ) -> None:
        route, call = self._call("GET", address, None, after)
        answer = await route.call(call)
        if not isinstance(answer, Events):
            raise Refusal("wrong-type", "this address gives no stream: ask it")
        async with aclosing(answer.stream) as stream:  # type: ignore[type-var]
            async for event in stream:
                tell(event["id"], event["data"])

    def end(self, key: int) -> None:
        """Follow a stream no more."""
        if (task := self._following.get(key)) is not None:
            task.cancel()

    def _call(
        self, method: str, address: str, body: str | None, after: str | None = None
    ) -> tuple[ApiRoute, ApiCall]:
        """Return the route of a request and the call of it; raises Refusal."""
        whole = urlsplit(address)
        for path, route in self._routes:
            if route.method == method and (found := path.fullmatch(whole.path)):
                parts = {name: unquote(part) for name, part in found.groupdict().items()}
                queries = tuple(parse_qsl(whole.query, keep_blank_values=True))
                given = _body(body or "", route.most_bytes) if route.takes is not None else {}
                return route, ApiCall(given, parts, queries, method, "page", after)
        raise Refusal("no-such-page", "there is nothing at this address")


def _body(text: str, most: int) -> dict[str, Any]:
    """Return the object that a request brings; raises Refusal."""
    if len(text) > most:
        raise too_large(most)
    return json_object(text)


def _error(error: Exception) -> tuple[int, str]:
    match error:
        case Refusal():
            refusal = error
        case StoreError():
            refusal = not_kept(error)
        case _:
            traceback.print_exception(error, file=sys.stderr)
            words = str(error) if isinstance(error, CardwrightError) else type(error).__name__
            refusal = Refusal("broken", f"something went wrong here: {words}")
    return refusal.status, json.dumps(refusal.data(), ensure_ascii=False)

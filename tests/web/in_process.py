"""A site answered in this process, without sockets: requests are made one after the other."""

from __future__ import annotations

import asyncio
import json
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import httpx

from cardwright.web.app import app
from cardwright.web.site import SiteSettings, WebSite
from cardwright.web.think_worker import Mind
from cardwright.web.worker_loop import answered, finished
from cardwright.web.worker_process import WorkerProcess

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starlette.types import ASGIApp

HOST = "http://localhost"


class InProcessClient:
    """A client of a site, with the loop in which the site runs."""

    def __init__(
        self, runner: asyncio.Runner, client: httpx.AsyncClient, site: WebSite, served: ASGIApp
    ) -> None:
        self.site = site
        self.app = served
        self.run = runner.run
        self.client = client

    def get(self, path: str, **more: Any) -> httpx.Response:
        return self.run(self.client.get(path, **more))

    def post(self, path: str, json: object = None, **more: Any) -> httpx.Response:
        return self.run(self.client.post(path, json=json, **more))

    def request(self, method: str, path: str, **more: Any) -> httpx.Response:
        return self.run(self.client.request(method, path, **more))


@contextmanager
def in_process(**settings: Any) -> Iterator[InProcessClient]:
    """Serve a site with these settings to a client in this process."""
    site = WebSite(SiteSettings(**settings))
    served = app(site)
    with asyncio.Runner() as runner:
        client = httpx.AsyncClient(transport=httpx.ASGITransport(served), base_url=HOST)
        runner.run(site.start())
        try:
            yield InProcessClient(runner, client, site, served)
        finally:
            runner.run(client.aclose())
            runner.run(site.stop())


@contextmanager
def thinking_here() -> Iterator[None]:
    """Have computer players think in this process, at once, where it is not processes that matter.

    A process takes a second before it makes its first choice. How processes think is tested in
    `test_thinking.py`, and by all tests with a server of their own.
    """
    mind = Mind(lambda _: None)
    start, ask = WorkerProcess.start, WorkerProcess.ask

    async def started(self: WorkerProcess) -> None:
        if not self._module.endswith("think_worker"):
            await start(self)

    async def asked(self: WorkerProcess, request: Any, *seconds: float) -> Any:
        if not self._module.endswith("think_worker"):
            return await ask(self, request, *seconds)
        given = json.loads(json.dumps(request))
        return json.loads(json.dumps(finished(answered(mind.answer, given))))

    with patch.object(WorkerProcess, "start", started), patch.object(WorkerProcess, "ask", asked):
        yield

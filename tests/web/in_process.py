"""A site answered in this process, without sockets: requests are made one after the other."""

from __future__ import annotations

import asyncio
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import httpx

from cardwright.web.app import app
from cardwright.web.site import SiteSettings, WebSite

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

"""The application of a site: its routes, its static files, and its answers to errors."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles

from cardwright.web import (
    invite_routes,
    library_routes,
    openapi,
    record_routes,
    replay_routes,
    search_routes,
    season_routes,
    studio_routes,
    table_routes,
)
from cardwright.web.api_route import client_route, served
from cardwright.web.client import STATIC
from cardwright.web.errors import not_routed, not_stored, refused
from cardwright.web.openapi import openapi_route
from cardwright.web.refusal import Refusal
from cardwright.web.security import Guard
from cardwright.web.stored import StoreError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starlette.routing import BaseRoute

    from cardwright.web.api import SiteRoute
    from cardwright.web.site import WebSite

PARTS = (
    openapi,
    invite_routes,
    library_routes,
    record_routes,
    replay_routes,
    search_routes,
    season_routes,
    studio_routes,
    table_routes,
)
"""The modules of routes; each has a function `routes` of a site."""


def app(site: WebSite) -> Starlette:
    """Return the application that serves a site."""

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        await site.start()
        try:
            yield
        finally:
            await site.stop()

    declared: list[SiteRoute | BaseRoute] = [route for part in PARTS for route in part.routes(site)]
    routes = [served(route) for route in (*declared, openapi_route(declared))]
    static = GZipMiddleware(StaticFiles(directory=STATIC), minimum_size=500)
    application = Starlette(
        routes=[*routes, client_route(), Mount("/static", static)],
        middleware=[Middleware(Guard, settings=site.settings)],
        exception_handlers={
            Refusal: refused,
            StoreError: not_stored,
            HTTPException: not_routed(routes),
        },
        lifespan=lifespan,
    )
    application.router.redirect_slashes = False  # an address has one form
    return application

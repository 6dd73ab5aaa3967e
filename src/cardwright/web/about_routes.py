"""Routes of what a site says of itself: a page about it, and one about its interface."""

from __future__ import annotations

import platform
from typing import TYPE_CHECKING, Any

from cardwright._version import __version__
from cardwright.library import catalogue
from cardwright.web.api_route import ApiRoute
from cardwright.web.page import page
from cardwright.web.schema import shape

if TYPE_CHECKING:
    from starlette.routing import Route

    from cardwright.web.api_route import ApiCall
    from cardwright.web.site import WebSite

_WHOLE = {"type": "integer"}


def routes(site: WebSite) -> list[Route]:
    """Return the routes."""
    limits = site.limits

    async def about(_: ApiCall) -> Any:
        return {
            "cardwright": __version__,
            "python": platform.python_version(),
            "games": len(catalogue.names()),
            "public": site.settings.public,
            "kept": site.settings.data is not None,
            "days": limits.days,
            "tables": limits.tables_each,
            "source": limits.source,
        }

    return [
        page("/about", "about.html"),
        page("/api/", "api.html"),
        ApiRoute(
            "GET",
            "/api/about",
            about,
            words="Versions, and what this server keeps and allows.",
            gives=shape(
                "`kept` says whether tables survive a restart, and `days` for how long one is kept "
                "that nobody touches; one address may make so many `tables` in an hour, and rules "
                "have at most so many bytes of `source`",
                cardwright={"type": "string"},
                python={"type": "string"},
                games=_WHOLE,
                public={"type": "boolean"},
                kept={"type": "boolean"},
                days=_WHOLE,
                tables=_WHOLE,
                source=_WHOLE,
            ),
        ),
    ]

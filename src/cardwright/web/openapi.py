"""The description of the interface by OpenAPI 3.1, and pages about a site."""

from __future__ import annotations

import json
import platform
from typing import TYPE_CHECKING, Any

from cardwright._version import __version__
from cardwright.library import catalogue
from cardwright.table import scene
from cardwright.table.estimates import EstimateMeasure, EstimateScope
from cardwright.web.api import PATH_PART, ApiCall, ApiRoute, Payload, SitePage
from cardwright.web.refusal import STATUSES
from cardwright.web.schema import REFERENCE, listing, nullable, one_of, reference, shape

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cardwright.web.api import SiteRoute
    from cardwright.web.schema import Schema
    from cardwright.web.site import WebSite

PATH = "/api/openapi.json"
_ABOUT = """Tables of card games, and what belongs to them.

Who has the token of a seat sits there; it is at the end of the link. An error is an object with a
code for programs and a sentence for people, and changes nothing."""

SCHEMAS: dict[str, Schema] = {
    **scene.schemas(REFERENCE),
    "EstimateUnit": shape(
        "what estimates are: a measure (points; margin, the same against the mean of the others; "
        "rank, the share of the others that are behind; win, the chance to win; reward, from the "
        "worst outcome to the best), of the deal, the match or the game, and this in words. People "
        "read numbers from 0 to 1 in percent.",
        measure=one_of(*map(str, EstimateMeasure)),
        scope=one_of(*map(str, EstimateScope)),
        higher_is_better={"type": "boolean"},
        percent={"type": "boolean"},
        noun={"type": "string"},
        words={"type": "string"},
    ),
    "Estimates": shape(
        "estimates of all options in order, null for those that were not tried: with about 95 % of "
        "draws a value would be within its `errors`, and how much worse an option is than the "
        "chosen one within its `gaps`",
        unit=reference("EstimateUnit"),
        values=listing(nullable({"type": "number"})),
        errors=listing(nullable({"type": "number"})),
        gaps=listing(nullable({"type": "number"})),
    ),
    "Error": shape(
        "why a request was refused",
        error={
            "type": "object",
            "required": ["code", "message"],
            "properties": {
                "code": one_of(*STATUSES),
                "message": {"type": "string"},
                "place": {
                    **shape("", line={"type": "integer"}, column={"type": "integer"}),
                    "description": "where in the rules that were sent something is wrong",
                },
            },
        },
    ),
}
"""All schemas that have a name."""

ALWAYS = (
    "malformed", "long-address", "large-headers", "wrong-host", "wrong-origin", "too-many",
    "broken",
)  # fmt: skip
"""Codes that every request may get."""

_POSTED = ("wrong-type", "too-large", "slow", "invalid")


def openapi_route(routes: Iterable[object]) -> ApiRoute:
    """Return the route that serves the description of some routes, and of itself."""

    async def described(_: ApiCall) -> Any:
        return Payload(json.dumps(description([*routes, own])), long=True)

    own = ApiRoute(
        "GET", PATH, described, words="This description, by OpenAPI 3.1.", gives={"type": "object"}
    )
    return own


def description(routes: Iterable[object]) -> dict[str, Any]:
    """Return the description of routes as JSON has it; pages are left out."""
    paths: dict[str, dict[str, Any]] = {}
    for route in routes:
        if isinstance(route, ApiRoute):
            paths.setdefault(route.path, {})[route.method.lower()] = _operation(route)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Cardwright", "version": __version__, "description": _ABOUT},
        "paths": paths,
        "components": {"schemas": SCHEMAS},
    }


def _operation(route: ApiRoute) -> dict[str, Any]:
    found: dict[str, Any] = {
        "operationId": route.name,
        "summary": route.words,
        "responses": _responses(route),
    }
    parameters = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
        for name in PATH_PART.findall(route.path)
    ]
    parameters += [
        {"name": name, "in": "query", "description": words, "schema": {"type": "string"}}
        for name, words in route.parameters.items()
    ]
    if parameters:
        found["parameters"] = parameters
    if route.takes is not None:
        content = {"application/json": {"schema": route.takes}}
        found["requestBody"] = {"required": True, "content": content}
    return found


def _responses(route: ApiRoute) -> dict[str, Any]:
    good: dict[str, Any] = {"description": "what was asked for"}
    if route.gives is not None:
        # OpenAPI has no schema for the messages of a stream: what is here is that of their data.
        good["content"] = {route.media: {"schema": route.gives}}
    found = {str(route.status): good}
    codes: dict[int, list[str]] = {}
    for code in dict.fromkeys((*route.codes, *(_POSTED if route.takes else ()), *ALWAYS)):
        codes.setdefault(STATUSES[code], []).append(code)
    for status, those in sorted(codes.items()):
        found[str(status)] = {
            "description": ", ".join(those),
            "content": {"application/json": {"schema": reference("Error")}},
        }
    return found


_COUNT = {"type": "integer"}


def routes(site: WebSite) -> list[SiteRoute]:
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
        SitePage("/about", "about.html"),
        SitePage("/api/", "api.html"),
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
                games=_COUNT,
                public={"type": "boolean"},
                kept={"type": "boolean"},
                days=_COUNT,
                tables=_COUNT,
                source=_COUNT,
            ),
        ),
    ]

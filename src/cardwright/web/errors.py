"""Errors as answers: JSON for programs, a plain page for people."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

from starlette.responses import HTMLResponse, JSONResponse
from starlette.routing import Match, Route

from cardwright.english import capital
from cardwright.web.api import not_kept
from cardwright.web.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    from starlette.exceptions import HTTPException
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import BaseRoute

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{title} · Cardwright</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="/static/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/static/css/base.css">
<script src="/static/js/early.js"></script>
</head>
<body>
<main class="error">
<h1>{title}</h1>
<p>{words}</p>
<p><a href="/">All games</a></p>
</main>
</body>
</html>
"""
_TITLES = {
    "no-such-page": "There is no such page",
    "no-such-table": "There is no such table",
    "no-such-game": "There is no such game",
    "no-such-season": "There is no such season",
    "no-such-replay": "There is no such replay",
    "too-many": "Too many requests",
    "broken": "Something went wrong here",
}


def answer_of(request: Request, refusal: Refusal) -> Response:
    """Return a refusal as an answer: a page, unless the interface is asked or JSON is wanted."""
    wants = request.headers.get("accept", "")
    if request.url.path.startswith("/api/") or "text/html" not in wants:
        return JSONResponse(refusal.data(), refusal.status, refusal.headers)
    title = _TITLES.get(refusal.code, "This cannot be done")
    text = capital(refusal.message)
    page = _PAGE.format(title=html.escape(title), words=html.escape(text.rstrip(".") + "."))
    return HTMLResponse(page, refusal.status, refusal.headers)


async def refused(request: Request, error: Exception) -> Response:
    """Answer a request that a route refuses."""
    assert isinstance(error, Refusal)
    return answer_of(request, error)


async def not_stored(request: Request, error: Exception) -> Response:
    """Answer a request whose outcome could not be kept: it has not been carried out then."""
    return answer_of(request, not_kept(error))


def not_routed(
    routes: Sequence[BaseRoute],
) -> Callable[[Request, Exception], Awaitable[Response]]:
    """Return what answers requests for which there is no route."""

    async def respond(request: Request, error: Exception) -> Response:
        refusal = _not_routed(request, error, routes)  # type: ignore[arg-type]
        if request.method == "OPTIONS" and refusal.code == "wrong-method":
            return _options(refusal.headers)
        return answer_of(request, refusal)

    return respond


def _not_routed(request: Request, error: HTTPException, routes: Sequence[BaseRoute]) -> Refusal:
    if error.status_code == 405:
        methods = allowed(request, routes)
        words = f"this address takes {' and '.join(methods)} only"
        return Refusal("wrong-method", words, {"Allow": ", ".join((*methods, "OPTIONS"))})
    if error.status_code == 404:
        return Refusal("no-such-page", "there is nothing at this address")
    return Refusal("malformed", error.detail)


def allowed(request: Request, routes: Sequence[BaseRoute]) -> list[str]:
    """Return the methods that an address takes."""
    found: set[str] = set()
    for route in routes:
        if isinstance(route, Route) and route.matches(request.scope)[0] is not Match.NONE:
            found |= set(route.methods or ())
    return sorted(found)


def _options(headers: Mapping[str, str]) -> Response:
    from starlette.responses import Response

    return Response(status_code=204, headers=dict(headers))

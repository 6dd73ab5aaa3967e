"""How the server carries the interface: HTTP requests as calls, and answers as responses."""

from __future__ import annotations

import asyncio
import gzip
from typing import TYPE_CHECKING, Any

from sse_starlette.sse import EventSourceResponse
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Route

from cardwright.web.api import ApiCall, ApiRoute, Events, Payload, SitePage, json_object, too_large
from cardwright.web.client import ADDRESS, STATIC, client
from cardwright.web.refusal import Refusal
from cardwright.web.security import address_of

if TYPE_CHECKING:
    from starlette.requests import Request

    from cardwright.web.api import SiteRoute

PATIENCE = 10.0
"""Seconds in which a body must have arrived."""

_PING = 15
"""Seconds after which a silent stream says something."""

_SLOWEST = 30.0
"""Seconds for which a client may take nothing in before its stream is ended; it can resume."""


async def json_body(request: Request, most: int) -> dict[str, Any]:
    """Return the object that a request brings, of at most so many bytes.

    Raises Refusal for another content type, a body that is too large (before it is read, if the
    request says so), late or incomplete, and as `json_object` does.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise Refusal("wrong-type", "send JSON, with the header `Content-Type: application/json`")
    return json_object(await _content(request, most))


async def _content(request: Request, most: int) -> bytes:
    length = request.headers.get("content-length", "")
    if length.isascii() and length.isdigit() and (len(length) > 15 or int(length) > most):
        raise too_large(most)
    parts = bytearray()
    try:
        async with asyncio.timeout(PATIENCE):
            async for part in request.stream():
                parts += part
                if len(parts) > most:
                    raise too_large(most)
    except TimeoutError:
        raise Refusal("slow", f"the body did not arrive within {PATIENCE:g} seconds") from None
    except ClientDisconnect:
        raise Refusal("malformed", "the body is incomplete") from None
    return bytes(parts)


def served(route: SiteRoute | BaseRoute) -> BaseRoute:
    """Return a route as the server has it."""
    match route:
        case ApiRoute():
            return ServedApiRoute(route)
        case SitePage():
            return _served_page(route)
    return route


class ServedApiRoute(Route):
    """A route of the interface, reached by HTTP."""

    def __init__(self, api: ApiRoute) -> None:
        self.api = api
        super().__init__(api.path, self._respond, methods=[api.method], name=api.name)

    async def _respond(self, request: Request) -> Response:
        takes = self.api.takes is not None
        body = await json_body(request, self.api.most_bytes) if takes else {}
        call = ApiCall(
            body,
            {name: str(value) for name, value in request.path_params.items()},
            tuple(request.query_params.multi_items()),
            request.method,
            address_of(request.scope),
            request.headers.get("last-event-id"),
        )
        try:
            answer = await self.api.call(call)
        except asyncio.CancelledError:  # the server ends, and has waited long enough
            message = "the server has ended before this was done: try again when it is back"
            raise Refusal("busy", message) from None
        match answer:
            case Payload():
                return _written(answer, request)
            case Events():
                return EventSourceResponse(
                    answer.stream, ping=_PING, send_timeout=_SLOWEST, sep="\n"
                )
        return JSONResponse(answer, self.api.status)


def _written(content: Payload, request: Request) -> Response:
    """Return content as a response; long text ten times smaller, if the client can read that."""
    headers = {}
    if content.name is not None:
        headers["Content-Disposition"] = f'attachment; filename="{content.name}"'
    data = content.data.encode() if isinstance(content.data, str) else content.data
    if content.long:
        headers["Vary"] = "Accept-Encoding"
        if "gzip" in request.headers.get("accept-encoding", ""):
            data = gzip.compress(data, 6)
            headers["Content-Encoding"] = "gzip"
    return Response(data, media_type=content.media, headers=headers)


def _served_page(page: SitePage) -> Route:
    async def respond(request: Request) -> Response:
        status = 200 if page.status is None else await page.status(request.path_params)
        headers = {"Cache-Control": "no-cache"}
        if "plain" in request.query_params:  # whoever debugs a page wants modules as they are
            return FileResponse(STATIC / page.file, status, headers=headers)
        return HTMLResponse(client().documents[page.file], status, headers)

    return Route(page.path, respond, methods=["GET"], name=page.file)


def client_route() -> Route:
    """Return the route of what pages load. Browsers keep it: another version is elsewhere."""

    async def respond(request: Request) -> Response:
        version, name = (request.path_params[part] for part in ("version", "name"))
        file = client().files.get(name)
        if version != client().version or file is None:
            raise HTTPException(404)
        headers = {
            "Cache-Control": "public, max-age=31536000, immutable",
            "Vary": "Accept-Encoding",
        }
        if "gzip" not in request.headers.get("accept-encoding", ""):
            return Response(file.content, media_type=file.media, headers=headers)
        headers["Content-Encoding"] = "gzip"
        return Response(file.packed, media_type=file.media, headers=headers)

    return Route(f"{ADDRESS}/{{version}}/{{name}}", respond, methods=["GET"])

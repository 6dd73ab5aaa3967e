"""Routes of the interface: what each takes and gives, as schemas that are checked and published."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from starlette.requests import ClientDisconnect
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Route

from cardwright.syntax.data_files import parse_json
from cardwright.web.refusal import Refusal
from cardwright.web.schema import complaint

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from starlette.requests import Request

    from cardwright.web.schema import Schema

PATIENCE = 10.0
"""Seconds in which a body must have arrived."""


async def json_body(request: Request, most: int) -> dict[str, Any]:
    """Return the object that a request brings, of at most so many bytes.

    Raises Refusal for another content type, a body that is too large (before it is read, if the
    request says so), late or incomplete, and for what is not one JSON object by RFC 8259: no NaN,
    no member twice, no text that is not UTF-8.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise Refusal("wrong-type", "send JSON, with the header `Content-Type: application/json`")
    content = await _content(request, most)
    try:
        value = parse_json(content.decode("utf-8"), strict=True)
    except ValueError as error:
        raise Refusal("malformed", f"the body is not JSON: {str(error)[:200]}") from None
    if not isinstance(value, dict):
        raise Refusal("malformed", "the body must be one JSON object")
    return value


async def _content(request: Request, most: int) -> bytes:
    length = request.headers.get("content-length", "")
    if length.isascii() and length.isdigit() and (len(length) > 15 or int(length) > most):
        raise _too_large(most)
    parts = bytearray()
    try:
        async with asyncio.timeout(PATIENCE):
            async for part in request.stream():
                parts += part
                if len(parts) > most:
                    raise _too_large(most)
    except TimeoutError:
        raise Refusal("slow", f"the body did not arrive within {PATIENCE:g} seconds") from None
    except ClientDisconnect:
        raise Refusal("malformed", "the body is incomplete") from None
    return bytes(parts)


def _too_large(most: int) -> Refusal:
    return Refusal("too-large", f"the body is too large: {most} bytes are allowed here")


SMALL = 16 * 1024
"""Bytes of the body of a request, where its route does not say otherwise."""

Answerer: TypeAlias = "Callable[[ApiCall], Awaitable[Any]]"


@dataclass(frozen=True)
class ApiCall:
    """A request whose body fits its schema."""

    request: Request
    body: dict[str, Any] = field(default_factory=dict)

    def part(self, name: str) -> str:
        """Return a part of the path, such as the token."""
        return str(self.request.path_params[name])

    def query(self, name: str) -> str | None:
        """Return a parameter after the question mark; None if it is not there."""
        return self.request.query_params.get(name)


class ApiRoute(Route):
    """A route that takes and gives JSON.

    `answer` gets an `ApiCall` and returns a value that fits `gives`, or a response of its own; it
    may raise `Refusal`. `takes` is the schema of the body, for POST. `parameters` describes those
    after the question mark, and `codes` names errors that are particular to this route.
    """

    def __init__(
        self,
        method: str,
        path: str,
        answer: Answerer,
        *,
        words: str,
        gives: Schema | None,
        takes: Schema | None = None,
        parameters: dict[str, str] | None = None,
        codes: tuple[str, ...] = (),
        status: int = 200,
        most_bytes: int = SMALL,
        media: str = "application/json",
    ) -> None:
        self.method = method
        self.words = words
        self.takes = takes
        self.gives = gives
        self.parameters = parameters or {}
        self.codes = codes
        self.media = media
        self.status = status
        self._answer = answer
        self._most_bytes = most_bytes
        super().__init__(path, self._respond, methods=[method], name=_name(method, path))

    async def _respond(self, request: Request) -> Response:
        body: dict[str, Any] = {}
        if self.takes is not None:
            body = await json_body(request, self._most_bytes)
            if wrong := complaint(body, self.takes):
                raise Refusal("invalid", wrong)
        try:
            given = await self._answer(ApiCall(request, body))
        except asyncio.CancelledError:  # the server ends, and has waited long enough
            message = "the server has ended before this was done: try again when it is back"
            raise Refusal("busy", message) from None
        if isinstance(given, Response):
            return given
        return JSONResponse(given, self.status)


def _name(method: str, path: str) -> str:
    """Return a name such as `post_t_choose`."""
    words = [word for word in path.split("/") if word and word != "api"]
    return "_".join([method.lower(), *(word.strip("{}").replace(".", "_") for word in words)])


STATIC = Path(__file__).parent / "static"
"""The folder of pages, styles and scripts; all of it is served under /static/."""


def page(path: str, file: str) -> Route:
    """Return the route of a page: one of the HTML files in `STATIC`."""

    async def respond(_: Request) -> Response:
        return page_file(file)

    return Route(path, respond, methods=["GET"], name=file)


def page_file(file: str) -> Response:
    """Return a page as an answer, which browsers keep and ask whether it has changed."""
    return FileResponse(STATIC / file, headers={"Cache-Control": "no-cache"})

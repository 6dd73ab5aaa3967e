"""Routes of the interface: what each takes and gives, as schemas that are checked and published."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from cardwright.web.body import json_body
from cardwright.web.refusal import Refusal
from cardwright.web.schema import complaint

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from starlette.requests import Request

    from cardwright.web.schema import Schema

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

"""The interface of a site: its routes, what each takes and gives, and calls of them.

Nothing here knows how calls come: a server brings them by HTTP, a page that has no server by
messages.
"""

from __future__ import annotations

import asyncio
import re
import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ParamSpec, TypeAlias, TypeVar

from cardwright.syntax.data_files import parse_json
from cardwright.web.refusal import Refusal
from cardwright.web.schema import complaint

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Mapping

    from cardwright.web.schema import Schema

Given = ParamSpec("Given")
Answer = TypeVar("Answer")

PATH_PART = re.compile(r"{(\w+)}")
"""A part of a path that has a name."""

SMALL = 16 * 1024
"""Bytes of the body of a request, where its route does not say otherwise."""


@dataclass(frozen=True)
class ApiCall:
    """A request whose body fits its schema.

    `parts` are those of the path that have names, `queries` the parameters after the question mark.
    `address` is that of who asks. `after` is the id of the last event that a client of a stream has
    got.
    """

    body: dict[str, Any] = field(default_factory=dict)
    parts: Mapping[str, str] = field(default_factory=dict)
    queries: tuple[tuple[str, str], ...] = ()
    method: str = "GET"
    address: str = ""
    after: str | None = None

    def part(self, name: str) -> str:
        """Return a part of the path, such as the token."""
        return self.parts[name]

    def query(self, name: str) -> str | None:
        """Return a parameter after the question mark, the last of that name; None if none is."""
        return dict(self.queries).get(name)


@dataclass(frozen=True)
class Payload:
    """An answer that is no value to be written as JSON: its text or bytes, and their media type.

    `name` is that of a file to save it as. Long text is compressed on its way.
    """

    data: str | bytes
    media: str = "application/json"
    name: str | None = None
    long: bool = False


@dataclass(frozen=True)
class Events:
    """An answer that is a stream of events, each with an `id` and its `data` as JSON."""

    stream: AsyncIterator[dict[str, str]]


Answerer: TypeAlias = "Callable[[ApiCall], Awaitable[Any]]"


@dataclass(frozen=True)
class ApiRoute:
    """A route that takes and gives JSON.

    `answer` gets an `ApiCall` and returns a value that fits `gives`, a `Payload` or `Events`; it
    may raise `Refusal`. `takes` is the schema of the body, for POST. `parameters` describes those
    after the question mark, and `codes` names errors that are particular to this route.
    """

    method: str
    path: str
    answer: Answerer
    words: str = field(kw_only=True)
    gives: Schema | None = field(kw_only=True)
    takes: Schema | None = field(default=None, kw_only=True)
    parameters: Mapping[str, str] = field(default_factory=dict, kw_only=True)
    codes: tuple[str, ...] = field(default=(), kw_only=True)
    status: int = field(default=200, kw_only=True)
    most_bytes: int = field(default=SMALL, kw_only=True)
    media: str = field(default="application/json", kw_only=True)

    @property
    def name(self) -> str:
        """A name such as `post_t_choose`."""
        words = [word for word in self.path.split("/") if word and word != "api"]
        parts = (word.strip("{}").replace(".", "_") for word in words)
        return "_".join([self.method.lower(), *parts])

    async def call(self, call: ApiCall) -> Any:
        """Return the answer to a call whose body is any object; raises Refusal."""
        if self.takes is not None and (wrong := complaint(call.body, self.takes)):
            raise Refusal("invalid", wrong)
        return await self.answer(call)


@dataclass(frozen=True)
class SitePage:
    """A page: the address, and the HTML file that is shown there.

    `status` gets the parts of the path and returns the status of the answer; it may raise Refusal.
    """

    path: str
    file: str
    status: Callable[[Mapping[str, str]], Awaitable[int]] | None = None


SiteRoute: TypeAlias = ApiRoute | SitePage


def json_object(content: bytes | str) -> dict[str, Any]:
    """Return the object that the body of a request is.

    Raises Refusal for what is not one JSON object by RFC 8259: no NaN, no member twice, no text
    that is not UTF-8.
    """
    try:
        text = content if isinstance(content, str) else content.decode("utf-8")
        value = parse_json(text, strict=True)
    except ValueError as error:
        raise Refusal("malformed", f"the body is not JSON: {str(error)[:200]}") from None
    if not isinstance(value, dict):
        raise Refusal("malformed", "the body must be one JSON object")
    return value


def too_large(most: int) -> Refusal:
    """Return the refusal of a body of more than so many bytes."""
    return Refusal("too-large", f"the body is too large: {most} bytes are allowed here")


def not_kept(error: Exception) -> Refusal:
    """Return the refusal of a request whose outcome could not be stored: it is not carried out."""
    return Refusal("not-stored", f"{error}: nothing has changed")


async def aside(
    function: Callable[Given, Answer], *args: Given.args, **kwargs: Given.kwargs
) -> Answer:
    """Call what takes long where others need not wait for it; a page has no other place."""
    if sys.platform == "emscripten":
        return function(*args, **kwargs)
    return await asyncio.to_thread(function, *args, **kwargs)

"""Bodies of requests: read up to a limit and a deadline, and parsed as strict JSON."""

from __future__ import annotations

import asyncio
import json
import re
from typing import TYPE_CHECKING, Any, NoReturn

from starlette.requests import ClientDisconnect

from cardwright.web.refusal import Refusal

if TYPE_CHECKING:
    from starlette.requests import Request

_HALF = re.compile(rb"\\u[dD][89a-fA-F]")
"""What stands for a half of a character."""

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
        value = json.loads(
            content.decode("utf-8"), parse_constant=_constant, object_pairs_hook=_members
        )
    except (ValueError, RecursionError) as error:
        words = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)[:200]
        raise Refusal("malformed", f"the body is not JSON: {words}") from None
    if not isinstance(value, dict):
        raise Refusal("malformed", "the body must be one JSON object")
    if _HALF.search(content):
        _check_whole(value)
    return value


def _check_whole(value: dict[str, Any]) -> None:
    """Raise Refusal if a text has half of a character that JSON writes in two parts."""
    try:
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        raise Refusal("malformed", "a text has half of a character (a lone surrogate)") from None


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


def _constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number of JSON")


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a member is there twice")
    return found

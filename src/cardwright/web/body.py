"""Bodies of requests: read up to a limit and a deadline, and parsed as strict JSON."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from starlette.requests import ClientDisconnect

from cardwright.syntax.data_files import parse_json
from cardwright.web.refusal import Refusal

if TYPE_CHECKING:
    from starlette.requests import Request

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

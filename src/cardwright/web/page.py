"""Pages: HTML files as they are, which fetch what they show from the interface."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from starlette.responses import FileResponse, Response
from starlette.routing import Route

if TYPE_CHECKING:
    from starlette.requests import Request

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

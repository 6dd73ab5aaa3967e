"""Routes of searches for games: the report on each, with links to tables of what was found."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from starlette.responses import FileResponse, HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from cardwright.evolution.report.served_page import script_hash, with_links
from cardwright.syntax.data_files import read_text
from cardwright.web.api import ApiRoute
from cardwright.web.refusal import Refusal
from cardwright.web.schema import listing, shape
from cardwright.web.season_routes import PAGES_POLICY

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.routing import BaseRoute

    from cardwright.web.api import ApiCall, SiteRoute
    from cardwright.web.searches import ServedSearch
    from cardwright.web.site import WebSite

_TEXT = {"type": "string"}

_PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"
"""Figures say their colours by attributes of elements, and do nothing."""


def routes(site: WebSite) -> list[SiteRoute | BaseRoute]:
    """Return the routes."""
    answers = _SearchAnswers(site)
    one = shape("", link=_TEXT, name=_TEXT, games={"type": "integer"})
    return [
        ApiRoute(
            "GET",
            "/api/searches",
            answers.listed,
            words="The reports on searches that are served, and how many games each found.",
            gives=shape("", searches=listing(one)),
        ),
        Route("/searches/{name}", answers.whole, methods=["GET"], name="search"),
        Route("/searches/{name}/{path:path}", answers.file, methods=["GET"], name="search_page"),
    ]


class _SearchAnswers:
    def __init__(self, site: WebSite) -> None:
        self._site = site
        self._headers = {
            "Content-Security-Policy": PAGES_POLICY.replace(
                "script-src 'self'", f"script-src '{script_hash()}'"
            ),
            "Cache-Control": "no-cache",
        }

    async def listed(self, _: ApiCall) -> Any:
        """List the searches."""
        found = [
            {"link": f"/searches/{search.name}/", "name": search.name, "games": len(search.games)}
            for search in self._site.searches
        ]
        return {"searches": found}

    async def whole(self, request: Request) -> Response:
        """Lead to the page: the addresses of its files are relative to it."""
        return RedirectResponse(f"/searches/{self._search(request).name}/")

    async def file(self, request: Request) -> Response:
        search, path = self._search(request), request.path_params["path"]
        if not path:
            return await self._page(search)
        file = search.files.get(path)
        if file is None or not await asyncio.to_thread(file.is_file):
            raise Refusal("no-such-page", "the report on this search has no such file")
        kind = search.kind(path)
        headers = {"Cache-Control": "no-cache"}
        if kind == "image/svg+xml":
            headers["Content-Security-Policy"] = _PICTURE_POLICY
        return FileResponse(file, media_type=kind, headers=headers)

    async def _page(self, search: ServedSearch) -> Response:
        names = {file: name for name, file in self._site.shelf.files.items()}
        addresses = {game.stem: f"/games/{names[game]}" for game in search.games}
        try:
            text = await asyncio.to_thread(read_text, search.page)
        except (OSError, UnicodeDecodeError):
            raise Refusal("no-such-page", "the report on this search is gone") from None
        return HTMLResponse(with_links(text, addresses), headers=self._headers)

    def _search(self, request: Request) -> ServedSearch:
        name = request.path_params["name"]
        for search in self._site.searches:
            if search.name == name:
                return search
        raise Refusal(
            "no-such-page",
            "this server has no such search: `cardwright serve FOLDER` shows that in a folder",
        )

"""Routes of the seasons of the league: their list, and the pages of each while it is played."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from starlette.responses import FileResponse, RedirectResponse, Response
from starlette.routing import Route

from cardwright.game.errors import CardwrightError
from cardwright.web.api import ApiCall, ApiRoute, SitePage
from cardwright.web.refusal import Refusal
from cardwright.web.schema import listing, nullable, shape
from cardwright.web.seasons import LeagueSeasons, UnservedSeasonError
from cardwright.web.security import POLICY

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.routing import BaseRoute

    from cardwright.web.api import SiteRoute
    from cardwright.web.site import WebSite

PAGES_POLICY = POLICY.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")
"""The pages of a season colour cells and draw bars by attributes of elements.

What bots and their authors say is escaped there."""

_TEXT = {"type": "string"}
_WHOLE = {"type": "integer"}
_TRUTH = {"type": "boolean"}
_NUMBER = {"type": "number"}
_SEASON = shape(
    "a season: how far it is, and who leads on its pages; its seed is not told",
    name=_TEXT, title=_TEXT, games=_WHOLE, played=_WHOLE, shown=_WHOLE, complete=_TRUTH,
    over=_TRUTH, bots=listing(_TEXT), rules=_TEXT, begun=_TEXT, ended=_TEXT,
    leaders=listing(shape("", name=_TEXT, place=_NUMBER, points=_NUMBER)),
)  # fmt: skip
_CODES = ("no-such-season",)


def routes(site: WebSite) -> list[SiteRoute | BaseRoute]:
    """Return the routes."""
    answers = _SeasonAnswers(site)
    return [
        SitePage("/seasons", "seasons.html"),
        Route("/seasons/{name}", answers.whole, methods=["GET"], name="season"),
        Route("/seasons/{name}/{path:path}", answers.file, methods=["GET"], name="season_page"),
        ApiRoute(
            "GET", "/api/seasons", answers.seasons, words="The seasons of the league here.",
            gives=shape("", seasons=listing(nullable(_SEASON)), served=_TRUTH),
        ),
        ApiRoute(
            "GET", "/api/seasons/{name}", answers.season, codes=_CODES, gives=_SEASON,
            words="A season: how far it is. Its pages are renewed if there are new games.",
        ),
    ]  # fmt: skip


class _SeasonAnswers:
    def __init__(self, site: WebSite) -> None:
        self._seasons = site.seasons

    async def seasons(self, _: ApiCall) -> Any:
        seasons = self._seasons
        if seasons is None:
            return {"seasons": [], "served": False}
        found = []
        for name in seasons.names():
            try:
                found.append(await asyncio.to_thread(seasons.facts, name))
            except CardwrightError:  # records that cannot be read: its page says why
                found.append({"name": name, "title": name, "problem": True})
        return {"seasons": found, "served": True}

    async def season(self, call: ApiCall) -> Any:
        try:
            return await self._there().look(call.part("name"))
        except CardwrightError as error:
            raise _refused(error) from None

    async def whole(self, request: Request) -> Response:
        """Lead to the first page: the addresses of the others are relative to it."""
        return RedirectResponse(f"/seasons/{request.path_params['name']}/")

    async def file(self, request: Request) -> Response:
        name, path = request.path_params["name"], request.path_params["path"]
        try:
            file = await self._there().page(name, path)
        except CardwrightError as error:
            raise _refused(error) from None
        headers = {"Content-Security-Policy": PAGES_POLICY, "Cache-Control": "no-cache"}
        return FileResponse(file, headers=headers)

    def _there(self) -> LeagueSeasons:
        if self._seasons is None:
            raise UnservedSeasonError(
                "this server has no seasons: `cardwright serve --seasons FOLDER` shows those in a "
                "folder"
            )
        return self._seasons


def _refused(error: CardwrightError) -> Refusal:
    code = "no-such-season" if isinstance(error, UnservedSeasonError) else "invalid"
    return Refusal(code, str(error))

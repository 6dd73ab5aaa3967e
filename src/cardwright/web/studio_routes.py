"""Routes of the studio: the page, what its editor asks, and files that were given to the server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cardwright.authoring.new_game import DECKS, KINDS, PLAYERS
from cardwright.game.errors import NotFoundError
from cardwright.web.api_route import ApiRoute
from cardwright.web.digits import natural
from cardwright.web.page import page
from cardwright.web.refusal import Refusal
from cardwright.web.schema import fields, one_of, text, whole
from cardwright.web.studio.given_file import GivenFile
from cardwright.web.studio.schemas import (
    CHECKED,
    EDITS,
    EXPLAINED,
    FLOW,
    LAID_OUT,
    MOST_GAMES,
    OFFERED,
    PLAYED,
    STRING,
)
from cardwright.web.studio.starts import EMPTY, library_text, new_text, starts

if TYPE_CHECKING:
    from starlette.routing import Route

    from cardwright.web.api_route import ApiCall
    from cardwright.web.schema import Schema
    from cardwright.web.site import WebSite


def routes(site: WebSite) -> list[Route]:
    """Return the routes."""
    return [
        page("/studio", "studio.html"),
        *_StudioWork(site).routes(),
        *_Beginnings(site).routes(),
    ]


class _StudioWork:
    """What is asked about a text; it is done by the site's `studio`, in processes."""

    def __init__(self, site: WebSite) -> None:
        self._site = site

    def routes(self) -> list[Route]:
        offset = {"offset": whole(0, 10**9, "where the cursor is")}
        games = {"games": whole(1, MOST_GAMES, "how many to play")}
        return [
            self._route("check", "What is wrong with rules, with one-click fixes", CHECKED),
            self._route("hover", "What a word of rules means", EXPLAINED, offset),
            self._route("complete", "What can be typed in rules", OFFERED, offset),
            self._route("format", "How rules are laid out", LAID_OUT),
            self._route("mend", "How all sure slips are mended", fields({"edits": EDITS})),
            self._route("statistics", "What random games of rules are like", PLAYED, games),
            self._route("flow", "How cards move in random games", FLOW),
        ]

    def _route(
        self, name: str, words: str, gives: Schema, more: dict[str, Schema] | None = None
    ) -> ApiRoute:
        most = self._site.limits.source

        async def answer(call: ApiCall) -> Any:
            size = len(call.body["source"].encode())
            if size > most:
                raise Refusal("too-large", f"{size:,} bytes of rules; {most:,} are allowed here")
            client = call.request.client
            request = {"do": name, **call.body}
            found = await self._site.studio.do(request, client.host if client else "")
            if error := found.get("error"):
                raise Refusal(error["code"], error["message"], place=error.get("place"))
            return found

        return ApiRoute(
            "POST",
            f"/api/studio/{name}",
            answer,
            words=words,
            takes=fields({"source": {**STRING, "description": "the rules"}, **(more or {})}),
            gives=gives,
            codes=("too-large", "too-many", "busy", "stopped", "wrong-rules", "rule-broken"),
            most_bytes=6 * most + 1024,  # JSON may take six bytes for one
        )


class _Beginnings:
    """What one can begin with: starts, games of the library, and files given to the server."""

    def __init__(self, site: WebSite) -> None:
        self._site = site
        public = site.settings.public
        self._files = () if public else tuple(map(GivenFile, site.settings.files))

    def routes(self) -> list[Route]:
        name = {"name": STRING, "source": STRING}
        file = fields({**name, "digest": STRING})
        saved = fields({"source": STRING, "digest": text(64)})
        return [
            ApiRoute("GET", "/api/studio/starts", self.listed,
                     words="What one can begin with", gives={"type": "object"}),
            ApiRoute("POST", "/api/studio/starts", self.begun, words="The rules of a new game",
                     takes=fields({"kind": one_of("empty", *KINDS)}, {
                         "deck": one_of(*DECKS), "players": whole(PLAYERS[0], PLAYERS[-1])}),
                     gives=fields(name)),
            ApiRoute("GET", "/api/studio/library/{name}", self.studied,
                     words="The rules of a game of the library", gives=fields(name),
                     codes=("no-such-game",)),
            ApiRoute("GET", "/api/studio/files/{number}", self.opened,
                     words="A file that was given to the server", gives=file,
                     codes=("no-such-game", "not-allowed")),
            ApiRoute("POST", "/api/studio/files/{number}", self.saved,
                     words="Change a file that was given to the server", takes=saved,
                     gives=fields({"digest": STRING}),
                     codes=("no-such-game", "not-allowed", "conflict", "not-stored"),
                     most_bytes=6 * self._site.limits.source + 1024),
        ]  # fmt: skip

    async def listed(self, _: ApiCall) -> Any:
        files = [{"number": at, "name": file.path.name} for at, file in enumerate(self._files)]
        return {**starts(), "files": files, "most_bytes": self._site.limits.source}

    async def begun(self, call: ApiCall) -> Any:
        kind = call.body["kind"]
        if kind == "empty":
            return {"name": "new-game", "source": EMPTY}
        deck, players = call.body.get("deck", "52"), call.body.get("players", 4)
        return {"name": f"new-{kind}", "source": new_text(kind, deck, players)}

    async def studied(self, call: ApiCall) -> Any:
        name = call.part("name")
        try:
            return {"name": name, "source": library_text(name)}
        except NotFoundError as error:
            raise Refusal("no-such-game", str(error)) from None

    async def opened(self, call: ApiCall) -> Any:
        file = self._file(call)
        source, digest = file.read()
        return {"name": file.path.stem, "source": source, "digest": digest}

    async def saved(self, call: ApiCall) -> Any:
        return {"digest": self._file(call).write(call.body["source"], call.body["digest"])}

    def _file(self, call: ApiCall) -> GivenFile:
        if self._site.settings.public:
            raise Refusal("not-allowed", "with --public, no files of this machine are opened")
        number = natural(call.part("number"), len(self._files) - 1)
        if number is None:
            raise Refusal("no-such-game", "the server was not given that file")
        return self._files[number]

"""Routes of invitations: free seats, who sits down there, and under which address others come."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cardwright.library.catalogue import people_name
from cardwright.table.table import PHRASES
from cardwright.web.addresses import public_bases
from cardwright.web.api import ApiRoute, SitePage, aside
from cardwright.web.qr import MOST_BYTES, qr_code
from cardwright.web.rates import RateLimit
from cardwright.web.refusal import Refusal
from cardwright.web.schema import fields, listing, nullable, one_of, shape, text
from cardwright.web.table_request import checked_name

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardwright.web.api import ApiCall, SiteRoute
    from cardwright.web.live_table import LiveTable
    from cardwright.web.site import WebSite

SAID_AT_ONCE = 3
SAID_EVERY = 8.0
"""Phrases that a seat can say at once, and the seconds until it can say another one."""

MOST_SAID = 100
"""Phrases that a seat can say at one table."""

_TEXT, _WHOLE, _TRUTH = {"type": "string"}, {"type": "integer"}, {"type": "boolean"}


def routes(site: WebSite) -> list[SiteRoute]:
    """Return the routes."""
    do = _InviteAnswers(site)
    return [
        SitePage("/join/{token}", "join.html", do.status),
        ApiRoute(
            "GET", "/api/join/{token}", do.look, codes=("no-such-table",),
            words="The table to which a link invites: its game, who sits there, free seats.",
            gives=shape(
                "the seat that is next, null if none is free", game=_TEXT, title=_TEXT,
                over=_TRUTH, next=nullable(_WHOLE),
                seats=listing(shape("", name=_TEXT, kind=_TEXT, here=_TRUTH)),
            ),
        ),
        ApiRoute(
            "POST", "/api/join/{token}", do.join, takes=fields({"name": text(80)}), status=201,
            words="Sit down in a free seat; one where a computer player stands in comes last.",
            gives=shape("the link to the seat", seat=_WHOLE, link=_TEXT),
            codes=("no-such-table", "conflict"),
        ),
        ApiRoute(
            "POST", "/api/t/{token}/say", do.say,
            takes=fields({"phrase": one_of(*PHRASES)}),
            words="Say one of a few phrases to all at the table.",
            gives=shape("it was said", said=_TEXT), codes=("no-such-table", "not-allowed"),
        ),
        ApiRoute(
            "GET", "/api/phrases", do.phrases, words="What can be said at a table.",
            gives=shape("", phrases=listing(shape("", phrase=_TEXT, words=_TEXT))),
        ),
        ApiRoute(
            "GET", "/api/reach", do.reach, words="Under which addresses others reach this server.",
            gives=shape(
                "the beginnings of links, the best first; or why there are none",
                addresses=listing(_TEXT), why=nullable(_TEXT),
            ),
        ),
        ApiRoute(
            "POST", "/api/qr", do.code, takes=fields({"text": text(MOST_BYTES)}),
            words="The QR code of a short text, such as a link.",
            gives=shape(
                "the modules on a side, and the dark ones as a path of SVG; four light ones "
                "belong around them", size=_WHOLE, path=_TEXT,
            ),
        ),
    ]  # fmt: skip


class _InviteAnswers:
    def __init__(self, site: WebSite) -> None:
        self._site = site
        self._said = RateLimit(1 / SAID_EVERY, SAID_AT_ONCE)

    async def status(self, parts: Mapping[str, str]) -> int:
        """Return that of the page of an invitation."""
        await self._site.tables.role(parts["token"], invited=True)
        return 200

    async def look(self, call: ApiCall) -> Any:
        table = await self._site.tables.invitation(call.part("token"))
        scene = await _open_scene(table)
        return {
            "game": table.setup.game.name,
            "title": people_name(table.setup.game.name),
            "over": scene["over"] is not None,
            "next": _free_seat(table, scene),
            "seats": [
                {
                    "name": seat["name"],
                    "kind": seat["kind"],
                    "here": seat["kind"] == "computer" or table.attendance.here(seat["seat"]),
                }
                for seat in scene["seats"]
            ],
        }

    async def join(self, call: ApiCall) -> Any:
        table = await self._site.tables.invitation(call.part("token"))
        name = checked_name(call.body["name"])
        if not name:
            raise Refusal("invalid", "say what you are called: the others see it")
        async with table.joining:
            seat = _free_seat(table, await _open_scene(table))
            if seat is None:
                raise Refusal("conflict", "no seat is free at this table any more")
            link = await self._site.tables.seat_link(table, seat)
            await table.act({"do": "sit", "seat": seat, "player": None, "name": name}, seat)
        return {"seat": seat, "link": link}

    async def say(self, call: ApiCall) -> Any:
        table, role = await self._site.tables.find(call.part("token"))
        seat, phrase = role.seat, call.body["phrase"]
        if seat is None:
            raise Refusal("not-allowed", "you watch: only those who play can say something")
        said = sum(one.request["do"] == "say" and one.by == seat for one in table.commands)
        wait = self._said.take(f"{table.name}.{seat}")
        if wait > 0 or said >= MOST_SAID:
            when = f": wait {wait:.0f} s" if wait > 0 else " at this table"
            raise Refusal("too-many", f"you have said enough{when}")
        await table.act({"do": "say", "seat": seat, "phrase": phrase}, seat)
        return {"said": PHRASES[phrase]}

    async def phrases(self, _: ApiCall) -> Any:
        return {"phrases": [{"phrase": one, "words": words} for one, words in PHRASES.items()]}

    async def reach(self, _: ApiCall) -> Any:
        addresses = list(public_bases(self._site.settings))
        return {"addresses": addresses, "why": None if addresses else self._why_not()}

    def _why_not(self) -> str:
        if not self._site.settings.public:
            return (
                "Only this machine reaches the server. End it by Ctrl-C, and start it with "
                "`cardwright serve --public`: all tables are kept."
            )
        return "This machine is in no network that others are in."

    async def code(self, call: ApiCall) -> Any:
        try:
            found = await aside(qr_code, call.body["text"])
        except ValueError as error:
            raise Refusal("invalid", str(error)) from None
        return {"size": found.size, "path": found.path}


async def _open_scene(table: LiveTable) -> dict[str, Any]:
    """Return a scene of which only what all may see is used: who sits where."""
    return await table.scene(0)


def _free_seat(table: LiveTable, scene: Mapping[str, Any]) -> int | None:
    """Return the seat of whoever comes next: an empty one, else one that was kept for somebody."""
    if scene["over"] is not None:
        return None
    kinds = [seat["kind"] for seat in scene["seats"]]
    invited = [seat for seat, one in enumerate(table.setup.seats) if one.kind == "empty"]
    joined = {one.by for one in table.commands if one.request["do"] == "sit"}
    standing_in = [seat for seat in invited if kinds[seat] == "computer" and seat not in joined]
    return next(iter([*(seat for seat in invited if kinds[seat] == "empty"), *standing_in]), None)

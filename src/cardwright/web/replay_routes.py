"""Routes of replays: games that were played, move by move, and what is thought of the moves."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

from cardwright.game.errors import CardwrightError
from cardwright.table.saved import SavedGameError
from cardwright.web.api import ApiCall, ApiRoute, Events, Payload, SitePage
from cardwright.web.rates import RateLimit
from cardwright.web.refusal import Refusal
from cardwright.web.replay_source import MOST_FRAMES, ReplaySource, ReplayStore
from cardwright.web.replays import SiteReplays
from cardwright.web.schema import MOST_NUMBER, fields, listing, natural, nullable, reference, shape

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from cardwright.web.api import SiteRoute
    from cardwright.web.site import WebSite

FOLDER = "replays"
"""Where replays are kept, in the folder of the site's data."""

LARGEST = 8 * 2**20
"""The most bytes of a saved game that is sent."""

_HOUR = 3600.0
_AT_ONCE = 2
"""Games that are judged move by move at a time, for each address."""

_TEXT, _WHOLE = {"type": "string"}, {"type": "integer"}
_KEPT = shape("a replay, and the address of its page", replay=_TEXT, link=_TEXT)
_EYES = {"seat": "a seat, from 0; all hands if it is missing or `all`"}
_CODES = ("no-such-replay", "stopped", "not-over")
_JUDGED = shape(
    "an option, and its estimates, one in each unit", option=_WHOLE, words=_TEXT,
    estimates=listing(nullable({"type": "number"})),
)  # fmt: skip
_JUDGEMENT = shape(
    "what a strong player thinks of a move: what it would play, and how much the move loses in "
    "each unit, first in that by which it chooses; below 0 is gained; with about 95 % of draws a "
    "loss would be within its error",
    move=_WHOLE,
    seat=_WHOLE,
    forced={"type": "boolean"},
    played=_JUDGED,
    best=_JUDGED,
    units=listing(reference("EstimateUnit")),
    lost=listing(nullable({"type": "number"})),
    errors=listing(nullable({"type": "number"})),
)
_OUTLINE = {
    "type": "object",
    "description": "a game without its cards: who played, how many moves, where deals begin",
}
_LOG = shape(
    "what was told of a game, an event for each move",
    opening=listing(_TEXT),
    events=listing(
        shape("", number=_WHOLE, seat=_WHOLE, words=_TEXT, changes=listing(_TEXT)),
    ),
)
_FRAME = shape(
    "a moment: how many moves were made, the scene, the last event, the option chosen next",
    number=_WHOLE,
    scene=reference("TableScene"),
    event=nullable(reference("SceneEvent")),
    chosen=nullable(_WHOLE),
)


def routes(site: WebSite) -> list[SiteRoute]:
    """Return the routes."""
    do = _ReplayAnswers(site)
    at = "/api/replays/{replay}"
    return [
        SitePage("/replay", "replay.html"),
        SitePage("/replay/{replay}", "replay.html"),
        ApiRoute(
            "POST", "/api/replays", do.add, most_bytes=LARGEST, status=201,
            words="Replay a saved game: the content of a file that `cardwright play` writes.",
            takes={"type": "object"}, gives=_KEPT, codes=("stopped",),
        ),
        ApiRoute(
            "POST", "/api/t/{token}/replay", do.add_table, takes=fields({}), gives=_KEPT,
            status=201, words="Replay the game of a table that is over.",
            codes=("no-such-table", "not-over", "stopped"),
        ),
        ApiRoute(
            "GET", at, do.outline, gives=_OUTLINE, codes=_CODES, words="A replay in outline.",
        ),
        ApiRoute(
            "GET", f"{at}/log", do.log, parameters=_EYES, gives=_LOG, codes=_CODES,
            words="What a seat was told of the game, or all of it.",
        ),
        ApiRoute(
            "GET", f"{at}/frames", do.frames, codes=_CODES,
            parameters={**_EYES, "first": "a number of moves", "count": f"up to {MOST_FRAMES}"},
            gives=shape("", frames=listing(_FRAME)),
            words="What a seat saw, or all hands, after so many moves and the ones that follow.",
        ),
        ApiRoute(
            "GET", f"{at}/moves/{{move}}/judgement", do.judgement, gives=_JUDGEMENT, codes=_CODES,
            words="What a strong player thinks of a move, counted from 0.",
        ),
        ApiRoute(
            "GET", f"{at}/judgements", do.judgements, gives=_JUDGEMENT, codes=_CODES,
            media="text/event-stream",
            parameters={"seat": "only moves of this seat", "first": "from this move on",
                        "last": "up to this one"},
            words="What a strong player thinks of each move, one after the other: server-sent "
            "events until the stream is closed.",
        ),
    ]  # fmt: skip


class _ReplayAnswers:
    """The answers to requests about replays."""

    def __init__(self, site: WebSite) -> None:
        data = site.settings.data
        self._site = site
        self._replays = SiteReplays(
            ReplayStore(None if data is None else data / FOLDER),
            site.seasons,
            site.thinkers,
            site.limits.milliseconds / 1000,
            site.workers,
        )
        each = site.limits.tables_each
        self._new = RateLimit(each / _HOUR, each)
        self._judging: dict[str, int] = {}
        site.when_stopped(self._replays.close)

    async def add(self, call: ApiCall) -> Any:
        self._take(call)
        try:
            source = ReplaySource.of_file(call.body)
        except SavedGameError as error:
            raise Refusal("invalid", str(error)) from None
        return await self._added(source)

    async def add_table(self, call: ApiCall) -> Any:
        table, role = await self._site.tables.find(call.part("token"))
        who = table.setup.watch if role.seat is None else role.seat
        seen = await table.ask({"do": "look", "who": who, "since": 0})
        over = seen["scene"]["over"]
        if over is None:
            raise Refusal("not-over", "the game is not over: it can be replayed when it is")
        source = ReplaySource.of_table(table.setup, over["choices"], seen["scene"]["seats"])
        return await self._added(source)

    async def _added(self, source: ReplaySource) -> dict[str, str]:
        try:
            name = await self._replays.add(source)
        except CardwrightError as error:
            raise Refusal("not-stored", str(error)) from None
        return {"replay": name, "link": f"/replay/{name}"}

    def _take(self, call: ApiCall) -> None:
        wait = self._new.take(call.address)
        if wait > 0:
            raise Refusal(
                "too-many",
                f"you have sent many games: send another one in {wait / 60:.0f} minutes",
                {"Retry-After": str(round(wait) + 1)},
            )

    # Looking ------------------------------------------------------------------------------

    async def outline(self, call: ApiCall) -> Any:
        return await self._replays.outline(call.part("replay"))

    async def log(self, call: ApiCall) -> Any:
        found = await self._replays.log(call.part("replay"), _seat(call))
        return _long(found)

    async def frames(self, call: ApiCall) -> Any:
        first, count = _number(call, "first", 0), _number(call, "count", MOST_FRAMES)
        found = await self._replays.frames(call.part("replay"), _seat(call), first, count)
        return _long(found)

    # Judging ------------------------------------------------------------------------------

    async def judgement(self, call: ApiCall) -> Any:
        move = natural(call.part("move"), MOST_NUMBER)
        if move is None:
            raise Refusal("invalid", "moves are counted from 0")
        return await self._replays.judgement(call.part("replay"), move)

    async def judgements(self, call: ApiCall) -> Any:
        name, address = call.part("replay"), call.address
        outline = await self._replays.outline(name)
        seat, moves = _seat(call), outline["moves"]
        first, last = _number(call, "first", 0), _number(call, "last", len(moves) - 1)
        wanted = [
            number
            for number, (mover, count) in enumerate(moves[: last + 1])
            if number >= first and count > 1 and seat in {None, mover}
        ]
        self._site.streams.check(address)
        if self._judging.get(address, 0) >= _AT_ONCE:
            raise Refusal(
                "too-many", f"{_AT_ONCE} games are being judged for you already: stop one of them"
            )
        stream = self._site.streams.following(address, self._judged(name, wanted, address))
        return Events(stream)

    async def _judged(
        self, name: str, wanted: list[int], address: str
    ) -> AsyncIterator[dict[str, str]]:
        """Yield the judgement of one move after the other; what cannot be judged is left out."""
        self._judging[address] = self._judging.get(address, 0) + 1
        try:
            for done, move in enumerate(wanted, 1):
                judged: dict[str, Any] | None = None
                problem = ""
                try:
                    judged = await self._replays.judgement(name, move)
                except Refusal as refusal:
                    problem = refusal.message
                told = {"done": done, "of": len(wanted), "judgement": judged, "problem": problem}
                yield {"id": str(move), "data": json.dumps(told)}
                await asyncio.sleep(0)
        finally:
            self._judging[address] -= 1
            if not self._judging[address]:
                del self._judging[address]


def _seat(call: ApiCall) -> int | None:
    """Return the seat after the question mark; None stands for all hands."""
    given = call.query("seat")
    if given is None or given == "all":
        return None
    seat = natural(given, 99)
    if seat is None:
        raise Refusal("invalid", "a seat is a number from 0, or `all`")
    return seat


def _number(call: ApiCall, name: str, standard: int) -> int:
    given = call.query(name)
    if given is None:
        return standard
    number = natural(given, MOST_NUMBER)
    if number is None:
        raise Refusal("invalid", f"{name} is a number from 0")
    return number


def _long(value: object) -> Payload:
    return Payload(json.dumps(value, ensure_ascii=False, separators=(",", ":")), long=True)

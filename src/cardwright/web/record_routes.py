"""Routes of records: the games that somebody has played, kept under a secret of their browser."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from cardwright.web.api import ApiRoute, Payload, SitePage
from cardwright.web.game_record import (
    Standing,
    entry,
    summary,
    told_of_game,
    why_not_counted,
)
from cardwright.web.refusal import Refusal
from cardwright.web.schema import fields, listed, listing, nullable, shape, text
from cardwright.web.stored import RecordedGame
from cardwright.web.tables import TOKEN_LENGTH, token_hash

if TYPE_CHECKING:
    from cardwright.web.api import ApiCall, SiteRoute
    from cardwright.web.site import WebSite

_ID = re.compile(r"([0-9a-f]{16})\.(\d{1,2})")
_MOST_REMOVED = 1_000
_KEY = text(TOKEN_LENGTH, "a secret of the browser: 128 random bits in Base64 for addresses")
_WHOLE, _TEXT, _OBJECT = {"type": "integer"}, {"type": "string"}, {"type": "object"}
_NUMBER = {"type": "number"}
_STANDING = shape(
    "games against others, how many of them were won, wins in a row: now, and at most; and the "
    "ends of the 95 % interval of the share of wins",
    games=_WHOLE, won=_WHOLE, streak=_WHOLE, longest=_WHOLE,
    low=nullable(_NUMBER), high=nullable(_NUMBER),
)  # fmt: skip


def routes(site: WebSite) -> list[SiteRoute]:
    """Return the routes."""
    do = _RecordAnswers(site)
    return [
        SitePage("/record", "record.html"),
        ApiRoute(
            "POST", "/api/t/{token}/record", do.note, takes=fields({"key": _KEY}),
            words="Count the finished game of a seat in the record of a key. A game is in one "
            "record at most, and none that was removed comes back.",
            gives=shape(
                "whether it is there, or why it is not, and the standing in this game",
                kept={"type": "boolean"}, why=nullable(_TEXT), standing=_STANDING,
            ),
            codes=("no-such-table", "not-allowed", "not-over", "busy"),
        ),
        ApiRoute(
            "POST", "/api/record", do.show,
            takes=fields({"key": _KEY}, {"name": text(80, "only games under this name")}),
            words="The record of a key: all of its games, and what those of each kind add up to.",
            gives=shape(
                "names under which was played; games, the last one last", names=listing(_TEXT),
                standing=_STANDING, kinds=listing(_OBJECT), games=listing(_OBJECT),
            ),
        ),
        ApiRoute(
            "POST", "/api/record/remove", do.remove,
            takes=fields({"key": _KEY}, {"games": listed(text(20), _MOST_REMOVED, "their ids")}),
            words="Remove games from the record of a key, or all if none are named.",
            gives=shape("how many were removed", removed=_WHOLE),
        ),
    ]  # fmt: skip


class _RecordAnswers:
    def __init__(self, site: WebSite) -> None:
        self._site = site
        self._store = site.store

    async def note(self, call: ApiCall) -> Any:
        owner = _owner(call)
        table, role = await self._site.tables.find(call.part("token"))
        if (seat := role.seat) is None:
            raise Refusal("not-allowed", "you watch: only those who play have a record of it")
        seen = await table.scene(seat)
        if seen["over"] is None:
            raise Refusal("not-over", "a game counts in a record when it is over")
        why = why_not_counted(table.setup, table.commands, seat)
        if why is None:
            if await self._store.count_games() >= self._site.limits.games:
                raise Refusal("busy", "the records here are full: no more games can be kept")
            feats = (await table.ask({"do": "feats"}))["feats"]
            told = told_of_game(table.setup, seen, feats, seat)
            if not await self._store.note_game(RecordedGame(table.name, seat, told), owner):
                why = "this game is in another record, or was removed from one"
        games = [game.told for game in await self._store.games(owner)]
        same = (told for told in games if told["game"] == table.setup.game.name)
        return {"kept": why is None, "why": why, "standing": Standing.of(same).data()}

    async def show(self, call: ApiCall) -> Any:
        games = await self._store.games(_owner(call))
        names = sorted({game.told["name"] for game in games})
        name = call.body.get("name")
        shown = [game for game in games if name in {None, game.told["name"]}]
        told = [game.told for game in shown]
        record = {
            "names": names,
            "standing": Standing.of(told).data(),
            "kinds": summary(told),
            "games": list(map(entry, shown)),
        }
        return Payload(json.dumps(record, ensure_ascii=False), long=True)

    async def remove(self, call: ApiCall) -> Any:
        wanted = call.body.get("games")
        places = None if wanted is None else {_place(one) for one in wanted}
        return {"removed": await self._store.forget_games(_owner(call), places)}


def _owner(call: ApiCall) -> bytes:
    """Return the hash of the key that a request brings: the key itself is not kept."""
    found = token_hash(call.body["key"])
    if found is None:
        raise Refusal("invalid", f"a key is {TOKEN_LENGTH} letters, digits, - and _")
    return found


def _place(game: str) -> tuple[str, int]:
    found = _ID.fullmatch(game)
    if found is None:
        raise Refusal("invalid", f"{game!r} is not the id of a game in a record")
    return found[1], int(found[2])

"""Routes of tables: to make one, to look at it, to play at it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from cardwright.game.errors import file_stem
from cardwright.table.estimates import sureness
from cardwright.table.setup import SeatSetup
from cardwright.web.api import ApiCall, ApiRoute, Events, Payload, SitePage, aside
from cardwright.web.limits import checked_player
from cardwright.web.live_table import table_stream
from cardwright.web.rates import RateLimit
from cardwright.web.refusal import Refusal
from cardwright.web.schema import (
    MOST_NUMBER,
    fields,
    listing,
    natural,
    nullable,
    number,
    reference,
    shape,
    text,
    whole,
)
from cardwright.web.table_request import (
    AGAIN,
    MOST_PACE,
    MOST_SEATS,
    TABLE_REQUEST,
    checked_name,
    deal_of,
    next_setup,
    table_setup,
)
from cardwright.web.thinking import ThinkError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cardwright.table.setup import TableSetup
    from cardwright.web.api import Answerer, SiteRoute
    from cardwright.web.live_table import LiveTable, Who
    from cardwright.web.schema import Schema
    from cardwright.web.site import WebSite
    from cardwright.web.stored import LinkRole
    from cardwright.web.tables import SiteTables

MOST = 12
"""Tables that are listed at a time; an older one gives way."""


@dataclass(frozen=True)
class ListedTable:
    """A table that may be watched: the link for spectators, its game, and who plays."""

    link: str
    title: str
    players: tuple[str, ...]

    def record(self) -> dict[str, Any]:
        """Return this as a JSON object."""
        return {"link": self.link, "title": self.title, "players": list(self.players)}


class ListedTables:
    """The tables that are listed, the latest first.

    They are known while the server runs: links are kept as hashes only, so that a server that is
    started anew does not know them any more.
    """

    def __init__(self, tables: SiteTables) -> None:
        self._tables = tables
        self._listed: list[ListedTable] = []

    def add(self, setup: TableSetup, link: str) -> None:
        """List a table under its link for spectators."""
        players = tuple(seat.name or f"Player {at}" for at, seat in enumerate(setup.seats, 1))
        one = ListedTable(link, setup.title, players)
        self._listed = [one, *self._listed][:MOST]

    async def current(self) -> list[dict[str, Any]]:
        """Return those at which a game is in play; the others are listed no more."""
        over = {one for one in self._listed if not await self._in_play(one)}
        self._listed = [one for one in self._listed if one not in over]
        return [one.record() for one in self._listed]

    async def _in_play(self, listed: ListedTable) -> bool:
        try:
            table, _ = await self._tables.find(listed.link.rpartition("/")[2])
            due = await table.ask({"do": "due"})
        except Refusal:
            return False
        return due["seat"] is not None


AWAY = 60.0
"""Seconds after which a computer player may be put in the seat of a person who is not there."""

_HOUR = 3600.0
_USUAL = "usual"
_LARGEST = 2**53 - 1
_DONE = shape("what was done is kept", number={"type": "integer"})
_LINKS = shape(
    "a new table, and the links to its seats; who has one, sits there",
    table={"type": "string"},
    seats=listing(shape("", seat={"type": "integer"}, link={"type": "string"})),
    watch=nullable({"type": "string"}),
    invite=nullable({"type": "string"}),
)
_LISTED = shape(
    "tables with their links for spectators, the latest first",
    tables=listing(
        shape(
            "",
            link={"type": "string"},
            title={"type": "string"},
            players=listing({"type": "string"}),
        )
    ),
)
_HINT = shape(
    "what a computer player would do, and its estimates of all options, where it has any",
    option={"type": "integer"},
    player={"type": "string"},
    estimates=listing(reference("Estimates")),
    sure={"type": "string", "description": "how sure that is, as a sentence; empty if unknown"},
)
_AGAIN = shape("the link to one's own seat there, or for spectators", link={"type": "string"})
_SINCE = {"since": "the version of the last event that is known: only later ones are sent"}
_NO_TABLE = ("no-such-table",)
_SEATED = ("no-such-table", "not-allowed", "conflict")


def routes(site: WebSite) -> list[SiteRoute]:
    """Return the routes."""
    do = _TableAnswers(site)
    at = "/api/t/{token}"

    def command(
        name: str, words: str, members: dict[str, Schema], *codes: str,
        answer: Answerer | None = None,
    ) -> ApiRoute:  # fmt: skip
        return ApiRoute(
            "POST", f"{at}/{name}", answer or partial(do.carry_out, name), words=words,
            takes=fields(members), gives=_DONE, codes=(*_SEATED, *codes),
        )  # fmt: skip

    return [
        SitePage("/t/{token}", "table.html", do.status),
        SitePage("/deal", "deal.html"),
        ApiRoute(
            "POST", "/api/tables", do.make,
            words="Make a table, and get the links to its seats.",
            takes=TABLE_REQUEST, gives=_LINKS, status=201,
            most_bytes=6 * site.limits.source + 4096,  # JSON may take six bytes for one
            codes=("no-such-game", "busy"),
        ),
        ApiRoute(
            "GET", "/api/tables", do.listed, gives=_LISTED,
            words="The tables in play that anybody may watch: those whose makers have listed them.",
        ),
        ApiRoute(
            "GET", at, do.look, words="What a link shows now, with what happened until then.",
            gives=reference("TableLook"), parameters=_SINCE, codes=_NO_TABLE,
        ),
        ApiRoute(
            "GET", f"{at}/events", do.events,
            words="What a link shows, again whenever it changes: server-sent events whose ids are "
            "versions, and whose data is a TableLook with the events since the last id. The header "
            "Last-Event-ID resumes.",
            gives=reference("TableLook"), media="text/event-stream", codes=_NO_TABLE,
        ),
        command(
            "choose", "Make the pending decision, of this number, by the index of an option. Where "
            "the scene has an `early` decision, that can be made by its number before its turn.",
            {"number": whole(0, _LARGEST), "option": whole(0, _LARGEST)},
            "stale", "resting", "not-your-turn", "game-over", "illegal-option",
        ),
        command(
            "reconsider", "Take back what was chosen for the early decision of this number.",
            {"number": whole(0, _LARGEST)}, "stale",
        ),
        command(
            "claim", "Claim the rest of the tricks of a deal, at the decision of this number, "
            "where the scene has a `claim`: all cards are played, in some order.",
            {"number": whole(0, _LARGEST)}, "stale", "not-proved",
        ),
        command(
            "go-on", "Go on after the deal of this number, which has just ended: the next one "
            "begins when all people at the table have, or after a while.",
            {"deal": whole(1, _LARGEST)}, "stale",
        ),
        command("undo", "Ask to take one's last move back.", {}),
        command("agree", "Agree that moves are taken back, or not.", {"yes": {"type": "boolean"}}),
        command(
            "open", "Agree that spectators see all hands, or take that back: they see them when "
            "all people at the table agree.", {"yes": {"type": "boolean"}},
        ),
        command(
            "sit", "Let a computer player play in a seat, one's own or that of somebody who has "
            "left; or come back to one's own, with `player` null. `usual` is the player for hints.",
            {"seat": whole(0, MOST_SEATS), "player": nullable(text(200))}, answer=do.sit,
        ),
        command("name", "Take another name.", {"name": text(80)}, answer=do.name),
        command(
            "pace", "Set the seconds between moves of computer players.",
            {"pace": number(0, MOST_PACE)},
        ),
        ApiRoute(
            "POST", f"{at}/hint", do.hint, words="What a computer player would do here.",
            takes=fields({}), gives=_HINT,
            codes=(*_SEATED, "resting", "not-your-turn", "game-over", "stopped"),
        ),
        ApiRoute(
            "POST", f"{at}/deal", do.deal,
            words="The same deal for somebody else: the request for a table with these rules and "
            "cards, this seat for a person and computer players in all others. With several people "
            "at the table it is there when the game is over.",
            takes=fields({}), gives=TABLE_REQUEST, codes=(*_NO_TABLE, "not-over"),
        ),
        ApiRoute(
            "POST", f"{at}/again", do.again,
            words="Play again: make a table for the same people when the game is over, or sit down "
            "at the one that another of them has made. Those who are there are asked; computer "
            "players stand in for others, and for those who do not come.",
            takes=fields({}, AGAIN), gives=_AGAIN,
            codes=(*_NO_TABLE, "not-over", "not-allowed", "conflict", "busy"),
        ),
        ApiRoute(
            "POST", f"{at}/why", do.why,
            words="Why a card of one's hand cannot be chosen; null if it can.",
            takes=fields({"card": whole(0, _LARGEST)}),
            gives=shape("the reason", why=nullable({"type": "string"})), codes=_SEATED,
        ),
        ApiRoute(
            "GET", f"{at}/save", do.save,
            words="The file of a finished game, which a replay shows, here and in the terminal.",
            gives={"type": "object"}, codes=(*_NO_TABLE, "not-over", "not-allowed"),
        ),
    ]  # fmt: skip


class _TableAnswers:
    """The answers to requests about tables."""

    def __init__(self, site: WebSite) -> None:
        self._site = site
        each = site.limits.tables_each
        self._new = RateLimit(each / _HOUR, each)
        self._listed = ListedTables(site.tables)

    async def status(self, parts: Mapping[str, str]) -> int:
        """Return that of a table's page; there is none without a link."""
        await self._site.tables.role(parts["token"])
        return 200

    def _count(self, call: ApiCall) -> None:
        """Count a table that is about to be made; raises Refusal if there were too many."""
        wait = self._new.take(call.address)
        if wait > 0:
            raise Refusal(
                "too-many",
                f"you have made {self._site.limits.tables_each} tables: make another one in "
                f"{wait / 60:.0f} minutes",
                {"Retry-After": str(round(wait) + 1)},
            )

    async def make(self, call: ApiCall) -> Any:
        self._count(call)
        site = self._site
        setup = await aside(table_setup, call.body, site.shelf, site.limits)
        made = await site.tables.make(setup)
        if call.body.get("listed") and made["watch"] is not None:
            self._listed.add(setup, made["watch"])
        return made

    async def listed(self, _: ApiCall) -> Any:
        return {"tables": await self._listed.current()}

    # Looking ------------------------------------------------------------------------------

    async def look(self, call: ApiCall) -> Any:
        table, role = await self._found(call)
        table.attendance.attend_briefly(role.seat)
        found = await table.look(_who(table, role), _version(call.query("since")))
        return Payload(found.text)

    async def events(self, call: ApiCall) -> Any:
        table, role = await self._found(call)
        address = call.address
        self._site.streams.check(address)
        who = _who(table, role)
        if call.method == "GET":
            await self._come_back(table, role)
        await table.look(who, 0)  # what goes wrong is an answer rather than a stream
        since = _version(call.after or call.query("since"))
        stream = self._site.streams.following(address, table_stream(table, role.seat, who, since))
        return Events(stream)

    async def _come_back(self, table: LiveTable, role: LinkRole) -> None:
        """Give somebody who opens its link its seat back, if others have put a player there."""
        if role.seat is not None and table.replaced(role.seat):
            await table.act({"do": "sit", "seat": role.seat, "player": None, "name": ""}, role.seat)

    async def save(self, call: ApiCall) -> Any:
        table, _ = await self._found(call)
        name = f"{file_stem(table.setup.game.name)}-{table.setup.seed}.cardwright.json"
        return Payload(await table.saved(), name=name)

    # Playing ------------------------------------------------------------------------------

    async def carry_out(self, name: str, call: ApiCall) -> Any:
        """Carry out a command whose other members are in the body."""
        table, seat = await self._seated(call)
        return await table.act({"do": name, "seat": seat, **call.body}, seat)

    async def sit(self, call: ApiCall) -> Any:
        table, seat = await self._seated(call)
        whose, player = call.body["seat"], call.body["player"]
        if player == _USUAL:
            player = table.setup.hint
        elif player is not None:
            player = checked_player(player, self._site.limits)
        if whose != seat:
            _check_left(table, (await table.scene(seat))["seats"], whose, player)
        return await table.act({"do": "sit", "seat": whose, "player": player, "name": ""}, seat)

    async def name(self, call: ApiCall) -> Any:
        table, seat = await self._seated(call)
        name = checked_name(call.body["name"])
        if not name:
            raise Refusal("invalid", "a name has at least one character")
        return await table.act({"do": "name", "seat": seat, "name": name}, seat)

    # Asking -------------------------------------------------------------------------------

    async def why(self, call: ApiCall) -> Any:
        table, seat = await self._seated(call)
        return await table.ask({"do": "why", "seat": seat, "card": call.body["card"]})

    async def hint(self, call: ApiCall) -> Any:
        table, seat = await self._seated(call)
        people = sum(one.kind != "computer" for one in table.setup.seats)
        if people > 1 and not table.setup.practice:
            raise Refusal("not-allowed", "with others there are hints in practice only")
        due = await table.ask({"do": "due"})
        if due["rest"] is not None:
            raise Refusal("resting", "the deal is over: go on to the next one first")
        if due["seat"] is None:
            raise Refusal("game-over", "the game is over")
        if due["seat"] != seat:
            raise Refusal("not-your-turn", "there is a hint only when it is your turn to decide")
        player = table.setup.hint
        try:
            found = await self._site.thinkers.decide(table.thought(due, player, "hint"))
        except ThinkError as error:
            raise Refusal("stopped", f"there is no hint: {error}") from None
        return {
            "option": found.choice,
            "player": player,
            "estimates": [one.data() for one in found.estimates],
            "sure": sureness(found.estimates, found.choice, await _words(table, seat, due)),
        }

    async def deal(self, call: ApiCall) -> Any:
        table, role = await self._found(call)
        setup = table.setup
        people = [seat for seat, one in enumerate(setup.seats) if one.kind == "person"]
        if people not in ([], [role.seat]):
            due = await table.ask({"do": "due"})
            if due["seat"] is not None or due["rest"] is not None:
                raise Refusal(
                    "not-over",
                    "whoever has the deal could look at all hands: it is shared when the game is "
                    "over",
                )
        return deal_of(setup, role.seat or 0)

    # Playing again ------------------------------------------------------------------------

    async def again(self, call: ApiCall) -> Any:
        before, role = await self._found(call)
        async with before.joining:
            scene = await before.scene(_who(before, role))
            after = await self._after(before)
            if after is None:
                return {"link": await self._make_again(before, role.seat, scene, call)}
        if role.seat is None:
            return {"link": await self._site.tables.seat_link(after, None)}
        seat = role.seat
        async with after.joining:
            if (await after.scene(seat))["seats"][seat]["kind"] != "person":
                name = scene["seats"][seat]["name"]
                await after.act({"do": "sit", "seat": seat, "player": None, "name": name}, seat)
            return {"link": await self._site.tables.seat_link(after, seat)}

    async def _after(self, before: LiveTable) -> LiveTable | None:
        """Return the table at which those of another play again; None without one, or any more."""
        name = before.played_again
        try:
            return None if name is None else await self._site.tables.named(name)
        except Refusal:
            return None

    async def _make_again(
        self, before: LiveTable, seat: int | None, scene: Mapping[str, Any], call: ApiCall
    ) -> str:
        """Make a table for those of another; return the link of the seat that has asked for it."""
        site = self._site
        if seat is None:
            raise Refusal("not-allowed", "you watch: those who play say whether they play again")
        if scene["over"] is None:
            raise Refusal("not-over", "the game is not over")
        self._count(call)
        found = [_again(before, one, asker=one["seat"] == seat) for one in scene["seats"]]
        last = replace(before.setup, pace=scene["pace"])
        setup = await aside(next_setup, last, found, call.body, site.shelf, site.limits)
        made = await site.tables.make(setup)
        await before.act({"do": "again", "seat": seat, "table": made["table"]}, seat)
        link: str = made["seats"][0]["link"]
        return link

    # Links --------------------------------------------------------------------------------

    async def _found(self, call: ApiCall) -> tuple[LiveTable, LinkRole]:
        return await self._site.tables.find(call.part("token"))

    async def _seated(self, call: ApiCall) -> tuple[LiveTable, int]:
        """Return the table and the seat of a link; raises Refusal for those of spectators."""
        table, role = await self._found(call)
        if role.seat is None:
            raise Refusal("not-allowed", "you watch: only those who play can do that")
        return table, role.seat


def _again(table: LiveTable, seat: Mapping[str, Any], *, asker: bool) -> SeatSetup:
    """Return who has a seat when the same people play again.

    It is free for those who are there, until they come.
    """
    name = seat["name"]
    if asker:
        return SeatSetup("person", "", name)
    if seat["kind"] == "person" and table.attendance.here(seat["seat"]):
        return SeatSetup("empty", "", name)
    return SeatSetup("computer", seat["player"] or table.setup.hint, name)


def _who(table: LiveTable, role: LinkRole) -> Who:
    return table.setup.watch if role.seat is None else role.seat


async def _words(table: LiveTable, seat: int, due: Mapping[str, Any]) -> dict[int, str]:
    """Return the words of the options of a decision; none if it is over meanwhile."""
    scene = (await table.ask({"do": "look", "who": seat, "since": MOST_NUMBER}))["scene"]
    if scene["number"] != due["number"] or scene["decision"] is None:
        return {}
    return {one["index"]: one["words"] for one in scene["decision"]["options"]}


def _version(given: str | None) -> int:
    """Return the version that a client names; what is none means all there is."""
    return natural(given or "", MOST_NUMBER) or 0


def _check_left(
    table: LiveTable, seats: Sequence[Mapping[str, Any]], seat: int, player: str | None
) -> None:
    """Raise Refusal if somebody else may not put a player in a seat; `seats` are those of now."""
    if seat >= len(seats):
        raise Refusal("invalid", f"there is no seat {seat}: they are 0 to {len(seats) - 1}")
    if player is None:
        raise Refusal("not-allowed", "only who has the link of a seat can sit down there")
    name, away = seats[seat]["name"], table.attendance.away(seat)
    if seats[seat]["kind"] != "person" and away is not None:
        return  # whoever plays may have other opponents
    if away is None:
        raise Refusal("conflict", f"{name} is there")
    if away < AWAY:
        raise Refusal(
            "conflict",
            f"{name} has been away for {away:.0f} s: in {AWAY - away:.0f} s a computer player can "
            "take its place",
        )

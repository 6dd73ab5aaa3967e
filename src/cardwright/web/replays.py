"""Replays: games that were played, as any seat saw them, and what a player thinks of each move."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from cardwright.arena.plan import GameRef
from cardwright.game.errors import CardwrightError
from cardwright.web.api import aside
from cardwright.web.process_limits import MEGABYTE, ProcessLimits
from cardwright.web.recently_used import RecentlyUsed
from cardwright.web.refusal import Refusal
from cardwright.web.replay_source import ReplaySource
from cardwright.web.schema import natural
from cardwright.web.thinking import ThinkError, ThinkRequest
from cardwright.web.worker_process import ProcessEndedError, WorkerProcess

if TYPE_CHECKING:
    from cardwright.web.replay_source import ReplayStore
    from cardwright.web.seasons import LeagueSeasons
    from cardwright.web.thinking import Thinkers
    from cardwright.web.worker_process import Workers

_MODULE = "cardwright.web.replaying"
_SECONDS = 30.0
"""Processor time for an answer about a replay."""

_OUTLINES = 100
_JUDGED = 20_000
"""Outlines and judgements that are kept."""

_MATCHES = 10**9
"""More than any season has."""

SEASON = "season."
"""How ids of games of a season begin: `season.NAME.NUMBER`, games counted from 1."""


class SiteReplays:
    """The replays of a site, by their ids.

    They are computed in a process of their own. All hands are shown of games that are over; of one
    in progress only those of its person, whose file it is.
    """

    def __init__(
        self,
        store: ReplayStore,
        seasons: LeagueSeasons | None,
        thinkers: Thinkers,
        seconds: float,
        workers: Workers = WorkerProcess,
    ) -> None:
        self._store = store
        self._seasons = seasons
        self._thinkers = thinkers
        self._seconds = seconds
        self._process = workers(_MODULE, ProcessLimits(memory=2048 * MEGABYTE))
        self._turn = asyncio.Lock()
        self._outlines: RecentlyUsed[str, dict[str, Any]] = RecentlyUsed(_OUTLINES)
        self._judged: RecentlyUsed[tuple[str, int], dict[str, Any]] = RecentlyUsed(_JUDGED)

    async def add(self, source: ReplaySource) -> str:
        """Keep a game and return its id; raises Refusal if it cannot be replayed."""
        await self._ask({"do": "outline", "source": source.data()})
        return await aside(self._store.keep, source)

    async def find(self, name: str) -> ReplaySource:
        """Return a game by its id; raises Refusal."""
        if name.startswith(SEASON):
            return await aside(self._of_season, name)
        source = self._store.find(name)
        if source is None:
            raise Refusal("no-such-replay", "there is no replay with this link")
        return source

    def _of_season(self, name: str) -> ReplaySource:
        from cardwright.league.records import played_match

        season, _, number = name.removeprefix(SEASON).rpartition(".")
        match_number = natural(number, _MATCHES)
        if self._seasons is None or match_number is None:
            raise Refusal("no-such-replay", "there is no replay with this link")
        try:
            records = self._seasons.read(season)
            match = played_match(records, match_number - 1)
            rules = GameRef.of("hearts", {}, records.plan.rules.preset)
        except CardwrightError as error:
            raise Refusal("no-such-replay", str(error)) from None
        bots = [records.plan.bots[entry] for entry in records.plan.schedule[match.number]]
        players = tuple(bot.builtin or "bot" for bot in bots)
        origin = f"{records.plan.name}, game {match.number + 1}"
        return ReplaySource(rules, match.seed, match.choices, players, match.bots, origin)

    # What was seen ------------------------------------------------------------------------

    async def outline(self, name: str) -> dict[str, Any]:
        """Return what can be said of a game without its cards; raises Refusal."""
        found = self._outlines.get(name)
        if found is None:
            source = await self.find(name)
            found = await self._ask({"do": "outline", "source": source.data()})
            found |= {
                "replay": name,
                "names": list(source.names),
                "players": list(source.players),
                "origin": source.origin,
                "seats": _seats(source, over=found["over"]),
            }
            self._outlines.keep(name, found)
        return found

    async def log(self, name: str, seat: int | None) -> dict[str, Any]:
        """Return what a seat was told of a game, or all of it; raises Refusal."""
        return await self._seen(name, seat, {"do": "log"})

    async def frames(self, name: str, seat: int | None, first: int, count: int) -> dict[str, Any]:
        """Return what a seat saw, or all hands, from a move on; raises Refusal."""
        return await self._seen(name, seat, {"do": "frames", "first": first, "count": count})

    async def _seen(self, name: str, seat: int | None, request: dict[str, Any]) -> dict[str, Any]:
        outline = await self.outline(name)
        if seat not in outline["seats"]:
            raise Refusal(
                "not-over",
                "this game is not over: it can be seen from the seat of its person only"
                if not outline["over"]
                else f"there is no seat {seat}: they are 0 to {len(outline['names']) - 1}",
            )
        source = await self.find(name)
        return await self._ask({**request, "source": source.data(), "seat": seat})

    async def _ask(self, request: dict[str, Any]) -> dict[str, Any]:
        async with self._turn:
            try:
                answer = await self._process.ask(request, _SECONDS)
            except ProcessEndedError as error:
                raise Refusal("stopped", f"the game cannot be replayed: {error}") from None
        if "error" in answer:
            raise Refusal("invalid", answer["error"]["message"])
        return answer

    # Judgement ----------------------------------------------------------------------------

    async def judgement(self, name: str, move: int) -> dict[str, Any]:
        """Return what a strong player thinks of a move; raises Refusal.

        `best` is the option that it would have chosen in that seat, knowing no more, and `lost` how
        much worse the one is that was `played` in each of `units`, None if it cannot tell; below 0
        it is better, which by the first unit it never is. With about 95 % of draws it would be
        within `errors`. Both have its estimates, from one search of the two. Where there was one
        option, it was `forced`.
        """
        outline = await self.outline(name)
        moves = outline["moves"]
        if not 0 <= move < len(moves):
            raise Refusal("invalid", f"there is no move {move}: they are 0 to {len(moves) - 1}")
        seat, _ = moves[move]
        if seat not in outline["seats"]:
            raise Refusal("not-over", "this game is not over: moves of others are not judged")
        found = self._judged.get((name, move))
        if found is None:
            found = await self._thought(name, await self.find(name), outline, move)
            self._judged.keep((name, move), found)
        return found

    async def _thought(
        self, name: str, source: ReplaySource, outline: dict[str, Any], move: int
    ) -> dict[str, Any]:
        seat, count = outline["moves"][move]
        frames = await self.frames(name, seat, move, 1)
        words = [one["words"] for one in frames["frames"][0]["scene"]["decision"]["options"]]
        played = source.choices[move]
        if count == 1:
            only = {"option": played, "words": words[played], "estimates": []}
            return {
                "move": move, "seat": seat, "forced": True, "played": only, "best": only,
                "units": [], "lost": [], "errors": [],
            }  # fmt: skip
        ordinal = sum(one[0] == seat for one in outline["moves"][:move])
        request = ThinkRequest(
            f"replay:{name}",
            source.rules.data(),
            source.seed,
            source.choices[:move],
            seat,
            ordinal,
            outline["judge"],
            "judge",
            self._seconds,
            played,
            watched=False,
        )
        try:
            answer = await self._thinkers.decide(request)
        except ThinkError as error:
            raise Refusal("stopped", f"this move cannot be judged: {error}") from None
        best, estimates = answer.choice, answer.estimates
        lost = [estimate.lost(best, played) for estimate in estimates]
        if lost and lost[0] is not None:
            lost[0] = max(0.0, lost[0])

        def estimated(option: int) -> dict[str, Any]:
            values = [estimate.values[option] for estimate in estimates]
            return {"option": option, "words": words[option], "estimates": values}

        return {
            "move": move,
            "seat": seat,
            "forced": False,
            "played": estimated(played),
            "best": estimated(best),
            "units": [estimate.unit.data() for estimate in estimates],
            "lost": lost,
            "errors": [estimate.gaps[played] for estimate in estimates],
        }

    async def close(self) -> None:
        """End the process."""
        await self._process.kill()


def _seats(source: ReplaySource, *, over: bool) -> list[int | None]:
    """Return from where a game may be seen: None stands for all hands."""
    if over:
        return [None, *range(len(source.players))]
    return list(source.people[:1])

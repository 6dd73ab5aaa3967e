"""A process that thinks for computer players: `python -m cardwright.web.think_worker LIMITS`.

`cardwright.web.thinking` starts it. For each request it sends a line when the game stands at the
decision, and another one with the answer. It keeps games and tables that it has followed.
"""

from __future__ import annotations

import json
import sys
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from cardwright.arena.entrants import parse_spec
from cardwright.arena.plan import GameRef
from cardwright.interpreter.stream import Stream
from cardwright.players.kind import NO_TRUST
from cardwright.players.player import Decision, PlayerFailedError, guarded_answer
from cardwright.table.estimates import JudgedDecision
from cardwright.table.hearts_table import family_or_none
from cardwright.table.opponents import BIDDERS, default_player
from cardwright.table.setup import RulesText
from cardwright.table.thinker import FollowedGame
from cardwright.web.recently_used import RecentlyUsed
from cardwright.web.worker_loop import serve

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cardwright.game.game import Game
    from cardwright.players.kind import Trust
    from cardwright.players.player import Player
    from cardwright.web.worker_loop import Answer, Report

QUICK = "quick"
"""What a request names as its player for a quick one that fits the game."""

_WITHOUT_SEARCH = {"random", "first", "lowest", "rule", "hierarchy", "corin-random"}
"""Players for which nothing has to be compiled."""

_MOST_GAMES = 24
_MOST_TABLES = 64


@dataclass
class FollowedTable:
    """A table's game, at the last decision that was asked for; players stay for the next one."""

    game: Game
    seed: int
    followed: FollowedGame
    players: dict[tuple[int, str], Player] = field(default_factory=dict)

    @classmethod
    def begin(cls, game: Game, seed: int) -> FollowedTable:
        """Begin a game."""
        return cls(game, seed, FollowedGame(game, seed))

    def follow(self, choices: Sequence[int]) -> None:
        """Bring the game to its state after these choices; players go if some were undone."""
        if self.followed.follow(choices):
            self.players.clear()

    def seated(self, seat: int, spec: str, trust: Trust) -> Player:
        """Return the player of a seat, the same as before if it still sits there."""
        if (seat, spec) not in self.players:
            self.players = {key: one for key, one in self.players.items() if key[0] != seat}
            self.players[seat, spec] = parse_spec(spec, trust).build()
        return self.players[seat, spec]


class Mind:
    """What a worker keeps, and how it answers; `trust` says what its players may load."""

    def __init__(self, report: Callable[[dict[str, Any]], None], trust: Trust = NO_TRUST) -> None:
        self._report = report
        self._trust = trust
        self._games: RecentlyUsed[str, Game] = RecentlyUsed(_MOST_GAMES)
        self._tables: RecentlyUsed[str, FollowedTable] = RecentlyUsed(_MOST_TABLES)

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return the answer to a request; raises CardwrightError."""
        table = self._followed(request)
        table.follow(request["choices"])
        self._report({"ready": True})
        begun = time.process_time()
        found = _decided(table, request, self._trust)
        return {**found, "seconds": time.process_time() - begun}

    def _followed(self, request: dict[str, Any]) -> FollowedTable:
        native = request["native"] and _name(request["player"]) not in _WITHOUT_SEARCH
        rules = json.dumps([request["game"], native], sort_keys=True)
        game = self._games.get(rules)
        if game is None:
            game = self._games.keep(rules, _loaded(request["game"], native))
        key, seed = f"{request['table']} {native}", request["seed"]
        table = self._tables.get(key)
        if table is None or (table.game, table.seed) != (game, seed):
            table = self._tables.keep(key, FollowedTable.begin(game, seed))
        return table


def _name(spec: str) -> str:
    return spec.partition(":")[0].strip()


def _loaded(data: dict[str, Any], native: bool) -> Game:
    game = (RulesText if "text" in data else GameRef).of_data(data).load()
    if not native:
        return game.with_engine("interpreter")
    game.prepare()
    return game


def _decided(table: FollowedTable, request: dict[str, Any], trust: Trust) -> dict[str, Any]:
    state, seat, spec = table.followed.state, request["seat"], request["player"]
    if state.player != seat:
        raise PlayerFailedError(f"it is not for p{seat + 1} to decide")
    stream = Stream.of_decision(table.seed, seat, request["ordinal"])
    decision = Decision(seat, state.option_count, stream, state, len(state.choices))
    if request["wanted"] == "move":
        wanted = quick_player(table.game) if spec == QUICK else spec
        return {"choice": guarded_answer(table.seated(seat, wanted, trust), decision, spec)}
    # It is another than the one that plays: advice leaves no trace in that.
    who = parse_spec(spec, trust).build()
    judged = JudgedDecision.by(who, decision, request["played"])
    choice = guarded_answer(who, judged, spec)
    return {"choice": choice, "estimates": [estimate.data() for estimate in judged.sampled(choice)]}


def quick_player(game: Game) -> str:
    """Return the player that decides at once where another one has thought too long."""
    if family_or_none(game) is not None:
        return "rule"
    usual = default_player(game).partition(":")[0]
    if usual in BIDDERS:
        return f"{usual}:iterations=100"
    return "ismcts:ms=200" if game.engine_name != "interpreter" else "random"


def opened(report: Report) -> Answer:
    """Return what answers requests for decisions."""
    return Mind(report).answer


if __name__ == "__main__":
    serve(opened, sys.argv[1:])

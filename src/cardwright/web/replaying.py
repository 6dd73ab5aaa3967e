"""A process that replays games: what a seat saw of one, move by move.

It keeps the games that it was asked about last. Whose cards may be seen is not decided here.
"""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

from cardwright.arena.plan import ChangedGameError
from cardwright.english import counted
from cardwright.game.errors import IllegalOptionError
from cardwright.table.opponents import default_hint
from cardwright.table.replay import GameReplay
from cardwright.table.saved import SavedGameError
from cardwright.web.recently_used import RecentlyUsed
from cardwright.web.replay_source import MOST_FRAMES, ReplaySource
from cardwright.web.worker_loop import serve

if TYPE_CHECKING:
    from cardwright.game.game import Game
    from cardwright.web.worker_loop import Answer, Report

_KEPT = 8


class Replayer:
    """Answers requests about replays; `do` says what is wanted of the game in `source`."""

    def __init__(self) -> None:
        self._games: RecentlyUsed[str, Game] = RecentlyUsed(_KEPT)
        self._replays: RecentlyUsed[tuple[str, int | None], GameReplay] = RecentlyUsed(_KEPT)

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return the answer; raises CardwrightError if the choices are not those of the game."""
        source = ReplaySource.of_data(request["source"])
        key = json.dumps(request["source"], sort_keys=True)
        game = self._games.get(key) or self._games.keep(key, _loaded(source))
        match request["do"]:
            case "outline":
                return _outline(game, source, self._replay(key, game, source, None))
            case "log":
                return _log(self._replay(key, game, source, request["seat"]))
            case _:
                replay = self._replay(key, game, source, request["seat"])
                count = min(request["count"], MOST_FRAMES)
                frames = replay.frames(request["first"], count)
                return {"frames": [replay.data(frame) for frame in frames]}

    def _replay(self, key: str, game: Game, source: ReplaySource, seat: int | None) -> GameReplay:
        kept = self._replays.get((key, seat))
        if kept is None:
            preset = getattr(source.rules, "preset", None)
            kept = GameReplay(game, source.seed, source.choices, seat, source.names, preset=preset)
            self._replays.keep((key, seat), kept)
        return kept


def _loaded(source: ReplaySource) -> Game:
    try:
        return source.rules.load()
    except ChangedGameError:
        raise SavedGameError(
            f"the rules of {source.rules.name} have changed since this game was played, so that it "
            "cannot be replayed; an older Cardwright can"
        ) from None


def _outline(game: Game, source: ReplaySource, replay: GameReplay) -> dict[str, Any]:
    """Return what can be said of a game without its cards.

    `moves` has the seat and the number of options of each decision, `deals` the number of the first
    decision of each deal.
    """
    state, moves = game.late().start(source.seed), []
    for number, choice in enumerate(source.choices):
        if state.player is None:
            raise SavedGameError(
                f"the game is over after {number} of its {counted(len(source.choices), 'move')}"
            )
        count = state.option_count
        if choice >= count:
            raise IllegalOptionError(
                f"move {number + 1} is option {choice}, and there are {count}: these are not the "
                "moves of this game from its seed"
            )
        moves.append([state.player, count])
        state.play(choice)
    scene = replay.frame(0).scene
    return {
        "game": scene.game.data(),
        "moves": moves,
        "over": state.finished,
        "scores": list(state.scores) if state.finished else None,
        "ranks": list(state.ranks) if state.finished else None,
        "teams": [seat.team for seat in scene.seats],
        "higher_wins": game.highest_wins,
        "deals": _deals(replay),
        "judge": default_hint(game),
    }


def _deals(replay: GameReplay) -> list[int]:
    """Return with which decision each deal begins, found by halving: deals only go up."""
    last = len(replay) - 1
    deal_of = {0: replay.frame(0).scene.deal, last: replay.frame(last).scene.deal}
    starts = [0]

    def search(low: int, high: int) -> None:
        if deal_of[low] == deal_of[high]:
            return
        if high - low == 1:
            starts.append(high)
            return
        middle = (low + high) // 2
        deal_of[middle] = replay.frame(middle).scene.deal
        search(low, middle)
        search(middle, high)

    search(0, last)
    return [start for start in starts if start < last or last == 0]


def _log(replay: GameReplay) -> dict[str, Any]:
    """Return what was told of the whole game, one entry for each move, and before the first."""
    events = [replay.event_data(event) for event in replay.events()]
    return {
        "opening": list(replay.frame(0).scene.opening),
        "events": [
            {name: event[name] for name in ("number", "seat", "words", "changes")}
            for event in events
        ],
    }


def opened(_report: Report) -> Answer:
    """Return what answers requests about replays."""
    return Replayer().answer


if __name__ == "__main__":
    serve(opened, sys.argv[1:])

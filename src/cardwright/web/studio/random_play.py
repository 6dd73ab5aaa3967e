"""Games of the rules in the studio: what random play is like, and what thinking is worth."""

from __future__ import annotations

import time
from collections import Counter
from typing import TYPE_CHECKING, Any

from cardwright.arena.entrants import entrants_of
from cardwright.arena.simulation import Running, SimulationJob, Summary
from cardwright.game.game import Game
from cardwright.game.native.bulk import random_error
from cardwright.game.seeds import game_seeds
from cardwright.players.kind import NO_TRUST
from cardwright.players.spec import for_seats
from cardwright.statistics.intervals import share_interval
from cardwright.web.studio.schemas import MOST_GAMES, NAME

if TYPE_CHECKING:
    from cardwright.game.errors import GameError
    from cardwright.web.worker_loop import Steps

SEED = 1
"""The seed of all random games here, so that two versions of rules play the same deals."""


THINKING = "ismcts:iterations=200"
"""Who thinks, and `SLOW_THINKING` where the rules cannot be compiled."""

SLOW_THINKING = "pimc:rollouts=3"

_SECONDS = 8.0
"""Processor time in which thinking players play what they can."""

_ERRORS = 3
"""Errors of games that are told with their places."""


def statistics(text: str, games: int) -> Steps:
    """Return what random games of some rules are like; raises GameFileError for wrong rules."""
    game = Game.from_text(text, name=NAME)
    count = min(games, MOST_GAMES)
    players = for_seats(entrants_of("random", NO_TRUST), game.players)
    job = SimulationJob(game, players, SEED, game_seeds(SEED, count), count, workers=1)
    summary = Summary(game.players)
    for _ in job.counted(summary):
        yield
    return {
        "games": summary.games,
        "finished": summary.finished,
        "decisions": _spread(summary.decisions),
        "options": summary.option_mean,
        "most_options": summary.option_most,
        "single": summary.single_share,
        "seats": [seat.record() for seat in summary.seats],
        "errors": len(summary.errors),
        "faults": _faults(game, summary),
    }


def thinking(text: str, games: int) -> Steps:
    """Return what thinking is worth in a game, and which seat is better when all think.

    In so many games, or as many as there is time for, all seats think; in as many more one thinks
    among others that play at random, in turn in each seat: `strength` is its share of the wins,
    null if nobody plays against it. Raises GameFileError for wrong rules.
    """
    begun = time.process_time()
    game = Game.from_text(text, name=NAME)
    slow = game.engine_name == "interpreter"
    (thinker,) = entrants_of(SLOW_THINKING if slow else THINKING, NO_TRUST)
    (other,) = entrants_of("random", NO_TRUST)
    summary = Summary(game.players)
    win = Running(summary.seats[0].win.unit)
    for number, seed in enumerate(game_seeds(SEED, games)):
        seat = number % game.players
        alone = tuple(thinker if at == seat else other for at in range(game.players))
        among = Summary(game.players)
        for players, outcome in (((thinker,) * game.players, summary), (alone, among)):
            yield from SimulationJob(game, players, SEED, [seed], 1, workers=1).counted(outcome)
        win.merge(among.seats[seat].win)
        if time.process_time() - begun > _SECONDS:
            break
    return {
        "player": str(thinker),
        "games": summary.games,
        "finished": summary.finished,
        "seats": [seat.record() for seat in summary.seats],
        "strength": share_interval(win.sample).record() if game.players > 1 and win.count else None,
        "even": 1 / game.players,
        "errors": len(summary.errors),
    }


def _spread(numbers: Running) -> dict[str, float | None]:
    mean = numbers.mean if numbers.count else None
    return {"least": numbers.least, "most": numbers.most, "mean": mean, "sd": numbers.sd}


def _faults(game: Game, summary: Summary) -> list[dict[str, Any]]:
    """Return the first errors of different kinds, each with its place and how many are alike."""
    alike = Counter(message.split("\n", 1)[0] for _, message in summary.errors)
    first: dict[str, int] = {}
    for seed, message in summary.errors:
        first.setdefault(message.split("\n", 1)[0], seed)
    found = []
    for words, count in alike.most_common(_ERRORS):
        found.append({**fault(random_error(game, first[words])), "games": count})
    return found


def fault(error: GameError) -> dict[str, Any]:
    """Return the broken rule that stopped a game: which, why, and where, counted from 1."""
    return {
        "rule": error.rule,
        "message": error.reason,
        "line": error.place.line,
        "column": error.place.column,
    }

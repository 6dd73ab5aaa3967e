"""A process that measures games at random play, beside a server at play.

The numbers are those of many games by machine code, or of fewer by the interpreter where a game
cannot be compiled. A game depends on its seed alone, so the same rules give the same numbers.
"""

from __future__ import annotations

import math
import sys
from array import array
from collections import Counter
from statistics import median
from typing import TYPE_CHECKING, Any

from cardwright.arena.simulation import Running
from cardwright.game.errors import GameError
from cardwright.game.game import Game
from cardwright.game.native.bulk import Bulk, random_decisions, singly
from cardwright.game.seeds import game_seeds
from cardwright.statistics.intervals import LEVEL, Sample, mean_interval, share_interval
from cardwright.web.card_flow import card_flow
from cardwright.web.game_facts import constants_of
from cardwright.web.worker_loop import serve

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Sequence

    from cardwright.game.native.bulk import PlayedGames
    from cardwright.web.worker_loop import Answer, Report, Steps

GAMES = 2000
"""Games played by machine code."""

SLOW_GAMES = 100
"""Games played by the interpreter, where a game cannot be compiled."""

SEED = 1
_WATCHED = 60
"""Games whose decisions are followed one by one."""

_MOST_DECISIONS = 12_000
"""Decisions that are followed in all of them together."""

_BARS = 24
"""The most bars of the chart of lengths."""

_STEPS = 48
"""The most points of the chart of options along a game."""


def random_play(game: Game, games: int = GAMES) -> Steps:
    """Return what random games are like, as a JSON object; `games` are played by machine code.

    Every mean has a 95 % interval, in which each game counts as one value. Options are those that a
    seat has at a decision. A game that breaks a rule is counted as broken, and nowhere else; if all
    do, there is nothing but that.
    """
    lengths, options, single = array("q"), array("q"), array("q")
    scores: list[tuple[int, ...]] = []
    played = 0
    for block in _blocks(game, games):
        played += len(block)
        ended = block.ended()
        lengths += ended.column("decisions")
        options += ended.column("options")
        single += ended.column("single")
        scores += ended.score_rows()
        yield
    count = len(lengths)
    record: dict[str, Any] = {"games": count, "broken": played - count, "seed": str(SEED)}
    if not count:
        return record
    wins, ties = _wins(game, scores)
    return {
        **record,
        "length": {
            **mean_interval(_sample(lengths)).record(),
            "median": float(median(lengths)),
            "least": min(lengths),
            "most": max(lengths),
            "bars": bars(lengths),
        },
        "options": mean_interval(_ratio(options, lengths)).record() if any(lengths) else None,
        "forced": mean_interval(_ratio(single, lengths)).record() if any(lengths) else None,
        "along": (yield from _along(game)),
        "seats": [
            {
                "seat": seat,
                "win": share_interval(won).record(),
                "score": mean_interval(_sample([one[seat] for one in scores])).record(),
            }
            for seat, won in enumerate(wins)
        ],
        "even": 1 / game.players,
        "fair": _fair(wins),
        "ties": share_interval(ties).record(),
    }


def _blocks(game: Game, games: int) -> Iterator[PlayedGames]:
    """Return random games by machine code, or fewer by the interpreter, in blocks."""
    if game._machine is None:
        return (singly(game, array("Q", [seed])) for seed in game_seeds(SEED, SLOW_GAMES))
    return Bulk(game, game_seeds(SEED, games), threads=1).blocks()


def bars(values: Sequence[int]) -> list[dict[str, int]]:
    """Return how often values occurred, in at most 24 bars of equal width with both ends."""
    least, most = min(values), max(values)
    width = max(1, -(-(most - least + 1) // _BARS))
    counts = Counter((value - least) // width for value in values)
    return [
        {
            "from": least + width * at,
            "to": min(least + width * (at + 1) - 1, most),
            "games": counts[at],
        }
        for at in range((most - least) // width + 1)
    ]


def _sample(values: Sequence[int]) -> Sample:
    running = Running()
    running.add_all(values)
    return running.sample


def _ratio(values: Sequence[int], counts: Sequence[int]) -> Sample:
    """Return the ratio of two sums over games, with the spread of its linear approximation.

    The value of a game is the ratio plus `(value - ratio * count) / mean count`. Sums are exact.
    """
    games, whole, total = len(values), sum(values), sum(counts)
    if games < 2:
        return Sample(games, whole / total, math.nan)
    squares = sum(
        (value * total - whole * count) ** 2 for value, count in zip(values, counts, strict=True)
    )
    return Sample(games, whole / total, squares * games**2 / (total**4 * (games - 1)))


def _wins(game: Game, scores: Sequence[tuple[int, ...]]) -> tuple[list[Sample], Sample]:
    """Return each seat's part of the win of each game, and whether it was shared."""
    parts = math.lcm(*range(1, game.players + 1))
    best = max if game.highest_wins else min
    wins, ties = [Running(parts) for _ in range(game.players)], Running()
    for row, times in Counter(scores).items():
        top = best(row)
        winners = row.count(top)
        ties.add(int(winners > 1), times)
        for win, score in zip(wins, row, strict=True):
            win.add(parts // winners if score == top else 0, times)
    return [win.sample for win in wins], ties.sample


def _fair(wins: Sequence[Sample]) -> bool:
    """Say whether all seats may win equally often, with an error in 5 % of such games at most.

    The intervals of all seats are asked together, so each is wider (Bonferroni): with those of 95 %
    one of seven fair games for four would have a seat that seems to be better or worse.
    """
    seats = len(wins)
    intervals = (share_interval(win, 1 - (1 - LEVEL) / seats) for win in wins)
    return all(
        interval.low is None or interval.high is None or interval.low <= 1 / seats <= interval.high
        for interval in intervals
    )


def _along(game: Game) -> Generator[None, None, list[dict[str, float]]]:
    """Return the mean number of options in the course of a game, by the number of the decision.

    Decisions are grouped so that there are at most 48 groups, and only those are told that a tenth
    of the games reached.
    """
    counts: list[list[int]] = []
    for seed in game_seeds(SEED, _WATCHED):
        yield
        try:
            counts.append(_option_counts(game, seed))
        except GameError:
            continue
        if sum(map(len, counts)) > _MOST_DECISIONS:
            break
    if not any(counts):
        return []
    ends = sorted((len(count) for count in counts), reverse=True)
    reached = ends[max(len(ends) // 10 - 1, 0)]
    width = max(1, -(-reached // _STEPS))
    sums, numbers = Counter[int](), Counter[int]()
    for one in counts:
        for at, options in enumerate(one[:reached]):
            sums[at // width] += options
            numbers[at // width] += 1
    return [
        {"decision": at * width + 1, "options": sums[at] / numbers[at]} for at in sorted(numbers)
    ]


def _option_counts(game: Game, seed: int) -> list[int]:
    """Return the numbers of options of a game, decision by decision; raises GameError."""
    return [at.option_count for at in random_decisions(game.start(seed), seed)]


def measured(request: dict[str, Any]) -> Steps:
    """Return what is asked about a game; raises CardwrightError if it cannot be had.

    `want` is `statistics` or `flow`. The game is its `source`, rules as text, or has a `name`, with
    a `preset` and `options`; `title` is what a diagram calls it.
    """
    game = _game(request)
    if request["want"] == "flow":
        return (yield from card_flow(game, request["title"]))
    return (yield from random_play(game))


def _game(request: dict[str, Any]) -> Game:
    if "source" in request:
        return Game.from_text(request["source"], name=request["name"])
    return Game.variant(request["name"], constants_of(request["options"]), request["preset"])


def opened(_report: Report) -> Answer:
    """Return what answers requests for measurements."""
    return measured


if __name__ == "__main__":
    serve(opened, sys.argv[1:])

"""A process that measures games at random play, beside a server at play.

The numbers are those of many games by machine code, or of fewer by the interpreter where a game
cannot be compiled. A game depends on its seed alone, so the same rules give the same numbers.
"""

from __future__ import annotations

import sys
from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np

from cardwright.arena.simulation import simulate
from cardwright.game.errors import GameError
from cardwright.game.game import Game
from cardwright.game.native.random_games import joined
from cardwright.game.seeds import game_seeds
from cardwright.interpreter.stream import Stream
from cardwright.statistics.intervals import LEVEL, Sample, mean_interval, share_interval
from cardwright.statistics.measures import win_shares
from cardwright.web.card_flow import card_flow
from cardwright.web.game_facts import constants_of
from cardwright.web.worker_loop import serve

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cardwright.arena.referee import GameRecord
    from cardwright.statistics.intervals import Estimate
    from cardwright.web.worker_loop import Answer, Report

    Values = NDArray[np.float64]

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


def random_play(game: Game, games: int = GAMES) -> dict[str, Any]:
    """Return what random games are like, as a JSON object; `games` are played by machine code.

    Every mean has a 95 % interval, in which each game counts as one value. Options are those that a
    seat has at a decision. A game that breaks a rule is counted as broken, and nowhere else; if all
    do, there is nothing but that.
    """
    lengths, options, single, scores, broken = _played(game, games)
    played = len(lengths)
    record: dict[str, Any] = {"games": played, "broken": broken, "seed": str(SEED)}
    if not played:
        return record
    return {
        **record,
        "length": {
            **mean_interval(lengths).record(),
            "median": float(np.median(lengths)),
            "least": int(lengths.min()),
            "most": int(lengths.max()),
            "bars": bars(lengths),
        },
        "options": _ratio(options, lengths).record() if lengths.any() else None,
        "forced": _ratio(single, lengths).record() if lengths.any() else None,
        "along": _along(game),
        "seats": _seats(game, scores),
        "even": 1 / game.players,
        "fair": _fair(_wins(game, scores)),
        "ties": share_interval(_tied(game, scores)).record(),
    }


def bars(values: Values) -> list[dict[str, int]]:
    """Return how often values occurred, in at most 24 bars of equal width with both ends."""
    least, most = int(values.min()), int(values.max())
    width = max(1, -(-(most - least + 1) // _BARS))
    counts = Counter(((values.astype(np.int64) - least) // width).tolist())
    return [
        {
            "from": least + width * at,
            "to": min(least + width * (at + 1) - 1, most),
            "games": counts[at],
        }
        for at in range((most - least) // width + 1)
    ]


def _played(game: Game, games: int) -> tuple[Values, Values, Values, Values, int]:
    """Return for each finished game its decisions, options, forced decisions and scores."""
    if game._machine is None:
        return _played_slowly(game)
    from cardwright.game.native.random_games import Bulk

    bulk = Bulk(game, game_seeds(SEED, games), threads=1)
    parts = [part.ended() for part in bulk.blocks()]
    if not any(map(len, parts)):
        return _nothing(game, games)
    whole = joined(game, parts, stopped=False)
    return (
        whole.decisions.astype(np.float64),
        whole.option_sums.astype(np.float64),
        whole.single_sums.astype(np.float64),
        whole.scores.astype(np.float64),
        games - len(whole),
    )


def _played_slowly(game: Game) -> tuple[Values, Values, Values, Values, int]:
    records: list[GameRecord] = []
    simulate(game, "random", SLOW_GAMES, seed=SEED, keep=records.append)
    good = [record for record in records if record.error is None]
    if not good:
        return _nothing(game, len(records))
    counts = [[options for _, options, _ in one.decisions] for one in good]
    return (
        np.array([len(count) for count in counts], np.float64),
        np.array([sum(count) for count in counts], np.float64),
        np.array([count.count(1) for count in counts], np.float64),
        np.array([one.scores for one in good], np.float64),
        len(records) - len(good),
    )


def _nothing(game: Game, broken: int) -> tuple[Values, Values, Values, Values, int]:
    none = np.zeros(0)
    return none, none, none, np.zeros((0, game.players)), broken


def _ratio(sums: Values, counts: Values) -> Estimate:
    """Return the ratio of two sums over games, with the interval of its linear approximation."""
    ratio = float(sums.sum() / counts.sum())
    return mean_interval(Sample.of(ratio + (sums - ratio * counts) / counts.mean()))


def _seats(game: Game, scores: Values) -> list[dict[str, Any]]:
    """Return the mean score of each seat, and its share of the wins, shared wins in parts."""
    wins = _wins(game, scores)
    return [
        {
            "seat": seat,
            "win": share_interval(wins[:, seat]).record(),
            "score": mean_interval(scores[:, seat]).record(),
        }
        for seat in range(game.players)
    ]


def _wins(game: Game, scores: Values) -> Values:
    """Return each seat's part of the win of each game."""
    good = scores if game.highest_wins else -scores
    best = good == good.max(axis=1, keepdims=True)
    return win_shares(best)


def _fair(wins: Values) -> bool:
    """Say whether all seats may win equally often, with an error in 5 % of such games at most.

    The intervals of all seats are asked together, so each is wider (Bonferroni): with those of 95 %
    one of seven fair games for four would have a seat that seems to be better or worse.
    """
    seats = wins.shape[1]
    intervals = (share_interval(wins[:, seat], 1 - (1 - LEVEL) / seats) for seat in range(seats))
    return all(
        interval.low is None or interval.high is None or interval.low <= 1 / seats <= interval.high
        for interval in intervals
    )


def _tied(game: Game, scores: Values) -> Values:
    good = scores if game.highest_wins else -scores
    tied: Values = ((good == good.max(axis=1, keepdims=True)).sum(axis=1) > 1).astype(np.float64)
    return tied


def _along(game: Game) -> list[dict[str, float]]:
    """Return the mean number of options in the course of a game, by the number of the decision.

    Decisions are grouped so that there are at most 48 groups, and only those are told that a tenth
    of the games reached.
    """
    counts = list(_followed(game))
    if not counts or not any(counts):
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


def _followed(game: Game) -> Sequence[list[int]]:
    """Return the numbers of options of some games, decision by decision."""
    found: list[list[int]] = []
    total = 0
    for seed in game_seeds(SEED, _WATCHED):
        state, counts = game.start(seed), []
        streams = [Stream.of_seat(seed, seat) for seat in range(game.players)]
        try:
            while (seat := state.player) is not None:
                counts.append(state.option_count)
                state.play(streams[seat].below(state.option_count))
        except GameError:
            continue
        found.append(counts)
        total += len(counts)
        if total > _MOST_DECISIONS:
            break
    return found


def measured(request: dict[str, Any]) -> dict[str, Any]:
    """Return what is asked about a game; raises CardwrightError if it cannot be had.

    `want` is `statistics` or `flow`. The game is its `source`, rules as text, or has a `name`, with
    a `preset` and `options`; `title` is what a diagram calls it.
    """
    game = _game(request)
    if request["want"] == "flow":
        return card_flow(game, request["title"])
    return random_play(game)


def _game(request: dict[str, Any]) -> Game:
    if "source" in request:
        return Game.from_text(request["source"], name=request["name"])
    return Game.variant(request["name"], constants_of(request["options"]), request["preset"])


def opened(_report: Report) -> Answer:
    """Return what answers requests for measurements."""
    return measured


if __name__ == "__main__":
    serve(opened, sys.argv[1:])

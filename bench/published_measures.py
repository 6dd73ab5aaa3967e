"""Figures of games that were played: each a value with the ends of its 95 % interval.

Heuristics have those of their table, other means Student's and shares Agresti and Coull's. Deals
are played once each, so that games are independent. Moons, broken hearts, ties, forced decisions
and free leads are in percent, other shares are from 0 to 1.
"""

from __future__ import annotations

import math
from math import nan
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cardwright.analysis.formulas import (
    MeasureRules,
    convergence,
    fairness,
    order,
    threshold,
)
from cardwright.analysis.results import Study, heuristics, row_of, tallied
from cardwright.statistics.intervals import mean_interval, share_interval

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, TypeAlias

    from numpy.typing import NDArray

    from cardwright.analysis.measures import Batch
    from cardwright.analysis.records import Traces
    from cardwright.game.native.random_games import RandomGames
    from cardwright.statistics.intervals import Estimate

MOON = -26
HUNDRED = 100
SCORES = (0, 1, 4, 13, 17, MOON)
"""Scores of Hearts whose shares were published."""
DECISIONS_A_ROUND = 64
"""Of the Hearts League: twelve cards passed and 52 played."""
RESULT_FAMILIES = ("shape", "articles", "engine")
OWN = (
    ("articles", "own", ("drama", "security")),
    ("browne", "corrected", ("drama", "decisiveness", "coolness")),
)
"""Families with measures by our definitions, what they are called here, and which they are."""
NORMAL = 1.959964
ROUNDING = 1e-9
"""Estimates are quotients of small numbers; those that differ by less are equal."""


class Measured(NamedTuple):
    """A value, and the ends of its interval.

    They are equal to the value where it follows from a definition, or where it is a mean of what
    was the same in all games, as decisions are in many: pages call that `always`.
    """

    value: float
    low: float
    high: float

    @property
    def error(self) -> float:
        """The standard error that the interval tells of; NaN if there is no interval."""
        return (self.high - self.low) / (2 * NORMAL)


Figures: TypeAlias = "dict[str, Measured]"
Numbers: TypeAlias = "NDArray[Any]"


def of_records(traces: Traces, batch: str, *, tricks: bool) -> Figures:
    """Return the figures of a batch: heuristics, places, moons, and options by trick."""
    figures = dict(_outcomes(traces))
    if batch in {"RR", "AR", "AA"}:
        figures |= dict(_heuristics(traces, _batch(batch)))
    if batch == "AA":
        figures |= dict(_with_equals(traces))
    if tricks:
        figures |= dict(_by_trick(traces))
    return figures


def of_own_definitions(traces: Traces) -> Figures:
    """Return measures of games in which all think, by our definitions where they are others.

    Drama and security of the articles are those of the winner by result; the corrected forms are
    those for what CardStock's program computes.
    """
    rows = heuristics({"AA": tallied([traces], Study(MeasureRules("result", "shared")))})
    return {
        f"{said} {row.name}": Measured(row.value, row.low, row.high)
        for row in rows
        for family, said, names in OWN
        if row.family == family and row.name in names and not math.isnan(row.low)
    }


def pooled(thinking: Traces, alone: Traces) -> Figures:
    """Return the spread of equally many games of both batches, as the articles pool them."""
    games = min(len(thinking), len(alone))
    parts: dict[Batch, Traces] = {"AA": thinking, "AR": alone}
    tallies = {name: tallied([part.take(slice(games))]) for name, part in parts.items()}
    row = row_of(heuristics(tallies), "articles", "spread", "AA+AR")
    return {"articles spread": Measured(row.value, row.low, row.high)}


def of_sums(games: RandomGames) -> Figures:
    """Return the figures of random games in bulk."""
    return dict(_sums(games))


def definitions() -> Figures:
    """Return values of the measures that follow from their definitions."""
    exact = {f"threshold {players}": threshold(players) for players in range(2, 7)}
    exact["fairness of 0.35 for four"] = float(fairness(0.35, 4))
    exact["order of 0.61 for four"] = float(order(0.61, 4))
    exact["convergence of slope 0"] = float(convergence(0.0))
    return {name: Measured(value, value, value) for name, value in exact.items()}


def _batch(name: str) -> Batch:
    names: dict[str, Batch] = {"RR": "RR", "AR": "AR", "AA": "AA"}
    return names[name]


def _heuristics(traces: Traces, batch: Batch) -> Iterator[tuple[str, Measured]]:
    for row in heuristics({batch: tallied([traces])}):
        if row.family not in RESULT_FAMILIES:
            continue
        if row.constant:
            yield f"{row.family} {row.name}", Measured(row.value, row.value, row.value)
        elif not math.isnan(row.low):
            yield f"{row.family} {row.name}", Measured(row.value, row.low, row.high)


def _outcomes(traces: Traces) -> Iterator[tuple[str, Measured]]:
    ordered = np.sort(traces.ranks, axis=1)
    places = 1 - ordered / max(traces.players - 1, 1)
    for rank, column in enumerate(places.T, 1):
        yield f"place {rank}", _mean(column)
    yield "moon", _percent((traces.scores == MOON).any(axis=1))


def _with_equals(traces: Traces) -> Iterator[tuple[str, Measured]]:
    """Drama and security, if the winner is behind where his estimate is the threshold itself."""
    led, winner = traces.led, traces.last_leaders
    gap = threshold(traces.players) - led.lead[np.arange(len(led)), winner[led.game]]
    behind = gap > -ROUNDING
    rows, times, gaps = (
        np.bincount(led.game, weights, minlength=len(traces))
        for weights in (None, behind, np.sqrt(np.where(behind, np.maximum(gap, 0), 0)))
    )
    known = rows > 0
    yield "drama with equals", _mean((gaps / np.maximum(times, 1))[known])
    yield "security with equals", _mean(1 - times[known] / rows[known])


def _by_trick(traces: Traces) -> Iterator[tuple[str, Measured]]:
    options = traces.noted.options.reshape(len(traces), -1, traces.players).astype(np.float64)
    for trick, seats in enumerate(np.moveaxis(options, 1, 0), 1):
        yield f"leader {trick}", _mean(seats[:, 0])
        yield f"others {trick}", _mean(seats[:, 1:].mean(axis=1))
        held = options.shape[1] - trick + 1
        yield f"free {trick}", _percent(seats[:, 0] == held)


def _sums(games: RandomGames) -> Iterator[tuple[str, Measured]]:
    scores, best = games.scores, games.best()
    yield "decisions", _mean(games.decisions)
    yield "branching", _quotient(games.option_sums, games.decisions)
    forced = _quotient(games.single_sums, games.decisions)
    yield "forced", Measured(*(100 * number for number in forced))
    yield "longest of 100", _largest(games.decisions)
    yield "widest of 100", _largest(games.option_most)
    yield "score", _mean(scores.mean(axis=1))
    yield "score deviation", _deviation(scores)
    yield "first wins", _share(best[:, 0])
    yield "first wins shared", _share(best[:, 0] / best.sum(axis=1))
    yield "tied", _percent(best.sum(axis=1) > 1)
    better, worse = (np.max, np.min) if games.game.highest_wins else (np.min, np.max)
    yield "winner's score", _mean(better(scores, axis=1))
    yield "loser's score", _mean(worse(scores, axis=1))
    for seat, column in enumerate(scores.T, 1):
        yield f"score of seat {seat}", _mean(column)
    for score in SCORES:
        yield f"share of score {score}", _share((scores == score).mean(axis=1))
    yield f"share of {MOON} in a game", _percent((scores == MOON).any(axis=1))
    rounds = games.decisions / DECISIONS_A_ROUND
    yield f"rounds of {DECISIONS_A_ROUND}", _mean(rounds)
    yield f"rounds of {DECISIONS_A_ROUND}, deviation", _deviation(rounds[:, None])


def of_breaking(tricks: Numbers) -> Figures:
    """Return in what share of deals hearts are broken in each trick, in percent."""
    last = int(tricks.max(initial=0))
    return {f"broken {trick}": _percent(tricks == trick) for trick in range(1, last + 1)}


def _mean(values: Numbers) -> Measured:
    found = _of(mean_interval(np.asarray(values, np.float64)))
    always = math.isnan(found.low) and len(values) > 1
    return Measured(found.value, found.value, found.value) if always else found


def _share(values: Numbers) -> Measured:
    return _of(share_interval(np.asarray(values, np.float64)))


def _percent(values: Numbers) -> Measured:
    return Measured(*(100 * number for number in _share(values)))


def _of(estimate: Estimate) -> Measured:
    low = nan if estimate.low is None else estimate.low
    high = nan if estimate.high is None else estimate.high
    return Measured(estimate.mean, low, high)


def _quotient(sums: Numbers, counts: Numbers) -> Measured:
    """Return the quotient of two sums over games, with the interval of its linear approximation."""
    value = float(sums.sum() / counts.sum())
    spread = _mean((sums - value * counts) / counts.mean())
    return Measured(value, value + spread.low, value + spread.high)


def _deviation(values: Numbers) -> Measured:
    """Return the standard deviation of values, a row a game, by that of their squares."""
    squares = ((values - values.mean()) ** 2).mean(axis=1)
    middle, low, high = _mean(squares)
    return Measured(*(math.sqrt(max(number, 0.0)) for number in (middle, low, high)))


def _largest(values: Numbers) -> Measured:
    """Return the median, the least and the most of the largest values of a hundred games each."""
    count = len(values) // HUNDRED * HUNDRED
    most = values[:count].reshape(-1, HUNDRED).max(axis=1)
    return Measured(float(np.median(most)), float(most.min()), float(most.max()))

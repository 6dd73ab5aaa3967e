"""The six measures of CardStock's articles.

They are due to Goadrich and others (https://cardstock.wordpress.com), who derived them from
Browne's ("Automatic generation and evaluation of recombination games", thesis, 2008). A lead vector
has for every seat an estimate of its place, from 0 (last) to 1 (first), at one decision:
`cardwright.players.player.Note.lead`. Win rates are shares from 0 to 1. ValueError is raised for
numbers of players below 2.
"""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from cardwright.analysis.measure import (
    EACH,
    THINKING,
    InnerMean,
    Measure,
    MeasureRules,
    mean_terms,
    ratio,
    rest,
    shares,
    total,
    unit,
)

if TYPE_CHECKING:
    from cardwright.analysis.measure import Batch
    from cardwright.analysis.traces import Integers, Traces, Values

    Number = TypeVar("Number", float, Values)

FAMILY = "articles"


def order(wins: Number, players: int) -> Number:
    """Return how much better a thinking player is than random ones: 0 not at all, 1 always wins.

    `wins` is its win rate against random players. In the articles every shared win counts in full:
    then random players that tie often have an order above 0 too.
    """
    fair = 1 / several(players)
    return (wins - fair) / (1 - fair)


def fairness(wins: Number, players: int) -> Number:
    """Return how close the first seat's win rate in random games is to its fair share: 1 is fair.

    In the articles shared wins count in full: then ties alone make a game look unfair, since all
    seats together have more than one win.
    """
    below = several(players) * wins
    above = (1 - wins) * players / (players - 1)
    lower: Number = np.minimum(below, above)  # a tent function, whose sides meet at the fair share
    return lower


def fairness_over(low: float, high: float, players: int) -> tuple[float, float]:
    """Return the least and the greatest fairness of win rates in an interval."""
    one, other = fairness(low, players), fairness(high, players)
    turn = low <= 1 / players <= high
    return min(one, other), 1.0 if turn else max(one, other)


def order_bounds(players: int) -> tuple[float, float]:
    """Return the order of a player that never wins, and of one that always does."""
    return order(0.0, players), order(1.0, players)


def root_bounds(players: int) -> tuple[float, float]:
    """Return the bounds of drama: roots of distances below the threshold."""
    return 0.0, sqrt(threshold(players))


def behind_bounds(players: int) -> tuple[float, float]:
    """Return the bounds of distances below the threshold."""
    return 0.0, threshold(players)


def signed_unit(players: int) -> tuple[float, float]:
    """Return the bounds of differences of places."""
    del players
    return -1.0, 1.0


def threshold(players: int) -> float:
    """Return the estimate below which a player is behind: halfway between the best two places."""
    return (1 + (several(players) - 2) / (players - 1)) / 2


def slopes(traces: Traces) -> Values:
    """Return for every game the least-squares slope of its options by decision.

    A game with a single decision has slope 0, and one without any NaN.
    """
    noted = traces.noted
    game, options = noted.game, noted.options.astype(np.float64)
    counts = total(traces, game)
    at = traces.ply - ((counts - 1) / 2)[game]
    rise, width = total(traces, game, at * options), total(traces, game, at * at)
    return np.where(counts > 0, shares(rise, width), np.nan)


def convergence(slope: Number) -> Number:
    """Return whether options become fewer, from a game's slope: 0.5 if not, more if they do."""
    return 1 - (slope / 2 + 0.5)


def winners(traces: Traces, rules: MeasureRules) -> Integers:
    """Return the winner of each game by the given definition; -1 where there is none."""
    return traces.last_leaders if rules.winner == "last_lead" else traces.winners


def trailing(traces: Traces, rules: MeasureRules) -> tuple[Values, Values, Values, Values]:
    """Return for each game how often its winner is behind, the total and root deficits, and rows.

    The deficit at a decision is threshold - lead. All decisions with a lead vector count, of any
    seat; the last item is their number.
    """
    led, winner = traces.led, winners(traces, rules)
    gap = threshold(traces.players) - led.lead[np.arange(len(led)), winner[led.game]]
    behind = gap > 0
    times = total(traces, led.game, behind.astype(np.float64))
    gaps = np.where(behind, gap, 0)
    roots = total(traces, led.game, np.sqrt(gaps))
    return times, total(traces, led.game, gaps), roots, total(traces, led.game)


def several(players: int) -> int:
    """Return the number of players; raises ValueError if it is one."""
    if players < 2:
        raise ValueError("this needs games of two players or more")
    return players


def first_seat_wins(traces: Traces, rules: MeasureRules) -> Values:
    """Terms of the first seat's win rate, with ties as the rules say."""
    if rules.ties == "shared":
        return mean_terms(traces.wins[:, 0])
    return mean_terms((traces.ranks[:, 0] == 0).astype(np.float64))


def _order(sums: Values, players: int) -> Values:
    return order(ratio(sums, players), players)


def _fairness(sums: Values, players: int) -> Values:
    return fairness(ratio(sums, players), players)


def _convergence_terms(traces: Traces, rules: MeasureRules) -> Values:
    del rules
    value = convergence(slopes(traces))
    return mean_terms(value, ~np.isnan(value))


def spread_terms(traces: Traces, rules: MeasureRules) -> Values:
    """Terms of the mean spread over all decisions for which it was noted."""
    del rules
    return _noted_mean(traces, traces.noted.spread)


def _held_out_terms(traces: Traces, rules: MeasureRules) -> Values:
    del rules
    return _noted_mean(traces, traces.noted.held_out_spread)


def _score_spread_terms(traces: Traces, rules: MeasureRules) -> Values:
    del rules
    return _noted_mean(traces, traces.noted.score_spread)


def _noted_mean(traces: Traces, values: Values) -> Values:
    """Terms of the mean of what was noted of decisions."""
    known = ~np.isnan(values)
    game = traces.noted.game[known]
    return np.stack([total(traces, game, values[known]), total(traces, game)], axis=1)


def _drama_terms(traces: Traces, rules: MeasureRules) -> Values:
    times, _, roots, rows = trailing(traces, rules)
    return mean_terms(shares(roots, times), rows > 0)


def _security_terms(traces: Traces, rules: MeasureRules) -> Values:
    times, _, _, rows = trailing(traces, rules)
    return mean_terms(shares(times, rows), rows > 0)


def _behind_terms(traces: Traces, rules: MeasureRules) -> Values:
    times, gaps, _, _ = trailing(traces, rules)
    return np.stack([gaps, times], axis=1)


FAIR = InnerMean(ratio, fairness_over)
"""Fairness, as a function of the first seat's win rate."""

_AA: tuple[tuple[Batch, ...], ...] = (("AA",),)

MEASURES = (
    Measure(
        "order",
        FAMILY,
        first_seat_wins,
        _order,
        (("AR",),),
        noted=False,
        bounds=order_bounds,
        by_ties=True,
    ),
    Measure(
        "fairness",
        FAMILY,
        first_seat_wins,
        _fairness,
        (("RR",),),
        noted=False,
        bounds=unit,
        inner=FAIR,
        by_ties=True,
    ),
    Measure("convergence", FAMILY, _convergence_terms, ratio, EACH, seats=1),
    Measure("spread", FAMILY, spread_terms, ratio, THINKING, seats=1, bounds=unit),
    Measure(
        "held_out_spread",
        FAMILY,
        _held_out_terms,
        ratio,
        THINKING,
        note="spread without the noise of rollouts: no more than it is",
        seats=1,
        bounds=signed_unit,
    ),
    Measure(
        "score_spread",
        FAMILY,
        _score_spread_terms,
        ratio,
        THINKING,
        note="spread of estimated scores, in points",
        seats=1,
    ),
    Measure("drama", FAMILY, _drama_terms, ratio, _AA, bounds=root_bounds),
    Measure("security", FAMILY, _security_terms, rest, _AA, bounds=unit),
    Measure(
        "behind",
        FAMILY,
        _behind_terms,
        ratio,
        _AA,
        note="a decision at which the winner is behind",
        bounds=behind_bounds,
    ),
)
"""The six of the articles, the terms of drama, and two more spreads.

Where a measure is given for `AA` and `AR` together, that is the articles' number: the program
appends the spreads of both batches to one list.
"""

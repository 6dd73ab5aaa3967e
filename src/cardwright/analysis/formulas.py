"""The formulas of all measures: sums over games, and numbers computed from the sums.

Every measure is a function of sums of some terms, and each game has its terms. So records can be
read in parts, sums of parts added, and a bootstrap resample is the same sums with weights.

A lead vector has for every seat an estimate of its place, from 0 (last) to 1 (first), at one
decision: `cardwright.players.player.Note.lead`. Own estimates are those of
`cardwright.players.player.Note.best` at a seat's decisions in order. Steps are from one decision
with a lead vector to the next of the same game. Win rates are shares from 0 to 1. ValueError is
raised for numbers of players below 2.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias, TypeVar

import numpy as np

from cardwright.statistics.measures import over_chance

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.analysis.records import Flags, Integers, Traces, Values
    from cardwright.statistics.ties import Ties

    Number = TypeVar("Number", float, Values)

Terms: TypeAlias = "Callable[[Traces, MeasureRules], Values]"
"""Terms of games: shape (games, some number of terms)."""

Value: TypeAlias = "Callable[[Values, int], Values]"
"""The measure from sums of terms, shape (resamples, terms), and the number of seats."""

Bounds: TypeAlias = "Callable[[int], tuple[float, float]]"
"""The bounds of a value in a game with this many seats, whatever happens."""

Image: TypeAlias = "Callable[[float, float, int], tuple[float, float]]"
"""The least and the greatest value of a function over an interval, for a number of seats."""

BEHIND, AHEAD = 0.5, 0.8
"""The own estimates below and above which CardStock's program calls a winner behind and ahead."""


@dataclass(frozen=True)
class MeasureRules:
    """The choices that the definitions leave open.

    `winner` says who the winner is in measures of lead vectors: the seat with the largest entry in
    the last one, as in CardStock's articles, or the seat with the best result. `ties` says whether
    a shared first place counts as a full win, as there, or 1/k for each of k. Both apply to the
    articles' family only; the others have definitions of their own. `ahead` is the estimate from
    which a seat counts as certain to win, for decisiveness in the corrected family.
    """

    winner: Literal["last_lead", "result"] = "last_lead"
    ties: Ties = "full"
    ahead: float = 0.8


# What formulas are made of --------------------------------------------------------------------


def ratio(sums: Values, _: int) -> Values:
    """Return the first sum divided by the second: a mean; NaN where there was nothing."""
    with np.errstate(invalid="ignore", divide="ignore"):
        mean: Values = sums[:, 0] / sums[:, 1]
    return mean


def rest(sums: Values, players: int) -> Values:
    """Return 1 minus the mean."""
    return 1 - ratio(sums, players)


def zero_for_nan(value: Value) -> Value:
    """Return a measure that is 0 where it would be NaN, as in CardStock's program."""
    return lambda sums, players: np.nan_to_num(value(sums, players), nan=0.0)


def total(
    traces: Traces, games: Integers, values: Values | Integers | Flags | None = None
) -> Values:
    """Return for every game the sum of its values, or their number."""
    sums: Values = np.bincount(games, values, minlength=len(traces)).astype(np.float64)
    return sums


def shares(counts: Values, wholes: Values) -> Values:
    """Return quotients, with 0 for 0 / 0."""
    quotients: Values = counts / np.where(wholes, wholes, 1)
    return quotients


def mean_terms(values: Values | Integers | Flags, known: Flags | None = None) -> Values:
    """Return terms for the mean of one value per game, over games where it is known."""
    known = ~np.isnan(values) if known is None else known
    return np.stack([np.where(known, values, 0.0), known.astype(np.float64)], axis=1)


def pooled_terms(
    traces: Traces, games: Integers, values: Values | Integers | Flags, where: Flags | None = None
) -> Values:
    """Return terms for the mean of the rows of all games together, perhaps of some rows only."""
    if where is not None:
        games, values = games[where], values[where]
    return np.stack([total(traces, games, values), total(traces, games)], axis=1)


def game_terms(traces: Traces, games: Integers, values: Values | Flags) -> Values:
    """Return terms for the mean over games of the means of their rows."""
    rows = total(traces, games)
    return mean_terms(shares(total(traces, games, values), rows), rows > 0)


def several(players: int) -> int:
    """Return the number of players; raises ValueError if it is one."""
    if players < 2:
        raise ValueError("this needs games of two players or more")
    return players


def unit(_: int) -> tuple[float, float]:
    """Return the bounds of shares and of places on the scale from last to first: 0 and 1."""
    return 0.0, 1.0


# The shape of a game --------------------------------------------------------------------------


def full_wins(traces: Traces, _: MeasureRules) -> Values:
    """Terms of the first seat's win rate with ties in full."""
    return mean_terms(traces.ranks[:, 0] == 0)


def shared_wins(traces: Traces, _: MeasureRules) -> Values:
    """Terms of the first seat's win rate with 1/k for each of k winners."""
    return mean_terms(traces.wins[:, 0])


def first_seat_wins(traces: Traces, rules: MeasureRules) -> Values:
    """Terms of the first seat's win rate, with ties as the rules say."""
    return (shared_wins if rules.ties == "shared" else full_wins)(traces, rules)


def rank_terms(traces: Traces, _: MeasureRules) -> Values:
    """For each rank, whether the first seat had it, and then whether any seat had it."""
    every = np.arange(traces.players)
    first = traces.ranks[:, :1] == every
    anyone = (traces.ranks[:, :, None] == every).any(axis=1)
    return np.hstack([first, anyone]).astype(np.float64)


def nonloss(sums: Values, players: int) -> Values:
    """Return the share of games in which the first seat's rank is not the worst ever seen.

    The worst rank is that of the first row, the sums without weights: it is a property of the
    batch.
    """
    seen = np.flatnonzero(sums[0, players:])
    worst = int(seen[-1]) if len(seen) else 0
    games = sums[:, :players].sum(axis=1)
    return ratio(np.stack([games - sums[:, worst], games], axis=1), players)


# CardStock's articles -------------------------------------------------------------------------


def order(wins: Number, players: int) -> Number:
    """Return how much better a thinking player is than random ones: 0 not at all, 1 always wins.

    `wins` is its win rate against random players. In the articles every shared win counts in full:
    then random players that tie often have an order above 0 too.
    """
    return over_chance(wins, several(players))


def order_value(sums: Values, players: int) -> Values:
    """Return the order from the sums of the first seat's wins and of games."""
    return order(ratio(sums, players), players)


def fairness(wins: Number, players: int) -> Number:
    """Return how close the first seat's win rate in random games is to its fair share: 1 is fair.

    In the articles shared wins count in full: then ties alone make a game look unfair, since all
    seats together have more than one win.
    """
    below = several(players) * wins
    above = (1 - wins) * players / (players - 1)
    lower: Number = np.minimum(below, above)  # a tent function, whose sides meet at the fair share
    return lower


def fairness_value(sums: Values, players: int) -> Values:
    """Return the fairness from the sums of the first seat's wins and of games."""
    return fairness(ratio(sums, players), players)


def fairness_over(low: float, high: float, players: int) -> tuple[float, float]:
    """Return the least and the greatest fairness of win rates in an interval."""
    one, other = fairness(low, players), fairness(high, players)
    turn = low <= 1 / players <= high
    return min(one, other), 1.0 if turn else max(one, other)


def threshold(players: int) -> float:
    """Return the estimate below which a player is behind: halfway between the best two places."""
    return (1 + (several(players) - 2) / (players - 1)) / 2


def slopes(traces: Traces) -> Values:
    """Return for every game the least-squares slope of its options by decision.

    A game with a single decision has slope 0, and one without any NaN.
    """
    game, options = traces.noted.game, traces.noted.options.astype(np.float64)
    counts = total(traces, game)
    at = traces.ply - ((counts - 1) / 2)[game]
    rise, width = total(traces, game, at * options), total(traces, game, at * at)
    return np.where(counts > 0, shares(rise, width), np.nan)


def convergence(slope: Number) -> Number:
    """Return whether options become fewer, from a game's slope: 0.5 if not, more if they do."""
    return 1 - (slope / 2 + 0.5)


def noted_terms(name: str) -> Terms:
    """Return the terms of the mean of what was noted of decisions."""

    def terms(traces: Traces, _: MeasureRules) -> Values:
        values: Values = getattr(traces.noted, name)
        return pooled_terms(traces, traces.noted.game, values, ~np.isnan(values))

    return terms


def spread_terms(traces: Traces, rules: MeasureRules) -> Values:
    """Return the terms of the mean spread of values of options, as players note it."""
    return noted_terms("spread")(traces, rules)


def trailing(traces: Traces, rules: MeasureRules) -> tuple[Values, Values, Values, Values]:
    """Return for each game how often its winner is behind, the total and root deficits, and rows.

    The deficit at a decision is threshold - lead. All decisions with a lead vector count, of any
    seat; the last item is their number.
    """
    led = traces.led
    winner = traces.last_leaders if rules.winner == "last_lead" else traces.winners
    gap = threshold(traces.players) - led.lead[np.arange(len(led)), winner[led.game]]
    deficits = np.maximum(gap, 0)
    columns = (gap > 0, deficits, np.sqrt(deficits))
    times, gaps, roots = (total(traces, led.game, column) for column in columns)
    return times, gaps, roots, total(traces, led.game)


def drama_terms(traces: Traces, rules: MeasureRules) -> Values:
    """Terms of the mean over games of the mean root deficit of winners that are behind."""
    times, _, roots, rows = trailing(traces, rules)
    return mean_terms(shares(roots, times), rows > 0)


def security_terms(traces: Traces, rules: MeasureRules) -> Values:
    """Terms of the share of decisions at which winners are behind."""
    times, _, _, rows = trailing(traces, rules)
    return mean_terms(shares(times, rows), rows > 0)


# CardStock's program --------------------------------------------------------------------------


def engine_fairness_terms(traces: Traces, _: MeasureRules) -> Values:
    """A win shared by k counts 1/k, but 1 if all players share it: a bug."""
    everybody = (traces.ranks == 0).all(axis=1)
    return mean_terms(np.where(everybody, 1.0, traces.wins[:, 0]))


def _winners_own(traces: Traces) -> Flags:
    mine: Flags = traces.own.seat == traces.winners[traces.own.game]
    return mine


def engine_drama_terms(traces: Traces, _: MeasureRules) -> Values:
    """Root deficits of the winners' own estimates, of all games together."""
    own = traces.own
    gaps = np.maximum(BEHIND - own.estimate, 0)
    return pooled_terms(traces, own.game, np.sqrt(gaps), _winners_own(traces) & (gaps > 0))


def engine_decisiveness_terms(traces: Traces, _: MeasureRules) -> Values:
    """The share of the winner's decisions that are left when it first sees itself ahead."""
    own, mine = traces.own, _winners_own(traces)
    counts = total(traces, own.game[mine])
    ahead = mine & (own.estimate > AHEAD)
    first = np.maximum(counts - 1, 0)
    np.minimum.at(first, own.game[ahead], own.place[ahead])
    return mean_terms((counts - first) / np.maximum(counts, 1), counts > 0)


def fall_terms(traces: Traces, _: MeasureRules) -> Values:
    """Terms of how often an own estimate is lower than the one before."""
    own = traces.own
    falls = own.estimate[:-1] > own.estimate[1:]
    return pooled_terms(traces, own.game[:-1], falls, own.follows)


# Browne's measures, adapted to games of several players ------------------------------------------


def browne_drama_terms(traces: Traces, _: MeasureRules) -> Values:
    """sqrt(leader's lead - own lead) at the winner's own decisions at which it trails."""
    led, winner = traces.led, traces.winners[traces.led.game]
    mine = led.seat == winner
    gap = led.lead.max(axis=1) - led.lead[np.arange(len(led)), winner]
    trails = mine & (gap > 0)
    gaps = total(traces, led.game[trails], np.sqrt(gap[trails]))
    value = shares(gaps, total(traces, led.game[trails]))
    return mean_terms(value, total(traces, led.game[mine]) > 0)


def browne_decisiveness_terms(traces: Traces, rules: MeasureRules) -> Values:
    """The share of the game that is left once the winner's estimate stays high."""
    led = traces.led
    rows = total(traces, led.game)
    starts = (np.cumsum(rows) - rows).astype(np.int64)
    unsure = led.lead[np.arange(len(led)), traces.winners[led.game]] < rules.ahead
    sure_from = np.zeros(len(traces))
    place = np.arange(len(led)) - starts[led.game]
    np.maximum.at(sure_from, led.game[unsure], place[unsure] + 1.0)
    return mean_terms(1 - shares(sure_from, rows), rows > 0)


def clarity_terms(traces: Traces, _: MeasureRules) -> Values:
    """How far the best option is above the average, as a fraction of the spread."""
    noted = traces.noted
    matters = noted.spread > 0
    height = (noted.best[matters] - noted.average[matters]) / noted.spread[matters]
    return pooled_terms(traces, noted.game[matters], height)


def uncertainty_terms(traces: Traces, _: MeasureRules) -> Values:
    """1 minus the distance between the two best estimates, over all decisions."""
    led = traces.led
    best = np.sort(led.lead, axis=1)
    open_still = 1 - (best[:, -1] - best[:, -2]) if traces.players > 1 else np.zeros(len(led))
    return game_terms(traces, led.game, open_still)


def _steps(traces: Traces) -> Flags:
    same: Flags = traces.led.game[1:] == traces.led.game[:-1]
    return same


def lead_change_terms(traces: Traces, _: MeasureRules) -> Values:
    """Whether none of the leaders leads at the next decision."""
    led, step = traces.led, _steps(traces)
    leads = led.lead == led.lead.max(axis=1, keepdims=True)
    kept = (leads[1:] & leads[:-1]).any(axis=1)
    return game_terms(traces, led.game[1:][step], ~kept[step])


def permanence_terms(traces: Traces, _: MeasureRules) -> Values:
    """Whether a rise or fall of an own estimate is not fully reversed by the step after it."""
    own = traces.own
    step = np.diff(own.estimate)
    pair = own.follows[1:] & own.follows[:-1] & (step[:-1] != 0)
    back = (np.sign(step[1:]) == -np.sign(step[:-1])) & (abs(step[1:]) >= abs(step[:-1]))
    return pooled_terms(traces, own.game[: len(pair)], ~back, pair)


def killer_terms(traces: Traces, _: MeasureRules) -> Values:
    """The largest step of any seat's estimate in a game."""
    step, games = _steps(traces), traces.led.game[1:]
    largest = np.zeros(len(traces))
    sizes = np.abs(np.diff(traces.led.lead, axis=0)).max(axis=1, initial=0)
    np.maximum.at(largest, games[step], sizes[step])
    return mean_terms(largest, total(traces, games[step]) > 0)

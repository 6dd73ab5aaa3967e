"""The formulas of all measures: sums over games, and numbers computed from the sums."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING, Literal, TypeAlias, TypeVar

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cardwright.analysis.records import Flags, Integers, Traces, Values
    from cardwright.statistics.ties import Ties

    Number = TypeVar("Number", float, Values)

Batch: TypeAlias = Literal["RR", "AR", "AA"]
"""Which players: all random; one that thinks, in the first seat, among random ones; all think."""

Terms: TypeAlias = "Callable[[Traces, MeasureRules], Values]"
"""Terms of games: shape (games, some number of terms)."""

Value: TypeAlias = "Callable[[Values, int], Values]"
"""The measure from sums of terms, shape (resamples, terms), and the number of seats."""

Bounds: TypeAlias = "Callable[[int], tuple[float, float]]"
"""The bounds of a value in a game with this many seats, whatever happens."""

Image: TypeAlias = "Callable[[float, float, int], tuple[float, float]]"
"""The least and the greatest value of a function over an interval, for a number of seats."""


@dataclass(frozen=True)
class InnerMean:
    """A mean of which a measure is a non-monotonic function, and how that maps intervals.

    At the turning point the measure itself has no useful standard error.
    """

    value: Value
    image: Image


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


@dataclass(frozen=True)
class Measure:
    """A measure: its name and family, and the groups of batches from which it may be taken.

    Each group gives a value of its own, from the sums over its batches together. `noted` says that
    the decisions must be in the records. `status` is empty, or says why a number is unreliable:
    "off" for what CardStock's program has switched off, "broken" for what does not measure what it
    claims. `weight` is that in the program's genetic search. The measure needs at least this many
    `seats`: most compare seats, and say nothing about a single one. `bounds` are those of the
    value, or of the `inner` mean of which it is a function; None for a mean without any. `by_ties`
    says that it counts shared wins as the rules say.
    """

    name: str
    family: str
    terms: Terms
    value: Value
    groups: tuple[tuple[Batch, ...], ...]
    noted: bool = True
    status: str = ""
    weight: float | None = None
    interval: bool = True
    note: str = ""
    seats: int = 2
    bounds: Bounds | None = None
    inner: InnerMean | None = None
    by_ties: bool = False

    @property
    def key(self) -> tuple[str, str]:
        """Family and name, the key of its sums in tallies."""
        return (self.family, self.name)


EACH: tuple[tuple[Batch, ...], ...] = (("RR",), ("AR",), ("AA",))
THINKING: tuple[tuple[Batch, ...], ...] = (("AA",), ("AR",), ("AA", "AR"))
"""Groups for what thinking players tell: all thinking, one thinking, and both pooled."""


def unit(players: int) -> tuple[float, float]:
    """Return the bounds of shares and of places on the scale from last to first: 0 and 1."""
    del players
    return 0.0, 1.0


def ratio(sums: Values, players: int) -> Values:
    """Return the first sum divided by the second: a mean; NaN where there was nothing."""
    del players
    with np.errstate(invalid="ignore", divide="ignore"):
        mean: Values = sums[:, 0] / sums[:, 1]
    return mean


def rest(sums: Values, players: int) -> Values:
    """Return 1 minus the mean."""
    return 1 - ratio(sums, players)


def total(traces: Traces, games: Integers, values: Values | None = None) -> Values:
    """Return for every game the sum of its values, or their number."""
    sums: Values = np.bincount(games, values, minlength=len(traces)).astype(np.float64)
    return sums


def mean_terms(values: Values, known: Flags | None = None) -> Values:
    """Return terms for the mean of one value per game, over games where it is known."""
    if known is None:
        known = np.ones(len(values), bool)
    return np.stack([np.where(known, values, 0.0), known.astype(np.float64)], axis=1)


def shares(counts: Values, of: Values) -> Values:
    """Return quotients, with 0 for 0 / 0."""
    found: Values = counts / np.where(of, of, 1)
    return found


SHAPE = "shape"


def _decisions(traces: Traces, rules: MeasureRules) -> Values:
    del rules
    return mean_terms(traces.lengths.astype(np.float64))


def _branching(traces: Traces, rules: MeasureRules) -> Values:
    del rules
    noted = traces.noted
    options = total(traces, noted.game, noted.options.astype(np.float64))
    return np.stack([options, total(traces, noted.game)], axis=1)


def _forced(traces: Traces, rules: MeasureRules) -> Values:
    del rules
    noted = traces.noted
    single = total(traces, noted.game, (noted.options == 1).astype(np.float64))
    return np.stack([single, total(traces, noted.game)], axis=1)


def _first_wins(traces: Traces, rules: MeasureRules) -> Values:
    del rules
    return mean_terms((traces.ranks[:, 0] == 0).astype(np.float64))


def _first_wins_shared(traces: Traces, rules: MeasureRules) -> Values:
    del rules
    return mean_terms(traces.wins[:, 0])


def _first_score(traces: Traces, rules: MeasureRules) -> Values:
    del rules
    return mean_terms(traces.scores[:, 0].astype(np.float64))


def _ties(traces: Traces, rules: MeasureRules) -> Values:
    del rules
    return mean_terms(((traces.ranks == 0).sum(axis=1) > 1).astype(np.float64))


def _ranks(traces: Traces, rules: MeasureRules) -> Values:
    """For each rank, whether the first seat had it, and then whether any seat had it."""
    del rules
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


SHAPE_MEASURES = (
    Measure("decisions", SHAPE, _decisions, ratio, EACH, noted=False, note="a game", seats=1),
    Measure("branching", SHAPE, _branching, ratio, EACH, note="options a decision", seats=1),
    Measure(
        "forced",
        SHAPE,
        _forced,
        ratio,
        EACH,
        note="decisions with one option",
        seats=1,
        bounds=unit,
    ),
    Measure(
        "first_seat_wins", SHAPE, _first_wins, ratio, EACH, False, note="ties in full", bounds=unit
    ),
    Measure(
        "first_seat_wins_shared",
        SHAPE,
        _first_wins_shared,
        ratio,
        EACH,
        False,
        note="ties shared",
        bounds=unit,
    ),
    Measure("first_seat_score", SHAPE, _first_score, ratio, EACH, False, seats=1),
    Measure("first_seat_nonloss", SHAPE, _ranks, nonloss, EACH, False, bounds=unit),
    Measure(
        "shared_wins",
        SHAPE,
        _ties,
        ratio,
        EACH,
        False,
        note="games with ties for first",
        bounds=unit,
    ),
)
"""Length and branching, and how the first seat fares."""

ARTICLES = "articles"


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

ARTICLES_MEASURES = (
    Measure(
        "order",
        ARTICLES,
        first_seat_wins,
        _order,
        (("AR",),),
        noted=False,
        bounds=order_bounds,
        by_ties=True,
    ),
    Measure(
        "fairness",
        ARTICLES,
        first_seat_wins,
        _fairness,
        (("RR",),),
        noted=False,
        bounds=unit,
        inner=FAIR,
        by_ties=True,
    ),
    Measure("convergence", ARTICLES, _convergence_terms, ratio, EACH, seats=1),
    Measure("spread", ARTICLES, spread_terms, ratio, THINKING, seats=1, bounds=unit),
    Measure(
        "held_out_spread",
        ARTICLES,
        _held_out_terms,
        ratio,
        THINKING,
        note="spread without the noise of rollouts: no more than it is",
        seats=1,
        bounds=signed_unit,
    ),
    Measure(
        "score_spread",
        ARTICLES,
        _score_spread_terms,
        ratio,
        THINKING,
        note="spread of estimated scores, in points",
        seats=1,
    ),
    Measure("drama", ARTICLES, _drama_terms, ratio, _AA, bounds=root_bounds),
    Measure("security", ARTICLES, _security_terms, rest, _AA, bounds=unit),
    Measure(
        "behind",
        ARTICLES,
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

ENGINE = "engine"

BEHIND = 0.5
"""Below it a winner sees itself behind, in games of any number of players."""
AHEAD = 0.8
"""Above it a winner sees itself ahead."""
CLEAR = 0.3
"""How much better the best option is than the average one if a decision is clear."""
KILLER_SHARE = 0.2
"""How much of the largest spread is added to the weighted `variance`."""


def zero_for_nan(value: Value) -> Value:
    """Return a measure that is 0 where it would be NaN."""

    def made(sums: Values, players: int) -> Values:
        return np.nan_to_num(value(sums, players), nan=0.0)

    return made


def _winners_own(traces: Traces) -> Flags:
    own = traces.own
    mine: Flags = own.seat == traces.winners[own.game]
    return mine


def _fairness_terms(traces: Traces, rules: MeasureRules) -> Values:
    """A win shared by k counts 1/k, but 1 if all players share it: a bug."""
    del rules
    first = traces.wins[:, 0]
    everybody = (traces.ranks == 0).all(axis=1)
    return mean_terms(np.where(everybody, 1.0, first))


def _engine_fairness(sums: Values, players: int) -> Values:
    return fairness(ratio(sums, players), players)


def _engine_drama_terms(traces: Traces, rules: MeasureRules) -> Values:
    del rules
    own = traces.own
    behind = _winners_own(traces) & (own.estimate < BEHIND)
    game = own.game[behind]
    gaps = total(traces, game, np.sqrt(BEHIND - own.estimate[behind]))
    return np.stack([gaps, total(traces, game)], axis=1)


def _root_bounds(players: int) -> tuple[float, float]:
    del players
    return 0.0, sqrt(BEHIND)


def _decisiveness_terms(traces: Traces, rules: MeasureRules) -> Values:
    """The share of the winner's decisions that are left when it first sees itself ahead."""
    del rules
    own, mine = traces.own, _winners_own(traces)
    counts = total(traces, own.game[mine])
    ahead = mine & (own.estimate > AHEAD)
    first = np.maximum(counts - 1, 0)
    np.minimum.at(first, own.game[ahead], own.place[ahead])
    left = (counts - first) / np.maximum(counts, 1)
    return mean_terms(left, counts > 0)


def fall_terms(traces: Traces, rules: MeasureRules) -> Values:
    """Terms of how often an own estimate is lower than the one before."""
    del rules
    own = traces.own
    falls = own.follows & (own.estimate[:-1] > own.estimate[1:])
    games = own.game[:-1]
    return np.stack([total(traces, games[falls]), total(traces, games[own.follows])], axis=1)


def _clarity_terms(traces: Traces, rules: MeasureRules) -> Values:
    del rules
    noted = traces.noted
    lead = noted.best - noted.average
    known = ~np.isnan(lead)
    clear = lead >= CLEAR
    return np.stack([total(traces, noted.game[clear]), total(traces, noted.game[known])], axis=1)


def _stability_terms(traces: Traces, rules: MeasureRules) -> Values:
    """Places whose occupant changes from one step to the next, even across borders between games.

    The border before the first game is missing. A game without an order turns everything into NaN.
    """
    del rules
    standings = traces.standings
    if standings is None:
        return np.full((len(traces), 2), np.nan)
    changed = (standings.seats[1:] != standings.seats[:-1]).sum(axis=1)
    game = standings.game[1:]
    places = traces.players * total(traces, game)
    return np.stack([total(traces, game, changed), places], axis=1)


def _length_terms(traces: Traces, rules: MeasureRules) -> Values:
    del rules
    return traces.lengths[:, None].astype(np.float64)


def _length(sums: Values, players: int) -> Values:
    del players
    value: Values = 1 - np.trunc((5 - sums[:, 0]) / 5)
    return value


def _tie_terms(traces: Traces, rules: MeasureRules) -> Values:
    del rules
    tied: Values = ((traces.ranks == 0).sum(axis=1) > 1).astype(np.float64)
    return tied[:, None]


def _no_ties(sums: Values, players: int) -> Values:
    del players
    return np.where(sums[:, 0] > 0, 1 / (3 * np.maximum(sums[:, 0], 1)), 1.0)


_ALL: tuple[tuple[Batch, ...], ...] = (("AA", "AR"), ("AA",))
_RR: tuple[tuple[Batch, ...], ...] = (("RR",),)

ENGINE_MEASURES = (
    Measure(
        "fairness",
        ENGINE,
        _fairness_terms,
        zero_for_nan(_engine_fairness),
        _RR,
        noted=False,
        weight=0.5,
        bounds=unit,
        inner=FAIR,
    ),
    Measure(
        "meaningful_moves", ENGINE, spread_terms, zero_for_nan(ratio), _ALL, weight=0.5, bounds=unit
    ),
    Measure(
        "drama",
        ENGINE,
        _engine_drama_terms,
        zero_for_nan(ratio),
        _AA,
        weight=0.25,
        bounds=_root_bounds,
    ),
    Measure(
        "decisiveness",
        ENGINE,
        _decisiveness_terms,
        zero_for_nan(rest),
        _AA,
        weight=0.4,
        note="high where games are decided late",
        bounds=unit,
    ),
    Measure(
        "coolness",
        ENGINE,
        fall_terms,
        zero_for_nan(rest),
        _AA,
        weight=0.5,
        note="high where estimates do not fall",
        bounds=unit,
    ),
    Measure(
        "clarity",
        ENGINE,
        _clarity_terms,
        zero_for_nan(rest),
        _AA,
        status="off",
        weight=0.5,
        note="marked wrong in the program",
        bounds=unit,
    ),
    Measure(
        "stability",
        ENGINE,
        _stability_terms,
        rest,
        _AA,
        status="off",
        weight=0.5,
        note="counts changes across borders of games; needs seats with equally many estimates",
        bounds=unit,
    ),
    Measure(
        "variance",
        ENGINE,
        spread_terms,
        zero_for_nan(ratio),
        _ALL,
        status="off",
        weight=0.85,
        note=f"{KILLER_SHARE} of the largest spread is added after weighting",
        bounds=unit,
    ),
    Measure(
        "game_length",
        ENGINE,
        _length_terms,
        _length,
        _RR,
        noted=False,
        status="broken",
        weight=0.2,
        interval=False,
        note="taken over the decisions of all games together, it grows with their number",
    ),
    Measure(
        "no_ties",
        ENGINE,
        _tie_terms,
        _no_ties,
        _RR,
        noted=False,
        status="off",
        weight=0.5,
        interval=False,
        note="falls with the number of games",
    ),
)
"""What the program computes from games; `heuristics` adds what it takes from nothing or the
rules."""

BROWNE = "browne"

NARROW = 0.75
"""How far from the average to the best estimate an option must be to stand out."""


def narrowness(estimates: Sequence[float]) -> float:
    """Return the share of a decision's options that stand out, from the estimates of all of them.

    These are above average + 0.75 (best - average). Records have no estimates of single options, so
    the table of heuristics cannot include it. Raises ValueError for no options.
    """
    if not estimates:
        raise ValueError("a decision has at least one option")
    average = sum(estimates) / len(estimates)
    bar = average + NARROW * (max(estimates) - average)
    return sum(estimate > bar for estimate in estimates) / len(estimates)


def _drama(traces: Traces, rules: MeasureRules) -> Values:
    """sqrt(leader's lead - own lead) at the winner's own decisions at which it trails."""
    del rules
    led = traces.led
    mine = led.seat == traces.winners[led.game]
    gap = led.lead.max(axis=1) - led.lead[np.arange(len(led)), traces.winners[led.game]]
    trails = mine & (gap > 0)
    gaps = total(traces, led.game[trails], np.sqrt(gap[trails]))
    value = shares(gaps, total(traces, led.game[trails]))
    return mean_terms(value, total(traces, led.game[mine]) > 0)


def _decisiveness(traces: Traces, rules: MeasureRules) -> Values:
    """The share of the game that is left once the winner's estimate stays high."""
    led = traces.led
    rows = total(traces, led.game)
    starts = (np.cumsum(rows) - rows).astype(np.int64)
    unsure = led.lead[np.arange(len(led)), traces.winners[led.game]] < rules.ahead
    sure_from = np.zeros(len(traces))
    place = np.arange(len(led)) - starts[led.game]
    np.maximum.at(sure_from, led.game[unsure], place[unsure] + 1.0)
    return mean_terms(1 - shares(sure_from, rows), rows > 0)


def _clarity(traces: Traces, rules: MeasureRules) -> Values:
    """How far the best option is above the average, as a fraction of the spread."""
    del rules
    noted = traces.noted
    matters = noted.spread > 0
    height = (noted.best[matters] - noted.average[matters]) / noted.spread[matters]
    game = noted.game[matters]
    return np.stack([total(traces, game, height), total(traces, game)], axis=1)


def _uncertainty(traces: Traces, rules: MeasureRules) -> Values:
    """1 minus the distance between the two best estimates, over all decisions."""
    del rules
    led = traces.led
    best = np.sort(led.lead, axis=1)
    open_still = 1 - (best[:, -1] - best[:, -2]) if traces.players > 1 else np.zeros(len(led))
    rows = total(traces, led.game)
    return mean_terms(shares(total(traces, led.game, open_still), rows), rows > 0)


def _steps(traces: Traces) -> Flags:
    led = traces.led
    same: Flags = led.game[1:] == led.game[:-1]
    return same


def _lead_change(traces: Traces, rules: MeasureRules) -> Values:
    """Whether none of the leaders leads at the next decision."""
    del rules
    led, step = traces.led, _steps(traces)
    leads = led.lead == led.lead.max(axis=1, keepdims=True)
    changed = step & ~(leads[1:] & leads[:-1]).any(axis=1)
    games = led.game[1:]
    steps = total(traces, games[step])
    return mean_terms(shares(total(traces, games[changed]), steps), steps > 0)


def _permanence(traces: Traces, rules: MeasureRules) -> Values:
    """Whether a rise or fall of an own estimate is not fully reversed by the step after it."""
    del rules
    own = traces.own
    step = np.diff(own.estimate)
    pair = own.follows[1:] & own.follows[:-1] & (step[:-1] != 0)
    back = (np.sign(step[1:]) == -np.sign(step[:-1])) & (abs(step[1:]) >= abs(step[:-1]))
    games = own.game[: len(pair)]
    kept = total(traces, games[pair & ~back])
    return np.stack([kept, total(traces, games[pair])], axis=1)


def _killer_moves(traces: Traces, rules: MeasureRules) -> Values:
    """The largest step of any seat's estimate in a game."""
    del rules
    led, step = traces.led, _steps(traces)
    largest = np.zeros(len(traces))
    sizes = np.abs(np.diff(led.lead, axis=0)).max(axis=1, initial=0)
    np.maximum.at(largest, led.game[1:][step], sizes[step])
    return mean_terms(largest, total(traces, led.game[1:][step]) > 0)


BROWNE_MEASURES = (
    Measure("drama", BROWNE, _drama, ratio, _AA, note="the winner's own decisions", bounds=unit),
    Measure(
        "decisiveness", BROWNE, _decisiveness, ratio, _AA, note="high if decided early", bounds=unit
    ),
    Measure(
        "clarity", BROWNE, _clarity, ratio, THINKING, note="(best - average) / spread", bounds=unit
    ),
    Measure("uncertainty", BROWNE, _uncertainty, ratio, _AA, bounds=unit),
    Measure("lead_change", BROWNE, _lead_change, ratio, _AA, note="a step", bounds=unit),
    Measure(
        "permanence", BROWNE, _permanence, ratio, _AA, note="steps not taken back", bounds=unit
    ),
    Measure(
        "killer_moves",
        BROWNE,
        _killer_moves,
        ratio,
        _AA,
        note="largest step of a game",
        bounds=unit,
    ),
    Measure(
        "coolness",
        BROWNE,
        fall_terms,
        ratio,
        _AA,
        note="own estimates that had to fall",
        bounds=unit,
    ),
)
"""Each from games of thinking players."""

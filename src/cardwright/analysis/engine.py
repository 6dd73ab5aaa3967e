"""The measures that CardStock's program computes, including its bugs.

Their definitions differ from the articles', and none agrees with them
(https://github.com/mgoadric/cardstock, `Scoring/`). A seat's own estimates are those of
`cardwright.players.player.Note.best` at its decisions in order; the winner has the best result, the
first seat of those that tie. NaN becomes 0, as there.
"""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from cardwright.analysis.articles import FAIR, fairness, spread_terms
from cardwright.analysis.measure import (
    Batch,
    Measure,
    MeasureRules,
    mean_terms,
    ratio,
    rest,
    total,
    unit,
)

if TYPE_CHECKING:
    from cardwright.analysis.measure import Value
    from cardwright.analysis.traces import Flags, Traces, Values

FAMILY = "engine"

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


def _fairness(sums: Values, players: int) -> Values:
    return fairness(ratio(sums, players), players)


def _drama_terms(traces: Traces, rules: MeasureRules) -> Values:
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


_AA: tuple[tuple[Batch, ...], ...] = (("AA",),)
_ALL: tuple[tuple[Batch, ...], ...] = (("AA", "AR"), ("AA",))
_RR: tuple[tuple[Batch, ...], ...] = (("RR",),)

MEASURES = (
    Measure(
        "fairness",
        FAMILY,
        _fairness_terms,
        zero_for_nan(_fairness),
        _RR,
        noted=False,
        weight=0.5,
        bounds=unit,
        inner=FAIR,
    ),
    Measure(
        "meaningful_moves", FAMILY, spread_terms, zero_for_nan(ratio), _ALL, weight=0.5, bounds=unit
    ),
    Measure(
        "drama", FAMILY, _drama_terms, zero_for_nan(ratio), _AA, weight=0.25, bounds=_root_bounds
    ),
    Measure(
        "decisiveness",
        FAMILY,
        _decisiveness_terms,
        zero_for_nan(rest),
        _AA,
        weight=0.4,
        note="high where games are decided late",
        bounds=unit,
    ),
    Measure(
        "coolness",
        FAMILY,
        fall_terms,
        zero_for_nan(rest),
        _AA,
        weight=0.5,
        note="high where estimates do not fall",
        bounds=unit,
    ),
    Measure(
        "clarity",
        FAMILY,
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
        FAMILY,
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
        FAMILY,
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
        FAMILY,
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
        FAMILY,
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

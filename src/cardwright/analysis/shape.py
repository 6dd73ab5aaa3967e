"""The shape of a game: its length, its numbers of options, and who wins.

These measures need no notes from players and can be taken from any batch.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cardwright.analysis.measure import EACH, Measure, MeasureRules, mean_terms, ratio, total, unit

if TYPE_CHECKING:
    from cardwright.analysis.traces import Traces, Values

FAMILY = "shape"


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


MEASURES = (
    Measure("decisions", FAMILY, _decisions, ratio, EACH, noted=False, note="a game", seats=1),
    Measure("branching", FAMILY, _branching, ratio, EACH, note="options a decision", seats=1),
    Measure(
        "forced",
        FAMILY,
        _forced,
        ratio,
        EACH,
        note="decisions with one option",
        seats=1,
        bounds=unit,
    ),
    Measure(
        "first_seat_wins", FAMILY, _first_wins, ratio, EACH, False, note="ties in full", bounds=unit
    ),
    Measure(
        "first_seat_wins_shared",
        FAMILY,
        _first_wins_shared,
        ratio,
        EACH,
        False,
        note="ties shared",
        bounds=unit,
    ),
    Measure("first_seat_score", FAMILY, _first_score, ratio, EACH, False, seats=1),
    Measure("first_seat_nonloss", FAMILY, _ranks, nonloss, EACH, False, bounds=unit),
    Measure(
        "shared_wins",
        FAMILY,
        _ties,
        ratio,
        EACH,
        False,
        note="games with ties for first",
        bounds=unit,
    ),
)
"""Length and branching, and how the first seat fares."""

"""Tallies of games with one seat: of the measures that do not compare seats."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cardwright.analysis import articles, shape
from cardwright.analysis.resampling import weights
from cardwright.analysis.tally import Tally

if TYPE_CHECKING:
    from cardwright.analysis.tally import Study
    from cardwright.analysis.traces import Traces

MEASURES = (
    *shape.MEASURES,
    *(one for one in articles.MEASURES if one.name in {"convergence", "spread"}),
)
"""What can be said of one seat: lengths, options, scores, and how much decisions matter."""

COMPARING = ("first_seat_wins", "first_seat_wins_shared", "first_seat_nonloss", "shared_wins")
"""Measures of the shape of games that say nothing of a single seat: it always wins."""

_BLOCK = 4_096


def solitary(traces: Traces, study: Study) -> Tally:
    """Return the sums over some games of one seat, of which there is one at least."""
    measures = [one for one in MEASURES if traces.decisions is not None or not one.noted]
    terms = [one.terms(traces, study.rules) for one in measures]
    sums = [np.zeros((1 + study.resamples, one.shape[1])) for one in terms]
    for whole, one in zip(sums, terms, strict=True):
        whole[0] = one.sum(axis=0)
    for at in range(0, len(traces), _BLOCK):
        block = slice(at, at + _BLOCK)
        drawn = weights(traces.deal[block], study.resamples, study.seed)
        for whole, one in zip(sums, terms, strict=True):
            whole[1:] += drawn @ one[block]
    named = {(one.family, one.name): part for one, part in zip(measures, sums, strict=True)}
    return Tally(study, traces.players, len(traces), named, _most_spread(traces))


def _most_spread(traces: Traces) -> float:
    if traces.decisions is None or not len(traces.decisions):
        return float("nan")
    return float(np.fmax.reduce(traces.decisions.spread))

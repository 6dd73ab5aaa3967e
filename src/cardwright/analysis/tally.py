"""Sums of the terms of all measures over the games of a batch, with those of its resamples.

A tally holds a few numbers for each measure and resample, however many games it covers. Tallies of
parts add up to that of the whole.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from cardwright.analysis import articles, browne, engine, shape
from cardwright.analysis.deals import NotableDeals
from cardwright.analysis.errors import AnalysisError
from cardwright.analysis.measure import MeasureRules
from cardwright.statistics.resampling import RESAMPLES, weights

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from cardwright.analysis.traces import Integers, Traces, Values

MEASURES = shape.MEASURES + articles.MEASURES + engine.MEASURES + browne.MEASURES
"""All measures, in the order of the table of heuristics."""

_BLOCK = 4_096
"""Games whose weights are made at once: some 30 MB for 1,000 resamples."""


@dataclass(frozen=True)
class Study:
    """How measures are taken: the rules left open, and the resamples for intervals with their seed.

    Tallies can only be added, and compared, if they are of one study.
    """

    rules: MeasureRules = field(default_factory=MeasureRules)
    resamples: int = RESAMPLES
    seed: int = 0

    def __post_init__(self) -> None:
        if self.resamples < 1:
            raise AnalysisError(f"intervals need 1 resample or more, not {self.resamples}")


@dataclass(frozen=True)
class _Border:
    """One end of some games: the standings there, and their deal."""

    deal: int
    seats: Integers


@dataclass(frozen=True, eq=False)
class MeasureSums:
    """Sums over some games.

    `sums` has for each measure, by family and name, an array of shape (1 + resamples, terms): the
    plain sums, and those in which every game counts as often as the resample draws its deal. A
    measure that the records do not allow is missing. `deals` has the others in their order.
    `most_spread` is the largest spread.
    """

    study: Study
    players: int
    games: int
    sums: Mapping[tuple[str, str], Values]
    deals: NotableDeals
    most_spread: float = float("nan")
    first: _Border | None = None
    last: _Border | None = None

    @classmethod
    def of(cls, traces: Traces, study: Study) -> MeasureSums:
        """Return the sums over some games, of which there is at least one."""
        measures = [
            one
            for one in MEASURES
            if traces.players >= one.seats and (traces.decisions is not None or not one.noted)
        ]
        terms = [one.terms(traces, study.rules) for one in measures]
        stacked = np.hstack(terms)
        sums = np.zeros((1 + study.resamples, stacked.shape[1]))
        sums[0] = stacked.sum(axis=0)
        for at in range(0, len(traces), _BLOCK):
            block = slice(at, at + _BLOCK)
            sums[1:] += weights(traces.deal[block], study.resamples, study.seed) @ stacked[block]
        told = np.column_stack([(one != 0).any(axis=1) for one in terms])
        ends = np.cumsum([one.shape[1] for one in terms])[:-1]
        parts = np.split(sums, ends, axis=1)
        first, last = _borders(traces) if traces.players > 1 else (None, None)
        return cls(
            study,
            traces.players,
            len(traces),
            {one.key: part for one, part in zip(measures, parts, strict=True)},
            NotableDeals.of(traces.deal, told),
            _most_spread(traces),
            first,
            last,
        )

    def __add__(self, other: MeasureSums) -> MeasureSums:
        """Return the sums over both, of which the other's games come later."""
        if self.study != other.study:
            raise AnalysisError("tallies of different studies cannot be added")
        if self.players != other.players or self.sums.keys() != other.sums.keys():
            raise AnalysisError("tallies of records of different kinds cannot be added")
        sums = {key: self.sums[key] + other.sums[key] for key in self.sums}
        if self.last is not None and other.first is not None:
            drawn = weights(np.array([other.first.deal]), self.study.resamples, self.study.seed)
            changed = float((self.last.seats != other.first.seats).sum())
            border = np.vstack([np.ones((1, 1)), drawn]) * [changed, self.players]
            sums[_STABILITY] = sums[_STABILITY] + border
        return MeasureSums(
            self.study,
            self.players,
            self.games + other.games,
            sums,
            self.deals + other.deals,
            float(np.fmax(self.most_spread, other.most_spread)),
            self.first or other.first,
            other.last or self.last,
        )

    def deals_behind(self, key: tuple[str, str]) -> int:
        """Return how many deals contribute to a measure."""
        return int(self.deals.counts[list(self.sums).index(key)])


_STABILITY = (engine.FAMILY, "stability")


def tallied(parts: Iterable[Traces], study: Study | None = None) -> MeasureSums:
    """Return the sums over all parts, read in order.

    Raises AnalysisError if there is no game at all.
    """
    how = study or Study()
    whole = None
    for part in parts:
        if len(part):
            more = MeasureSums.of(part, how)
            whole = more if whole is None else whole + more
    if whole is None:
        raise AnalysisError("there are no finished games in these records")
    return whole


def _most_spread(traces: Traces) -> float:
    if traces.decisions is None:
        return float("nan")
    return float(np.fmax.reduce(traces.decisions.spread, initial=np.nan))


def _borders(traces: Traces) -> tuple[_Border | None, _Border | None]:
    standings = None if traces.decisions is None else traces.standings
    if standings is None or not len(standings.game):
        return None, None
    first, last = (
        _Border(int(traces.deal[standings.game[at]]), standings.seats[at]) for at in (0, -1)
    )
    return first, last

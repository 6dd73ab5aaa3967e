"""Results: all measures of a game's batches, each with an interval, and their differences.

Intervals come from standard errors between deals, since all games of a deal, in all batches, are
correlated. A standard error comes from resampled sums, and the number of independent values is that
of the deals that contribute. A mean with bounds gets Agresti and Coull's interval between them, or
Clopper and Pearson's where it does not vary, any other mean Student's. A non-monotonic function
gets the image of its mean's interval.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from functools import reduce
from operator import add
from typing import TYPE_CHECKING, Any

import numpy as np

from cardwright.analysis.errors import AnalysisError
from cardwright.analysis.formulas import MeasureRules
from cardwright.analysis.measures import FORMULAS, MeasureResult
from cardwright.statistics.intervals import (
    LEVEL,
    Estimate,
    Sample,
    bounded_interval,
    difference_ends,
    mean_interval,
)
from cardwright.statistics.measures import MEASURES
from cardwright.statistics.resampling import RESAMPLES, deviations, linear_sample, weights
from cardwright.statistics.ties import ties_in_short

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    import polars as pl

    from cardwright.analysis.formulas import Value
    from cardwright.analysis.measures import Batch, Formula, InnerMean, Method
    from cardwright.analysis.records import Flags, Integers, Traces, Values
    from cardwright.statistics.intervals import Reach

_BLOCK = 4_096
"""Games whose weights are made at once: some 30 MB for 1,000 resamples."""

_NAN = float("nan")


@dataclass(frozen=True)
class Study:
    """How measures are taken: the rules left open, and the resamples for intervals with their seed.

    Sums can only be added, and compared, if they are of one study.
    """

    rules: MeasureRules = field(default_factory=MeasureRules)
    resamples: int = RESAMPLES
    seed: int = 0

    def __post_init__(self) -> None:
        if self.resamples < 1:
            raise AnalysisError(f"intervals need 1 resample or more, not {self.resamples}")


@dataclass(frozen=True, eq=False)
class NotableDeals:
    """How many deals say something about each measure: the number of independent values.

    `first` and `last` are the deals at both ends, with whether each measure had a value there:
    later games may continue the last deal, which still counts once.
    """

    counts: Integers
    first: tuple[int, Flags]
    last: tuple[int, Flags]

    @classmethod
    def of(cls, deal: Integers, told: Flags) -> NotableDeals:
        """Return those of games of these deals; `told`, (games, measures), is which have values."""
        order = np.argsort(deal, kind="stable")
        numbers, starts = np.unique(deal[order], return_index=True)
        seen = np.logical_or.reduceat(told[order], starts, axis=0)
        ends = ((int(numbers[at]), seen[at]) for at in (0, -1))
        return cls(seen.sum(axis=0), *ends)

    def __add__(self, other: NotableDeals) -> NotableDeals:
        """Return those of both; the other's deals come later, except one that they may share."""
        (mine, seen), (theirs, more) = self.last, other.first
        if mine != theirs:
            return NotableDeals(self.counts + other.counts, self.first, other.last)
        either = mine, seen | more
        return NotableDeals(
            self.counts + other.counts - (seen & more),
            either if self.first[0] == mine else self.first,
            either if other.last[0] == mine else other.last,
        )


@dataclass(frozen=True, eq=False)
class MeasureSums:
    """Sums of the terms of all measures over some games, with those of resamples.

    `sums` has for each measure, by its key, an array of shape (1 + resamples, terms): the plain
    sums, and those in which every game counts as often as the resample draws its deal. A measure
    that the records do not allow is missing. `deals` has the others in their order.
    """

    study: Study
    players: int
    games: int
    sums: Mapping[str, Values]
    deals: NotableDeals

    @classmethod
    def of(cls, traces: Traces, study: Study) -> MeasureSums:
        """Return the sums over some games, of which there is at least one."""
        measures = [
            formula
            for formula in FORMULAS.values()
            if traces.players >= formula.seats
            and (traces.decisions is not None or not formula.noted)
        ]
        terms = [measure.terms(traces, study.rules) for measure in measures]
        stacked = np.hstack(terms)
        sums = np.zeros((1 + study.resamples, stacked.shape[1]))
        sums[0] = stacked.sum(axis=0)
        for at in range(0, len(traces), _BLOCK):
            block = slice(at, at + _BLOCK)
            sums[1:] += weights(traces.deal[block], study.resamples, study.seed) @ stacked[block]
        told = np.column_stack([(term != 0).any(axis=1) for term in terms])
        parts = np.split(sums, np.cumsum([term.shape[1] for term in terms])[:-1], axis=1)
        by_key = {measure.key: part for measure, part in zip(measures, parts, strict=True)}
        deals = NotableDeals.of(traces.deal, told)
        return cls(study, traces.players, len(traces), by_key, deals)

    def __add__(self, other: MeasureSums) -> MeasureSums:
        """Return the sums over both, of which the other's games come later."""
        if self.study != other.study:
            raise AnalysisError("tallies of different studies cannot be added")
        if self.players != other.players or self.sums.keys() != other.sums.keys():
            raise AnalysisError("tallies of records of different kinds cannot be added")
        sums = {key: self.sums[key] + other.sums[key] for key in self.sums}
        deals = self.deals + other.deals
        return MeasureSums(self.study, self.players, self.games + other.games, sums, deals)

    def deals_behind(self, key: str) -> int:
        """Return how many deals contribute to a measure."""
        return int(self.deals.counts[list(self.sums).index(key)])


def tallied(parts: Iterable[Traces], study: Study | None = None) -> MeasureSums:
    """Return the sums over all parts, read in order.

    Raises AnalysisError if there is no game at all.
    """
    sums = [MeasureSums.of(part, study or Study()) for part in parts if len(part)]
    if not sums:
        raise AnalysisError("there are no finished games in these records")
    return reduce(add, sums)


# Intervals --------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Side:
    """A measure of some batches together; `sums` are of all of them."""

    formula: Formula
    sums: Values
    players: int
    deals: int

    @classmethod
    def of(cls, formula: Formula, tallies: Sequence[MeasureSums]) -> Side | None:
        """Return a measure of batches, which play the same deals; None where it was not noted."""
        if any(formula.key not in tally.sums for tally in tallies):
            return None
        sums = reduce(add, (tally.sums[formula.key] for tally in tallies))
        deals = max(tally.deals_behind(formula.key) for tally in tallies)
        return cls(formula, sums, tallies[0].players, deals)

    @property
    def value(self) -> float:
        """The measure itself; NaN where there was nothing to measure."""
        return self._plain(self.formula.value)

    def uncertain(self, level: float) -> tuple[Estimate, Method]:
        """Return the measure with its interval, and how that was made."""
        inner = self.formula.inner
        if inner is None:
            moved = self._moved(self.formula.value)
            return _interval(self.value, moved, self.deals, self._bounds, level)
        reach, method = self._reach(inner, level)
        low, high = (None, None) if reach is None else reach(1.0)
        return Estimate(self.value, low, high, self.deals), method

    def less(self, first: Side, level: float) -> tuple[Estimate, Method]:
        """Return how much greater this is than the same measure of other games.

        Deals with the same number are taken to be the same: what they do to both is no difference.
        """
        deals, value = min(self.deals, first.deals), self.value - first.value
        inner = self.formula.inner
        if inner is not None:
            (one, _), (other, method) = first._reach(inner, level), self._reach(inner, level)
            if one is None or other is None:
                return Estimate(value, None, None, deals), ""
            return Estimate(value, *difference_ends(one, other), deals), method
        bounds = None
        if self._bounds is not None and first._bounds is not None:
            ones, others = first._bounds, self._bounds
            bounds = others[0] - ones[1], others[1] - ones[0]
        moved = self._moved(self.formula.value) - first._moved(self.formula.value)
        return _interval(value, moved, deals, bounds, level)

    def _reach(self, inner: InnerMean, level: float) -> tuple[Reach | None, Method]:
        """Return the bounds of a function of a mean; None if the mean has no interval."""
        mean, method = _interval(
            self._plain(inner.value), self._moved(inner.value), self.deals, self._bounds, level
        )
        middle, low, high = mean.mean, mean.low, mean.high
        if low is None or high is None:
            return None, method
        return lambda part: inner.image(
            middle + part * (low - middle), middle + part * (high - middle), self.players
        ), method

    @property
    def _bounds(self) -> tuple[float, float] | None:
        bounds = self.formula.bounds
        return None if bounds is None else bounds(self.players)

    def _plain(self, value: Value) -> float:
        return float(value(self.sums[:1], self.players)[0])

    def _moved(self, value: Value) -> Values:
        return deviations(lambda sums: value(sums, self.players), self.sums)


def _interval(
    value: float, moved: Values, deals: int, bounds: tuple[float, float] | None, level: float
) -> tuple[Estimate, Method]:
    """Return a value with its interval; none where it or its standard error is unknown.

    Notes that leave their scale can lead out of the bounds, which are then ignored.
    """
    sample = linear_sample(value, moved, deals)
    if deals < 2 or np.isnan(value) or np.isnan(sample.variance):
        return sample.without_interval(), ""
    if bounds is not None and bounds[0] - 1e-9 <= value <= bounds[1] + 1e-9:
        least, most = bounds
        within = Sample(sample.count, min(max(sample.mean, least), most), sample.variance)
        return bounded_interval(within, least, most, level), "agresti-coull"
    return mean_interval(sample, level), "student" if sample.variance else "constant"


# The table --------------------------------------------------------------------------------------


def heuristics(batches: Mapping[Batch, MeasureSums], level: float = LEVEL) -> list[MeasureResult]:
    """Return the table for the batches of a game, of which some may be missing.

    Raises AnalysisError unless all tallies are of one study and one number of players.
    """
    _check(list(batches.values()))
    rows = []
    for formula, batch, (tallies,) in _groups([batches]):
        side, games = Side.of(formula, tallies), sum(tally.games for tally in tallies)
        if side is None:
            lacks = tallies[0].players < formula.seats
            note = (
                "it says nothing about a single seat" if lacks else "the records have no decisions"
            )
            rows.append(_row(formula, batch, (Estimate(_NAN, None, None, 0), ""), games, note))
            continue
        note = _note(formula, tallies[0])
        if np.isnan(side.value):
            note = f"no player noted what it needs; {note}"
        rows.append(_row(formula, batch, side.uncertain(level), games, note))
    return rows


def compared(
    first: Mapping[Batch, MeasureSums], second: Mapping[Batch, MeasureSums], level: float = LEVEL
) -> list[MeasureResult]:
    """Return the differences, second minus first, of all measures that both have, with intervals.

    Where both play the same deals, as variants with one seed do, they are compared deal by deal,
    fairness excepted. The intervals are right for independent records too.
    """
    _check([*first.values(), *second.values()], same_players=False)
    rows = []
    for formula, batch, both in _groups([first, second]):
        one, other = (Side.of(formula, tallies) for tallies in both)
        if one is None or other is None or np.isnan(other.value - one.value):
            continue
        games = min(sum(tally.games for tally in tallies) for tallies in both)
        note = _note(formula, both[0][0])
        rows.append(_row(formula, batch, other.less(one, level), games, note))
    return rows


def _groups(
    games: Sequence[Mapping[Batch, MeasureSums]],
) -> Iterator[tuple[Formula, str, list[list[MeasureSums]]]]:
    """Yield each measure and group of batches that all of some games have, with their sums."""
    for formula in FORMULAS.values():
        for group in formula.groups:
            if all(batch in game for game in games for batch in group):
                yield formula, "+".join(group), [[game[batch] for batch in group] for game in games]


def _note(formula: Formula, tally: MeasureSums) -> str:
    if formula.by_ties:
        return ties_in_short(tally.study.rules.ties)
    return MEASURES[formula.key].definition


def _row(
    formula: Formula, batch: str, uncertain: tuple[Estimate, Method], games: int, note: str
) -> MeasureResult:
    found, method = uncertain
    low, high = (_NAN if end is None else end for end in (found.low, found.high))
    family, name = formula.key.split()
    return MeasureResult(
        family, name, batch, found.mean, low, high, games, note, found.count, method
    )


def table(rows: Sequence[MeasureResult], names: Sequence[str] | None = None) -> pl.DataFrame:
    """Return rows as a frame with the fields of `MeasureResult` as columns, in their order.

    `names` are those of the rows' games, which then come first. What has no value is null. Raises
    MissingExtraError without polars.
    """
    from cardwright.extras import need

    need("polars")
    import polars as pl

    kinds = {"value": pl.Float64, "low": pl.Float64, "high": pl.Float64, "games": pl.Int64,
             "deals": pl.Int64}  # fmt: skip
    columns = [*(["game"] if names is not None else []), *MeasureResult.__dataclass_fields__]
    schema: Any = {name: kinds.get(name, pl.String) for name in columns}
    lines = [asdict(row) for row in rows]
    if names is not None:
        lines = [{"game": name, **line} for name, line in zip(names, lines, strict=True)]
    return pl.DataFrame(lines, schema=schema).with_columns(pl.selectors.float().fill_nan(None))


def row_of(rows: Sequence[MeasureResult], family: str, name: str, batch: str) -> MeasureResult:
    """Return one line of the table; raises AnalysisError if there is none with these names."""
    for row in rows:
        if (row.family, row.name, row.batch) == (family, name, batch):
            return row
    raise AnalysisError(f"the table has no {family} {name} of {batch}")


def _check(tallies: Sequence[MeasureSums], *, same_players: bool = True) -> None:
    if not tallies:
        raise AnalysisError("a table of heuristics needs at least one batch of games")
    if any(tally.study != tallies[0].study for tally in tallies):
        raise AnalysisError("the batches were tallied in different studies")
    if same_players and len({tally.players for tally in tallies}) > 1:
        raise AnalysisError("the batches are of different numbers of players")

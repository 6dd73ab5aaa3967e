"""Results: all measures of a game's batches, each with an interval, and their differences."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from functools import reduce
from operator import add
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from cardwright.analysis import AnalysisError, formulas
from cardwright.analysis.formulas import MeasureRules
from cardwright.statistics.intervals import (
    Estimate,
    Sample,
    bounded_interval,
    difference_ends,
    mean_interval,
)
from cardwright.statistics.resampling import RESAMPLES, deviations, linear_sample, weights
from cardwright.statistics.ties import ties_in_short

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    import polars as pl

    from cardwright.analysis.formulas import Batch, InnerMean, Measure, Value
    from cardwright.analysis.records import Flags, Integers, Traces, Values
    from cardwright.statistics.intervals import Reach


@dataclass(frozen=True, eq=False)
class NotableDeals:
    """Numbers of deals that say something about each measure.

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


MEASURES = (
    formulas.SHAPE_MEASURES
    + formulas.ARTICLES_MEASURES
    + formulas.ENGINE_MEASURES
    + formulas.BROWNE_MEASURES
)
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


_STABILITY = (formulas.ENGINE, "stability")


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


Method: TypeAlias = Literal["", "agresti-coull", "student", "constant"]
"""How an interval was made. Empty means that there is none, and `constant` that there is none
because all deals are equal, which says nothing about a mean without bounds."""


@dataclass(frozen=True, slots=True)
class Uncertain:
    """A value with its interval, and how that was made."""

    estimate: Estimate
    method: Method = ""

    @property
    def ends(self) -> tuple[float, float]:
        """The ends of the interval: NaN if there is none."""
        low, high = self.estimate.low, self.estimate.high
        nan = float("nan")
        return (nan if low is None else low, nan if high is None else high)


@dataclass(frozen=True, eq=False)
class Side:
    """A measure of some batches together; `sums` are of all of them."""

    measure: Measure
    sums: Values
    players: int
    deals: int

    @classmethod
    def of(cls, measure: Measure, tallies: Sequence[MeasureSums]) -> Side | None:
        """Return a measure of batches, which play the same deals; None where it was not noted."""
        if any(measure.key not in tally.sums for tally in tallies):
            return None
        sums = reduce(add, (tally.sums[measure.key] for tally in tallies))
        deals = max(tally.deals_behind(measure.key) for tally in tallies)
        return cls(measure, sums, tallies[0].players, deals)

    @property
    def value(self) -> float:
        """The measure itself; NaN where there was nothing to measure."""
        return self._plain(self.measure.value)

    def uncertain(self, level: float) -> Uncertain:
        """Return the measure with its interval."""
        inner, value = self.measure.inner, self.value
        if not self.measure.interval:
            return Uncertain(Estimate(value, None, None, self.deals))
        if inner is None:
            moved = self._moved(self.measure.value)
            return _interval(value, moved, self.deals, self._bounds, level)
        mean = self._mean(inner, level)
        reach = _reach(inner, mean, self.players)
        low, high = (None, None) if reach is None else reach(1.0)
        return Uncertain(Estimate(value, low, high, self.deals), mean.method)

    def less(self, first: Side, level: float) -> Uncertain:
        """Return how much greater this is than the same measure of other games.

        Deals with the same number are taken to be the same: what they do to both is no difference.
        """
        deals, value = min(self.deals, first.deals), self.value - first.value
        if not self.measure.interval:
            return Uncertain(Estimate(value, None, None, deals))
        inner = self.measure.inner
        if inner is not None:
            mean = self._mean(inner, level)
            one = _reach(inner, first._mean(inner, level), first.players)
            other = _reach(inner, mean, self.players)
            if one is None or other is None:
                return Uncertain(Estimate(value, None, None, deals))
            low, high = difference_ends(one, other)
            return Uncertain(Estimate(value, low, high, deals), mean.method)
        bounds = None
        if self._bounds is not None and first._bounds is not None:
            ones, others = first._bounds, self._bounds
            bounds = others[0] - ones[1], others[1] - ones[0]
        moved = self._moved(self.measure.value) - first._moved(self.measure.value)
        return _interval(value, moved, deals, bounds, level)

    def _mean(self, inner: InnerMean, level: float) -> Uncertain:
        mean = self._plain(inner.value)
        return _interval(mean, self._moved(inner.value), self.deals, self._bounds, level)

    @property
    def _bounds(self) -> tuple[float, float] | None:
        bounds = self.measure.bounds
        return None if bounds is None else bounds(self.players)

    def _plain(self, value: Value) -> float:
        return float(value(self.sums[:1], self.players)[0])

    def _moved(self, value: Value) -> Values:
        return deviations(lambda sums: value(sums, self.players), self.sums)


def _reach(inner: InnerMean, mean: Uncertain, players: int) -> Reach | None:
    """Return the bounds of a function of a mean; None if the mean has no interval."""
    middle, low, high = mean.estimate.mean, mean.estimate.low, mean.estimate.high
    if low is None or high is None:
        return None
    return lambda part: inner.image(
        middle + part * (low - middle), middle + part * (high - middle), players
    )


def _interval(
    value: float,
    moved: Values,
    deals: int,
    bounds: tuple[float, float] | None,
    level: float,
) -> Uncertain:
    """Return a value with its interval; none where it or its standard error is unknown.

    Notes that leave their scale can lead out of the bounds, which are then ignored.
    """
    sample = linear_sample(value, moved, deals)
    if deals < 2 or np.isnan(value) or np.isnan(sample.variance):
        return Uncertain(sample.without_interval())
    if bounds is not None and bounds[0] - 1e-9 <= value <= bounds[1] + 1e-9:
        return Uncertain(
            bounded_interval(_within(sample, *bounds), *bounds, level), "agresti-coull"
        )
    method: Method = "student" if sample.variance else "constant"
    return Uncertain(mean_interval(sample, level), method)


def _within(sample: Sample, least: float, most: float) -> Sample:
    return Sample(sample.count, min(max(sample.mean, least), most), sample.variance)


LEVEL = 0.95
"""The share of intervals that cover the truth, unless another level is asked for."""

SIGNS = 6
"""The fewest values of one sign with which a sign test is significant (p of 2 / 2^6)."""

_ROUNDING = 1e-9
_FEW_RULES, _RULES_STEP = 100, 25
_NEEDS_DECISIONS = "the records have no decisions"
_NEEDS_SEATS = "it says nothing about a single seat"
_NOT_NOTED = "no player noted what it needs"


@dataclass(frozen=True)
class HeuristicRow:
    """A line of the table: a measure of a batch, or of several pooled (`AA+AR`).

    `value` is NaN where it is unknown, and so are the ends of a missing interval; `note` says why,
    or what the number means. `status` is empty, "off" (CardStock's program has switched it off) or
    "broken" (it does not measure what it claims). `weight` is that in the program's genetic search,
    None outside it. `games` is how many games it was taken from, `deals` how many deals contribute
    to it, and `method` how its interval was made.
    """

    family: str
    name: str
    batch: str
    value: float
    low: float
    high: float
    games: int
    status: str = ""
    weight: float | None = None
    note: str = ""
    deals: int = 0
    method: Method = ""

    @property
    def constant(self) -> bool:
        """Whether it is the same in all deals, and has no interval for that reason."""
        return self.method == "constant"

    def side(self, middle: float, signs: int = SIGNS) -> int:
        """Return on which side of a number this clearly lies: 1 above, -1 below, 0 if neither.

        The whole interval lies there; or it is the same in so many deals, `signs`, that a sign test
        is significant.
        """
        if self.constant and self.deals >= signs and abs(self.value - middle) > _ROUNDING:
            return 1 if self.value > middle else -1
        return int(self.low > middle) - int(self.high < middle)


@dataclass(frozen=True)
class RuleFacts:
    """What CardStock's program asks about the rules: None where unknown.

    `rules` is their number by its count, and `playable` whether they can be read and have both a
    shuffle and a choice.
    """

    rules: int | None = None
    playable: bool | None = None


def heuristics(
    batches: Mapping[Batch, MeasureSums], facts: RuleFacts | None = None, level: float = LEVEL
) -> list[HeuristicRow]:
    """Return the table for the batches of a game, of which some may be missing.

    Raises AnalysisError unless all tallies are of one study and one number of players.
    """
    _check(list(batches.values()))
    rows = []
    for measure in MEASURES:
        for group in measure.groups:
            tallies = [batches[batch] for batch in group if batch in batches]
            if len(tallies) == len(group):
                rows.append(_row(measure, "+".join(group), tallies, level))
    rows += _constant_rows(batches, facts or RuleFacts())
    return _in_order([*rows, _search_sum(rows)])


def compared(
    first: Mapping[Batch, MeasureSums], second: Mapping[Batch, MeasureSums], level: float = LEVEL
) -> list[HeuristicRow]:
    """Return the differences, second minus first, of all measures that both have, with intervals.

    Where both play the same deals, as variants with one seed do, they are compared deal by deal,
    fairness excepted. The intervals are right for independent records too.
    """
    _check([*first.values()], same_players=False)
    _check([*first.values(), *second.values()], same_players=False)
    rows = []
    for measure in MEASURES:
        for group in measure.groups:
            sides = [[one[batch] for batch in group if batch in one] for one in (first, second)]
            if all(len(side) == len(group) for side in sides):
                row = _difference(measure, "+".join(group), sides[0], sides[1], level)
                if row is not None:
                    rows.append(row)
    return rows


def table(rows: Sequence[HeuristicRow]) -> pl.DataFrame:
    """Return rows as a frame with the fields of `HeuristicRow` as columns, in their order."""
    import polars as pl

    kinds: Any = {
        "value": pl.Float64,
        "low": pl.Float64,
        "high": pl.Float64,
        "games": pl.Int64,
        "deals": pl.Int64,
        "weight": pl.Float64,
    }
    names = list(HeuristicRow.__dataclass_fields__)
    schema: Any = {name: kinds.get(name, pl.String) for name in names}
    frame = pl.DataFrame([asdict(row) for row in rows], schema=schema)
    return frame.with_columns(pl.col("value", "low", "high").fill_nan(None))


def found(rows: Sequence[HeuristicRow], family: str, name: str, batch: str) -> HeuristicRow:
    """Return one line of the table; raises AnalysisError if there is none with these names."""
    for row in rows:
        if (row.family, row.name, row.batch) == (family, name, batch):
            return row
    raise AnalysisError(f"the table has no {family} {name} of {batch}")


def _row(
    measure: Measure, batch: str, tallies: Sequence[MeasureSums], level: float
) -> HeuristicRow:
    side = Side.of(measure, tallies)
    games = sum(tally.games for tally in tallies)
    if side is not None:
        found = side.uncertain(level)
        note = _note(measure, tallies[0])
        if np.isnan(side.value):
            note = f"{_NOT_NOTED}; {measure.note}" if measure.note else _NOT_NOTED
        return _told(measure, batch, found, games, note)
    nan = float("nan")
    note = _NEEDS_SEATS if tallies[0].players < measure.seats else _NEEDS_DECISIONS
    family, name, status, weight = measure.family, measure.name, measure.status, measure.weight
    return HeuristicRow(family, name, batch, nan, nan, nan, games, status, weight, note)


def _difference(
    measure: Measure,
    batch: str,
    first: Sequence[MeasureSums],
    second: Sequence[MeasureSums],
    level: float,
) -> HeuristicRow | None:
    one, other = Side.of(measure, first), Side.of(measure, second)
    if one is None or other is None or np.isnan(other.value - one.value):
        return None
    games = min(sum(tally.games for tally in side) for side in (first, second))
    return _told(measure, batch, other.less(one, level), games, _note(measure, first[0]))


def _note(measure: Measure, tally: MeasureSums) -> str:
    return ties_in_short(tally.study.rules.ties) if measure.by_ties else measure.note


def _told(measure: Measure, batch: str, found: Uncertain, games: int, note: str) -> HeuristicRow:
    return HeuristicRow(
        measure.family,
        measure.name,
        batch,
        found.estimate.mean,
        *found.ends,
        games,
        measure.status,
        measure.weight,
        note,
        found.estimate.count,
        found.method,
    )


def _constant_rows(
    batches: Mapping[Batch, MeasureSums], facts: RuleFacts
) -> Iterator[HeuristicRow]:
    """Yield what CardStock's program takes from nothing, from the rules, and from one maximum."""
    nan, family = float("nan"), formulas.ENGINE
    thinking = [batches[batch] for batch in ("AA", "AR") if batch in batches]
    if thinking:
        spreads = np.array([tally.most_spread for tally in thinking])
        most = float(np.fmax.reduce(spreads))
        games = sum(tally.games for tally in thinking)
        batch = "+".join(batch for batch in ("AA", "AR") if batch in batches)
        note = "the largest spread seen; it grows with the number of games"
        yield HeuristicRow(family, "killer_move", batch, most, nan, nan, games, "off", None, note)
    yield HeuristicRow(
        family, "depth", "", 0.0, nan, nan, 0, "off", 0.5, "a list that is never filled"
    )
    few = nan
    if facts.rules is not None:
        few = float(facts.rules <= _FEW_RULES)
        if not few:
            few = float(max(1 - (facts.rules - _FEW_RULES) // _RULES_STEP, 0))
    counted = "by the number of rules" if facts.rules is not None else "rules were not counted"
    yield HeuristicRow(family, "excess_rules", "", few, nan, nan, 0, "off", 0.2, counted)
    yield HeuristicRow(family, "randomness", "", 0.0, nan, nan, 0, "stub", 0.5, "always 0")
    playable = nan if facts.playable is None else float(facts.playable)
    gate = "a gate: without it nothing else counts"
    yield HeuristicRow(family, "reasonable", "", playable, nan, nan, 0, "", 1.0, gate)
    needs = "needs estimates of every option, which records have not"
    if "AA" in batches:
        yield HeuristicRow(
            formulas.BROWNE, "narrowness", "AA", nan, nan, nan, batches["AA"].games, note=needs
        )


def _search_sum(rows: Sequence[HeuristicRow]) -> HeuristicRow:
    """Return what the genetic search maximises, without the gate: weights times active values."""
    taken: dict[str, HeuristicRow] = {}
    for row in rows:
        if row.family == formulas.ENGINE and not row.status and row.name != "reasonable":
            taken.setdefault(row.name, row)  # of several batches the first: all pooled
    weighted = [(row.weight or 0) * row.value for row in taken.values()]
    value = sum(weighted) if weighted else float("nan")
    note = f"weighted sum of {', '.join(sorted(taken)) or 'nothing'}"
    games = max((row.games for row in taken.values()), default=0)
    nan = float("nan")
    return HeuristicRow(formulas.ENGINE, "search_sum", "", value, nan, nan, games, note=note)


def _in_order(rows: list[HeuristicRow]) -> list[HeuristicRow]:
    """Return rows family by family, in the order in which families come first."""
    families = list(dict.fromkeys(row.family for row in rows))
    return sorted(rows, key=lambda row: families.index(row.family))


def _check(tallies: Sequence[MeasureSums], *, same_players: bool = True) -> None:
    if not tallies:
        raise AnalysisError("a table of heuristics needs at least one batch of games")
    if any(tally.study != tallies[0].study for tally in tallies):
        raise AnalysisError("the batches were tallied in different studies")
    if same_players and len({tally.players for tally in tallies}) > 1:
        raise AnalysisError("the batches are of different numbers of players")

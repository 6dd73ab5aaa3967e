"""The table of heuristics: all measures of a game's batches, each with an interval.

Intervals come from standard errors between deals (see `uncertainty`), since all games of a deal, in
all batches, are correlated.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from cardwright.analysis import browne, engine
from cardwright.analysis.errors import AnalysisError
from cardwright.analysis.tally import MEASURES
from cardwright.analysis.uncertainty import Side
from cardwright.statistics.ties import ties_in_short

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import polars as pl

    from cardwright.analysis.measure import Batch, Measure
    from cardwright.analysis.tally import MeasureSums
    from cardwright.analysis.uncertainty import Method, Uncertain

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
    nan, family = float("nan"), engine.FAMILY
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
            browne.FAMILY, "narrowness", "AA", nan, nan, nan, batches["AA"].games, note=needs
        )


def _search_sum(rows: Sequence[HeuristicRow]) -> HeuristicRow:
    """Return what the genetic search maximises, without the gate: weights times active values."""
    taken: dict[str, HeuristicRow] = {}
    for row in rows:
        if row.family == engine.FAMILY and not row.status and row.name != "reasonable":
            taken.setdefault(row.name, row)  # of several batches the first: all pooled
    weighted = [(row.weight or 0) * row.value for row in taken.values()]
    value = sum(weighted) if weighted else float("nan")
    note = f"weighted sum of {', '.join(sorted(taken)) or 'nothing'}"
    games = max((row.games for row in taken.values()), default=0)
    nan = float("nan")
    return HeuristicRow(engine.FAMILY, "search_sum", "", value, nan, nan, games, note=note)


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

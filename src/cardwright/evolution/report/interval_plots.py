"""The measures of an elite beside the original's: a dot and an interval for each, on one scale."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright.evolution.report.judgement import AimSide, outcomes
from cardwright.evolution.report.scale import ChartScale

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cardwright.evolution.report.account import EvolutionAccount, MeasureLabel, ReportedGame
    from cardwright.statistics.sample import Estimate


@dataclass(frozen=True)
class PlottedInterval:
    """A dot and its interval, in per cent of the plot's width."""

    dot: float
    low: float
    high: float

    @property
    def wide(self) -> float:
        """The width of the interval."""
        return round(self.high - self.low, 1)


@dataclass(frozen=True)
class MeasureRow:
    """A measure of an elite and of the original, as texts and as marks; `wanted` is a band.

    What one of them lacks is None. `side` says who is better, where the measure is aimed at.
    `again` is whether this game's value was held out, `first` whether the measure was asked for.
    """

    label: MeasureLabel
    now: Estimate | None
    then: Estimate | None
    now_mark: PlottedInterval | None
    then_mark: PlottedInterval | None
    wanted: tuple[float, float] | None
    side: AimSide | None
    again: bool
    first: bool

    @property
    def words(self) -> str:
        """What the plot shows, for those who do not see it."""
        parts = [f"{self.label.label}: {_said(self.label, self.now)}"]
        parts.append(f"the original {_said(self.label, self.then)}")
        return "; ".join(parts)


def measure_rows(
    account: EvolutionAccount, game: ReportedGame, shown: Sequence[ReportedGame]
) -> tuple[MeasureRow, ...]:
    """Return the rows of a game, those that were asked for first.

    The scale of a measure spans all games of `shown`, so that plots of one measure can be compared.
    """
    return tuple(_rows(account, game, shown))


def _rows(
    account: EvolutionAccount, game: ReportedGame, shown: Sequence[ReportedGame]
) -> Iterator[MeasureRow]:
    sides = {one.aim.measure: one.side for one in outcomes(account, game)}
    aims = {aim.measure: aim for aim in account.aims}
    asked = dict.fromkeys((*aims, *(account.map.measures if account.map is not None else ())))
    for name in dict.fromkeys((*asked, *sorted({*game.measures, *account.original.measures}))):
        now, then = game.measures.get(name), account.original.measures.get(name)
        if now is None and then is None:
            continue
        scale = ChartScale.of(_ends(account, name, shown), 0.0, 100.0)
        aim = aims.get(name)
        band = None
        if aim is not None and aim.kind == "range":
            band = scale.at(aim.low), max(scale.at(aim.high), scale.at(aim.low) + 1)
        yield MeasureRow(
            account.label(name), now, then, _mark(now, scale), _mark(then, scale),
            band, sides.get(name), name in game.held_out, name in asked,
        )  # fmt: skip


def _ends(account: EvolutionAccount, name: str, shown: Sequence[ReportedGame]) -> Iterator[float]:
    for game in (account.original, *shown):
        if found := game.measures.get(name):
            yield from (v for v in (found.mean, found.low, found.high) if v is not None)
    for aim in account.aims:
        if aim.measure == name and aim.kind == "range":
            yield from (aim.low, aim.high)


def _mark(found: Estimate | None, scale: ChartScale) -> PlottedInterval | None:
    if found is None:
        return None
    low = found.mean if found.low is None else found.low
    high = found.mean if found.high is None else found.high
    return PlottedInterval(scale.at(found.mean), scale.at(low), scale.at(high))


def _said(label: MeasureLabel, found: Estimate | None) -> str:
    if found is None:
        return "not measured"
    ends = label.interval(found)
    return f"{label.text(found.mean)} ({ends})" if ends else label.text(found.mean)

"""The measures of an elite beside the original's: a dot and an interval each, on one scale."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING

from cardwright.evolution.measures.table import MEASURES
from cardwright.evolution.report.account import AimSide, outcomes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from cardwright.evolution.measures.table import GameMeasure
    from cardwright.evolution.report.account import EvolutionAccount, ReportedGame
    from cardwright.statistics.intervals import Estimate


def scale_of(values: Iterable[float | None]) -> tuple[float, float]:
    """Return the ends of a scale on which all finite values have a place, with some room around."""
    seen = [value for value in values if value is not None and isfinite(value)] or [0.0, 1.0]
    low, high = min(seen), max(seen)
    room = (high - low) * 0.05 or max(abs(low) * 0.1, 0.5)
    return low - room, high + room


def place_on(scale: tuple[float, float], value: float) -> float:
    """Return the place of a value on a scale in per cent; values beyond its ends lie there."""
    low, high = scale
    return round(100 * min(max((value - low) / (high - low), 0.0), 1.0), 1)


@dataclass(frozen=True)
class PlottedInterval:
    """A dot and its interval, in per cent of the plot's width."""

    dot: float
    low: float
    high: float


@dataclass(frozen=True)
class MeasureRow:
    """A measure of an elite and of the original, as texts and as marks; `wanted` is a band.

    What one of them lacks is None. `side` says who is better, where the measure is aimed at.
    `again` is whether this game's value was held out, `first` whether the measure was asked for.
    """

    label: GameMeasure
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
        now, then = _said(self.label, self.now), _said(self.label, self.then)
        return f"{self.label.label}: {now}; the original {then}"


def measure_rows(
    account: EvolutionAccount, game: ReportedGame, shown: Sequence[ReportedGame]
) -> Iterator[MeasureRow]:
    """Yield the rows of a game, those that were asked for first.

    The scale of a measure spans all games of `shown`, so that plots of one measure can be compared.
    """
    sides = {one.aim.measure: one.side for one in outcomes(account, game)}
    ranges = {aim.measure: aim for aim in account.aims if aim.kind == "range"}
    there = {*game.measures, *account.original.measures}
    for name in dict.fromkeys((*account.asked, *sorted(there))):
        if name not in there:
            continue
        now, then = game.measures.get(name), account.original.measures.get(name)
        aim = ranges.get(name)
        every = (one.measures.get(name) for one in (account.original, *shown))
        values = [end for one in every if one for end in (one.mean, one.low, one.high)]
        scale = scale_of([*values, *((aim.low, aim.high) if aim else ())])
        band = None
        if aim is not None:
            low, high = place_on(scale, aim.low), place_on(scale, aim.high)
            band = low, max(high, low + 1)
        yield MeasureRow(
            MEASURES[name], now, then, _mark(now, scale), _mark(then, scale),
            band, sides.get(name), name in game.held_out, name in account.asked,
        )  # fmt: skip


def _mark(found: Estimate | None, scale: tuple[float, float]) -> PlottedInterval | None:
    if found is None:
        return None
    low, high = (found.mean if end is None else end for end in (found.low, found.high))
    return PlottedInterval(*(place_on(scale, value) for value in (found.mean, low, high)))


def _said(label: GameMeasure, found: Estimate | None) -> str:
    if found is None:
        return "not measured"
    ends = label.interval(found)
    return f"{label.text(found.mean)} ({ends})" if ends else label.text(found.mean)

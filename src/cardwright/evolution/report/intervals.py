"""The measures of an elite beside the original's: a dot and an interval each, on one scale."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor, isfinite, log10
from typing import TYPE_CHECKING

from cardwright.evolution.report.account import AimSide, outcomes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from cardwright.evolution.report.account import EvolutionAccount, MeasureLabel, ReportedGame
    from cardwright.statistics.intervals import Estimate


@dataclass(frozen=True)
class ChartScale:
    """A straight scale: values from `low` to `high` lie from `start` to `end`, in any unit."""

    low: float
    high: float
    start: float
    end: float

    @classmethod
    def of(
        cls, values: Iterable[float], start: float, end: float, slack: float = 0.05
    ) -> ChartScale:
        """Return a scale on which all finite values have a place, with some room around them."""
        seen = [value for value in values if isfinite(value)]
        low, high = (min(seen), max(seen)) if seen else (0.0, 1.0)
        room = (high - low) * slack or max(abs(low) * 0.1, 0.5)
        return cls(low - room, high + room, start, end)

    def at(self, value: float) -> float:
        """Return the place of a value, to a tenth; values beyond the ends lie at the ends."""
        share = (value - self.low) / (self.high - self.low)
        return round(self.start + (self.end - self.start) * min(max(share, 0.0), 1.0), 1)

    def ticks(self, most: int) -> list[float]:
        """Return round values, at most `most`, in equal steps."""
        size = 10.0 ** floor(log10((self.high - self.low) / most))
        step = next(
            size * factor
            for factor in (1, 2, 5, 10, 20, 50)
            if floor(self.high / (size * factor)) - ceil(self.low / (size * factor)) < most
        )
        first, last = ceil(self.low / step), floor(self.high / step)
        return [step * number for number in range(first, last + 1)]


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

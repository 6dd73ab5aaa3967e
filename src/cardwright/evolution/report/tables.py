"""The tables of a report: the measures of an elite beside the original's, and the map of elites.

With a third measure of the map there is a table for each of its bins that holds anything.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import floor, isfinite, log10
from typing import TYPE_CHECKING

from cardwright.english import minus
from cardwright.evolution.measures.table import MEASURES
from cardwright.evolution.report.account import AimSide, outcomes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from cardwright.evolution.measures.table import GameMeasure
    from cardwright.evolution.report.account import EvolutionAccount, ReportedGame
    from cardwright.statistics.intervals import Estimate

# Measures: a dot and an interval each, on one scale ---------------------------------------------


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
    sides = {outcome.aim.measure: outcome.side for outcome in outcomes(account, game)}
    ranges = {aim.measure: aim for aim in account.aims if aim.kind == "range"}
    there = {*game.measures, *account.original.measures}
    for name in dict.fromkeys((*account.asked, *sorted(there))):
        if name not in there:
            continue
        now, then = game.measures.get(name), account.original.measures.get(name)
        aim = ranges.get(name)
        every = (one.measures.get(name) for one in (account.original, *shown))
        values = [end for known in every if known for end in (known.mean, known.low, known.high)]
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


# The map: a cell for each combination of two measures, coloured by its score --------------------

SHADES = 8
"""Colours from the worst elite of the map to the best."""


@dataclass(frozen=True)
class MapCell:
    """A cell of a table: its elite if it has one, its shade from 0, and whether the original is."""

    elite: ReportedGame | None
    shade: int
    original: bool


@dataclass(frozen=True)
class MapTable:
    """A slice of the map: rows from the highest bin of the second measure to the lowest.

    `rows` have the text of their bin first; `caption` says which bin of the third measure it is.
    """

    caption: str
    across: tuple[str, ...]
    across_name: str
    up_name: str
    rows: tuple[tuple[str, tuple[MapCell, ...]], ...]

    @property
    def has_original(self) -> bool:
        """Whether the original lies in it."""
        return any(cell.original for _, cells in self.rows for cell in cells)


def map_tables(account: EvolutionAccount) -> tuple[MapTable, ...]:
    """Return the tables of the map; none without one, or if it is empty."""
    if account.map is None or not account.map.cells:
        return ()
    games = {elite.candidate.name: elite for elite in account.elites}
    shades, names = _shades(account), account.map.names
    across, up, *third = account.map.shape.edges
    labels = [MEASURES[name].label for name in account.map.shape.measures]
    here = account.map.shape.place(account.original.searched)

    def cell(*place: int) -> MapCell:
        name = names.get(place, "")
        return MapCell(games.get(name), shades.get(name, 0), place == here)

    def table(*rest: int) -> MapTable:
        columns = range(len(across) - 1)
        rows = (
            (_bin(up, y), tuple(cell(x, y, *rest) for x in columns))
            for y in reversed(range(len(up) - 1))
        )
        caption = "".join(f"{labels[2]} {_bin(third[0], at)}" for at in rest)
        bins = tuple(_bin(across, x) for x in columns)
        return MapTable(caption, bins, labels[0], labels[1], tuple(rows))

    return tuple(table(*rest) for rest in sorted({place[2:] for place in names}))


def _bin(edges: tuple[float, ...], at: int) -> str:
    """Return a bin as text, as exactly as its width needs; the outermost ones have no end."""
    low, high = edges[at : at + 2]
    digits = max(0, 1 - floor(log10(high - low)))
    texts = [minus(f"{round(value, digits):,.10g}") for value in (low, high)]
    if at == 0:
        return f"to {texts[1]}"
    return f"{texts[0]} on" if at == len(edges) - 2 else f"{texts[0]} to {texts[1]}"


def score_ends(account: EvolutionAccount) -> tuple[float, float]:
    """Return the ends of a scale of scores: from a tenth of the elites on, as the worst may be far.

    Both are 0 if no elite has a score.
    """
    totals = sorted(elite.total for elite in account.elites if isfinite(elite.total)) or [0.0]
    return totals[len(totals) // 10], totals[-1]


def _shades(account: EvolutionAccount) -> dict[str, int]:
    """Return the shade of each elite: equal steps of the score."""
    low, high = score_ends(account)

    def shade(total: float) -> int:
        if total >= high:
            return SHADES - 1
        return int((total - low) / (high - low) * SHADES) if total > low else 0

    return {elite.candidate.name: shade(elite.total) for elite in account.elites}

"""The map of elites as tables: a cell for each combination of two measures, coloured by its score.

With a third measure there is a table for each of its bins that holds anything.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import floor, isfinite, log10
from typing import TYPE_CHECKING

from cardwright.evolution.measures.table import MEASURES

if TYPE_CHECKING:
    from cardwright.evolution.report.account import EvolutionAccount, ReportedGame

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
    games = {one.candidate.name: one for one in account.elites}
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
    texts = [f"{round(value, digits):,.10g}".replace("-", "−") for value in (low, high)]
    if at == 0:
        return f"to {texts[1]}"
    return f"{texts[0]} on" if at == len(edges) - 2 else f"{texts[0]} to {texts[1]}"


def _shades(account: EvolutionAccount) -> dict[str, int]:
    """Return the shade of each elite: equal steps of the score, from a tenth of the elites on."""
    totals = sorted(one.total for one in account.elites if isfinite(one.total))
    if not totals:
        return {}
    low, high = totals[len(totals) // 10], totals[-1]

    def shade(total: float) -> int:
        if total >= high:
            return SHADES - 1
        return int((total - low) / (high - low) * SHADES) if total > low else 0

    return {one.candidate.name: shade(one.total) for one in account.elites}

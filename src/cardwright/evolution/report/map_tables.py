"""The map of elites as tables: a cell for each combination of two measures, coloured by its score.

With a third measure there is a table for each of its bins that holds anything.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import floor, isfinite, log10
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardwright.evolution.report.account import (
        EvolutionAccount,
        ReportedGame,
        ReportedMap,
    )

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
    if account.map is None or not account.map.names:
        return ()
    shown, by_name = account.map, {one.candidate.name: one for one in account.elites}
    shades = _shades(account)
    here = shown.place(account.original.searched)
    slices: list[tuple[int, ...]] = [()]
    if len(shown.edges) > 2:
        slices = [(at,) for at in sorted({place[2] for place in shown.names})]
    return tuple(_table(account, shown, rest, by_name, shades, here) for rest in slices)


def _table(  # noqa: PLR0917 - a slice of a map, with what all slices share
    account: EvolutionAccount,
    shown: ReportedMap,
    rest: tuple[int, ...],
    by_name: Mapping[str, ReportedGame],
    shades: Mapping[str, int],
    here: tuple[int, ...] | None,
) -> MapTable:
    labels = [account.label(name) for name in shown.measures]
    across, up = shown.edges[0], shown.edges[1] if len(shown.edges) > 1 else (0.0, 1.0)

    def cell(x: int, y: int) -> MapCell:
        place = ((x, y) if len(shown.edges) > 1 else (x,)) + rest
        name = shown.names.get(place, "")
        return MapCell(by_name.get(name), shades.get(name, 0), place == here)

    rows = [
        (
            _bin(up, y) if len(labels) > 1 else "",
            tuple(cell(x, y) for x in range(len(across) - 1)),
        )
        for y in reversed(range(len(up) - 1))
    ]
    return MapTable(
        f"{labels[2].label} {_bin(shown.edges[2], rest[0])}" if rest else "",
        tuple(_bin(across, x) for x in range(len(across) - 1)),
        labels[0].label,
        labels[1].label if len(labels) > 1 else "",
        tuple(rows),
    )


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

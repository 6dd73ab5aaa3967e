"""The figure of a map of elites: a cell for each combination of two measures, by its score.

With a third measure there is a panel for each of its bins that holds anything. The style is that of
`figures.theme`, which must be in effect.
"""

from __future__ import annotations

from math import isfinite
from textwrap import wrap
from typing import TYPE_CHECKING, Any

import numpy as np

from cardwright.analysis.figures.theme import canvas
from cardwright.evolution.report.axis_units import axis_label, total_label, wrapped
from cardwright.evolution.report.figure_parts import (
    ORIGINAL,
    dots,
    drawn_text,
    handle,
    legend,
    original_name,
)
from cardwright.evolution.report.map_tables import map_tables
from cardwright.publication.plotted import called

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from cardwright.analysis.figures.theme import Style
    from cardwright.evolution.report.account import EvolutionAccount
    from cardwright.evolution.report.map_tables import MapTable

_EMPTY, _HATCH = "#f3f3f3", "#d5d5d5"
_MOST_EDGES = 6, 3
"""Edges of bins that are written along an axis of a single panel, and of one of several.

Of more, evenly many are left out."""


def draw_map(look: Style, account: EvolutionAccount, across: int = 2) -> Figure:
    """Draw the map, with at most so many panels beside each other; it holds an elite at least."""
    shown = account.map
    assert shown is not None
    tables = map_tables(account)
    columns = min(across, len(tables))
    rows = -(-len(tables) // columns)
    figure = canvas(look, (look.size[0], 0.9 + (2.5 if columns == 1 else 2.1) * rows))
    grid: Any = figure.subplots(rows, columns, squeeze=False, sharex=True, sharey=True)
    panels = list(grid.flat)
    norm = _norm(account)
    image: Any = None
    for axes, table in zip(panels, tables, strict=False):
        image = _panel(axes, table, norm)
        _edges(axes.xaxis, shown.edges[0], _MOST_EDGES[columns > 1])
        _edges(axes.yaxis, shown.edges[1] if len(shown.edges) > 1 else (), _MOST_EDGES[0])
        _mark(axes, account, table)
    for axes in panels[len(tables) :]:
        axes.set_visible(False)
    for axes in panels[max(0, len(tables) - columns) : len(tables)]:
        axes.tick_params(which="minor", labelbottom=True)
    figure.supxlabel(axis_label(account, shown.measures[0]), fontsize=9)
    if len(shown.measures) > 1:
        figure.supylabel(wrapped(axis_label(account, shown.measures[1])), fontsize=9)
    where: dict[str, Any] = {"shrink": 0.9, "aspect": 25}
    if len(tables) > 1:
        where = {"location": "top", "shrink": 0.7, "aspect": 35}
    bar = figure.colorbar(image, ax=panels[: len(tables)], extend="min", **where)
    bar.set_label(total_label(), fontsize=9)
    bar.outline.set_visible(False)
    signs = {"empty": _empty_handle()}
    if any(table.has_original for table in tables):
        signs[original_name(account)] = handle(ORIGINAL)
    legend(figure, list(signs.values()), list(signs))
    return figure


def _panel(axes: Axes, table: MapTable, norm: Any) -> Any:
    """Draw a slice: row 0 is the lowest bin, as places of cells are."""
    upwards = table.rows[::-1]
    totals = [[c.elite.total if c.elite else np.nan for c in cells] for _, cells in upwards]
    values = np.ma.masked_invalid(np.array(totals, dtype=float))
    axes.set_facecolor(_EMPTY)
    axes.patch.set_hatch("////")
    axes.patch.set_edgecolor(_HATCH)
    axes.patch.set_linewidth(0)
    image = axes.imshow(values, cmap="viridis", norm=norm, origin="lower", aspect="auto")
    axes.set_xticks(range(len(table.across)), list(table.across))
    axes.set_yticks(range(len(upwards)), [name for name, _ in upwards])
    axes.tick_params(which="major", length=0, labelbottom=False, labelleft=False)
    axes.grid(visible=False, which="both")
    if table.caption:
        axes.set_title("\n".join(wrap(drawn_text(table.caption, 40), 13)), fontsize=8)
    return image


def _edges(axis: Any, edges: Sequence[float], most: int) -> None:
    """Write the edges between bins beside lines between cells; the outermost bins have no end."""
    inner = edges[1:-1]
    step = max(1, -(-len(inner) // most))
    axis.set_ticks(
        [at + 0.5 for at in range(len(inner))],
        labels=[_number(edge) if at % step == 0 else "" for at, edge in enumerate(inner)],
        minor=True, fontsize=8,
    )  # fmt: skip
    axis.set_tick_params(which="minor", length=2)
    axis.grid(visible=True, which="minor", color="white", linewidth=0.8)


def _mark(axes: Axes, account: EvolutionAccount, table: MapTable) -> None:
    """Mark the cell in which the original is."""
    for y, (_, cells) in enumerate(table.rows[::-1]):
        for x, cell in enumerate(cells):
            if cell.original:
                mark = dots(axes, [x], [y], ORIGINAL)
                called(mark, drawn_text(account.title))


def _norm(account: EvolutionAccount) -> Any:
    """Return the scale of colours, from a tenth of the elites on, as the worst may be far off."""
    from matplotlib.colors import Normalize

    totals = sorted(one.total for one in account.elites if isfinite(one.total)) or [0.0]
    low, high = totals[len(totals) // 10], totals[-1]
    return Normalize(low, high if high > low else low + 1)


def _number(value: float) -> str:
    return f"{value:.3g}".replace("-", "−")


def _empty_handle() -> Any:
    from matplotlib.patches import Patch

    return Patch(facecolor=_EMPTY, edgecolor=_HATCH, hatch="////", linewidth=0)

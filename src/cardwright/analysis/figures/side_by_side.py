"""Lead and spread of several games, a panel for each, with one legend."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cardwright.analysis.errors import AnalysisError
from cardwright.analysis.figures.estimates import draw_places, draw_spread, tries
from cardwright.analysis.figures.histories import lead_histories
from cardwright.analysis.figures.theme import StyleName, canvas, styled
from cardwright.publication.axis_words import AxisWord, labelled
from cardwright.publication.figure_text import entitle, legend_outside

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from cardwright.analysis.figures.theme import Style
    from cardwright.analysis.traces import Traces

_COLUMNS = 3


def spreads(games: Sequence[tuple[str, Traces]], style: StyleName = "cardwright") -> Figure:
    """Draw the decision spread, of estimated places, of several games: pairs of name and traces.

    Each panel has its own largest spread as 1. Raises AnalysisError if it was noted in none.
    """

    def panel(axes: Axes, look: Style, traces: Traces) -> tuple[list[Any], list[str]]:
        return draw_spread(axes, look, traces, "spread")

    said = {tries(traces) for _, traces in games}
    detail = said.pop() if len(said) == 1 else ""
    return _panels(games, panel, labelled(AxisWord.SPREAD, detail, style=style), style)


def leads(games: Sequence[tuple[str, Traces]], style: StyleName = "cardwright") -> Figure:
    """Draw the lead histories of several games: pairs of name and traces.

    Raises AnalysisError if leads were noted in none.
    """

    def panel(axes: Axes, look: Style, traces: Traces) -> tuple[list[Any], list[str]]:
        histories, rows = lead_histories(traces)
        kept = np.zeros(len(traces), bool)
        kept[rows] = True
        lines, shade = draw_places(axes, look, traces.take(kept), histories, smooth=True)
        names = [f"came in {place + 1}" for place in range(traces.players)]
        return [*lines, shade], [*names, "95 % band"]

    return _panels(games, panel, labelled(AxisWord.PLACE, style=style), style)


def _panels(
    games: Sequence[tuple[str, Traces]],
    panel: Callable[[Axes, Style, Traces], tuple[list[Any], list[str]]],
    label: str,
    style: StyleName,
) -> Figure:
    """Draw a panel for each game; the legend is that of the one with most in it."""
    if not games:
        raise AnalysisError("no thinking players played any of these games")
    with styled(style) as look:
        wide = min(_COLUMNS, len(games))
        high = -(-len(games) // wide)
        figure = canvas(look, (2.3 * wide + 0.4, 1.9 * high + 0.9))
        grid: Any = figure.subplots(high, wide, squeeze=False, sharex=True, sharey=True)
        legends = []
        for axes, (name, traces) in zip(grid.flat, games, strict=False):
            legends.append(panel(axes, look, traces))
            axes.set_xlim(-0.02, 1.02)
            axes.set_ylim(-0.02, 1.02)
            axes.tick_params(labelsize=7, labelbottom=True)
            entitle(axes, name, share=1 / wide, fontsize=8.5)
        for axes in grid.flat[len(games) :]:
            axes.set_visible(False)
        handles, names = max(legends, key=lambda one: len(one[0]))
        figure.supxlabel(labelled(AxisWord.PORTION, style=look.name), fontsize=8.5)
        figure.supylabel(label.replace(" (", "\n("), fontsize=8.5)
        legend_outside(figure, handles, names, "upper")
        return figure

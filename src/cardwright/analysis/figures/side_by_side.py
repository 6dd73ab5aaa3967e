"""Several games side by side: measures, leads and spreads, a panel for each."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from cardwright.analysis import AnalysisError
from cardwright.analysis.figures.curves import lead_histories
from cardwright.analysis.figures.theme import GREY, StyleName, canvas, styled
from cardwright.analysis.figures.thinking import draw_places, draw_spread, tries
from cardwright.publication.figures import AxisWord, entitle, in_lines, labelled, legend_outside
from cardwright.publication.points import called

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from cardwright.analysis.figures.theme import Style
    from cardwright.analysis.measures import NamedMeasure
    from cardwright.analysis.records import Traces
    from cardwright.analysis.subject import Subject

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


_LETTERS = 34
"""The most characters of a line of a name."""


def panels(
    subjects: Sequence[Subject], measures: Sequence[NamedMeasure], style: StyleName = "cardwright"
) -> Figure:
    """Draw a panel for each measure that some game has, with the games from top to bottom.

    The dashed line is at the value of the first game. Raises AnalysisError if there is nothing to
    draw.
    """
    chosen = [one for one in measures if any(one.row(subject) for subject in subjects)]
    if not chosen:
        raise AnalysisError("none of these measures has a value in any of these games")
    with styled(style) as look:
        names = [in_lines(subject.title.shown, _LETTERS) for subject in subjects]
        wide = min(_COLUMNS, len(chosen))
        high = -(-len(chosen) // wide)
        lines = sum(name.count("\n") + 1 for name in names)
        size = (2.2 * wide + 1.6, high * (0.8 + 0.21 * lines) + 0.3)
        figure = canvas(look, size)
        every = figure.subplots(high, wide, squeeze=False, sharey=True)
        for axes, one in zip(every.flat, chosen, strict=False):
            _panel(axes, one, subjects, look.leader)
        for axes in every.flat[len(chosen) :]:
            axes.set_visible(False)
        for row in every:
            row[0].set_yticks(range(len(names)), names, fontsize=7.5)
        every[0, 0].set_ylim(len(names) - 0.5, -0.5)
        _legend(figure, subjects[0].title.shown, look.leader)
        return figure


def _legend(figure: Figure, first: str, colour: str) -> None:
    """Name what is drawn, below all panels."""
    from matplotlib.lines import Line2D

    handles = [
        Line2D([], [], color=colour, linewidth=1.6, marker="o", markersize=4),
        Line2D([], [], color=GREY, linewidth=0.8, linestyle=(0, (4, 3))),
    ]
    names = ["value, 95 % interval", in_lines(f"value of {first}", 2 * _LETTERS)]
    legend_outside(figure, handles, names)


def _panel(axes: Axes, one: NamedMeasure, subjects: Sequence[Subject], colour: str) -> None:
    scale = 100 if one.share else 1
    first = one.row(subjects[0])
    if first is not None:
        line = axes.axvline(scale * first.value, color=GREY, linewidth=0.8, linestyle=(0, (4, 3)))
        called(line, "value of the first game")
    for number, subject in enumerate(subjects):
        row = one.row(subject)
        if row is None:
            continue
        if not math.isnan(row.low) and not math.isnan(row.high):
            ends = [scale * row.low, scale * row.high]
            drawn = axes.plot(ends, [number, number], color=colour, lw=1.6)
            called(drawn, "95 % interval", "interval")
        called(axes.plot([scale * row.value], [number], "o", color=colour, markersize=4), "value")
    axes.set_title(f"{one.label}, %" if one.share else one.label, fontsize=9)
    axes.tick_params(axis="x", labelsize=7)
    axes.tick_params(axis="y", length=0)
    axes.locator_params(axis="x", nbins=4)
    axes.margins(x=0.12)

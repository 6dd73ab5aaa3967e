"""Measures of several games in small panels: a point and its interval for each."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from cardwright.analysis.errors import AnalysisError
from cardwright.analysis.figures.theme import GREY, StyleName, canvas, styled
from cardwright.publication.figure_text import in_lines, legend_outside
from cardwright.publication.plotted import called

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from cardwright.analysis.report.names import NamedMeasure
    from cardwright.analysis.report.subject import Subject

_COLUMNS = 3
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

"""Measures of several games in small panels: a point and its interval for each."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from cardwright.analysis.errors import AnalysisError
from cardwright.analysis.figures.theme import StyleName, canvas, styled
from cardwright.publication.plotted import called

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from cardwright.analysis.report.names import NamedMeasure
    from cardwright.analysis.report.subject import Subject

_COLUMNS = 3
_LONGEST = 34


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
        wide = min(_COLUMNS, len(chosen))
        high = -(-len(chosen) // wide)
        size = (2.2 * wide + 1.6, high * (0.8 + 0.21 * len(subjects)))
        figure = canvas(look, size)
        every = figure.subplots(high, wide, squeeze=False, sharey=True)
        for axes, one in zip(every.flat, chosen, strict=False):
            _panel(axes, one, subjects, look.leader)
        for axes in every.flat[len(chosen) :]:
            axes.set_visible(False)
        names = [_short(subject.title.shown) for subject in subjects]
        for row in every:
            row[0].set_yticks(range(len(names)), names, fontsize=7.5)
        every[0, 0].set_ylim(len(names) - 0.5, -0.5)
        return figure


def _panel(axes: Axes, one: NamedMeasure, subjects: Sequence[Subject], colour: str) -> None:
    scale = 100 if one.share else 1
    first = one.row(subjects[0])
    if first is not None:
        line = axes.axvline(
            scale * first.value, color="#999999", linewidth=0.8, linestyle=(0, (4, 3))
        )
        called(line, "first")
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


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…"

"""Several games side by side: measures, leads and spreads, a panel for each."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from cardwright.analysis.errors import AnalysisError
from cardwright.analysis.figures.theme import GREY, StyleName, panels, styled
from cardwright.analysis.figures.thinking import draw_places, draw_spread, tries
from cardwright.publication import points as draw
from cardwright.publication.figures import AxisWord, entitle, in_lines, labelled, legend_outside

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from cardwright.analysis.figures.theme import Style
    from cardwright.analysis.measures import NamedMeasure
    from cardwright.analysis.records import Traces
    from cardwright.analysis.subject import Subject

_COLUMNS = 3
_LETTERS = 34
"""The most characters of a line of a name."""

_DASHED: Any = {"color": GREY, "linewidth": 0.8, "linestyle": (0, (4, 3))}


def spreads(games: Sequence[tuple[str, Traces]], style: StyleName = "cardwright") -> Figure:
    """Draw the decision spread, of estimated places, of several games: pairs of name and traces.

    Each panel has its own largest spread as 1. Raises AnalysisError if it was noted in none.
    """

    def panel(axes: Axes, look: Style, traces: Traces) -> tuple[list[Any], list[str]]:
        return draw_spread(axes, look, traces, "spread")

    said = {tries(traces) for _, traces in games}
    detail = said.pop() if len(said) == 1 else ""
    return _games(games, panel, labelled(AxisWord.SPREAD, detail, style=style), style)


def leads(games: Sequence[tuple[str, Traces]], style: StyleName = "cardwright") -> Figure:
    """Draw the lead histories of several games: pairs of name and traces.

    Raises AnalysisError if leads were noted in none.
    """

    def panel(axes: Axes, look: Style, traces: Traces) -> tuple[list[Any], list[str]]:
        names = [f"came in {place + 1}" for place in range(traces.players)]
        return draw_places(axes, look, traces, smooth=True), [*names, "95 % band"]

    return _games(games, panel, labelled(AxisWord.PLACE, style=style), style)


def _games(
    games: Sequence[tuple[str, Traces]],
    panel: Callable[[Axes, Style, Traces], tuple[list[Any], list[str]]],
    label: str,
    style: StyleName,
) -> Figure:
    """Draw a panel for each game; the legend is that of the one with most in it."""
    if not games:
        raise AnalysisError("no thinking players played any of these games")
    with styled(style) as look:
        sizes: Any = {"size": (2.3, 1.9), "around": (0.4, 0.9)}
        figure, grid = panels(look, len(games), _COLUMNS, **sizes, sharex=True, sharey=True)
        legends = []
        for axes, (name, traces) in zip(grid.flat, games, strict=False):
            legends.append(panel(axes, look, traces))
            axes.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02))
            axes.tick_params(labelsize=7, labelbottom=True)
            entitle(axes, name, share=1 / min(_COLUMNS, len(games)), fontsize=8.5)
        handles, names = max(legends, key=lambda one: len(one[0]))
        figure.supxlabel(labelled(AxisWord.PORTION, style=look.name), fontsize=8.5)
        figure.supylabel(label.replace(" (", "\n("), fontsize=8.5)
        legend_outside(figure, handles, names, "upper")
        return figure


def measures(
    subjects: Sequence[Subject], shown: Sequence[NamedMeasure], style: StyleName = "cardwright"
) -> Figure:
    """Draw a panel for each measure that some game has, with the games from top to bottom.

    The dashed line is at the value of the first game. Raises AnalysisError if there is nothing to
    draw.
    """
    chosen = [measure for measure in shown if any(subject.result(measure) for subject in subjects)]
    if not chosen:
        raise AnalysisError("none of these measures has a value in any of these games")
    from matplotlib.lines import Line2D

    with styled(style) as look:
        names = [in_lines(subject.title.shown, _LETTERS) for subject in subjects]
        lines = sum(name.count("\n") + 1 for name in names)
        sizes: Any = {"size": (2.2, 0.8 + 0.21 * lines), "around": (1.6, 0.3)}
        figure, grid = panels(look, len(chosen), _COLUMNS, **sizes, sharey=True)
        for axes, one in zip(grid.flat, chosen, strict=False):
            draw.ticks(axes, "y", names, fontsize=7.5)
            _measure(axes, one, subjects, look.leader)
        grid[0, 0].set_ylim(len(names) - 0.5, -0.5)
        handles = [
            Line2D([], [], color=look.leader, linewidth=1.6, marker="o", markersize=4),
            Line2D([], [], **_DASHED),
        ]
        first = in_lines(f"value of {subjects[0].title.shown}", 2 * _LETTERS)
        legend_outside(figure, handles, ["value, 95 % interval", first])
        return figure


def _measure(axes: Axes, one: NamedMeasure, subjects: Sequence[Subject], colour: str) -> None:
    scale = 100 if one.measure.share else 1
    first = subjects[0].result(one)
    if first is not None:
        draw.level(axes, "value of the first game", x=scale * first.value, **_DASHED)
    for number, subject in enumerate(subjects):
        row = subject.result(one)
        if row is None:
            continue
        if not math.isnan(row.low) and not math.isnan(row.high):
            ends = scale * row.low, scale * row.high
            draw.interval(axes, "95 % interval", *ends, number, color=colour, linewidth=1.6)
        draw.dots(axes, "value", [scale * row.value], [number], color=colour, markersize=4)
    axes.set_title(f"{one.label}, %" if one.measure.share else one.label, fontsize=9)
    axes.tick_params(axis="x", labelsize=7)
    axes.tick_params(axis="y", length=0)
    axes.locator_params(axis="x", nbins=4)
    axes.margins(x=0.12)

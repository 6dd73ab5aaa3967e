"""Numbers of options: within one game, of many games side by side, game by game."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cardwright.analysis.articles import slopes
from cardwright.analysis.errors import AnalysisError
from cardwright.analysis.figures.theme import (
    GREY,
    StyleName,
    beside,
    blank,
    canvas,
    marks,
    styled,
)
from cardwright.analysis.loess import loess
from cardwright.publication.axis_words import AxisWord, labelled
from cardwright.publication.figure_text import entitle, legend_outside
from cardwright.publication.plotted import band, called

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from cardwright.analysis.figures.theme import Style
    from cardwright.analysis.traces import Traces, Values

JITTER = 0.4
"""The largest jitter of points, so that equal ones do not hide each other."""

_ABOVE = 0.8
"""Room above the most options, for jittered points."""

_MANY = 2_000
"""More points than these are drawn as an image, even in a vector file."""


def branching(traces: Traces, title: str = "", style: StyleName = "cardwright") -> Figure:
    """Draw a point for each decision: its number in the game and its options, coloured by seat.

    A LOESS curve with its 95 % band runs through all of them. This is the figure on the pages of
    the Valet collection, for about 100 games of random players; it says "decision point" there.
    """
    _some(traces)
    with styled(style) as look:
        figure, axes = blank(look)
        _points(axes, traces, look, size=9 if look.name == "valet" else 4)
        x, y = traces.ply + np.float64(1), traces.noted.options.astype(np.float64)
        at = np.linspace(1, x.max(), 200)
        curve = loess(x, y, at)
        low, high = curve.band()
        most = float(y.max())
        low, high, middle = (np.clip(one, 0, most) for one in (low, high, curve.y))
        shade = band(axes, at, low, high, "95 % band", color=look.band, alpha=0.5, zorder=3)
        (line,) = called(axes.plot(at, middle, color=look.curve, linewidth=1.8, zorder=4), "LOESS")
        _whole(axes, most)
        axes.set_xlabel(labelled(AxisWord.DECISION, style=look.name))
        axes.set_ylabel(labelled(AxisWord.OPTIONS, style=look.name))
        entitle(axes, title)
        names = [f"p{seat + 1}" for seat in range(traces.players)]
        more = [(line, "LOESS"), (shade, "95 % band")]
        marks(axes, look, names, look.seats(traces.players), "decides", more=more)
        return figure


def overview(
    games: Sequence[tuple[str, Traces]], columns: int = 5, style: StyleName = "cardwright"
) -> Figure:
    """Draw options by decision of many games in small panels, each with its regression line.

    Raises AnalysisError for no games.
    """
    if not games or columns < 1:
        raise AnalysisError("an overview needs at least one game and one column")
    from matplotlib.lines import Line2D

    with styled(style) as look:
        wide = min(columns, len(games))
        high = -(-len(games) // wide)
        scale = 1.6 if look.name == "valet" else 1.0  # it has a lower resolution
        figure = canvas(look, (scale * (1.7 * wide + 0.3), scale * (1.5 * high + 0.4)))
        panels = figure.subplots(high, wide, squeeze=False)
        for axes, (name, traces) in zip(panels.flat, games, strict=False):
            _some(traces)
            _points(axes, traces, look, size=1.2)
            _line(axes, traces, look)
            _whole(axes, float(traces.noted.options.max()))
            axes.tick_params(labelsize=6.5, length=2, pad=1.5)
            entitle(axes, name, share=1 / wide, fontsize=8)
        for axes in panels.flat[len(games) :]:
            axes.set_visible(False)
        regression = Line2D([], [], color=look.curve, linewidth=1.3)
        legend_outside(figure, [regression], ["straight line of regression"], "upper")
        figure.supxlabel(labelled(AxisWord.DECISION, style=look.name), fontsize=8.5)
        figure.supylabel(labelled(AxisWord.OPTIONS, style=look.name), fontsize=8.5)
        return figure


def game_lines(traces: Traces, title: str = "", style: StyleName = "cardwright") -> Figure:
    """Draw options by decision as faint points, and a regression line for each game.

    The lines' slopes are those used by convergence.
    """
    _some(traces)
    from matplotlib.lines import Line2D

    with styled(style) as look:
        figure, axes = blank(look)
        noted, x = traces.noted, traces.ply + 1.0
        most = float(noted.options.max())
        points = axes.scatter(
            x, noted.options, s=10, color=GREY, alpha=0.02, linewidths=0, rasterized=True
        )
        called(points, "decisions")
        lengths = np.bincount(noted.game, minlength=len(traces))
        middle = (lengths + 1) / 2
        mean = np.bincount(noted.game, noted.options, len(traces)) / np.maximum(lengths, 1)
        for game, slope in enumerate(slopes(traces)):
            if lengths[game] > 1:
                ends = np.array([1, lengths[game]])
                line = mean[game] + slope * (ends - middle[game])
                drawn = axes.plot(
                    *_within(ends, line, most), color=look.leader, linewidth=0.7, alpha=0.35
                )
                called(drawn, f"game {game + 1}")
        _whole(axes, most)
        axes.set_xlabel(labelled(AxisWord.DECISION, style=look.name))
        axes.set_ylabel(labelled(AxisWord.OPTIONS, style=look.name))
        entitle(axes, title)
        dot = Line2D([], [], linestyle="", marker="o", markersize=3, color=GREY)
        line = Line2D([], [], color=look.leader, linewidth=0.9)
        beside(axes, [dot, line], ["one decision", "regression\nof one game"])
        return figure


def _some(traces: Traces) -> None:
    if not len(traces.noted):
        raise AnalysisError("there are no decisions to draw in these games")


def _points(axes: Axes, traces: Traces, look: Style, size: float) -> None:
    noted = traces.noted
    shift = np.random.default_rng(0).uniform(-JITTER, JITTER, (2, len(noted)))
    colours = np.array(look.seats(traces.players))[noted.seat]
    points = axes.scatter(
        traces.ply + 1 + shift[0],
        noted.options + shift[1],
        s=size,
        c=colours.tolist(),
        alpha=1.0 if look.name == "valet" else 0.45,
        linewidths=0,
        rasterized=len(noted) > _MANY,
    )
    called(points, [f"p{seat + 1}" for seat in noted.seat])


def _line(axes: Axes, traces: Traces, look: Style) -> None:
    x, y = traces.ply + 1.0, traces.noted.options.astype(float)
    if x.max() > 1:
        slope, height = np.polyfit(x, y, 1)
        ends = np.array([1, x.max()])
        line = axes.plot(
            *_within(ends, height + slope * ends, y.max()), color=look.curve, linewidth=1.3
        )
        called(line, "regression")


def _within(ends: Values, line: Values, most: float) -> tuple[Values, Values]:
    """Return the part of a straight line between 0 and the top of the panel."""
    if line[0] == line[1]:
        return ends, line
    inside = np.clip(line, 0, most + _ABOVE)
    share = (inside - line[0]) / (line[1] - line[0])
    return ends[0] + share * (ends[1] - ends[0]), inside


def _whole(axes: Axes, most: float) -> None:
    """Put whole numbers on both axes, from 0 on the vertical one."""
    from matplotlib.ticker import MaxNLocator

    axes.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=6, min_n_ticks=2))
    axes.yaxis.set_major_locator(MaxNLocator(integer=True, nbins=6, min_n_ticks=2))
    axes.set_ylim(0, most + _ABOVE)

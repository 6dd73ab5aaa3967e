"""What thinking players noted during a game: spreads, and who was ahead."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cardwright.analysis.figures.curves import (
    finishing_order,
    grid,
    lead_histories,
    loess,
    noted_histories,
    spread_histories,
)
from cardwright.analysis.figures.theme import GREY, StyleName, beside, blank, hues, styled
from cardwright.analysis.formulas import threshold
from cardwright.publication.figures import AxisWord, entitle, labelled
from cardwright.publication.points import band, called
from cardwright.statistics.intervals import share_interval

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

    from cardwright.analysis.figures.curves import SpreadName
    from cardwright.analysis.figures.theme import Style
    from cardwright.analysis.records import Flags, Integers, Traces, Values

_SPAN = 0.2
"""The span of LOESS along a game: just enough to smooth over the steps between decisions."""


def decision_spread(traces: Traces, title: str = "", style: StyleName = "cardwright") -> Figure:
    """Draw the spread of estimated places along each game, and their smoothed mean.

    Spreads are divided by the largest of all games drawn, so single games need not reach 1. The
    dashed line is the mean of the held-out spreads, if they were noted: what is between it and the
    mean of the spreads may be the noise of few rollouts. Raises AnalysisError if none were noted.
    """
    return _spread(traces, "spread", AxisWord.SPREAD, title, style)


def score_spread(traces: Traces, title: str = "", style: StyleName = "cardwright") -> Figure:
    """Draw the same of the spread of estimated scores, as the Valet collection does.

    Raises AnalysisError if none were noted.
    """
    return _spread(traces, "score_spread", AxisWord.SCORE_SPREAD, title, style)


def _spread(
    traces: Traces, name: SpreadName, word: AxisWord, title: str, style: StyleName
) -> Figure:
    with styled(style) as look:
        figure, axes = blank(look)
        lines, names = draw_spread(axes, look, traces, name)
        _portions(axes, look, word, tries(traces))
        entitle(axes, title)
        beside(axes, lines, names)
        return figure


def draw_spread(
    axes: Axes, look: Style, traces: Traces, name: SpreadName
) -> tuple[list[Any], list[str]]:
    """Draw spreads along games in a panel; return what a legend shows, with names."""
    rows, most = spread_histories(traces, name=name)
    at = grid(rows.shape[1])
    valet = look.name == "valet"
    colours = hues(len(rows)) if valet else [look.leader] * len(rows)
    for game, (row, colour) in enumerate(zip(rows, colours, strict=True), 1):
        line = axes.plot(at, row, color=colour, linewidth=0.8, alpha=0.5 if valet else 0.16)
        called(line, f"game {game}")
    mean = np.clip(loess(at, rows.mean(axis=0), at, span=_SPAN).y, 0, 1)
    lines = called(axes.plot(at, mean, color="black", linewidth=2.6), "mean")
    names = ["one game", "mean"]
    honest = traces.noted.held_out_spread
    if name == "spread" and not np.isnan(honest).all():
        held = noted_histories(traces, honest).mean(axis=0) / most
        held = np.clip(loess(at, held, at, span=_SPAN).y, 0, 1)
        drawn = axes.plot(at, held, color="black", linewidth=1.4, linestyle=(0, (4, 2)))
        lines += called(drawn, "mean, held out")
        names.append("mean, held out")
    return [_thin(colours[0]), *lines], names


def _thin(colour: str) -> Line2D:
    """Return the line of a single game for a legend; in the picture it is too faint."""
    from matplotlib.lines import Line2D

    return Line2D([], [], color=colour, linewidth=0.8, alpha=0.6)


def tries(traces: Traces) -> str:
    """Return how often the options were tried, on which the noise of estimates depends."""
    return "" if np.isnan(traces.tries) else f"{traces.tries:,.0f} rollouts an option"


def lead_history(traces: Traces, title: str = "", style: StyleName = "cardwright") -> Figure:
    """Draw the estimates of those who came first, second and so on: means over games, smoothed.

    Bands are 95 % intervals of the means over games, which stay between last and first; a single
    game has none. Raises AnalysisError if no leads were noted.
    """
    leads, games = lead_histories(traces)
    return _by_place(traces.take(_mask(traces, games)), leads, title, style, smooth=True)


def average_trend(traces: Traces, title: str = "", style: StyleName = "cardwright") -> Figure:
    """Draw the same without smoothing, with the final places at the end.

    Those who tie share the better place, so the lines need not end evenly spaced.
    """
    leads, games = lead_histories(traces, ended=True)
    return _by_place(traces.take(_mask(traces, games)), leads, title, style, smooth=False)


def lead_lines(traces: Traces, title: str = "", style: StyleName = "cardwright") -> Figure:
    """Draw the estimates of each game's last leader as a faint line, and the threshold of drama.

    Below the dashed line it is behind.
    """
    leads, games = lead_histories(traces)
    winners = traces.last_leaders[games]
    at = grid(leads.shape[2])
    with styled(style) as look:
        figure, axes = blank(look)
        for game, (row, winner) in enumerate(zip(leads, winners, strict=True), 1):
            line = axes.plot(at, row[winner], color=look.leader, linewidth=72 / look.dpi, alpha=0.1)
            called(line, f"game {game}")
        mean = leads[np.arange(len(leads)), winners].mean(axis=0)
        lines = called(axes.plot(at, mean, color=look.curve, linewidth=1.6), "mean")
        behind = threshold(traces.players)
        level = axes.axhline(behind, color=GREY, linewidth=1.0, linestyle=(0, (5, 3)))
        called(level, "threshold of drama")
        beside(
            axes, [_thin(look.leader), *lines, level], ["one game", "mean", "threshold\nof drama"]
        )
        _portions(axes, look, AxisWord.WINNER_PLACE)
        entitle(axes, title)
        return figure


def _by_place(
    traces: Traces, leads: Values, title: str, style: StyleName, *, smooth: bool
) -> Figure:
    with styled(style) as look:
        figure, axes = blank(look)
        lines, shade = draw_places(axes, look, traces, leads, smooth=smooth)
        entitle(axes, title)
        valet = look.name == "valet"
        _portions(axes, look, AxisWord.PLACE)
        names = [*(str(place + 1) for place in range(traces.players)), "95 % band"]
        beside(axes, [*lines, shade], names, "rank" if valet else "came in")
        return figure


def draw_places(
    axes: Axes, look: Style, traces: Traces, leads: Values, *, smooth: bool
) -> tuple[list[Any], Any]:
    """Draw means over games of lead histories in the order in which seats finished.

    Return the lines, the first place's first, and one of the bands.
    """
    at = grid(leads.shape[2])
    placed = np.take_along_axis(leads, finishing_order(traces)[:, :, None], axis=1)
    lines: list[Any] = []
    shade: Any = None
    for place, colour in enumerate(look.places(traces.players)):
        rows = _with_ends(np.clip(placed[:, place], 0, 1))
        if smooth:
            rows = [loess(at, row, at, span=_SPAN).y for row in rows]
        mean, low, high = (np.clip(row, 0, 1) for row in rows)
        series = f"came in {place + 1}"
        shade = band(axes, at, low, high, series, color=look.band, alpha=0.35)
        lines += called(axes.plot(at, mean, color=colour, linewidth=2.2), series)
    return lines, shade


def _with_ends(games: Values) -> list[Values]:
    """Return the mean over games, (games, points), and the ends of its interval.

    Those of a single game, which has none, are the mean itself.
    """
    found = [share_interval(column) for column in games.T]
    mean = games.mean(axis=0)
    if len(games) < 2:
        return [mean, mean, mean]
    low, high = np.array([(one.low, one.high) for one in found], np.float64).T
    return [mean, low, high]


def _mask(traces: Traces, games: Integers) -> Flags:
    chosen = np.zeros(len(traces), bool)
    chosen[games] = True
    return chosen


def _portions(axes: Axes, look: Style, word: AxisWord, detail: str = "") -> None:
    """Label the axes, both from 0 to 1."""
    axes.set_xlim(-0.02, 1.02)
    axes.set_ylim(-0.02, 1.02)
    axes.set_xlabel(labelled(AxisWord.PORTION, style=look.name))
    axes.set_ylabel(labelled(word, detail, style=look.name).replace(" (", "\n("))

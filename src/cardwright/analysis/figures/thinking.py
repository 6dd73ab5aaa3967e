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
from cardwright.publication import points as draw
from cardwright.publication.figures import AxisWord, entitle, labelled
from cardwright.statistics.intervals import share_interval

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from cardwright.analysis.figures.curves import SpreadName
    from cardwright.analysis.figures.theme import Style
    from cardwright.analysis.records import Traces, Values

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
        _portions(axes, look, word, title, tries(traces))
        beside(axes, lines, names)
        return figure


def draw_spread(
    axes: Axes, look: Style, traces: Traces, name: SpreadName
) -> tuple[list[Any], list[str]]:
    """Draw spreads along games in a panel; return what a legend shows, with names."""
    rows, most = spread_histories(traces, name=name)
    at, valet = grid(rows.shape[1]), look.name == "valet"
    colours = hues(len(rows)) if valet else [look.leader] * len(rows)
    for game, (row, colour) in enumerate(zip(rows, colours, strict=True), 1):
        thin = {"color": colour, "linewidth": 0.8, "alpha": 0.5 if valet else 0.16}
        draw.line(axes, f"game {game}", at, row, **thin)
    mean = _smooth(rows.mean(axis=0))
    lines = [draw.line(axes, "mean", at, mean, color="black", linewidth=2.6)]
    honest = traces.noted.held_out_spread
    if name == "spread" and not np.isnan(honest).all():
        held = _smooth(noted_histories(traces, honest).mean(axis=0) / most)
        dashed = {"color": "black", "linewidth": 1.4, "linestyle": (0, (4, 2))}
        lines.append(draw.line(axes, "mean, held out", at, held, **dashed))
    return [_thin(colours[0]), *lines], ["one game", *(line.get_label() for line in lines)]


def _smooth(row: Values) -> Values:
    at = grid(len(row))
    return np.clip(loess(at, row, at, span=_SPAN).y, 0, 1)


def _thin(colour: str) -> object:
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
    return _by_place(traces, title, style, smooth=True)


def average_trend(traces: Traces, title: str = "", style: StyleName = "cardwright") -> Figure:
    """Draw the same without smoothing, with the final places at the end.

    Those who tie share the better place, so the lines need not end evenly spaced.
    """
    return _by_place(traces, title, style, smooth=False)


def _by_place(traces: Traces, title: str, style: StyleName, *, smooth: bool) -> Figure:
    with styled(style) as look:
        figure, axes = blank(look)
        handles = draw_places(axes, look, traces, smooth=smooth)
        _portions(axes, look, AxisWord.PLACE, title)
        names = [*(str(place + 1) for place in range(traces.players)), "95 % band"]
        beside(axes, handles, names, "rank" if look.name == "valet" else "came in")
        return figure


def draw_places(axes: Axes, look: Style, traces: Traces, *, smooth: bool) -> list[Any]:
    """Draw means over games of lead histories in the order in which seats finished.

    Without `smooth` they end with the final places. Return the lines, the first place's first, and
    one of the bands.
    """
    leads, games = lead_histories(traces, ended=not smooth)
    at, order = grid(leads.shape[2]), finishing_order(traces.take(games))
    placed = np.clip(np.take_along_axis(leads, order[:, :, None], axis=1), 0, 1)
    lines: list[Any] = []
    shade: Any = None
    for place, colour in enumerate(look.places(traces.players)):
        mean, low, high = map(_smooth if smooth else np.asarray, _with_ends(placed[:, place]))
        series = f"came in {place + 1}"
        shade = draw.band(axes, at, low, high, series, color=look.band, alpha=0.35)
        lines.append(draw.line(axes, series, at, mean, color=colour, linewidth=2.2))
    return [*lines, shade]


def _with_ends(games: Values) -> tuple[Values, Values, Values]:
    """Return the mean over games, (games, points), and the ends of its interval.

    Those of a single game, which has none, are the mean itself.
    """
    mean = games.mean(axis=0)
    if len(games) < 2:
        return mean, mean, mean
    intervals = map(share_interval, games.T)
    low, high = np.array([(interval.low, interval.high) for interval in intervals], np.float64).T
    return mean, low, high


def lead_lines(traces: Traces, title: str = "", style: StyleName = "cardwright") -> Figure:
    """Draw the estimates of each game's last leader as a faint line, and the threshold of drama.

    Below the dashed line it is behind.
    """
    leads, games = lead_histories(traces)
    own, at = leads[np.arange(len(leads)), traces.last_leaders[games]], grid(leads.shape[2])
    with styled(style) as look:
        figure, axes = blank(look)
        for game, row in enumerate(own, 1):
            thin = {"color": look.leader, "linewidth": 72 / look.dpi, "alpha": 0.1}
            draw.line(axes, f"game {game}", at, row, **thin)
        mean = draw.line(axes, "mean", at, own.mean(axis=0), color=look.curve, linewidth=1.6)
        dashed: Any = {"color": GREY, "linewidth": 1.0, "linestyle": (0, (5, 3))}
        behind = draw.level(axes, "threshold of drama", y=threshold(traces.players), **dashed)
        names = ["one game", "mean", "threshold\nof drama"]
        beside(axes, [_thin(look.leader), mean, behind], names)
        _portions(axes, look, AxisWord.WINNER_PLACE, title)
        return figure


def _portions(axes: Axes, look: Style, word: AxisWord, title: str, detail: str = "") -> None:
    """Label the axes, both from 0 to 1."""
    axes.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02))
    axes.set_xlabel(labelled(AxisWord.PORTION, style=look.name))
    axes.set_ylabel(labelled(word, detail, style=look.name).replace(" (", "\n("))
    entitle(axes, title)

"""Figures of random games: options, scores, ranks, lengths and knowledge."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cardwright.analysis import AnalysisError
from cardwright.analysis.figures.curves import loess
from cardwright.analysis.figures.theme import GREY, StyleName, beside, blank, canvas, marks, styled
from cardwright.analysis.formulas import slopes
from cardwright.publication.figures import AxisWord, entitle, labelled, legend_outside
from cardwright.publication.points import band, called

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from cardwright.analysis.figures.theme import Style
    from cardwright.analysis.records import Traces, Values
    from cardwright.analysis.statistics import Statistics, TrickOptions

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


_MOST_BARS = 60
_STEPS = (1, 2, 5)


def score_distribution(
    statistics: Statistics, title: str = "", style: StyleName = "cardwright"
) -> Figure:
    """Draw how often each score was made by a seat, and the mean."""
    with styled(style) as look:
        figure, axes = blank(look)
        _histogram(axes, statistics.all_scores(), look)
        axes.set_xlabel(labelled(AxisWord.SCORE))
        axes.set_ylabel(labelled(AxisWord.SEATS_SHARE))
        entitle(axes, title)
        return figure


def game_length(statistics: Statistics, title: str = "", style: StyleName = "cardwright") -> Figure:
    """Draw how often each number of decisions occurred in games, and the mean."""
    with styled(style) as look:
        figure, axes = blank(look)
        _histogram(axes, statistics.lengths, look)
        axes.set_xlabel(labelled(AxisWord.LENGTH))
        axes.set_ylabel(labelled(AxisWord.GAMES_SHARE))
        entitle(axes, title)
        return figure


def rank_distribution(
    statistics: Statistics, title: str = "", style: StyleName = "cardwright"
) -> Figure:
    """Draw for each seat how often it came first, second and so on, as bars of 100 %.

    Those who tie have the better rank, so there may be more first places than games.
    """
    with styled(style) as look:
        players = statistics.players
        figure, axes = blank(look, (look.size[0], max(1.4, 0.9 + 0.34 * players)))
        shares = 100 * statistics.ranks / max(statistics.games, 1)
        seats = np.arange(players)
        left = np.zeros(players)
        bars = []
        for rank, colour in enumerate(_shades(players)):
            made = axes.barh(seats, shares[:, rank], left=left, color=colour, height=0.72)
            bars.append(called(made, f"came in {rank + 1}", "bars across"))
            ink = "white" if rank < players / 2 else "black"
            for seat in seats[shares[:, rank] >= 6]:
                axes.text(
                    left[seat] + shares[seat, rank] / 2,
                    seat,
                    f"{shares[seat, rank]:.0f}",
                    ha="center",
                    va="center",
                    color=ink,
                    fontsize=7.5,
                )
            left += shares[:, rank]
        axes.set_yticks(seats, [f"p{seat + 1}" for seat in seats])
        axes.set_ylim(players - 0.5, -0.5)
        axes.set_xlim(0, 100)
        axes.grid(visible=False)
        axes.tick_params(axis="y", length=0)
        axes.set_xlabel(labelled(AxisWord.GAMES_SHARE))
        entitle(axes, title)
        beside(axes, bars, [str(rank + 1) for rank in range(players)], "came in")
        return figure


def options_by_trick(
    tricks: TrickOptions, title: str = "", style: StyleName = "cardwright"
) -> Figure:
    """Draw the mean options of the leader of a trick and of the others, as bars.

    Whiskers are plus and minus a standard deviation of the means of ten groups of games: as in
    CardStock's articles, and not a standard error.
    """
    means, spread = tricks.means(), tricks.deviations()
    if not len(means):
        raise AnalysisError("there are no tricks in these games")
    with styled(style) as look:
        figure, axes = blank(look)
        number = np.arange(1, len(means) + 1)
        sides = [("leads", look.leader, -0.2), ("follow", look.others, 0.2)]
        bars: list[Any] = []
        for side, (name, colour, shift) in enumerate(sides):
            made = axes.bar(number + shift, means[:, side], 0.4, color=colour)
            bars.append(called(made, name))
            known = ~np.isnan(spread[:, side])
            whiskers = axes.errorbar(
                (number + shift)[known],
                means[known, side],
                spread[known, side],
                fmt="none",
                ecolor="black",
                elinewidth=0.8,
                capsize=1.8,
            )
            called(whiskers.lines[2], name)
            bars.append(whiskers)
        axes.set_xticks(number)
        axes.grid(visible=False, axis="x")
        axes.set_xlabel(labelled(AxisWord.TRICK))
        axes.set_ylabel(labelled(AxisWord.MEAN_OPTIONS))
        entitle(axes, title)
        axes.legend([bars[0], bars[2], bars[1]], ["leads", "follow", "± sd of ten groups’ means"])
        return figure


def _histogram(axes: Axes, counts: Counter[int], look: Style) -> None:
    """Draw a histogram in %, with bars wide enough that there are not too many."""
    if not counts:
        raise AnalysisError("there is nothing to count in these games")
    values = np.array(sorted(counts))
    shares = 100 * np.array([counts[value] for value in values]) / counts.total()
    width = _bar_width(int(np.ptp(values)))
    bins = values // width
    sums = np.bincount(bins - bins[0], shares)
    middle = (np.arange(len(sums)) + bins[0]) * width + (width - 1) / 2
    called(axes.bar(middle, sums, 0.86 * width, color=look.leader), "share")
    mean = float((values * shares).sum() / 100)
    line = axes.axvline(mean, color=look.others, linewidth=1.1, linestyle=(0, (4, 3)))
    called(line, "mean")
    axes.annotate(
        f"mean {mean:.4g}",
        (mean, 1.0),
        xycoords=("data", "axes fraction"),
        xytext=(3, -2),
        textcoords="offset points",
        va="top",
        color=look.others,
        fontsize=8,
    )
    axes.margins(x=0.02)
    axes.set_ylim(0, 1.12 * sums.max())
    axes.grid(visible=False, axis="x")
    if len(values) == 1:
        axes.set_xlim(values[0] - 5, values[0] + 5)
    axes.locator_params(axis="x", integer=True)
    if width > 1:
        axes.annotate(
            f"bars of {width}",
            (1.0, 1.0),
            xycoords="axes fraction",
            ha="right",
            va="top",
            color=GREY,
            fontsize=8,
        )


def _bar_width(extent: int) -> int:
    """Return the smallest round width that makes no more than `_MOST_BARS` bars."""
    power = 1
    while True:
        for step in _STEPS:
            if extent < step * power * _MOST_BARS:
                return step * power
        power *= 10


def _shades(count: int) -> list[str]:
    """Return shades from dark to light that keep their order in greyscale."""
    from matplotlib import colormaps
    from matplotlib.colors import to_hex

    return [to_hex(colormaps["cividis"](value)) for value in np.linspace(0.05, 0.95, count)]


def unknown_bits(
    portion: Values, bits: Values, title: str = "", style: StyleName = "cardwright"
) -> Figure:
    """Draw how many bits each seat lacks to know where all cards are, along the game.

    `portion` has shape (points) and runs from 0 to 1, `bits` has shape (points, seats). Raises
    AnalysisError for other shapes.
    """
    at, missing = np.asarray(portion, float), np.asarray(bits, float)
    if at.ndim != 1 or missing.ndim != 2 or len(at) != len(missing) or not len(at):
        raise AnalysisError(
            "bits need a row for each portion of the game, and a column for each seat"
        )
    with styled(style) as look:
        figure, axes = blank(look)
        seats = missing.shape[1]
        lines = []
        # Lines often coincide: later ones are thinner, so that earlier ones remain visible.
        widths = np.linspace(3.0, 1.2, seats) if seats > 1 else [1.8]
        for seat, (colour, width) in enumerate(zip(look.seats(seats), widths, strict=True)):
            line = axes.plot(at, missing[:, seat], color=colour, linewidth=width)
            lines += called(line, f"p{seat + 1}")
        axes.set_xlim(-0.02, 1.02)
        axes.set_ylim(bottom=0)
        axes.set_xlabel(labelled(AxisWord.PORTION, style=look.name))
        axes.set_ylabel(labelled(AxisWord.BITS))
        entitle(axes, title)
        beside(axes, lines, [f"p{seat + 1}" for seat in range(seats)], "seat")
        return figure

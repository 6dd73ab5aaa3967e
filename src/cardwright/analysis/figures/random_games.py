"""Figures of random games: options, scores, ranks, lengths and knowledge."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cardwright.analysis.errors import AnalysisError
from cardwright.analysis.figures.curves import loess
from cardwright.analysis.figures.theme import GREY, StyleName, beside, blank, panels, styled
from cardwright.analysis.formulas import slopes
from cardwright.publication import points as draw
from cardwright.publication.figures import AxisWord, entitle, labelled, legend_outside

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterator, Sequence

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

_MOST_BARS = 60
_DASHES = (0, (4, 3))


# Options by decision ----------------------------------------------------------------------------


def branching(traces: Traces, title: str = "", style: StyleName = "cardwright") -> Figure:
    """Draw a point for each decision: its number in the game and its options, coloured by seat.

    A LOESS curve with its 95 % band runs through all of them. This is the figure on the pages of
    the Valet collection, for about 100 games of random players; it says "decision point" there.
    """
    x, y = _decisions(traces)
    with styled(style) as look:
        figure, axes = blank(look)
        valet = look.name == "valet"
        _points(axes, traces, look, size=9 if valet else 4)
        at = np.linspace(1, x.max(), 200)
        curve = loess(x, y, at)
        low, high, middle = (np.clip(one, 0, y.max()) for one in (*curve.band(), curve.y))
        shade = draw.band(axes, at, low, high, "95 % band", color=look.band, alpha=0.5, zorder=3)
        line = draw.line(axes, "LOESS", at, middle, color=look.curve, linewidth=1.8, zorder=4)
        _options_axes(axes, y.max(), look, title)
        if not valet:
            dots = [_dot(colour, 5) for colour in look.seats(traces.players)]
            names = [f"p{seat + 1}" for seat in range(traces.players)]
            beside(axes, [*dots, line, shade], [*names, "LOESS", "95 % band"], "decides")
        return figure


def game_lines(traces: Traces, title: str = "", style: StyleName = "cardwright") -> Figure:
    """Draw options by decision as faint points, and a regression line for each game.

    The lines' slopes are those used by convergence.
    """
    x, y = _decisions(traces)
    from matplotlib.lines import Line2D

    with styled(style) as look:
        figure, axes = blank(look)
        looks = {"s": 10, "color": GREY, "alpha": 0.02, "linewidths": 0, "rasterized": True}
        draw.cloud(axes, "decisions", x, y, **looks)
        lengths = np.bincount(traces.noted.game, minlength=len(traces))
        mean = np.bincount(traces.noted.game, y, len(traces)) / np.maximum(lengths, 1)
        for game, slope in enumerate(slopes(traces)):
            if lengths[game] > 1:
                ends = np.array([1, lengths[game]])
                heights = mean[game] + slope * (ends - (lengths[game] + 1) / 2)
                place = _within(ends, heights, y.max())
                thin = {"color": look.leader, "linewidth": 0.7, "alpha": 0.35}
                draw.line(axes, f"game {game + 1}", *place, **thin)
        _options_axes(axes, y.max(), look, title)
        line = Line2D([], [], color=look.leader, linewidth=0.9)
        beside(axes, [_dot(GREY, 3), line], ["one decision", "regression\nof one game"])
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
        scale = 1.6 if look.name == "valet" else 1.0  # it has a lower resolution
        size, around = (1.7 * scale, 1.5 * scale), (0.3 * scale, 0.4 * scale)
        figure, grid = panels(look, len(games), columns, size=size, around=around)
        for axes, (name, traces) in zip(grid.flat, games, strict=False):
            x, y = _decisions(traces)
            _points(axes, traces, look, size=1.2)
            if x.max() > 1:
                slope, height = np.polyfit(x, y, 1)
                ends = np.array([1, x.max()])
                place = _within(ends, height + slope * ends, y.max())
                draw.line(axes, "regression", *place, color=look.curve, linewidth=1.3)
            _whole(axes, y.max())
            axes.tick_params(labelsize=6.5, length=2, pad=1.5)
            entitle(axes, name, share=1 / min(columns, len(games)), fontsize=8)
        regression = Line2D([], [], color=look.curve, linewidth=1.3)
        legend_outside(figure, [regression], ["straight line of regression"], "upper")
        figure.supxlabel(labelled(AxisWord.DECISION, style=look.name), fontsize=8.5)
        figure.supylabel(labelled(AxisWord.OPTIONS, style=look.name), fontsize=8.5)
        return figure


def _decisions(traces: Traces) -> tuple[Values, Values]:
    """Return the number of each decision in its game, from 1, and its options."""
    if not len(traces.noted):
        raise AnalysisError("there are no decisions to draw in these games")
    number: Values = traces.ply.astype(np.float64) + 1
    return number, traces.noted.options.astype(np.float64)


def _points(axes: Axes, traces: Traces, look: Style, size: float) -> None:
    noted, colours = traces.noted, np.array(look.seats(traces.players))
    across, up = np.random.default_rng(0).uniform(-JITTER, JITTER, (2, len(noted)))
    draw.cloud(
        axes, [f"p{seat + 1}" for seat in noted.seat], traces.ply + 1 + across, noted.options + up,
        s=size, c=colours[noted.seat].tolist(), alpha=1.0 if look.name == "valet" else 0.45,
        linewidths=0, rasterized=len(noted) > _MANY,
    )  # fmt: skip


def _dot(colour: str, size: float) -> object:
    """Return the sign of points in a legend."""
    from matplotlib.lines import Line2D

    return Line2D([], [], linestyle="", marker="o", markersize=size, color=colour)


def _within(ends: Values, line: Values, most: float) -> tuple[Values, Values]:
    """Return the part of a straight line between 0 and the top of the panel."""
    if line[0] == line[1]:
        return ends, line
    inside = np.clip(line, 0, most + _ABOVE)
    share = (inside - line[0]) / (line[1] - line[0])
    return ends[0] + share * (ends[1] - ends[0]), inside


def _options_axes(axes: Axes, most: float, look: Style, title: str) -> None:
    _whole(axes, most)
    axes.set_xlabel(labelled(AxisWord.DECISION, style=look.name))
    axes.set_ylabel(labelled(AxisWord.OPTIONS, style=look.name))
    entitle(axes, title)


def _whole(axes: Axes, most: float) -> None:
    """Put whole numbers on both axes, from 0 on the vertical one."""
    from matplotlib.ticker import MaxNLocator

    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(MaxNLocator(integer=True, nbins=6, min_n_ticks=2))
    axes.set_ylim(0, most + _ABOVE)


# Distributions ----------------------------------------------------------------------------------


def score_distribution(
    statistics: Statistics, title: str = "", style: StyleName = "cardwright"
) -> Figure:
    """Draw how often each score was made by a seat, and the mean."""
    return _histogram(statistics.all_scores(), (AxisWord.SCORE, AxisWord.SEATS_SHARE), title, style)


def game_length(statistics: Statistics, title: str = "", style: StyleName = "cardwright") -> Figure:
    """Draw how often each number of decisions occurred in games, and the mean."""
    return _histogram(statistics.lengths, (AxisWord.LENGTH, AxisWord.GAMES_SHARE), title, style)


def _histogram(
    counts: Counter[int], words: tuple[AxisWord, AxisWord], title: str, style: StyleName
) -> Figure:
    """Draw a histogram in %, with bars wide enough that there are not too many."""
    if not counts:
        raise AnalysisError("there is nothing to count in these games")
    values = np.array(sorted(counts))
    shares = 100 * np.array([counts[value] for value in values]) / counts.total()
    width = _bar_width(int(np.ptp(values)))
    bins = values // width
    sums = np.bincount(bins - bins[0], shares)
    middle = (np.arange(len(sums)) + bins[0]) * width + (width - 1) / 2
    mean = float((values * shares).sum() / 100)
    with styled(style) as look:
        figure, axes = blank(look)
        draw.bars(axes, "share", middle, sums, 0.86 * width, color=look.leader)
        dashed: Any = {"color": look.others, "linewidth": 1.1, "linestyle": _DASHES}
        draw.level(axes, "mean", x=mean, **dashed)
        axes.annotate(
            f"mean {mean:.4g}", (mean, 1.0), xycoords=("data", "axes fraction"), xytext=(3, -2),
            textcoords="offset points", va="top", color=look.others, fontsize=8,
        )  # fmt: skip
        axes.margins(x=0.02)
        axes.set_ylim(0, 1.12 * sums.max())
        axes.grid(visible=False, axis="x")
        if len(values) == 1:
            axes.set_xlim(values[0] - 5, values[0] + 5)
        axes.locator_params(axis="x", integer=True)
        if width > 1:
            axes.annotate(
                f"bars of {width}", (1.0, 1.0), xycoords="axes fraction", ha="right", va="top",
                color=GREY, fontsize=8,
            )  # fmt: skip
        axes.set_xlabel(labelled(words[0]))
        axes.set_ylabel(labelled(words[1]))
        entitle(axes, title)
        return figure


def _bar_width(extent: int) -> int:
    """Return the smallest round width that makes no more than `_MOST_BARS` bars."""
    widths: Iterator[int] = (step * 10**power for power in range(20) for step in (1, 2, 5))
    return next(width for width in widths if extent < width * _MOST_BARS)


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
        seats, left, bars = np.arange(players), np.zeros(players), []
        for rank, colour in enumerate(_shades(players)):
            widths, series = shares[:, rank], f"came in {rank + 1}"
            bars.append(draw.bars_across(axes, series, seats, left, widths, 0.72, color=colour))
            ink = "white" if rank < players / 2 else "black"
            for seat in seats[widths >= 6]:
                axes.text(
                    left[seat] + widths[seat] / 2, seat, f"{widths[seat]:.0f}", ha="center",
                    va="center", color=ink, fontsize=7.5,
                )  # fmt: skip
            left = left + widths
        draw.ticks(axes, "y", [f"p{seat + 1}" for seat in seats])
        axes.set_ylim(players - 0.5, -0.5)
        axes.set_xlim(0, 100)
        axes.grid(visible=False)
        axes.tick_params(axis="y", length=0)
        axes.set_xlabel(labelled(AxisWord.GAMES_SHARE))
        entitle(axes, title)
        beside(axes, bars, [str(rank + 1) for rank in range(players)], "came in")
        return figure


def _shades(count: int) -> list[str]:
    """Return shades from dark to light that keep their order in greyscale."""
    from matplotlib import colormaps
    from matplotlib.colors import to_hex

    return [to_hex(colormaps["cividis"](value)) for value in np.linspace(0.05, 0.95, count)]


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
        bars, whiskers = list[Any](), list[Any]()
        for side, (name, colour, shift) in enumerate(sides):
            at, mean = number + shift, means[:, side]
            bars.append(draw.bars(axes, name, at, mean, 0.4, color=colour))
            known = ~np.isnan(spread[:, side])
            whiskers.append(
                draw.whiskers(
                    axes, name, at[known], mean[known], spread[known, side],
                    ecolor="black", elinewidth=0.8, capsize=1.8,
                )
            )  # fmt: skip
        axes.set_xticks(number)
        axes.grid(visible=False, axis="x")
        axes.set_xlabel(labelled(AxisWord.TRICK))
        axes.set_ylabel(labelled(AxisWord.MEAN_OPTIONS))
        entitle(axes, title)
        names = ["leads", "follow", "± sd of ten groups’ means"]
        axes.legend([*bars, whiskers[0]], names)
        return figure


# What the seats do not know ---------------------------------------------------------------------


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
        # Lines often coincide: later ones are thinner, so that earlier ones remain visible.
        widths = np.linspace(3.0, 1.2, seats) if seats > 1 else [1.8]
        names = [f"p{seat + 1}" for seat in range(seats)]
        columns = zip(names, missing.T, look.seats(seats), widths, strict=True)
        lines = [
            draw.line(axes, name, at, column, color=colour, linewidth=width)
            for name, column, colour, width in columns
        ]
        axes.set_xlim(-0.02, 1.02)
        axes.set_ylim(bottom=0)
        axes.set_xlabel(labelled(AxisWord.PORTION, style=look.name))
        axes.set_ylabel(labelled(AxisWord.BITS))
        entitle(axes, title)
        beside(axes, lines, names, "seat")
        return figure

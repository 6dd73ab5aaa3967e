"""Distributions of scores, ranks and lengths of games; and options by trick."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cardwright.analysis.errors import AnalysisError
from cardwright.analysis.figures.theme import GREY, StyleName, beside, blank, styled
from cardwright.publication.axis_words import AxisWord, labelled
from cardwright.publication.figure_text import entitle
from cardwright.publication.plotted import called

if TYPE_CHECKING:
    from collections import Counter

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from cardwright.analysis.figures.theme import Style
    from cardwright.analysis.statistics import Statistics
    from cardwright.analysis.tricks import TrickOptions

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

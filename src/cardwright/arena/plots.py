"""Plots of contests, for print: points with intervals, a payoff matrix, a running mean."""

from __future__ import annotations

from functools import wraps
from math import isnan
from typing import TYPE_CHECKING, Any, ParamSpec

import numpy as np

from cardwright.extras import missing
from cardwright.game.errors import CardwrightError
from cardwright.publication import points as draw
from cardwright.publication.figures import (
    FORMATS,
    SETTINGS,
    USUAL_FILES,
    AxisWord,
    FigureFiles,
    entitle,
    in_lines,
    labelled,
    legend_outside,
)
from cardwright.statistics.intervals import mean_interval

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from cardwright.publication.figures import CaptionLine
    from cardwright.statistics.intervals import Estimate, Values

_BLUE, _ORANGE, _GREY = "#0072B2", "#D55E00", "#666666"
"""Colours that colour-blind people can distinguish (Okabe and Ito 2008)."""

_STYLE: Any = {
    "font.size": 9,
    "axes.titlesize": 9,
    "axes.labelsize": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.6,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    **SETTINGS,
}
_WIDTH = 5.2
"""Inches: about the width of a column of text."""

_DPI = 220

_NAME = 34
"""The most characters of a line of an entrant's name."""


Given = ParamSpec("Given")


class PlotError(CardwrightError):
    """A picture that cannot be drawn or saved; the message says why."""


def check_name(path: Path) -> None:
    """Raise PlotError unless a file's extension is one of `FORMATS`."""
    if path.suffix.lstrip(".").lower() not in FORMATS:
        raise PlotError(
            f"{path}: a picture's file ends in {', '.join(f'.{name}' for name in FORMATS)}"
        )


def _styled(draw: Callable[Given, Figure]) -> Callable[Given, Figure]:
    """Let a function draw in our style, which matplotlib looks up while drawing."""

    @wraps(draw)
    def styled(*args: Given.args, **kwargs: Given.kwargs) -> Figure:
        try:
            from matplotlib import rc_context
        except ImportError:
            raise missing("matplotlib") from None
        with rc_context(_STYLE):
            return draw(*args, **kwargs)

    return styled


def save(
    figure: Figure,
    path: Path,
    line: CaptionLine | None = None,
    files: FigureFiles = USUAL_FILES,
) -> None:
    """Save a picture in the format of its extension; the same picture gives the same bytes.

    `line` goes below it. What it draws is saved beside it as CSV. Raises PlotError for another
    extension, and RecordsError if the files cannot be written.
    """
    check_name(path)
    files.save(figure, path, line)


@_styled
def points(
    rows: Sequence[tuple[str, Estimate]],
    axis: str,
    *,
    title: str = "",
    reference: float | None = None,
    reference_name: str = "reference",
) -> Figure:
    """Draw a point with its interval for each row, from top to bottom, and a line of reference."""
    names = [in_lines(name, _NAME) for name, _ in rows]
    figure, axes = _blank(0.95 + 0.3 * len(rows) + _more_lines(names))
    if reference is not None:
        dashed: Any = {"color": _GREY, "linewidth": 0.8, "linestyle": (0, (4, 3))}
        draw.level(axes, reference_name, x=reference, **dashed)
    for at, (_, estimate) in enumerate(rows):
        if estimate.low is not None and estimate.high is not None:
            ends = estimate.low, estimate.high
            draw.interval(axes, "95 % interval", *ends, at, color=_BLUE, linewidth=1.6)
        draw.dots(axes, "mean", [estimate.mean], [at], color=_BLUE, markersize=5)
    draw.ticks(axes, "y", names)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="x", color="#dddddd", linewidth=0.5)
    axes.set_axisbelow(True)
    axes.set_xlabel(axis)
    entitle(axes, title, loc="left")
    _name_below(figure, axes)
    return figure


@_styled
def heat_map(
    means: Sequence[Sequence[float]],
    names: Sequence[str],
    legend: str,
    *,
    centre: float,
    title: str = "",
    digits: int = 2,
    low_is_good: bool = False,
    sides: tuple[str, str] = ("", ""),
) -> Figure:
    """Draw a payoff matrix as coloured cells with their numbers; NaN is left blank.

    `legend` says what the numbers are, `sides` what rows and columns are. Blue is good for the
    row's entrant, red bad, and white is the `centre`. Columns have the entrants' numbers.
    """
    values = np.array(means, dtype=float)
    numbers = range(1, len(names) + 1)
    labels = [in_lines(f"{name}  {number}", _NAME) for number, name in enumerate(names, 1)]
    figure, axes = _blank(0.95 + 0.36 * len(names) + _more_lines(labels))
    known = values[~np.isnan(values)]
    half = float(np.abs(known - centre).max(initial=0.0)) or 1.0
    image = draw.cells(
        axes,
        values,
        [str(number) for number in numbers],
        cmap="RdBu_r" if low_is_good else "RdBu",
        vmin=centre - half,
        vmax=centre + half,
        aspect="auto",
    )
    for row, column in np.ndindex(*values.shape):
        value = values[row, column]
        if not isnan(value):
            ink = "white" if abs(value - centre) / half > 0.7 else "black"
            axes.text(column, row, f"{value:.{digits}f}", ha="center", va="center", color=ink)
    draw.ticks(axes, "x", [str(number) for number in numbers])
    draw.ticks(axes, "y", labels)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    axes.set_ylabel(sides[0])
    axes.set_xlabel(sides[1])
    figure.colorbar(image, ax=axes, label=legend, shrink=0.9).outline.set_visible(False)
    entitle(axes, title, loc="left")
    return figure


@_styled
def running_mean(
    values: Values,
    axis: str,
    *,
    title: str = "",
    lines: Sequence[tuple[str, float]] = (),
    interval: Callable[[Values], Estimate] = mean_interval,
) -> Figure:
    """Draw the mean of the first n deals for every n, with the pointwise interval at each n.

    `lines` are levels to compare with, each with a name. Where there is no interval the band has a
    gap.
    """
    figure, axes = _blank(2.9)
    many = len(values)
    if many:
        shown = np.unique(np.geomspace(1, many, num=min(many, 600)).astype(int))
        first = 10 if many > 20 else 1  # the first few intervals would fill the picture
        shown = shown[shown >= first]
        means = np.cumsum(values)[shown - 1] / shown
        intervals = [interval(values[:n]) for n in shown]
        low, high = np.array([(one.low, one.high) for one in intervals], dtype=float).T
        draw.band(axes, shown, low, high, "95 % interval", color=_BLUE, alpha=0.22)
        draw.line(axes, "mean", shown, means, color=_BLUE, linewidth=1.3)
        axes.set_xlim(first, max(many, 2))
    for name, value in lines:
        colour = _ORANGE if name else _GREY
        dashed: Any = {"color": colour, "linewidth": 0.8, "linestyle": (0, (4, 3))}
        draw.level(axes, name or "no difference", y=value, **dashed)
        axes.annotate(
            name, (1.01, value), xycoords=("axes fraction", "data"), va="center", color=_ORANGE
        )
    axes.locator_params(axis="x", integer=True)
    axes.set_xlabel(labelled(AxisWord.DEALS))
    axes.set_ylabel(axis)
    entitle(axes, title, loc="left")
    _name_below(figure, axes)
    return figure


def _blank(height: float) -> tuple[Figure, Axes]:
    """Return a stand-alone figure, tied to no window and no other figure."""
    from matplotlib.figure import Figure as Canvas

    figure = Canvas(figsize=(_WIDTH, height), dpi=_DPI, layout="constrained")
    return figure, figure.add_subplot()


def _more_lines(names: Sequence[str]) -> float:
    """Return the inches that names need for lines after the first of each."""
    return 0.14 * sum(name.count("\n") for name in names)


def _name_below(figure: Figure, axes: Axes) -> None:
    """Name points, intervals, bands and dashed lines below a panel, each once."""
    handles, names = axes.get_legend_handles_labels()
    drawn = dict(zip(reversed(names), reversed(handles), strict=True))
    shown = list(dict.fromkeys(names))
    if shown:
        legend_outside(figure, [drawn[name] for name in shown], shown)

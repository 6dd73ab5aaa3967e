"""Drawings: the coordinates of a chart's lines, bars and ticks; templates turn them into SVG."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor, isfinite, log10
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

COLOURS = 8
"""Distinguishable colours of lines; further lines are dashed."""


@dataclass(frozen=True)
class Tick:
    """A position on an axis, in pixels, and its text."""

    at: float
    text: str


@dataclass(frozen=True)
class ChartLine:
    """A line of a chart; `end` is the y of its label, in pixels, `last` its last value."""

    name: str
    colour: int
    dashes: int
    path: str
    end: float
    last: float


@dataclass(frozen=True)
class LineChart:
    """Lines over the games of a season, in a frame; all lengths in pixels."""

    width: int
    height: int
    left: int
    right: int
    top: int
    bottom: int
    lines: tuple[ChartLine, ...]
    across: tuple[Tick, ...]
    up: tuple[Tick, ...]


@dataclass(frozen=True)
class Bar:
    """A bar of a chart: its upper left corner and its size in pixels, and its meaning."""

    x: float
    y: float
    width: float
    height: float
    title: str


@dataclass(frozen=True)
class BarChart:
    """Bars on a common baseline; all lengths in pixels."""

    width: int
    height: int
    left: int
    ground: int
    bars: tuple[Bar, ...]
    across: tuple[Tick, ...]
    up: tuple[Tick, ...]


@dataclass(frozen=True)
class ChartSize:
    """The size of a chart, and whether there is room for labels at the ends of its lines."""

    width: int
    height: int
    labels: bool


WIDE, NARROW = ChartSize(920, 380, labels=True), ChartSize(360, 280, labels=False)
"""For screens and for phones."""

_LABEL = 14
"""The least distance between labels, in pixels."""


def ticks(low: float, high: float, most: int) -> list[float]:
    """Return round numbers from `low` to `high`, at most `most`, in equal steps."""
    if not high > low:
        return [low]
    size = 10.0 ** floor(log10((high - low) / most))
    step = next(
        size * factor
        for factor in (1, 2, 5, 10, 20, 50)
        if floor(high / (size * factor)) - ceil(low / (size * factor)) < most
    )
    return [step * number for number in range(ceil(low / step), floor(high / step) + 1)]


def line_chart(
    games: Sequence[int], series: Sequence[tuple[str, Sequence[float]]], size: ChartSize
) -> LineChart:
    """Return a chart of values after some games, with a named series for each line.

    The first twentieth of the season, where means of few games fluctuate, may leave the frame.
    """
    left, top = 46, 14
    right, bottom = size.width - (168 if size.labels else 18), size.height - 40
    settled = max(0, sum(game < games[-1] / 20 for game in games))
    seen = [value for _, values in series for value in values[settled:] if isfinite(value)]
    low, high = min(seen, default=0.0), max(seen, default=1.0)
    slack = max((high - low) * 0.06, 0.5)
    low, high = low - slack, high + slack

    def x(game: float) -> float:
        return left + (right - left) * game / max(games[-1], 1)

    def y(value: float) -> float:
        return bottom - (bottom - top) * (value - low) / (high - low)

    lines = []
    ends = [next((v for v in reversed(values) if isfinite(v)), low) for _, values in series]
    heights = _apart([y(end) for end in ends], top + 4, bottom - 2)
    for number, (name, values) in enumerate(series):
        path = _path(
            [(x(game), y(v)) for game, v in zip(games, values, strict=True) if isfinite(v)]
        )
        dashes, colour = divmod(number, COLOURS)
        lines.append(ChartLine(name, colour, dashes, path, heights[number], ends[number]))
    across, up = ticks(0, games[-1], 6 if size.labels else 4), ticks(low, high, 7)
    return LineChart(
        size.width, size.height, left, right, top, bottom, tuple(lines),
        tuple(Tick(x(at), f"{at:,.0f}") for at in across if at == int(at)),
        tuple(Tick(y(at), f"{at:g}") for at in up),
    )  # fmt: skip


def bar_chart(
    values: Sequence[float],
    titles: Sequence[str],
    labels: Sequence[str],
    text: Callable[[float], str],
) -> BarChart:
    """Return a chart of bars, each with a tooltip and a label below, which may be empty.

    `text` formats the labels of the value axis.
    """
    width, height, left, top = 360, 180, 40, 10
    ground = height - 24
    high = max([*values, 1e-9]) * 1.04
    step = (width - left - 4) / max(len(values), 1)

    def y(value: float) -> float:
        return ground - (ground - top) * value / high

    bars = tuple(
        Bar(left + step * (at + 0.09), y(value), step * 0.82, ground - y(value), title)
        for at, (value, title) in enumerate(zip(values, titles, strict=True))
    )
    across = [Tick(left + step * (at + 0.5), label) for at, label in enumerate(labels) if label]
    up = [Tick(y(at), text(at)) for at in ticks(0, high, 4)]
    return BarChart(width, height, left, ground, bars, tuple(across), tuple(up))


def in_percent(share: float) -> str:
    """Return a share as a label of an axis, such as `20 %`."""
    return f"{100 * share:g}\u202f%"


def _path(points: Sequence[tuple[float, float]]) -> str:
    """Return a line through points as an SVG path."""
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points) if points else ""


def _apart(heights: Sequence[float], top: float, bottom: float) -> list[float]:
    """Return y coordinates of labels near the given ones, far enough apart to be readable."""
    order = sorted(range(len(heights)), key=lambda at: heights[at])
    placed = dict.fromkeys(order, 0.0)
    above = top - _LABEL
    for at in order:
        above = placed[at] = max(heights[at], above + _LABEL)
    below = bottom + _LABEL
    for at in reversed(order):
        below = placed[at] = min(placed[at], below - _LABEL)
    return [placed[at] for at in range(len(heights))]

"""Pictures of diagrams as figures of matplotlib's, for PDF and PNG."""

from __future__ import annotations

from math import hypot
from typing import TYPE_CHECKING, Any

from cardwright.analysis.errors import AnalysisError
from cardwright.analysis.graph import LineStyle, NodeShape
from cardwright.analysis.picture import Curve, Label, Outline, Point
from cardwright.extras import missing

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from cardwright.analysis.picture import Picture

_PER_INCH = 96
"""Pixels of a picture to an inch, as in browsers."""

_DPI = 144
_POINTS = 72 / _PER_INCH
_DASHES: dict[LineStyle, Any] = {
    LineStyle.SOLID: "-",
    LineStyle.DASHED: (0, (6, 4)),
    LineStyle.DOTTED: (0, (1, 4)),
}
_NARROWER = 0.9
"""The letters of matplotlib's own font are wider than those for which places are computed."""

_MOST = 60_000
"""Pixels across that an image may have, which is what its library can draw."""


def diagram_figure(picture: Picture) -> Figure:
    """Return a picture as a figure of the same size.

    Raises AnalysisError if it is too large for an image, and MissingExtraError without matplotlib.
    """
    try:
        from matplotlib.figure import Figure as Canvas
    except ImportError:
        raise missing("matplotlib") from None
    if max(picture.width, picture.height) * _DPI / _PER_INCH > _MOST:
        raise AnalysisError("this diagram is too large for an image: save it as .svg or .dot")
    size = (picture.width / _PER_INCH, picture.height / _PER_INCH)
    figure = Canvas(figsize=size, dpi=_DPI)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_xlim(0, picture.width)
    axes.set_ylim(picture.height, 0)
    axes.axis("off")
    for order, item in enumerate(picture.items):
        match item:
            case Outline():
                _outline(axes, item, order)
            case Label():
                _label(axes, item, order)
            case Curve():
                _curve(axes, item, order)
    return figure


def _outline(axes: Axes, item: Outline, order: int) -> None:
    from matplotlib.patches import Ellipse, FancyBboxPatch, Polygon, Rectangle

    x, y = item.centre
    half, deep = item.width / 2, item.height / 2
    looks: dict[str, Any] = {
        "facecolor": item.fill, "edgecolor": item.stroke, "linewidth": item.stroke_width * _POINTS,
        "linestyle": _DASHES[item.line], "zorder": order,
    }  # fmt: skip
    shape: Any
    match item.shape:
        case NodeShape.PLAIN:
            return
        case NodeShape.DIAMOND:
            shape = Polygon([(x, y - deep), (x + half, y), (x, y + deep), (x - half, y)], **looks)
        case NodeShape.OVAL:
            shape = Ellipse((x, y), item.width, item.height, **looks)
        case NodeShape.ROUNDED:
            box = "round,pad=0,rounding_size=8"
            corner = (x - half, y - deep)
            shape = FancyBboxPatch(corner, item.width, item.height, boxstyle=box, **looks)
        case _:
            shape = Rectangle((x - half, y - deep), item.width, item.height, **looks)
    axes.add_patch(shape)


def _label(axes: Axes, item: Label, order: int) -> None:
    from matplotlib.patheffects import withStroke

    text = axes.text(
        item.at.x, item.at.y, item.text.replace("$", r"\$"),
        ha="center" if item.middle else "left", va="center_baseline",
        fontsize=item.size * _POINTS * _NARROWER, color=item.colour,
        fontweight="bold" if item.bold else "normal", zorder=order,
    )  # fmt: skip
    if item.halo:
        text.set_path_effects([withStroke(linewidth=2.2, foreground="white")])


def _curve(axes: Axes, item: Curve, order: int) -> None:
    from matplotlib.patches import PathPatch, Polygon
    from matplotlib.path import Path

    points = list(item.points)
    if item.arrow:
        tip, size = points[-1], 9.0 + item.width
        before = next((p for p in reversed(points[:-1]) if p != tip), Point(tip.x, tip.y - 1))
        length = hypot(tip.x - before.x, tip.y - before.y)
        dx, dy = (tip.x - before.x) / length, (tip.y - before.y) / length
        points[-1] = base = Point(tip.x - dx * size, tip.y - dy * size)
        side = size * 0.42
        corners = [
            tip, (base.x - dy * side, base.y + dx * side), (base.x + dy * side, base.y - dx * side)
        ]  # fmt: skip
        axes.add_patch(Polygon(corners, facecolor=item.colour, linewidth=0, zorder=order))
    codes = [Path.MOVETO, *[Path.CURVE4] * (len(points) - 1)]
    axes.add_patch(
        PathPatch(
            Path(points, codes), facecolor="none", edgecolor=item.colour,
            linewidth=item.width * _POINTS, linestyle=_DASHES[item.line], zorder=order,
        )
    )  # fmt: skip

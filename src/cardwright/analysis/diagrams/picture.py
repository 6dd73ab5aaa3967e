"""Pictures: what a layout has placed, as SVG and as figures of matplotlib's."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import hypot
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias
from xml.sax.saxutils import escape, quoteattr

from cardwright.analysis import AnalysisError
from cardwright.analysis.diagrams.graph import LineStyle, NodeShape
from cardwright.extras import missing

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FONT_SIZE = 14
TITLE_SIZE = 18
SMALL_SIZE = 11

_NARROW, _WIDE = frozenset("iljtfrI.,:;'|!()[] "), frozenset("mwMW@%")


class Point(NamedTuple):
    """A place in a picture."""

    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Outline:
    """A shape by its centre and size; `name` is for programs and screen readers."""

    centre: Point
    width: float
    height: float
    shape: NodeShape = NodeShape.BOX
    fill: str = "none"
    stroke: str = "black"
    stroke_width: float = 1
    line: LineStyle = LineStyle.SOLID
    name: str = ""


@dataclass(frozen=True, slots=True)
class Label:
    """One line of text; `at` is its middle, or its left end, at half its height."""

    at: Point
    text: str
    size: float = FONT_SIZE
    middle: bool = True
    colour: str = "black"
    halo: bool = False
    bold: bool = False


@dataclass(frozen=True, slots=True)
class Curve:
    """A line through 1 + 3n points: a start, and cubic Bézier segments; optionally an arrow."""

    points: tuple[Point, ...]
    colour: str = "black"
    width: float = 1
    line: LineStyle = LineStyle.SOLID
    arrow: bool = True
    name: str = ""


Item: TypeAlias = Outline | Label | Curve


@dataclass(frozen=True, slots=True)
class Picture:
    """Items, the first at the bottom, within a width and a height; `title` says what it shows."""

    title: str
    width: float
    height: float
    items: tuple[Item, ...]


def text_width(text: str, size: float = FONT_SIZE) -> float:
    """Estimate the width of a text in a sans-serif font, erring on the wide side."""
    total = 0.0
    for letter in text:
        if letter in _NARROW:
            total += 0.37
        elif letter in _WIDE:
            total += 0.95
        elif letter.isupper():
            total += 0.73
        elif ord(letter) > 0x2E80:  # from here on, scripts have letters as wide as they are high
            total += 1.05
        else:
            total += 0.61
    return total * size


def straight(*points: Point) -> tuple[Point, ...]:
    """Return the points of a curve that runs straight from each point to the next."""
    found = [points[0]]
    for start, end in pairwise(points):
        found += [
            Point(start.x + (end.x - start.x) / 3, start.y + (end.y - start.y) / 3),
            Point(end.x - (end.x - start.x) / 3, end.y - (end.y - start.y) / 3),
            end,
        ]
    return tuple(found)


def along(points: tuple[Point, ...], piece: int, share: float) -> Point:
    """Return the point of a curve at a parameter (0 to 1) of one of its segments."""
    a, b, c, d = points[3 * piece : 3 * piece + 4]
    rest = 1 - share
    weights = (rest**3, 3 * rest**2 * share, 3 * rest * share**2, share**3)
    return Point(
        sum(w * p.x for w, p in zip(weights, (a, b, c, d), strict=True)),
        sum(w * p.y for w, p in zip(weights, (a, b, c, d), strict=True)),
    )


FONTS = "Futura, 'Century Gothic', 'Avenir Next', Jost, Helvetica, Arial, sans-serif"

_SVG_DASHES = {LineStyle.DOTTED: "1,5", LineStyle.DASHED: "6,4"}
_ROUNDING = 8
_HEAD = 9.0
"""Length of an arrow head, and a little more for thick lines."""


def svg_text(picture: Picture) -> str:
    """Return a picture as a complete SVG document; the same picture gives the same text."""
    width, height = _number(picture.width), _number(picture.height)
    title = escape(picture.title)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img" aria-label={quoteattr(_clean(picture.title))} '
        f'font-family="{FONTS}">'
    )
    lines = [
        head,
        f"<title>{_clean(title)}</title>",
        f'<rect width="{width}" height="{height}" fill="white"/>',
    ]
    for item in picture.items:
        match item:
            case Outline():
                lines.append(_svg_outline(item))
            case Label():
                lines.append(_svg_label(item))
            case Curve():
                lines.append(_svg_curve(item))
    return "\n".join([*lines, "</svg>"]) + "\n"


def _svg_outline(item: Outline) -> str:
    x, y = item.centre
    looks = (
        f"fill={quoteattr(item.fill)} stroke={quoteattr(item.stroke)} "
        f'stroke-width="{_number(item.stroke_width)}"{_dashes(item.line)}'
    )
    half, deep = item.width / 2, item.height / 2
    match item.shape:
        case NodeShape.PLAIN:
            return ""
        case NodeShape.DIAMOND:
            corners = ((x, y - deep), (x + half, y), (x, y + deep), (x - half, y))
            points = " ".join(f"{_number(a)},{_number(b)}" for a, b in corners)
            drawn = f'<polygon points="{points}" {looks}'
        case NodeShape.OVAL:
            drawn = (
                f'<ellipse cx="{_number(x)}" cy="{_number(y)}" rx="{_number(half)}" '
                f'ry="{_number(deep)}" {looks}'
            )
        case _:
            round_ = f' rx="{_ROUNDING}"' if item.shape is NodeShape.ROUNDED else ""
            drawn = (
                f'<rect x="{_number(x - half)}" y="{_number(y - deep)}" '
                f'width="{_number(item.width)}" height="{_number(item.height)}"{round_} {looks}'
            )
    return _named(drawn, item.name)


def _named(drawn: str, name: str) -> str:
    """Return an element, with the name that browsers show as a tooltip."""
    if not name:
        return drawn + "/>"
    tag = drawn[1 : drawn.index(" ")]
    return f"{drawn}><title>{escape(_clean(name))}</title></{tag}>"


def _svg_label(item: Label) -> str:
    anchor = ' text-anchor="middle"' if item.middle else ""
    halo = ' stroke="white" stroke-width="3" paint-order="stroke"' if item.halo else ""
    bold = ' font-weight="600"' if item.bold else ""
    colour = "" if item.colour == "black" else f" fill={quoteattr(item.colour)}"
    base = item.at.y + 0.35 * item.size  # not dominant-baseline, which not all renderers support
    return (
        f'<text x="{_number(item.at.x)}" y="{_number(base)}" font-size="{_number(item.size)}"'
        f"{anchor}{bold}{halo}{colour}>{escape(_clean(item.text))}</text>"
    )


def _svg_curve(item: Curve) -> str:
    points = list(item.points)
    head = ""
    if item.arrow:
        size = _HEAD + item.width
        tip = points[-1]
        before = next((p for p in reversed(points[:-1]) if p != tip), Point(tip.x, tip.y - 1))
        length = hypot(tip.x - before.x, tip.y - before.y)
        dx, dy = (tip.x - before.x) / length, (tip.y - before.y) / length
        points[-1] = base = Point(tip.x - dx * size, tip.y - dy * size)
        side = size * 0.42
        corners = (tip, (base.x - dy * side, base.y + dx * side))
        other = (base.x + dy * side, base.y - dx * side)
        drawn = " ".join(f"{_number(a)},{_number(b)}" for a, b in (*corners, other))
        head = f'\n<polygon points="{drawn}" fill={quoteattr(item.colour)}/>'
    path = f"M{_pair(points[0])}" + "".join(
        f"C{_pair(points[at])} {_pair(points[at + 1])} {_pair(points[at + 2])}"
        for at in range(1, len(points), 3)
    )
    drawn = (
        f'<path d="{path}" fill="none" stroke={quoteattr(item.colour)} '
        f'stroke-width="{_number(item.width)}"{_dashes(item.line)}'
    )
    return _named(drawn, item.name) + head


def _dashes(line: LineStyle) -> str:
    return f' stroke-dasharray="{_SVG_DASHES[line]}"' if line in _SVG_DASHES else ""


def _pair(point: Point) -> str:
    return f"{_number(point.x)},{_number(point.y)}"


def _number(value: float) -> str:
    """Return a number with at most one decimal, and no minus sign for zero."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def _clean(text: str) -> str:
    """Return a text without the characters that are not allowed in XML."""
    return "".join(c for c in text if c in "\t\n" or (c >= " " and c not in "\ufffe\uffff"))


_PER_INCH = 96
"""Pixels of a picture to an inch, as in browsers."""

_DPI = 144
_POINTS = 72 / _PER_INCH
_PLOT_DASHES: dict[LineStyle, Any] = {
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
                _plot_outline(axes, item, order)
            case Label():
                _plot_label(axes, item, order)
            case Curve():
                _plot_curve(axes, item, order)
    return figure


def _plot_outline(axes: Axes, item: Outline, order: int) -> None:
    from matplotlib.patches import Ellipse, FancyBboxPatch, Polygon, Rectangle

    x, y = item.centre
    half, deep = item.width / 2, item.height / 2
    looks: dict[str, Any] = {
        "facecolor": item.fill, "edgecolor": item.stroke, "linewidth": item.stroke_width * _POINTS,
        "linestyle": _PLOT_DASHES[item.line], "zorder": order,
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


def _plot_label(axes: Axes, item: Label, order: int) -> None:
    from matplotlib.patheffects import withStroke

    text = axes.text(
        item.at.x, item.at.y, item.text.replace("$", r"\$"),
        ha="center" if item.middle else "left", va="center_baseline",
        fontsize=item.size * _POINTS * _NARROWER, color=item.colour,
        fontweight="bold" if item.bold else "normal", zorder=order,
    )  # fmt: skip
    if item.halo:
        text.set_path_effects([withStroke(linewidth=2.2, foreground="white")])


def _plot_curve(axes: Axes, item: Curve, order: int) -> None:
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
            linewidth=item.width * _POINTS, linestyle=_PLOT_DASHES[item.line], zorder=order,
        )
    )  # fmt: skip

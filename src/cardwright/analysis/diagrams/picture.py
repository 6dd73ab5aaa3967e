"""Pictures: what a layout has placed, in pixels from the top left, as SVG and as matplotlib's."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from math import hypot
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias
from xml.sax.saxutils import escape, quoteattr

from cardwright.analysis.diagrams.graph import LineStyle, NodeShape
from cardwright.analysis.errors import AnalysisError
from cardwright.extras import missing

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from matplotlib.figure import Figure

    from cardwright.analysis.diagrams.graph import GraphNode

FONT_SIZE, TITLE_SIZE, SMALL_SIZE = 14, 18, 11
FONTS = "Futura, 'Century Gothic', 'Avenir Next', Jost, Helvetica, Arial, sans-serif"

_NARROW, _WIDE = frozenset("iljtfrI.,:;'|!()[] "), frozenset("mwMW@%")
_ROUNDING = 8.0
_ARC = 0.5523
"""How far the control points of a quarter of a circle are from its ends, in radii."""

_DASHES = {LineStyle.SOLID: (), LineStyle.DASHED: (6, 4), LineStyle.DOTTED: (1, 5)}
_PER_INCH, _DPI = 96, 144
"""Pixels of a picture to an inch, as in browsers, and those of an image."""

_NARROWER = 0.9
"""The letters of matplotlib's own font are wider than those for which places are computed."""

_MOST = 60_000
"""Pixels across that an image may have, which is what its library can draw."""


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

    @classmethod
    def of(cls, node: GraphNode, centre: Point, width: float, height: float) -> Outline:
        """Return the shape of a node."""
        looks = {"stroke_width": node.width, "line": node.border, "name": node.id}
        return cls(centre, width, height, node.shape, node.fill, **looks)  # type: ignore[arg-type]

    def path(self) -> tuple[Point, ...]:
        """Return the closed curve around this."""
        (x, y), wide, high = self.centre, self.width / 2, self.height / 2
        if self.shape is NodeShape.DIAMOND:
            top = Point(x, y - high)
            return straight(top, Point(x + wide, y), Point(x, y + high), Point(x - wide, y), top)
        rounding = {NodeShape.OVAL: max(wide, high), NodeShape.ROUNDED: _ROUNDING}
        across, down = (min(rounding.get(self.shape, 0.0), half) for half in (wide, high))
        points = [Point(x - wide + across, y - high)]
        for right, below in ((1, -1), (1, 1), (-1, 1), (-1, -1)):
            level = Point(x + right * (wide - across), y + below * high)
            upright = Point(x + right * wide, y + below * (high - down))
            start, end = (level, upright) if right == -below else (upright, level)
            corner = Point(x + right * wide, y + below * high)
            points += straight(points[-1], start)[1:]
            if across and down:
                points += [towards(tip, corner, _ARC) for tip in (start, end)] + [end]
        return tuple(points)


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

    def moved(self, right: float, down: float) -> Iterator[Item]:
        """Yield the items at another place."""

        def place(point: Point) -> Point:
            return Point(point.x + right, point.y + down)

        for item in self.items:
            match item:
                case Outline():
                    yield replace(item, centre=place(item.centre))
                case Label():
                    yield replace(item, at=place(item.at))
                case Curve():
                    yield replace(item, points=tuple(map(place, item.points)))


def text_width(text: str, size: float = FONT_SIZE) -> float:
    """Estimate the width of a text in a sans-serif font, erring on the wide side."""

    def width(letter: str) -> float:
        if letter in _NARROW:
            return 0.37
        if letter in _WIDE:
            return 0.95
        if letter.isupper():
            return 0.73
        # From here on, scripts have letters as wide as they are high.
        return 1.05 if ord(letter) > 0x2E80 else 0.61

    return sum(map(width, text)) * size


def towards(start: Point, end: Point, share: float) -> Point:
    """Return the point at a share of the way from one to another."""
    return Point(start.x + (end.x - start.x) * share, start.y + (end.y - start.y) * share)


def straight(*points: Point) -> tuple[Point, ...]:
    """Return the points of a curve that runs straight from each point to the next."""
    curve = [points[0]]
    for start, end in pairwise(points):
        curve += [towards(start, end, 1 / 3), towards(end, start, 1 / 3), end]
    return tuple(curve)


def along(points: tuple[Point, ...], piece: int, share: float) -> Point:
    """Return the point of a curve at a parameter (0 to 1) of one of its segments."""
    rest = 1 - share
    weights = (rest**3, 3 * rest**2 * share, 3 * rest * share**2, share**3)
    pairs = list(zip(weights, points[3 * piece : 3 * piece + 4], strict=True))
    return Point(sum(w * p.x for w, p in pairs), sum(w * p.y for w, p in pairs))


@dataclass(frozen=True, slots=True)
class _Path:
    """A curve as both writers draw it."""

    points: Sequence[Point]
    fill: str
    stroke: str
    width: float = 1
    line: LineStyle = LineStyle.SOLID
    name: str = ""


def _paths(item: Outline | Curve) -> Iterator[_Path]:
    """Yield the curves that draw an item: an arrow is a line and its head."""
    if isinstance(item, Outline):
        if item.shape is not NodeShape.PLAIN:
            yield _Path(
                item.path(), item.fill, item.stroke, item.stroke_width, item.line, item.name
            )
        return
    points = item.points
    if item.arrow:
        tip, size = points[-1], 9.0 + item.width
        before = next((p for p in reversed(points[:-1]) if p != tip), Point(tip.x, tip.y - 1))
        base = towards(tip, before, size / hypot(tip.x - before.x, tip.y - before.y))
        aside, up = 0.42 * (tip.y - base.y), 0.42 * (tip.x - base.x)
        wings = Point(base.x - aside, base.y + up), Point(base.x + aside, base.y - up)
        yield _Path(straight(tip, *wings, tip), item.colour, "none")
        points = (*points[:-1], base)
    yield _Path(points, "none", item.colour, item.width, item.line, item.name)


# As SVG, with nothing but curves and text: any browser and printer shows them -------------------


def svg_text(picture: Picture) -> str:
    """Return a picture as a complete SVG document; the same picture gives the same text."""
    width, height = _number(picture.width), _number(picture.height)
    title = _clean(picture.title)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img" aria-label={quoteattr(title)} '
        f'font-family="{FONTS}">'
    )
    lines = [
        head,
        f"<title>{escape(title)}</title>",
        f'<rect width="{width}" height="{height}" fill="white"/>',
    ]
    for item in picture.items:
        if isinstance(item, Label):
            lines.append(_svg_label(item))
        else:
            lines += map(_svg_path, _paths(item))
    return "\n".join([*lines, "</svg>"]) + "\n"


def _svg_path(path: _Path) -> str:
    places = [f"{_number(x)},{_number(y)}" for x, y in path.points]
    curve = f"M{places[0]}C{' '.join(places[1:])}"
    looks = f"fill={quoteattr(path.fill)}"
    if path.stroke != "none":
        looks += f' stroke={quoteattr(path.stroke)} stroke-width="{_number(path.width)}"'
    if dashes := _DASHES[path.line]:
        looks += f' stroke-dasharray="{dashes[0]},{dashes[1]}"'
    name = f"><title>{escape(_clean(path.name))}</title></path>" if path.name else "/>"
    return f'<path d="{curve}" {looks}{name}'


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


def _number(value: float) -> str:
    """Return a number with at most one decimal, and no minus sign for zero."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def _clean(text: str) -> str:
    """Return a text without the characters that are not allowed in XML."""
    return "".join(c for c in text if c in "\t\n" or (c >= " " and c not in "\ufffe\uffff"))


# As a figure of matplotlib's, for PDF and PNG ---------------------------------------------------


def diagram_figure(picture: Picture) -> Figure:
    """Return a picture as a figure of the same size.

    Raises AnalysisError if it is too large for an image, and MissingExtraError without matplotlib.
    """
    try:
        from matplotlib.figure import Figure as Canvas
        from matplotlib.patches import PathPatch
        from matplotlib.path import Path
        from matplotlib.patheffects import withStroke
    except ImportError:
        raise missing("matplotlib") from None
    if max(picture.width, picture.height) * _DPI / _PER_INCH > _MOST:
        raise AnalysisError("this diagram is too large for an image: save it as .svg or .dot")
    points = 72 / _PER_INCH
    figure = Canvas((picture.width / _PER_INCH, picture.height / _PER_INCH), dpi=_DPI)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, picture.width), ylim=(picture.height, 0))
    axes.axis("off")
    for order, item in enumerate(picture.items):
        if isinstance(item, Label):
            text = axes.text(
                *item.at, item.text.replace("$", r"\$"),
                ha="center" if item.middle else "left", va="center_baseline",
                fontsize=item.size * points * _NARROWER, color=item.colour,
                fontweight="bold" if item.bold else "normal", zorder=order,
            )  # fmt: skip
            if item.halo:
                text.set_path_effects([withStroke(linewidth=2.2, foreground="white")])
            continue
        for path in _paths(item):
            codes = [Path.MOVETO, *[Path.CURVE4] * (len(path.points) - 1)]
            dashes: Any = (0, _DASHES[path.line]) if _DASHES[path.line] else "-"
            axes.add_patch(
                PathPatch(
                    Path(path.points, codes), facecolor=path.fill, edgecolor=path.stroke,
                    linewidth=path.width * points, linestyle=dashes, zorder=order,
                )
            )  # fmt: skip
    return figure

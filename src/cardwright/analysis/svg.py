"""Pictures as SVG, with nothing but shapes and text: any browser and printer shows them."""

from __future__ import annotations

from math import hypot
from xml.sax.saxutils import escape, quoteattr

from cardwright.analysis.graph import LineStyle, NodeShape
from cardwright.analysis.picture import Curve, Label, Outline, Picture, Point

FONTS = "Futura, 'Century Gothic', 'Avenir Next', Jost, Helvetica, Arial, sans-serif"

_DASHES = {LineStyle.DOTTED: "1,5", LineStyle.DASHED: "6,4"}
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
                lines.append(_outline(item))
            case Label():
                lines.append(_label(item))
            case Curve():
                lines.append(_curve(item))
    return "\n".join([*lines, "</svg>"]) + "\n"


def _outline(item: Outline) -> str:
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


def _label(item: Label) -> str:
    anchor = ' text-anchor="middle"' if item.middle else ""
    halo = ' stroke="white" stroke-width="3" paint-order="stroke"' if item.halo else ""
    bold = ' font-weight="600"' if item.bold else ""
    colour = "" if item.colour == "black" else f" fill={quoteattr(item.colour)}"
    base = item.at.y + 0.35 * item.size  # not dominant-baseline, which not all renderers support
    return (
        f'<text x="{_number(item.at.x)}" y="{_number(base)}" font-size="{_number(item.size)}"'
        f"{anchor}{bold}{halo}{colour}>{escape(_clean(item.text))}</text>"
    )


def _curve(item: Curve) -> str:
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
    return f' stroke-dasharray="{_DASHES[line]}"' if line in _DASHES else ""


def _pair(point: Point) -> str:
    return f"{_number(point.x)},{_number(point.y)}"


def _number(value: float) -> str:
    """Return a number with at most one decimal, and no minus sign for zero."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def _clean(text: str) -> str:
    """Return a text without the characters that are not allowed in XML."""
    return "".join(c for c in text if c in "\t\n" or (c >= " " and c not in "\ufffe\uffff"))

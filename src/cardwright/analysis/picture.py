"""Pictures: what a layout has placed, in pixels from the top left, ready to be written."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from cardwright.analysis.graph import LineStyle, NodeShape

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

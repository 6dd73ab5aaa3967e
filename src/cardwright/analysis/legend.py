"""The legend of a picture: entries in rows below it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.analysis.graph import Edge
from cardwright.analysis.picture import Curve, Item, Label, Outline, Point, straight, text_width

if TYPE_CHECKING:
    from cardwright.analysis.graph import LegendKey

_SIZE = 12
_MARK = 34.0
_GAP = 22.0
_ROW = 24.0
_MARGIN = 16.0


def legend_items(
    legend: tuple[LegendKey, ...], width: float, height: float
) -> tuple[list[Item], float, float]:
    """Return a legend below a picture of this width and height, and the size of both."""
    items: list[Item] = []
    x, y = _MARGIN, height + _ROW / 2
    for key in legend:
        wide = _MARK + 8 + text_width(key.text, _SIZE)
        if x > _MARGIN and x + wide > width - _MARGIN:
            x, y = _MARGIN, y + _ROW
        width = max(width, x + wide + _MARGIN)
        items.append(_mark(key, x, y))
        items.append(Label(Point(x + _MARK + 8, y), key.text, _SIZE, middle=False))
        x += wide + _GAP
    return items, width, y + _ROW


def _mark(key: LegendKey, x: float, y: float) -> Item:
    mark = key.mark
    if isinstance(mark, Edge):
        ends = straight(Point(x, y), Point(x + _MARK, y))
        return Curve(ends, mark.colour, mark.width, mark.line)
    centre = Point(x + _MARK / 2, y)
    return Outline(
        centre, _MARK, 16, mark.shape, mark.fill, stroke_width=mark.width, line=mark.border
    )

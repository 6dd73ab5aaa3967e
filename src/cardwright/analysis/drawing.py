"""Graphs drawn as SVG, the same on every machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.analysis.branches import grown
from cardwright.analysis.graph import GraphLayout
from cardwright.analysis.layout import picture_of
from cardwright.analysis.picture import SMALL_SIZE, Label, Picture, Point, text_width
from cardwright.analysis.stacking import stacked
from cardwright.analysis.svg import svg_text
from cardwright.analysis.tiles import tiled

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.analysis.graph import Graph

_MARGIN, _LINE = 16.0, 24.0

_LAYOUTS: dict[GraphLayout, Callable[[Graph], Picture]] = {
    GraphLayout.COLUMNS: picture_of,
    GraphLayout.STACK: stacked,
    GraphLayout.TREE: grown,
    GraphLayout.TILES: tiled,
}


def laid_out(graph: Graph) -> Picture:
    """Return the picture of a graph, laid out as it asks."""
    return _LAYOUTS[graph.layout](graph)


def svg_of(graph: Graph, line: str = "") -> str:
    """Return a graph as SVG; the same graph gives the same text. `line` goes below it."""
    picture = laid_out(graph)
    if not line:
        return svg_text(picture)
    below = Label(
        Point(_MARGIN, picture.height + _LINE / 2), line, SMALL_SIZE, middle=False, colour="#666666"
    )
    width = max(picture.width, 2 * _MARGIN + text_width(line, SMALL_SIZE))
    return svg_text(Picture(picture.title, width, picture.height + _LINE, (*picture.items, below)))

"""Graphs drawn as SVG, the same on every machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.analysis.branches import grown
from cardwright.analysis.graph import GraphLayout
from cardwright.analysis.layout import picture_of
from cardwright.analysis.stacking import stacked
from cardwright.analysis.svg import svg_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.analysis.graph import Graph
    from cardwright.analysis.picture import Picture

_LAYOUTS: dict[GraphLayout, Callable[[Graph], Picture]] = {
    GraphLayout.COLUMNS: picture_of,
    GraphLayout.STACK: stacked,
    GraphLayout.TREE: grown,
}


def svg_of(graph: Graph) -> str:
    """Return a graph as SVG, laid out as it asks; the same graph gives the same text."""
    return svg_text(_LAYOUTS[graph.layout](graph))

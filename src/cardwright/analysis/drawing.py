"""Graphs drawn as SVG: by Graphviz where it is installed and wanted, or by our own layouts."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from cardwright.analysis.branches import grown
from cardwright.analysis.dot import dot_text, drawn_by_graphviz
from cardwright.analysis.layout import picture_of
from cardwright.analysis.stacking import stacked
from cardwright.analysis.svg import svg_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.analysis.graph import Graph
    from cardwright.analysis.picture import Picture


class Layout(StrEnum):
    """How a graph is laid out: boxes side by side, one below the other, or a tree."""

    COLUMNS = "columns"
    STACK = "stack"
    TREE = "tree"


_LAYOUTS: dict[Layout, Callable[[Graph], Picture]] = {
    Layout.COLUMNS: picture_of,
    Layout.STACK: stacked,
    Layout.TREE: grown,
}


def svg_of(graph: Graph, layout: Layout, *, graphviz: bool | None = None) -> str:
    """Return a graph as SVG.

    `graphviz` lets Graphviz draw it where there is a program `dot` on the path; what comes then
    depends on its version. Unless it is given, this is done for the layout `COLUMNS` only: the two
    others know more about what they draw. Otherwise the layout draws, and gives the same text
    everywhere. Raises GraphvizError if `dot` is there and fails.
    """
    if graphviz or (graphviz is None and layout is Layout.COLUMNS):
        drawn = drawn_by_graphviz(dot_text(graph))
        if drawn is not None:
            return drawn
    return svg_text(_LAYOUTS[layout](graph))

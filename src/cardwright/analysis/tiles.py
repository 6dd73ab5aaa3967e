"""Several graphs in one picture: a tile for each, from left to right and from top to bottom."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from cardwright.analysis.errors import AnalysisError
from cardwright.analysis.graph import Graph, GraphCluster, GraphLayout
from cardwright.analysis.layout import picture_of
from cardwright.analysis.legend import legend_items
from cardwright.analysis.picture import TITLE_SIZE, Curve, Item, Label, Outline, Picture, Point

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.analysis.graph import GraphNode

_ACROSS = 1_600.0
"""Pixels that a row of tiles fills at most, unless a single one is wider."""

_TOP = 2.5 * TITLE_SIZE


def side_by_side(title: str, graphs: Sequence[Graph]) -> Graph:
    """Return graphs in one, a box for each with its title; the legend is that of all.

    Raises AnalysisError for none.
    """
    if not graphs:
        raise AnalysisError("there are no diagrams to draw side by side")
    items = tuple(
        GraphCluster(f"{at}", one.title, tuple(_under(at, item) for item in one.items))
        for at, one in enumerate(graphs)
    )
    edges = tuple(
        replace(edge, source=f"{at}/{edge.source}", target=f"{at}/{edge.target}")
        for at, one in enumerate(graphs)
        for edge in one.edges
    )
    counted = " and ".join(dict.fromkeys(one.counted for one in graphs if one.counted))
    legend = {key.text: key for one in graphs for key in one.legend}
    return Graph(
        title, items, edges, graphs[0].directed, tuple(legend.values()), GraphLayout.TILES, counted
    )


def _under(at: int, item: GraphNode | GraphCluster) -> GraphNode | GraphCluster:
    """Return an item with a number before its identifiers, so that they differ from others'."""
    if isinstance(item, GraphCluster):
        return replace(
            item, id=f"{at}/{item.id}", items=tuple(_under(at, inner) for inner in item.items)
        )
    return replace(item, id=f"{at}/{item.id}")


def tiled(graph: Graph) -> Picture:
    """Return graphs side by side as a picture."""
    items: list[Item] = []
    x, y, width, deep = 0.0, _TOP, 0.0, 0.0
    for box in graph.items:
        assert isinstance(box, GraphCluster)
        inside = {node.id for node in box.nodes()}
        edges = tuple(edge for edge in graph.edges if edge.source in inside)
        tile = picture_of(Graph(box.label, box.items, edges, graph.directed))
        if x and x + tile.width > _ACROSS:
            x, y, deep = 0.0, y + deep, 0.0
        items += [_moved(item, x, y) for item in tile.items]
        x, deep = x + tile.width, max(deep, tile.height)
        width = max(width, x)
    height = y + deep
    if graph.legend:
        entries, width, height = legend_items(graph.legend, width, height)
        items += entries
    items.append(Label(Point(width / 2, TITLE_SIZE), graph.title, TITLE_SIZE, bold=True))
    return Picture(graph.title, width, height, tuple(items))


def _moved(item: Item, right: float, down: float) -> Item:
    def place(point: Point) -> Point:
        return Point(point.x + right, point.y + down)

    match item:
        case Outline():
            return replace(item, centre=place(item.centre))
        case Label():
            return replace(item, at=place(item.at))
        case Curve():
            return replace(item, points=tuple(map(place, item.points)))

"""A layout of trees that grow to the right: a row for each leaf, a column for each depth."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.analysis.graph import NodeShape
from cardwright.analysis.picture import (
    TITLE_SIZE,
    Curve,
    Item,
    Label,
    Outline,
    Picture,
    Point,
    text_width,
)

if TYPE_CHECKING:
    from cardwright.analysis.graph import Graph, GraphNode

_MARGIN = 20.0
_ROW = 24.0
_GAP = 34.0
_TEXT = 12.0
_EDGE = "#808080"


def grown(graph: Graph) -> Picture:
    """Return a tree as a picture; each node except the first has an edge from an earlier one."""
    nodes = {node.id: node for node in graph.nodes()}
    below: dict[str, list[str]] = {name: [] for name in nodes}
    depth = dict.fromkeys(nodes, 0)
    for edge in graph.edges:
        below[edge.source].append(edge.target)
        depth[edge.target] = depth[edge.source] + 1
    y, end = _rows(list(nodes), below)
    x, width = _columns(nodes, depth)
    width = max(width, text_width(graph.title, TITLE_SIZE) + 2 * _MARGIN)
    items: list[Item] = []
    for edge in graph.edges:
        start = Point(x[edge.source] + _size(nodes[edge.source])[0], y[edge.source])
        stop = Point(x[edge.target], y[edge.target])
        half = (stop.x - start.x) / 2
        bend = (Point(start.x + half, start.y), Point(stop.x - half, stop.y))
        items.append(Curve((start, *bend, stop), _EDGE, arrow=False))
    for name, node in nodes.items():
        items += _drawn(node, Point(x[name], y[name]))
    title = Label(Point(width / 2, _MARGIN + TITLE_SIZE / 2), graph.title, TITLE_SIZE)
    return Picture(graph.title, width, end + _MARGIN, (*items, title))


def _rows(names: list[str], below: dict[str, list[str]]) -> tuple[dict[str, float], float]:
    """Return the vertical position of each node: leaves in order, others centred on their children.

    Children come after their parents in the list, so it is processed from its end.
    """
    leaves = dict.fromkeys(names, 0)
    for name in reversed(names):
        leaves[name] = sum(leaves[child] for child in below[name]) or 1
    top = _MARGIN + TITLE_SIZE + 16
    first = {names[0]: top} if names else {}
    for name in names:
        start = first[name]
        for child in below[name]:
            first[child] = start
            start += leaves[child] * _ROW
    y: dict[str, float] = {}
    for name in reversed(names):
        inner = below[name]
        y[name] = (y[inner[0]] + y[inner[-1]]) / 2 if inner else first[name] + _ROW / 2
    return y, top + (leaves[names[0]] if names else 0) * _ROW


def _columns(nodes: dict[str, GraphNode], depth: dict[str, int]) -> tuple[dict[str, float], float]:
    """Return the x at which each node begins, and where the last column ends."""
    widths = [0.0] * (max(depth.values(), default=0) + 1)
    for name, node in nodes.items():
        widths[depth[name]] = max(widths[depth[name]], _size(node)[0])
    starts = [_MARGIN]
    for width in widths:
        starts.append(starts[-1] + width + _GAP)
    return {name: starts[depth[name]] for name in nodes}, starts[-1] - _GAP + _MARGIN


def _size(node: GraphNode) -> tuple[float, float]:
    wide = max(text_width(line, _TEXT) for line in node.lines)
    extra = {NodeShape.DIAMOND: 44, NodeShape.OVAL: 20, NodeShape.PLAIN: 6}.get(node.shape, 14)
    return max(26.0, wide + extra), _ROW - (2 if node.shape is NodeShape.DIAMOND else 5)


def _drawn(node: GraphNode, at: Point) -> list[Item]:
    wide, high = _size(node)
    centre = Point(at.x + wide / 2, at.y)
    colour = "white" if node.fill == "red" else "black"
    text = Label(centre, " ".join(node.lines), _TEXT, colour=colour)
    if node.shape is NodeShape.PLAIN:
        return [text]
    return [Outline(centre, wide, high, node.shape, node.fill, stroke="#606060"), text]

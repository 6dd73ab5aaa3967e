"""Layouts without crossings: from top to bottom with nested boxes, and trees to the right.

In a stack an edge that leaves no box leads to the next item, straight down. One that leaves a box
for something below runs along its left, one back up to the start of a box along its right. In a
tree there is a row for each leaf, and a column for each depth.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright.analysis.diagrams.graph import GraphCluster, NodeShape
from cardwright.analysis.diagrams.picture import (
    SMALL_SIZE,
    TITLE_SIZE,
    Curve,
    Item,
    Label,
    Outline,
    Picture,
    Point,
    straight,
    text_width,
    towards,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cardwright.analysis.diagrams.graph import Graph, GraphNode

_MARGIN, _GAP, _LANE, _HEADER, _LINE = 20.0, 26.0, 22.0, 24.0, 17.0
_ROUND = 9.0
_TEXT = 13.0
_TREE_ROW, _TREE_GAP, _TREE_TEXT = 24.0, 34.0, 12.0


@dataclass
class _Place:
    """The position of a node or a box: its top, half its width and its height; x is the middle.

    `within` are the boxes around it, outermost first.
    """

    top: float
    half: float
    height: float = 0.0
    within: tuple[str, ...] = ()
    x: float = 0.0

    @property
    def bottom(self) -> float:
        return self.top + self.height

    def side(self, way: int) -> Point:
        """Return the middle of its left (-1) or its right side (1)."""
        return Point(self.x + way * self.half, self.top + self.height / 2)


def stacked(graph: Graph) -> Picture:
    """Return a graph as a picture with its items from top to bottom."""
    places: dict[str, _Place] = {}
    end, half = _stack(places, graph.items, _MARGIN + TITLE_SIZE + 20, ())
    width = max(2 * half, text_width(graph.title, TITLE_SIZE)) + 2 * (_MARGIN + _LANE)
    for place in places.values():
        place.x = width / 2
    boxes, nodes, labels = list[Item](), list[Item](), list[Item]()
    for item, place in _everything(graph.items, places):
        centre = Point(place.x, place.top + place.height / 2)
        size = centre, 2 * place.half, place.height
        if isinstance(item, GraphCluster):
            boxes.append(Outline(*size, fill=item.fill, name=item.label))
            at = Point(place.side(-1).x + 10, place.top + _HEADER / 2 + 1)
            labels.append(Label(at, item.label, _TEXT, middle=False, bold=True))
        else:
            nodes.append(Outline.of(item, *size))
            labels += _lines(item, place)
    curves: list[Item] = []
    for edge in graph.edges:
        corners = _corners(places, places[edge.source], places[edge.target])
        curves.append(Curve(_rounded(corners), edge.colour, edge.width, edge.line, name=edge.label))
        if edge.label:
            at = _beside(corners, text_width(edge.label, SMALL_SIZE))
            labels.append(Label(at, edge.label, SMALL_SIZE, False, "#555555", halo=True))
    title = Label(Point(width / 2, _MARGIN + TITLE_SIZE / 2), graph.title, TITLE_SIZE)
    items = (*boxes, *curves, *nodes, *labels, title)
    return Picture(graph.title, width, end + _MARGIN, items)


def _stack(
    places: dict[str, _Place],
    items: Sequence[GraphNode | GraphCluster],
    top: float,
    within: tuple[str, ...],
) -> tuple[float, float]:
    """Place items from top to bottom; return where they end, and half their width."""
    half = 0.0
    for item in items:
        if isinstance(item, GraphCluster):
            place = places[item.id] = _Place(top, 0.0, within=within)
            end, inside = _stack(places, item.items, top + _HEADER + 8, (*within, item.id))
            place.height = end + _GAP * 0.8 - top
            place.half = max(inside + 2 * _LANE, text_width(item.label, _TEXT) / 2 + _LANE)
        else:
            extra = 56 if item.shape is NodeShape.OVAL else 24
            wide = max(90.0, max(text_width(line, _TEXT) for line in item.lines) + extra)
            high = 16.0 + _LINE * len(item.lines)
            place = places[item.id] = _Place(top, wide / 2, high, within)
        half = max(half, place.half)
        top = place.bottom + _GAP
    return top - _GAP, half


def _everything(
    items: Sequence[GraphNode | GraphCluster], places: dict[str, _Place]
) -> Iterator[tuple[GraphNode | GraphCluster, _Place]]:
    for item in items:
        yield item, places[item.id]
        if isinstance(item, GraphCluster):
            yield from _everything(item.items, places)


def _lines(node: GraphNode, place: _Place) -> Iterator[Label]:
    x = place.side(-1).x + 12 if node.left else place.x
    for number, line in enumerate(node.lines):
        indent = text_width(" ") * (len(line) - len(line.lstrip())) if node.left else 0
        y = place.top + 8 + _LINE * (number + 0.5)
        yield Label(Point(x + indent, y), line, _TEXT, middle=not node.left)


def _corners(places: dict[str, _Place], source: _Place, target: _Place) -> list[Point]:
    """Return an edge's way: straight down, along the left of a box that it leaves, or back up."""
    back = target.top < source.top
    if not back and set(source.within) <= set(target.within):
        return [Point(source.x, source.bottom), Point(target.x, target.top)]
    left = [source.side(-1)]
    if set(source.within) - set(target.within):
        # The outermost box around the one that is not around the other.
        outer = places[next(box for box in source.within if box not in target.within)]
        below = outer.bottom + _GAP * (0.4 if back else 0.5)
        lane = places[source.within[-1]].side(-1).x + _LANE / 2
        left += [Point(lane, left[0].y), Point(lane, below)]
    if not back:
        return [*left, Point(target.x, left[-1].y), Point(target.x, target.top)]
    up, entry = places[target.within[-1]].side(1).x - _LANE / 2, target.side(1)
    if source.within == target.within:
        left = [source.side(1)]
    return [*left, Point(up, left[-1].y), Point(up, entry.y), entry]


def _beside(corners: Sequence[Point], wide: float) -> Point:
    """Return where an edge's label begins: over its first or last segment, whichever is longer."""
    (start, on), (before, end) = corners[:2], corners[-2:]
    if start.x == on.x:
        return Point(start.x + 8, (start.y + on.y) / 2)
    if before.y == end.y and abs(before.x - end.x) > abs(start.x - on.x):
        return Point(end.x + 14 if before.x > end.x else end.x - 14 - wide, end.y - 8)
    return Point(start.x + 6 if on.x > start.x else start.x - 6 - wide, start.y - 8)


def _rounded(corners: Sequence[Point]) -> tuple[Point, ...]:
    """Return a curve along straight lines with rounded corners."""
    points = [corners[0]]
    for before, corner, after in zip(corners, corners[1:], corners[2:], strict=False):
        start, end = _bend(corner, before), _bend(corner, after)
        points += straight(points[-1], start)[1:]
        # These control points make the rounding nearly circular.
        points += [towards(start, corner, 0.55), towards(end, corner, 0.55), end]
    points += straight(points[-1], corners[-1])[1:]
    return tuple(points)


def _bend(corner: Point, other: Point) -> Point:
    """Return the point at which a rounding begins, at most halfway to the next corner."""
    length = abs(other.x - corner.x) + abs(other.y - corner.y)
    return towards(corner, other, min(_ROUND, length / 2) / length if length else 0.0)


# Trees ------------------------------------------------------------------------------------------


def grown(graph: Graph) -> Picture:
    """Return a tree as a picture; each node except the first has an edge from an earlier one."""
    nodes = {node.id: node for node in graph.nodes()}
    below: dict[str, list[str]] = {name: [] for name in nodes}
    depth = dict.fromkeys(nodes, 0)
    for edge in graph.edges:
        below[edge.source].append(edge.target)
        depth[edge.target] = depth[edge.source] + 1
    y, end = _tree_rows(list(nodes), below)
    columns = [0.0] * (max(depth.values(), default=0) + 1)
    for name, node in nodes.items():
        columns[depth[name]] = max(columns[depth[name]], _tree_size(node)[0])
    starts = [_MARGIN]
    for width in columns:
        starts.append(starts[-1] + width + _TREE_GAP)
    width = max(starts[-1] - _TREE_GAP + _MARGIN, text_width(graph.title, TITLE_SIZE) + 2 * _MARGIN)
    items: list[Item] = []
    for edge in graph.edges:
        source, target = edge.source, edge.target
        start = Point(starts[depth[source]] + _tree_size(nodes[source])[0], y[source])
        stop = Point(starts[depth[target]], y[target])
        middle = (start.x + stop.x) / 2
        bend = Point(middle, start.y), Point(middle, stop.y)
        items.append(Curve((start, *bend, stop), "#808080", arrow=False))
    for name, node in nodes.items():
        wide, high = _tree_size(node)
        centre = Point(starts[depth[name]] + wide / 2, y[name])
        if node.shape is not NodeShape.PLAIN:
            items.append(Outline(centre, wide, high, node.shape, node.fill, stroke="#606060"))
        colour = "white" if node.fill == "red" else "black"
        items.append(Label(centre, " ".join(node.lines), _TREE_TEXT, colour=colour))
    title = Label(Point(width / 2, _MARGIN + TITLE_SIZE / 2), graph.title, TITLE_SIZE)
    return Picture(graph.title, width, end + _MARGIN, (*items, title))


def _tree_rows(names: list[str], below: dict[str, list[str]]) -> tuple[dict[str, float], float]:
    """Return the vertical position of each node: leaves in order, others centred on their children.

    Children come after their parents in the list, so it is processed from its end.
    """
    leaves: dict[str, int] = {}
    for name in reversed(names):
        leaves[name] = sum(leaves[child] for child in below[name]) or 1
    top = _MARGIN + TITLE_SIZE + 16
    first = {names[0]: top} if names else {}
    for name in names:
        start = first[name]
        for child in below[name]:
            first[child] = start
            start += leaves[child] * _TREE_ROW
    y: dict[str, float] = {}
    for name in reversed(names):
        inner = below[name]
        y[name] = (y[inner[0]] + y[inner[-1]]) / 2 if inner else first[name] + _TREE_ROW / 2
    return y, top + (leaves[names[0]] if names else 0) * _TREE_ROW


def _tree_size(node: GraphNode) -> tuple[float, float]:
    wide = max(text_width(line, _TREE_TEXT) for line in node.lines)
    extra = {NodeShape.DIAMOND: 44, NodeShape.OVAL: 20, NodeShape.PLAIN: 6}.get(node.shape, 14)
    return max(26.0, wide + extra), _TREE_ROW - (2 if node.shape is NodeShape.DIAMOND else 5)

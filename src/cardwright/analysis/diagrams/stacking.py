"""Layouts without crossings: from top to bottom with nested boxes, and trees to the right."""

from __future__ import annotations

from dataclasses import dataclass, field
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
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.analysis.diagrams.graph import Edge, Graph, GraphNode

_MARGIN = 20.0
_GAP = 26.0
_LANE = 22.0
_HEADER = 24.0
_LINE = 17.0
_ROUND = 9.0
_TEXT = 13.0


@dataclass
class _Place:
    """The position of a node or a box: its top, height and half its width; x is 0 in the middle.

    `within` are the boxes around it, outermost first.
    """

    top: float
    half: float
    height: float = 0.0
    within: tuple[str, ...] = ()

    @property
    def bottom(self) -> float:
        return self.top + self.height

    @property
    def middle(self) -> float:
        return self.top + self.height / 2


@dataclass
class _Stack:
    places: dict[str, _Place] = field(default_factory=dict)

    def add(
        self, items: Sequence[GraphNode | GraphCluster], top: float, within: tuple[str, ...]
    ) -> tuple[float, float]:
        """Place items from top to bottom; return where they end, and half their width."""
        half = 0.0
        for item in items:
            if isinstance(item, GraphCluster):
                place = self.places[item.id] = _Place(top, 0.0, within=within)
                inner = (*within, item.id)
                end, inside = self.add(item.items, top + _HEADER + 8, inner)
                place.height = end + _GAP * 0.8 - top
                place.half = max(inside + 2 * _LANE, text_width(item.label, _TEXT) / 2 + _LANE)
            else:
                wide, high = _size(item)
                place = self.places[item.id] = _Place(top, wide / 2, high, within)
            half = max(half, place.half)
            top = place.bottom + _GAP
        return top - _GAP, half


def stacked(graph: Graph) -> Picture:
    """Return a graph as a picture with its items from top to bottom."""
    stack = _Stack()
    end, half = stack.add(graph.items, _MARGIN + TITLE_SIZE + 20, ())
    width = max(2 * half, text_width(graph.title, TITLE_SIZE)) + 2 * (_MARGIN + _LANE)
    drawing = _Drawing(stack.places, width / 2)
    for item in graph.items:
        drawing.item(item)
    for edge in graph.edges:
        drawing.edge(edge)
    title = Label(Point(width / 2, _MARGIN + TITLE_SIZE / 2), graph.title, TITLE_SIZE)
    items = (*drawing.boxes, *drawing.curves, *drawing.nodes, *drawing.labels, title)
    return Picture(graph.title, width, end + _MARGIN, items)


def _size(node: GraphNode) -> tuple[float, float]:
    wide = max(text_width(line, _TEXT) for line in node.lines)
    extra = 56 if node.shape is NodeShape.OVAL else 24
    return max(90.0, wide + extra), 16.0 + _LINE * len(node.lines)


class _Drawing:
    """Turns placed things into shapes; `x` is their middle."""

    def __init__(self, places: dict[str, _Place], x: float) -> None:
        self._places = places
        self._x = x
        self.boxes: list[Item] = []
        self.curves: list[Item] = []
        self.nodes: list[Item] = []
        self.labels: list[Item] = []

    def item(self, item: GraphNode | GraphCluster) -> None:
        """Draw a node, or a box and its content."""
        place = self._places[item.id]
        centre = Point(self._x, place.middle)
        if isinstance(item, GraphCluster):
            name, shape = item.label, NodeShape.BOX
            self.boxes.append(
                Outline(centre, 2 * place.half, place.height, shape, item.fill, name=name)
            )
            at = Point(self._x - place.half + 10, place.top + _HEADER / 2 + 1)
            self.labels.append(Label(at, item.label, _TEXT, middle=False, bold=True))
            for inner in item.items:
                self.item(inner)
            return
        self.nodes.append(
            Outline(
                centre,
                2 * place.half,
                place.height,
                item.shape,
                item.fill,
                stroke_width=item.width,
                line=item.border,
                name=item.id,
            )
        )
        x = self._x - place.half + 12 if item.left else self._x
        for number, line in enumerate(item.lines):
            indent = text_width(" ") * (len(line) - len(line.lstrip())) if item.left else 0
            y = place.top + 8 + _LINE * (number + 0.5)
            self.labels.append(Label(Point(x + indent, y), line, _TEXT, middle=not item.left))

    def edge(self, edge: Edge) -> None:
        """Draw an edge: straight down, along the left of a box that it leaves, or back up."""
        source, target = self._places[edge.source], self._places[edge.target]
        back = target.top < source.top
        if back:
            corners = self._back(source, target)
        elif set(source.within) <= set(target.within):
            corners = [Point(self._x, source.bottom), Point(self._x, target.top)]
        else:
            corners = self._out(source, target)
        self.curves.append(
            Curve(rounded(corners), edge.colour, edge.width, edge.line, name=edge.label)
        )
        if edge.label:
            at = _beside(corners, text_width(edge.label, SMALL_SIZE))
            self.labels.append(
                Label(at, edge.label, SMALL_SIZE, middle=False, colour="#555555", halo=True)
            )

    def _left(self, source: _Place, target: _Place) -> _Place:
        """Return the outermost box around a thing that is not around the other thing."""
        name = next(box for box in source.within if box not in target.within)
        return self._places[name]

    def _out(self, source: _Place, target: _Place) -> list[Point]:
        outer = self._left(source, target)
        inner = self._places[source.within[-1]]
        x = self._x - inner.half + _LANE / 2
        below = outer.bottom + _GAP / 2
        return [
            Point(self._x - source.half, source.middle),
            Point(x, source.middle),
            Point(x, below),
            Point(self._x, below),
            Point(self._x, target.top),
        ]

    def _back(self, source: _Place, target: _Place) -> list[Point]:
        box = self._places[target.within[-1]]
        x = self._x + box.half - _LANE / 2
        up = [Point(x, target.middle), Point(self._x + target.half, target.middle)]
        if source.within == target.within:
            side = Point(self._x + source.half, source.middle)
            return [side, Point(x, source.middle), *up]
        outer = self._left(source, target)
        inner = self._places[source.within[-1]]
        left = self._x - inner.half + _LANE / 2
        below = outer.bottom + _GAP * 0.4
        return [
            Point(self._x - source.half, source.middle),
            Point(left, source.middle),
            Point(left, below),
            Point(x, below),
            *up,
        ]


def _beside(corners: Sequence[Point], wide: float) -> Point:
    """Return where an edge's label begins: over its first or last segment, whichever is longer."""
    (start, on), (before, end) = corners[:2], corners[-2:]
    if start.x == on.x:
        return Point(start.x + 8, (start.y + on.y) / 2)
    if before.y == end.y and abs(before.x - end.x) > abs(start.x - on.x):
        return Point(end.x + 14 if before.x > end.x else end.x - 14 - wide, end.y - 8)
    return Point(start.x + 6 if on.x > start.x else start.x - 6 - wide, start.y - 8)


def rounded(corners: Sequence[Point]) -> tuple[Point, ...]:
    """Return a curve along straight lines with rounded corners."""
    points = [corners[0]]
    for before, corner, after in zip(corners, corners[1:], corners[2:], strict=False):
        start, end = _towards(corner, before), _towards(corner, after)
        points += straight(points[-1], start)[1:]
        points += [_between(start, corner), _between(end, corner), end]
    points += straight(points[-1], corners[-1])[1:]
    return tuple(points)


def _towards(corner: Point, other: Point) -> Point:
    """Return the point at which a rounding begins, at most halfway to the next corner."""
    length = abs(other.x - corner.x) + abs(other.y - corner.y)
    share = min(_ROUND, length / 2) / length if length else 0.0
    return Point(corner.x + (other.x - corner.x) * share, corner.y + (other.y - corner.y) * share)


def _between(point: Point, corner: Point) -> Point:
    """Return a control point that makes the rounding nearly circular."""
    return Point(point.x + (corner.x - point.x) * 0.55, point.y + (corner.y - point.y) * 0.55)


_TREE_MARGIN = 20.0
_TREE_ROW = 24.0
_TREE_GAP = 34.0
_TREE_TEXT = 12.0
_TREE_EDGE = "#808080"


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
    width = max(width, text_width(graph.title, TITLE_SIZE) + 2 * _TREE_MARGIN)
    items: list[Item] = []
    for edge in graph.edges:
        start = Point(x[edge.source] + _tree_size(nodes[edge.source])[0], y[edge.source])
        stop = Point(x[edge.target], y[edge.target])
        half = (stop.x - start.x) / 2
        bend = (Point(start.x + half, start.y), Point(stop.x - half, stop.y))
        items.append(Curve((start, *bend, stop), _TREE_EDGE, arrow=False))
    for name, node in nodes.items():
        items += _drawn(node, Point(x[name], y[name]))
    title = Label(Point(width / 2, _TREE_MARGIN + TITLE_SIZE / 2), graph.title, TITLE_SIZE)
    return Picture(graph.title, width, end + _TREE_MARGIN, (*items, title))


def _rows(names: list[str], below: dict[str, list[str]]) -> tuple[dict[str, float], float]:
    """Return the vertical position of each node: leaves in order, others centred on their children.

    Children come after their parents in the list, so it is processed from its end.
    """
    leaves = dict.fromkeys(names, 0)
    for name in reversed(names):
        leaves[name] = sum(leaves[child] for child in below[name]) or 1
    top = _TREE_MARGIN + TITLE_SIZE + 16
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


def _columns(nodes: dict[str, GraphNode], depth: dict[str, int]) -> tuple[dict[str, float], float]:
    """Return the x at which each node begins, and where the last column ends."""
    widths = [0.0] * (max(depth.values(), default=0) + 1)
    for name, node in nodes.items():
        widths[depth[name]] = max(widths[depth[name]], _tree_size(node)[0])
    starts = [_TREE_MARGIN]
    for width in widths:
        starts.append(starts[-1] + width + _TREE_GAP)
    return {name: starts[depth[name]] for name in nodes}, starts[-1] - _TREE_GAP + _TREE_MARGIN


def _tree_size(node: GraphNode) -> tuple[float, float]:
    wide = max(text_width(line, _TREE_TEXT) for line in node.lines)
    extra = {NodeShape.DIAMOND: 44, NodeShape.OVAL: 20, NodeShape.PLAIN: 6}.get(node.shape, 14)
    return max(26.0, wide + extra), _TREE_ROW - (2 if node.shape is NodeShape.DIAMOND else 5)


def _drawn(node: GraphNode, at: Point) -> list[Item]:
    wide, high = _tree_size(node)
    centre = Point(at.x + wide / 2, at.y)
    colour = "white" if node.fill == "red" else "black"
    text = Label(centre, " ".join(node.lines), _TREE_TEXT, colour=colour)
    if node.shape is NodeShape.PLAIN:
        return [text]
    return [Outline(centre, wide, high, node.shape, node.fill, stroke="#606060"), text]

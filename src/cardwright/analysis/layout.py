"""The layout of graphs whose nodes stand in boxes: a column for each box, a row for each layer."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from cardwright.analysis.columns import HEADER, LEAST_ROW_GAP, MARGIN, PADDING, Columns, planned
from cardwright.analysis.legend import legend_items
from cardwright.analysis.picture import (
    SMALL_SIZE,
    TITLE_SIZE,
    Curve,
    Item,
    Label,
    Outline,
    Picture,
    Point,
    along,
    text_width,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cardwright.analysis.graph import Edge, Graph, GraphCluster, GraphNode

_BEND = 0.4
"""How much of the way down a curve goes before it bends; at 0.5 it would run level."""

_SHARES = (0.62, 0.5, 0.72, 0.42, 0.34, 0.8, 0.26)
"""Where along an edge its label may be, best first."""

_SPREAD = 0.72
"""The share of a node's side over which the ends of its edges are spread."""


def picture_of(graph: Graph) -> Picture:
    """Return a graph as a picture; every node must be in a box, and no box in another."""
    plan = planned(graph)
    items: list[Item] = []
    for column in plan.columns:
        items += _box(plan, column)
    curves, labels = _edges(plan)
    items += curves
    for node in graph.nodes():
        items += _node(plan, node)
    items += _apart(plan, labels)
    width, height = plan.width, plan.height
    if graph.legend:
        entries, width, height = legend_items(graph.legend, width, height)
        items += entries
    title = Label(Point(width / 2, MARGIN + TITLE_SIZE / 2), graph.title, TITLE_SIZE)
    return Picture(graph.title, width, height, (*items, title))


def _box(plan: Columns, column: GraphCluster) -> Iterable[Item]:
    rows = [plan.layer[node.id] for node in column.nodes()]
    things = [
        thing
        for (region, row), row_things in plan.rows.items()
        if region == plan.region[column.nodes()[0].id] and min(rows) <= row <= max(rows)
        for thing in row_things
    ]
    left = min(plan.x[thing] - plan.size[thing][0] / 2 for thing in things)
    right = max(plan.x[thing] + plan.size[thing][0] / 2 for thing in things)
    least = text_width(column.label) + 10
    if right - left < least:
        left, right = (left + right - least) / 2, (left + right + least) / 2
    tops = [plan.y[plan.layer[node.id]] - plan.size[node.id][1] / 2 for node in column.nodes()]
    bottoms = [plan.y[plan.layer[node.id]] + plan.size[node.id][1] / 2 for node in column.nodes()]
    top, bottom = min(tops) - HEADER, max(bottoms) + PADDING
    centre = Point((left + right) / 2, (top + bottom) / 2)
    width = right - left + 2 * PADDING
    yield Outline(centre, width, bottom - top, fill=column.fill, name=column.label)
    yield Label(Point(left - 6, top + HEADER / 2 - 1), column.label, middle=False)


def _node(plan: Columns, node: GraphNode) -> Iterable[Item]:
    centre = Point(plan.x[node.id], plan.y[plan.layer[node.id]])
    yield Outline(
        centre,
        *plan.size[node.id],
        node.shape,
        node.fill,
        stroke_width=node.width,
        line=node.border,
        name=node.id,
    )
    first = centre.y - 17 * (len(node.lines) - 1) / 2
    for number, line in enumerate(node.lines):
        yield Label(Point(centre.x, first + 17 * number), line)


def _edges(plan: Columns) -> tuple[list[Item], list[tuple[Edge, tuple[Point, ...]]]]:
    """Return all edges as curves, and those with a label with their points."""
    ends = _ends(plan)
    curves: list[Item] = []
    labelled = []
    for number, (edge, chain) in enumerate(zip(plan.graph.edges, plan.chains, strict=True)):
        start, end = ends[number, 0], ends[number, 1]
        if plan.layer[edge.source] == plan.layer[edge.target]:
            points = _arc(plan, edge, start, end)
        else:
            middle = [Point(plan.x[thing], plan.y[plan.layer[thing]]) for thing in chain[1:-1]]
            points = _down(start, *middle, end)
        name = f"{edge.source} → {edge.target}"
        arrow = plan.graph.directed
        curves.append(Curve(points, edge.colour, edge.width, edge.line, arrow, name))
        if edge.label:
            labelled.append((edge, points))
    return curves, labelled


def _apart(plan: Columns, labelled: list[tuple[Edge, tuple[Point, ...]]]) -> Iterable[Item]:
    """Yield the labels of edges, each where its edge is clear of nodes and other labels."""
    taken = [
        (Point(plan.x[node], plan.y[plan.layer[node]]), *plan.size[node]) for node in plan.place
    ]
    for edge, points in labelled:
        box = text_width(edge.label, SMALL_SIZE), SMALL_SIZE + 2.0
        last = len(points) // 3 - 1
        places = [along(points, piece, t) for piece in range(last, -1, -1) for t in _SHARES]
        place = min(places, key=lambda at: sum(_overlap((at, *box), other) for other in taken))
        taken.append((place, *box))
        yield Label(place, edge.label, SMALL_SIZE, colour=edge.colour, halo=True)


def _overlap(one: tuple[Point, float, float], other: tuple[Point, float, float]) -> float:
    """Return the area that two boxes share; each is a middle, a width and a height."""
    wide = (one[1] + other[1]) / 2 - abs(one[0].x - other[0].x)
    high = (one[2] + other[2]) / 2 - abs(one[0].y - other[0].y)
    return max(wide, 0.0) * max(high, 0.0)


def _down(*points: Point) -> tuple[Point, ...]:
    """Return a curve that passes all points vertically."""
    found = [points[0]]
    for start, end in pairwise(points):
        rise = (end.y - start.y) * _BEND
        found += [Point(start.x, start.y + rise), Point(end.x, end.y - rise), end]
    return tuple(found)


def _arc(plan: Columns, edge: Edge, start: Point, end: Point) -> tuple[Point, ...]:
    """Return a curve within a layer: over the nodes to the right, under them to the left."""
    sign = -1 if _rightwards(plan, edge) else 1
    rise = min(22 + 0.06 * abs(end.x - start.x), 0.62 * LEAST_ROW_GAP) / 0.75
    return (
        start,
        Point(start.x + (end.x - start.x) * 0.15, start.y + sign * rise),
        Point(end.x - (end.x - start.x) * 0.15, end.y + sign * rise),
        end,
    )


def _rightwards(plan: Columns, edge: Edge) -> bool:
    return plan.x[edge.source] < plan.x[edge.target]


def _ends(plan: Columns) -> dict[tuple[int, int], Point]:
    """Return where each edge starts (0) and ends (1): spread along its nodes, in order of x."""
    sides: dict[tuple[str, int], list[tuple[float, int, int]]] = {}
    for number, (edge, chain) in enumerate(zip(plan.graph.edges, plan.chains, strict=True)):
        if plan.layer[edge.source] == plan.layer[edge.target]:
            up = -1 if _rightwards(plan, edge) else 1
            ways = (up, up)
        else:
            up = 1 if plan.layer[edge.target] > plan.layer[edge.source] else -1
            ways = (up, -up)
        for which, (thing, other) in enumerate(((chain[0], chain[1]), (chain[-1], chain[-2]))):
            entry = plan.x[other], number, which
            sides.setdefault((thing, ways[which]), []).append(entry)
    found = {}
    for (node, side), entries in sides.items():
        wide, high = plan.size[node]
        y = plan.y[plan.layer[node]] + side * high / 2
        step = min(wide * _SPREAD / len(entries), 16)
        for at, (_, number, which) in enumerate(sorted(entries)):
            x = plan.x[node] + (at - (len(entries) - 1) / 2) * step
            found[number, which] = Point(x, y)
    return found

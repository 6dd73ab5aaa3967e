"""Columns: positions of nodes and edges in a graph whose boxes stand side by side.

The first box is in the middle, with half of the others on each side. An edge over several layers is
routed through points between the columns, or where a column is empty; within its column if both
ends are there. Nodes and points are ordered by the mean position of their neighbours
(Sugiyama, Tagawa and Toda, "Methods for visual understanding of hierarchical system structures",
1981), within their columns.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias

from cardwright.analysis.graph import GraphCluster
from cardwright.analysis.layers import layers
from cardwright.analysis.picture import TITLE_SIZE, text_width

if TYPE_CHECKING:
    from cardwright.analysis.graph import Edge, Graph, GraphNode

Region: TypeAlias = int
"""A vertical strip of the picture: 2k + 1 is the k-th column, 2k the gap before it."""

Thing: TypeAlias = str
"""The id of a node, or the name of a point on an edge."""

MARGIN = 16.0
PADDING = 14.0
HEADER = 24.0
_SWEEPS = 8
_GAP_X = 18.0
_LANE = 14.0
_LEAST_GAP = 30.0
LEAST_ROW_GAP, _MOST_ROW_GAP = 62.0, 150.0
_PER_EDGE = 3.0
"""How much further apart two rows are for each edge between two columns there."""


@dataclass
class Columns:
    """The positions of everything, filled step by step by `planned`.

    `place` numbers the nodes in their own order; `rows` has the things of each region and layer
    from left to right, `chains` those that each edge passes, from its source to its target. `x` is
    the middle of each thing, `y` that of each layer.
    """

    graph: Graph
    columns: list[GraphCluster]
    layer: dict[str, int]
    place: dict[Thing, int]
    region: dict[Thing, Region] = field(default_factory=dict)
    rows: dict[tuple[Region, int], list[Thing]] = field(default_factory=dict)
    size: dict[Thing, tuple[float, float]] = field(default_factory=dict)
    chains: list[list[Thing]] = field(default_factory=list)
    x: dict[Thing, float] = field(default_factory=dict)
    y: list[float] = field(default_factory=list)
    width: float = 0.0
    height: float = 0.0


def planned(graph: Graph) -> Columns:
    """Return the positions of a graph's nodes and edges."""
    boxes = [item for item in graph.items if isinstance(item, GraphCluster)]
    order = {node.id: at for at, node in enumerate(graph.nodes())}
    plan = Columns(graph, _in_order(boxes), layers(graph), order)
    for number, column in enumerate(plan.columns):
        for node in column.nodes():
            plan.size[node.id] = node_size(node)
            _put(plan, node.id, 2 * number + 1, plan.layer[node.id])
    for number, edge in enumerate(graph.edges):
        plan.chains.append(_chain(plan, edge, number))
    _rows(plan)
    for sweep in range(_SWEEPS):
        _place(plan)
        _sort(plan, downwards=sweep % 2 == 0)
    _place(plan)
    _make_room(plan, text_width(graph.title, TITLE_SIZE) + 2 * MARGIN)
    return plan


def _in_order(boxes: list[GraphCluster]) -> list[GraphCluster]:
    if not boxes:
        return []
    middle, *others = boxes
    half = (len(others) + 1) // 2
    return [*others[:half], middle, *others[half:]]


def _put(plan: Columns, thing: Thing, region: Region, layer: int) -> None:
    plan.region[thing] = region
    plan.rows.setdefault((region, layer), []).append(thing)


def _chain(plan: Columns, edge: Edge, number: int) -> list[Thing]:
    """Return the things that an edge passes: its source, points on the way, its target."""
    start, end = plan.layer[edge.source], plan.layer[edge.target]
    step = 1 if end > start else -1
    between = []
    for layer in range(start + step, end, step) if start != end else ():
        share = (layer - start) / (end - start)
        point = f"{number} {layer}"
        plan.size[point] = _LANE, 0.0
        plan.layer[point] = layer
        regions = plan.region[edge.source], plan.region[edge.target]
        _put(plan, point, _through(plan, *regions, share, layer), layer)
        between.append(point)
    return [edge.source, *between, edge.target]


def _through(plan: Columns, source: Region, target: Region, share: float, layer: int) -> Region:
    """Return the region through which an edge is routed: near the straight line, but free."""
    if source == target:
        return source
    wanted = source + share * (target - source)
    free = [
        region
        for region in range(2 * len(plan.columns) + 1)
        if region % 2 == 0 or not _spans(plan, plan.columns[region // 2], layer)
    ]
    return min(free, key=lambda region: (abs(region - wanted), abs(region - target), region))


def _spans(plan: Columns, column: GraphCluster, layer: int) -> bool:
    rows = [plan.layer[node.id] for node in column.nodes()]
    return min(rows) <= layer <= max(rows)


def _rows(plan: Columns) -> None:
    """Give each row its height, and leave space between rows for the edges."""
    count = max((plan.layer[node.id] for node in plan.graph.nodes()), default=0) + 1
    heights = [
        max(plan.size[node.id][1] for node in plan.graph.nodes() if plan.layer[node.id] == row)
        for row in range(count)
    ]
    y = gap = MARGIN + TITLE_SIZE + 20 + HEADER
    for row, height in enumerate(heights):
        plan.y.append(y + height / 2)
        gap = _gap(plan, row)
        y += height + gap
    plan.height = y - gap + PADDING + 22


def _gap(plan: Columns, row: int) -> float:
    """Return how far below a row the next one begins: further if more edges cross there."""
    crossing = sum(
        plan.region[one] != plan.region[other] and min(plan.layer[one], plan.layer[other]) == row
        for chain in plan.chains
        for one, other in pairwise(chain)
    )
    return min(LEAST_ROW_GAP + _PER_EDGE * crossing, _MOST_ROW_GAP)


def _place(plan: Columns) -> None:
    """Position all things: each row in the middle of its region."""
    x = MARGIN
    for region in range(2 * len(plan.columns) + 1):
        rows = [things for (where, _), things in plan.rows.items() if where == region]
        need = max((_row_width(plan, things) for things in rows), default=0.0)
        column = region % 2
        if column:
            box = plan.columns[region // 2]
            need = max(need, text_width(box.label) + 10) + 2 * PADDING
        else:
            inner = 0 < region < 2 * len(plan.columns)
            need = max(need + (20 if need else 0), _LEAST_GAP if inner else 0.0)
        for things in rows:
            left = x + (need - _row_width(plan, things)) / 2
            for thing in things:
                plan.x[thing] = left + plan.size[thing][0] / 2
                left += plan.size[thing][0] + (_GAP_X if column else 0)
        x += need
    plan.width = x + MARGIN


def _make_room(plan: Columns, least: float) -> None:
    """Widen a plan to at least this width, with everything centred."""
    aside = max(0.0, least - plan.width) / 2
    plan.x = {thing: x + aside for thing, x in plan.x.items()}
    plan.width += 2 * aside


def _row_width(plan: Columns, things: list[Thing]) -> float:
    gap = _GAP_X if plan.region[things[0]] % 2 else 0
    return sum(plan.size[thing][0] for thing in things) + gap * (len(things) - 1)


def _sort(plan: Columns, *, downwards: bool) -> None:
    """Sort each row by the mean position of neighbours in the layer before it, or after it."""
    near: dict[Thing, list[float]] = {}
    for chain in plan.chains:
        for one, other in pairwise(chain):
            for here, there in ((one, other), (other, one)):
                if (plan.layer[there] < plan.layer[here]) == downwards:
                    near.setdefault(here, []).append(plan.x[there])
    for things in plan.rows.values():
        if len(things) > 1 and any(thing not in plan.place for thing in things):
            means = {
                thing: sum(near[thing]) / len(near[thing]) if thing in near else plan.x[thing]
                for thing in things
            }
            things.sort(key=lambda thing: means[thing])
            _keep_order(plan, things)


def _keep_order(plan: Columns, things: list[Thing]) -> None:
    """Put the nodes among some things back into their own order, in the nodes' slots."""
    at = [number for number, thing in enumerate(things) if thing in plan.place]
    nodes = sorted((things[number] for number in at), key=lambda thing: plan.place[thing])
    for number, node in zip(at, nodes, strict=True):
        things[number] = node


def node_size(node: GraphNode) -> tuple[float, float]:
    """Return the width and height of a rounded box around a node's text."""
    wide = max(text_width(line) for line in node.lines)
    return max(54.0, wide + 20), 20.0 + 17 * len(node.lines)

"""The layout of graphs whose nodes stand in boxes: a column for each box, a row for each layer."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias

from cardwright.analysis.diagrams.graph import Edge, GraphCluster, nodes_of
from cardwright.analysis.diagrams.picture import (
    SMALL_SIZE,
    TITLE_SIZE,
    Curve,
    Item,
    Label,
    Outline,
    Picture,
    Point,
    along,
    straight,
    text_width,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from cardwright.analysis.diagrams.graph import Graph, GraphNode, LegendKey

_ABREAST, _IN_A_ROW = 4, 3
"""The most nodes of one role that stand side by side in a box; if there are more, three in a
row."""


def layers(graph: Graph) -> dict[str, int]:
    """Return the layer of every node, by its id, from 0 at the top, without gaps."""
    nodes = graph.nodes()
    role = {node.id: _role(node) for node in nodes}
    weights = Counter(
        (role[edge.source], role[edge.target])
        for edge in graph.edges
        if role[edge.source] != role[edge.target]
    )
    first = {_role(node) for node in nodes if node.first}
    order = _order(sorted(set(role.values())), weights, first)
    depth = _depths(order, weights)
    return _without_gaps(_spread(graph, role, depth))


def _role(node: GraphNode) -> str:
    return node.role or node.id


def _order(
    roles: Iterable[str], weights: Mapping[tuple[str, str], int], first: set[str]
) -> list[str]:
    """Return the roles in an order against which few edges run, starting with the first ones."""
    left = sorted(first)
    right: list[str] = []
    rest = [role for role in roles if role not in first]
    while rest:
        out = Counter[str]()
        into = Counter[str]()
        for (source, target), weight in weights.items():
            if source in rest and target in rest:
                out[source] += weight
                into[target] += weight
        sinks = [role for role in rest if not out[role]]
        sources = [role for role in rest if not into[role] and out[role]]
        if sinks:
            right[:0] = sinks
            taken = sinks
        elif sources:
            left += sources
            taken = sources
        else:
            best = max(rest, key=lambda role: (out[role] - into[role], _backwards(role)))
            left.append(best)
            taken = [best]
        rest = [role for role in rest if role not in taken]
    return [*left, *right]


def _backwards(text: str) -> tuple[int, ...]:
    """Return a sort key that reverses the alphabetical order."""
    return tuple(-ord(letter) for letter in text)


def _depths(order: list[str], weights: Mapping[tuple[str, str], int]) -> dict[str, int]:
    place = {role: at for at, role in enumerate(order)}
    forward = [pair for pair in weights if place[pair[0]] < place[pair[1]]]
    depth = dict.fromkeys(order, 0)
    for role in order:
        above = [depth[source] for source, target in forward if target == role]
        depth[role] = max(above, default=-1) + 1
    for role in reversed(order):  # a node without incoming edges goes just above its targets
        if not any(target == role for _, target in forward):
            below = [depth[target] for source, target in forward if source == role]
            depth[role] = max(min(below, default=depth[role] + 1) - 1, depth[role])
    return depth


def _spread(
    graph: Graph, role: Mapping[str, str], depth: Mapping[str, int]
) -> dict[str, tuple[int, int]]:
    """Return a layer and a sublayer for each node: many of one role in a box are stacked."""
    found = {}
    for item in graph.items:
        alike: dict[str, list[str]] = {}
        for node in nodes_of((item,)):
            alike.setdefault(role[node.id], []).append(node.id)
        for name, ids in alike.items():
            row = _ABREAST if len(ids) <= _ABREAST else _IN_A_ROW
            found.update({node: (depth[name], at // row) for at, node in enumerate(ids)})
    return found


def _without_gaps(found: Mapping[str, tuple[int, int]]) -> dict[str, int]:
    levels = {level: at for at, level in enumerate(sorted(set(found.values())))}
    return {node: levels[level] for node, level in found.items()}


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

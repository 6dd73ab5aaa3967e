"""The layout of graphs whose nodes stand in boxes: a column for each box, a row for each layer.

Nodes of one role share a layer, whatever box they are in: what players have in common is level.
Edges between roles that would close a cycle are found by the heuristic of Eades, Lin and Smyth, "A
fast and effective heuristic for the feedback arc set problem" (1993), and lead upwards; along the
others each role goes as high as its longest path from above allows.

The first box is in the middle, with half of the others on each side. An edge over several layers is
routed through points between the columns, or where a column is empty; within its column if both
ends are there. Nodes and points are ordered by the mean position of their neighbours (Sugiyama,
Tagawa and Toda, "Methods for visual understanding of hierarchical system structures", 1981), within
their columns.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

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
    from collections.abc import Iterable, Iterator, Mapping

    from cardwright.analysis.diagrams.graph import Graph, GraphNode, LegendKey

_ABREAST, _IN_A_ROW = 4, 3
"""The most nodes of one role that stand side by side in a box; if there are more, three in a
row."""

_MARGIN, _PADDING, _HEADER, _LINE = 16.0, 14.0, 24.0, 17.0
_SWEEPS = 8
_GAP_X, _LANE, _LEAST_GAP = 18.0, 14.0, 30.0
_LEAST_ROW_GAP, _MOST_ROW_GAP = 62.0, 150.0
_PER_EDGE = 3.0
"""How much further apart two rows are for each edge between two columns there."""

_BEND = 0.4
"""How much of the way down a curve goes before it bends; at 0.5 it would run level."""

_SHARES = (0.62, 0.5, 0.72, 0.42, 0.34, 0.8, 0.26)
"""Where along an edge its label may be, best first."""

_SPREAD = 0.72
"""The share of a node's side over which the ends of its edges are spread."""

_MARK, _MARK_GAP = 34.0, 22.0
"""The width of a mark in a legend, and the gap between two entries."""


# Layers -----------------------------------------------------------------------------------------


def layers(graph: Graph) -> dict[str, int]:
    """Return the layer of every node, by its id, from 0 at the top, without gaps."""
    nodes = graph.nodes()
    role = {node.id: node.role or node.id for node in nodes}
    ways = ((role[edge.source], role[edge.target]) for edge in graph.edges)
    weights = Counter((source, target) for source, target in ways if source != target)
    order = _order(set(role.values()), weights, {role[node.id] for node in nodes if node.first})
    depth = _depths(order, weights)
    levels: dict[str, tuple[int, int]] = {}
    for item in graph.items:  # many of one role in a box are stacked
        alike: defaultdict[str, list[str]] = defaultdict(list)
        for node in nodes_of((item,)):
            alike[role[node.id]].append(node.id)
        for name, ids in alike.items():
            row = _ABREAST if len(ids) <= _ABREAST else _IN_A_ROW
            levels.update({node: (depth[name], at // row) for at, node in enumerate(ids)})
    number = {level: at for at, level in enumerate(sorted(set(levels.values())))}
    return {node: number[level] for node, level in levels.items()}


def _order(
    roles: Iterable[str], weights: Mapping[tuple[str, str], int], first: set[str]
) -> list[str]:
    """Return the roles in an order against which few edges run, starting with the first ones."""
    left, right = sorted(first), list[str]()
    rest = [role for role in sorted(roles) if role not in first]
    while rest:
        out, into = Counter[str](), Counter[str]()
        for (source, target), weight in weights.items():
            if source in rest and target in rest:
                out[source] += weight
                into[target] += weight
        if taken := [role for role in rest if not out[role]]:
            right[:0] = taken
        else:
            taken = [role for role in rest if not into[role]]
            # `max` takes the first of equal roles, and these are sorted.
            taken = taken or [max(rest, key=lambda role: out[role] - into[role])]
            left += taken
        rest = [role for role in rest if role not in taken]
    return [*left, *right]


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


# Columns ----------------------------------------------------------------------------------------


@dataclass(eq=False)
class _Thing:
    """A node, or a point at which an edge passes a layer: its place and size.

    `region` is a vertical strip of the picture: 2k + 1 is the k-th column, 2k the gap before it.
    `number` is a node's place in the order of all; None for a point.
    """

    region: int
    layer: int
    width: float
    height: float
    number: int | None = None
    x: float = 0.0
    y: float = 0.0


@dataclass
class _Plan:
    """The positions of everything.

    `rows` has the things of each region and layer from left to right, `chains` those that each edge
    passes, from its source to its target.
    """

    graph: Graph
    columns: list[GraphCluster]
    nodes: dict[str, _Thing] = field(default_factory=dict)
    rows: defaultdict[tuple[int, int], list[_Thing]] = field(
        default_factory=lambda: defaultdict(list)
    )
    chains: list[list[_Thing]] = field(default_factory=list)
    width: float = 0.0
    height: float = 0.0

    def add(self, thing: _Thing) -> _Thing:
        """Put a thing into its row."""
        self.rows[thing.region, thing.layer].append(thing)
        return thing

    def things_of(self, column: GraphCluster) -> list[_Thing]:
        """Return the nodes of a column."""
        return [self.nodes[node.id] for node in column.nodes()]


def _planned(graph: Graph) -> _Plan:
    """Return the positions of a graph's nodes and edges."""
    boxes = [item for item in graph.items if isinstance(item, GraphCluster)]
    half = len(boxes) // 2
    plan = _Plan(graph, [*boxes[1 : half + 1], *boxes[:1], *boxes[half + 1 :]])
    layer, number = layers(graph), {node.id: at for at, node in enumerate(graph.nodes())}
    for at, column in enumerate(plan.columns):
        for node in column.nodes():
            size = max(54.0, max(map(text_width, node.lines)) + 20), 20 + _LINE * len(node.lines)
            plan.nodes[node.id] = plan.add(
                _Thing(2 * at + 1, layer[node.id], *size, number[node.id])
            )
    plan.chains = [_chain(plan, edge) for edge in graph.edges]
    _set_rows(plan)
    for sweep in range(_SWEEPS):
        _set_columns(plan)
        _sort(plan, downwards=sweep % 2 == 0)
    _set_columns(plan)
    aside = max(0.0, text_width(graph.title, TITLE_SIZE) + 2 * _MARGIN - plan.width) / 2
    for thing in (thing for row in plan.rows.values() for thing in row):
        thing.x += aside
    plan.width += 2 * aside
    return plan


def _chain(plan: _Plan, edge: Edge) -> list[_Thing]:
    """Return the things that an edge passes: its source, points on the way, its target."""
    source, target = plan.nodes[edge.source], plan.nodes[edge.target]
    step = 1 if target.layer > source.layer else -1
    between = []
    for layer in (
        range(source.layer + step, target.layer, step) if source.layer != target.layer else ()
    ):
        region = source.region
        if region != target.region:  # near the straight line, but free
            share = (layer - source.layer) / (target.layer - source.layer)
            wanted = source.region + share * (target.region - source.region)
            region = min(
                (at for at in range(2 * len(plan.columns) + 1) if _free(plan, at, layer)),
                key=lambda at: (abs(at - wanted), abs(at - target.region), at),
            )
        between.append(plan.add(_Thing(region, layer, _LANE, 0.0)))
    return [source, *between, target]


def _free(plan: _Plan, region: int, layer: int) -> bool:
    if region % 2 == 0:
        return True
    rows = [thing.layer for thing in plan.things_of(plan.columns[region // 2])]
    return not min(rows) <= layer <= max(rows)


def _set_rows(plan: _Plan) -> None:
    """Give each row its height, and leave space between rows for the edges that cross there."""
    crossing = Counter(
        min(point.layer, other.layer)
        for chain in plan.chains
        for point, other in pairwise(chain)
        if point.region != other.region
    )
    y, gap = _MARGIN + TITLE_SIZE + 20 + _HEADER, _MARGIN + TITLE_SIZE + 20 + _HEADER
    for layer in range(max((thing.layer for thing in plan.nodes.values()), default=0) + 1):
        here = [thing for row in plan.rows.items() if row[0][1] == layer for thing in row[1]]
        height = max(thing.height for thing in here)
        for thing in here:
            thing.y = y + height / 2
        gap = min(_LEAST_ROW_GAP + _PER_EDGE * crossing[layer], _MOST_ROW_GAP)
        y += height + gap
    plan.height = y - gap + _PADDING + 22


def _set_columns(plan: _Plan) -> None:
    """Position all things: each row in the middle of its region."""
    x, last = _MARGIN, 2 * len(plan.columns)
    for region in range(last + 1):
        gap = _GAP_X if region % 2 else 0.0
        rows = [
            (things, sum(thing.width for thing in things) + gap * (len(things) - 1))
            for (at, _), things in plan.rows.items()
            if at == region
        ]
        need = max((width for _, width in rows), default=0.0)
        if region % 2:
            need = max(need, text_width(plan.columns[region // 2].label) + 10) + 2 * _PADDING
        else:
            need = max(need + 20 if need else 0.0, _LEAST_GAP if 0 < region < last else 0.0)
        for things, width in rows:
            left = x + (need - width) / 2
            for thing in things:
                thing.x = left + thing.width / 2
                left += thing.width + gap
        x += need
    plan.width = x + _MARGIN


def _sort(plan: _Plan, *, downwards: bool) -> None:
    """Sort each row by the mean position of neighbours in the layer before it, or after it."""
    near: defaultdict[_Thing, list[float]] = defaultdict(list)
    for chain in plan.chains:
        for one, other in pairwise(chain):
            for here, there in ((one, other), (other, one)):
                if (there.layer < here.layer) == downwards:
                    near[here].append(there.x)
    for things in plan.rows.values():
        if len(things) > 1 and any(thing.number is None for thing in things):
            mean = {
                one: sum(near[one]) / len(near[one]) if one in near else one.x for one in things
            }
            things.sort(key=lambda thing: mean[thing])
            # The nodes keep their own order, in the nodes' slots.
            slots = [at for at, thing in enumerate(things) if thing.number is not None]
            nodes = sorted((things[at] for at in slots), key=lambda thing: thing.number or 0)
            for at, node in zip(slots, nodes, strict=True):
                things[at] = node


# The picture ------------------------------------------------------------------------------------


def picture_of(graph: Graph) -> Picture:
    """Return a graph as a picture; every node must be in a box, and no box in another."""
    plan = _planned(graph)
    items: list[Item] = [item for column in plan.columns for item in _box(plan, column)]
    ends = _ends(plan)
    labelled = []
    for number, (edge, chain) in enumerate(zip(graph.edges, plan.chains, strict=True)):
        points = _way(chain, ends[number, 0], ends[number, 1])
        name = f"{edge.source} → {edge.target}"
        items.append(Curve(points, edge.colour, edge.width, edge.line, graph.directed, name))
        if edge.label:
            labelled.append((edge, points))
    for node in graph.nodes():
        items += _node(node, plan.nodes[node.id])
    items += _apart(plan, labelled)
    return with_legend(graph, items, plan.width, plan.height)


def with_legend(graph: Graph, items: list[Item], width: float, height: float) -> Picture:
    """Return a picture with the title above and the legend below it."""
    if graph.legend:
        entries, width, height = _legend(graph.legend, width, height)
        items = [*items, *entries]
    title = Label(Point(width / 2, _MARGIN + TITLE_SIZE / 2), graph.title, TITLE_SIZE)
    return Picture(graph.title, width, height, (*items, title))


def _box(plan: _Plan, column: GraphCluster) -> Iterator[Item]:
    nodes = plan.things_of(column)
    rows, region = [thing.layer for thing in nodes], nodes[0].region
    things = [
        thing
        for row in range(min(rows), max(rows) + 1)
        for thing in plan.rows.get((region, row), ())
    ]
    left = min(thing.x - thing.width / 2 for thing in things)
    right = max(thing.x + thing.width / 2 for thing in things)
    lack = max(0.0, text_width(column.label) + 10 - (right - left)) / 2
    left, right = left - lack, right + lack
    top = min(thing.y - thing.height / 2 for thing in nodes) - _HEADER
    bottom = max(thing.y + thing.height / 2 for thing in nodes) + _PADDING
    centre = Point((left + right) / 2, (top + bottom) / 2)
    width = right - left + 2 * _PADDING
    yield Outline(centre, width, bottom - top, fill=column.fill, name=column.label)
    yield Label(Point(left - 6, top + _HEADER / 2 - 1), column.label, middle=False)


def _node(node: GraphNode, place: _Thing) -> Iterator[Item]:
    yield Outline.of(node, Point(place.x, place.y), place.width, place.height)
    first = place.y - _LINE * (len(node.lines) - 1) / 2
    for number, line in enumerate(node.lines):
        yield Label(Point(place.x, first + _LINE * number), line)


def _way(chain: list[_Thing], start: Point, end: Point) -> tuple[Point, ...]:
    """Return an edge's curve: it passes all points vertically; in a layer, it is an arc.

    An arc goes over the nodes to the right, and under them to the left.
    """
    if chain[0].layer == chain[-1].layer:
        across = end.x - start.x
        rise = min(22 + 0.06 * abs(across), 0.62 * _LEAST_ROW_GAP) / 0.75 * _side(chain)
        bends = (
            Point(start.x + across * 0.15, start.y + rise),
            Point(end.x - across * 0.15, end.y + rise),
        )
        return (start, *bends, end)
    points = [start]
    for point, other in pairwise((start, *(Point(thing.x, thing.y) for thing in chain[1:-1]), end)):
        rise = (other.y - point.y) * _BEND
        points += [Point(point.x, point.y + rise), Point(other.x, other.y - rise), other]
    return tuple(points)


def _side(chain: list[_Thing]) -> int:
    """Return on which side of its source an edge begins: 1 below it, -1 above."""
    source, target = chain[0], chain[-1]
    if source.layer == target.layer:
        return -1 if source.x < target.x else 1
    return 1 if target.layer > source.layer else -1


def _ends(plan: _Plan) -> dict[tuple[int, int], Point]:
    """Return where each edge starts (0) and ends (1): spread along its nodes, in order of x."""
    sides: defaultdict[tuple[_Thing, int], list[tuple[float, int, int]]] = defaultdict(list)
    for number, chain in enumerate(plan.chains):
        side = _side(chain)
        other = side if chain[0].layer == chain[-1].layer else -side
        sides[chain[0], side].append((chain[1].x, number, 0))
        sides[chain[-1], other].append((chain[-2].x, number, 1))
    ends = {}
    for (node, side), entries in sides.items():
        step = min(node.width * _SPREAD / len(entries), 16)
        for at, (_, number, which) in enumerate(sorted(entries)):
            x = node.x + (at - (len(entries) - 1) / 2) * step
            ends[number, which] = Point(x, node.y + side * node.height / 2)
    return ends


def _apart(plan: _Plan, labelled: list[tuple[Edge, tuple[Point, ...]]]) -> Iterator[Item]:
    """Yield the labels of edges, each where its edge is clear of nodes and other labels."""
    taken = [(thing.x, thing.y, thing.width, thing.height) for thing in plan.nodes.values()]
    for edge, points in labelled:
        wide, high = text_width(edge.label, SMALL_SIZE), SMALL_SIZE + 2.0

        def covered(at: Point, wide: float = wide, high: float = high) -> float:
            return sum(
                max((wide + width) / 2 - abs(at.x - x), 0.0)
                * max((high + height) / 2 - abs(at.y - y), 0.0)
                for x, y, width, height in taken
            )

        last = len(points) // 3 - 1
        places = (along(points, piece, t) for piece in range(last, -1, -1) for t in _SHARES)
        place = min(places, key=covered)
        taken.append((*place, wide, high))
        yield Label(place, edge.label, SMALL_SIZE, colour=edge.colour, halo=True)


def _legend(
    legend: tuple[LegendKey, ...], width: float, height: float
) -> tuple[list[Item], float, float]:
    """Return a legend below a picture of this width and height, and the size of both."""
    items: list[Item] = []
    x, y = _MARGIN, height + _HEADER / 2
    for key in legend:
        wide, mark = _MARK + 8 + text_width(key.text, 12), key.mark
        if x > _MARGIN and x + wide > width - _MARGIN:
            x, y = _MARGIN, y + _HEADER
        width = max(width, x + wide + _MARGIN)
        if isinstance(mark, Edge):
            ends = straight(Point(x, y), Point(x + _MARK, y))
            items.append(Curve(ends, mark.colour, mark.width, mark.line))
        else:
            items.append(Outline.of(mark, Point(x + _MARK / 2, y), _MARK, 16))
        items.append(Label(Point(x + _MARK + 8, y), key.text, 12, middle=False))
        x += wide + _MARK_GAP
    return items, width, y + _HEADER

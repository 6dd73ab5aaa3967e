"""Layers: how far down each node of a graph is placed, so that most edges point down.

Nodes of one role share a layer, whatever box they are in: what players have in common is level.
Edges between roles that would close a cycle are found by the heuristic of Eades, Lin and Smyth, "A
fast and effective heuristic for the feedback arc set problem" (1993), and lead upwards; along the
others each role goes as high as its longest path from above allows.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from cardwright.analysis.graph import nodes_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from cardwright.analysis.graph import Graph, GraphNode

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

"""Graphs to be drawn: nodes, edges and boxes around them, for any writer and layout."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class NodeShape(StrEnum):
    """The outline of a node."""

    ROUNDED = "rounded"
    BOX = "box"
    DIAMOND = "diamond"
    OVAL = "oval"
    PLAIN = "plain"


class GraphLayout(StrEnum):
    """How a graph is laid out: boxes side by side, from top to bottom, a tree, or tiles."""

    COLUMNS = "columns"
    STACK = "stack"
    TREE = "tree"
    TILES = "tiles"


class LineStyle(StrEnum):
    """How a border or an edge is drawn."""

    SOLID = "solid"
    DASHED = "dashed"
    DOTTED = "dotted"


@dataclass(frozen=True, slots=True)
class GraphNode:
    """A node: its lines of text, and its style; `role` is shared by nodes that should be level.

    Colours are names that both Graphviz and SVG know, or `#rrggbb`.
    """

    id: str
    lines: tuple[str, ...]
    shape: NodeShape = NodeShape.ROUNDED
    fill: str = "white"
    width: float = 1
    border: LineStyle = LineStyle.SOLID
    role: str = ""
    first: bool = False
    """Whether cards, or whatever flows, start here: such nodes go to the top."""
    left: bool = False
    """Whether the lines are left-aligned, not centred."""


@dataclass(frozen=True, slots=True)
class Edge:
    """An edge from one node to another, optionally with a label.

    `back` says that it leads back to a start: it does not move its target down.
    """

    source: str
    target: str
    colour: str = "black"
    width: float = 1
    line: LineStyle = LineStyle.SOLID
    label: str = ""
    back: bool = False


@dataclass(frozen=True, slots=True)
class GraphCluster:
    """A box with a label and its content: nodes and further boxes, in order."""

    id: str
    label: str
    items: tuple[GraphNode | GraphCluster, ...]
    fill: str = "ghostwhite"

    def nodes(self) -> tuple[GraphNode, ...]:
        """Return all nodes in this, at any depth."""
        return nodes_of(self.items)


@dataclass(frozen=True, slots=True)
class LegendKey:
    """An entry of a legend: a text next to a node, or next to an edge without nodes."""

    text: str
    mark: GraphNode | Edge


@dataclass(frozen=True, slots=True)
class Graph:
    """What is drawn: a title, the items in order, the edges, a layout, and optionally a legend.

    `counted` says what the numbers in it are of, such as `100 random games`.
    """

    title: str
    items: tuple[GraphNode | GraphCluster, ...]
    edges: tuple[Edge, ...]
    directed: bool = True
    legend: tuple[LegendKey, ...] = field(default=())
    layout: GraphLayout = GraphLayout.COLUMNS
    counted: str = ""

    def nodes(self) -> tuple[GraphNode, ...]:
        """Return all nodes, at any depth."""
        return nodes_of(self.items)


def nodes_of(items: tuple[GraphNode | GraphCluster, ...]) -> tuple[GraphNode, ...]:
    """Return the nodes in these items, at any depth, in order."""
    found: list[GraphNode] = []
    for item in items:
        if isinstance(item, GraphCluster):
            found.extend(item.nodes())
        else:
            found.append(item)
    return tuple(found)

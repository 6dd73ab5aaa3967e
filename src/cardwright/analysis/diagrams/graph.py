"""Graphs to be drawn: nodes, edges and boxes around them; and as text for Graphviz."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import chain


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
    inner = (item.nodes() if isinstance(item, GraphCluster) else (item,) for item in items)
    return tuple(chain.from_iterable(inner))


FONT = "Futura"
FONT_SIZE = 14

_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_KEYWORDS = {"graph", "digraph", "subgraph", "node", "edge", "strict"}

_SHAPES = {
    NodeShape.ROUNDED: ("box", "rounded,filled"),
    NodeShape.BOX: ("box", "filled"),
    NodeShape.DIAMOND: ("diamond", "filled"),
    NodeShape.OVAL: ("ellipse", "filled"),
    NodeShape.PLAIN: ("plaintext", ""),
}


def dot_text(graph: Graph) -> str:
    """Return a graph in the DOT language; the same graph gives the same text, line by line."""
    word, arrow = ("digraph", "->") if graph.directed else ("graph", "--")
    font = f'fontname="{FONT}", fontsize={FONT_SIZE}'
    lines = [
        f"{word} {quoted(graph.title)} {{",
        f"  graph [label={quoted(graph.title)}, labelloc=t, {font}];",
        f"  node [shape=box, {font}];",
        f"  edge [{font}];",
    ]
    lines += [line for item in graph.items for line in _item(item, "  ")]
    lines += [_edge(edge, arrow, "  ") for edge in graph.edges]
    if graph.legend:
        lines += _legend(graph.legend, arrow)
    return "\n".join([*lines, "}"]) + "\n"


def _item(item: GraphNode | GraphCluster, indent: str) -> list[str]:
    if not isinstance(item, GraphCluster):
        return [_node(item, indent)]
    looks = f"style=filled, fillcolor={quoted(item.fill)}"
    return [
        f"{indent}subgraph {quoted('cluster_' + item.id)} {{",
        f"{indent}  graph [label={quoted(item.label)}, {looks}, color=black];",
        *(line for inner_item in item.items for line in _item(inner_item, indent + "  ")),
        f"{indent}}}",
    ]


def _node(node: GraphNode, indent: str) -> str:
    shape, style = _SHAPES[node.shape]
    if node.border is not LineStyle.SOLID:
        style = f"{style},{node.border}".strip(",")
    looks = _attributes(
        label=quoted(*node.lines, left=node.left),
        shape=shape if shape != "box" else "",
        style=quoted(style) if style else "",
        fillcolor=quoted(node.fill) if node.shape is not NodeShape.PLAIN else "",
        penwidth=f"{node.width:g}" if node.width != 1 else "",
    )
    return f"{indent}{quoted(node.id)}{looks};"


def _edge(edge: Edge, arrow: str, indent: str) -> str:
    looks = _attributes(
        color=quoted(edge.colour) if edge.colour != "black" else "",
        penwidth=f"{edge.width:g}" if edge.width != 1 else "",
        style=str(edge.line) if edge.line is not LineStyle.SOLID else "",
        label=quoted(edge.label) if edge.label else "",
        constraint="false" if edge.back else "",
    )
    return f"{indent}{quoted(edge.source)} {arrow} {quoted(edge.target)}{looks};"


def _attributes(**given: str) -> str:
    """Return attributes in brackets, without those that are empty."""
    parts = [f"{name}={value}" for name, value in given.items() if value]
    return f" [{', '.join(parts)}]" if parts else ""


def _legend(legend: tuple[LegendKey, ...], arrow: str) -> list[str]:
    """Return a box with a row for each entry: a mark, or an edge from a point, and its text."""
    lines = ["  subgraph cluster_legend {", '    graph [label=legend, color="#b0b0b0"];']
    for number, key in enumerate(legend):
        mark, text = f"legend_{number}", f"legend_{number}_text"
        lines.append(f"    {text} [label={quoted(key.text)}, shape=plaintext];")
        if isinstance(key.mark, Edge):
            lines.append(f'    {mark} [label="", shape=point];')
            lines.append(_edge(replace(key.mark, source=mark, target=text), arrow, "    "))
        else:
            lines.append(_node(replace(key.mark, id=mark), "    "))
            lines.append(f"    {mark} {arrow} {text} [style=invis];")
        lines.append(f"    {{ rank=same; {mark}; {text}; }}")
        if number:
            lines.append(f"    legend_{number - 1} {arrow} {mark} [style=invis];")
    return [*lines, "  }"]


def quoted(*lines: str, left: bool = False) -> str:
    """Return an identifier in DOT, in quotation marks if it needs them.

    Several lines are separated by line breaks, left-aligned ones if `left`; a backslash is literal.
    """
    plain = len(lines) == 1 and not left and _IDENTIFIER.fullmatch(lines[0])
    if plain and lines[0].lower() not in _KEYWORDS:
        return lines[0]
    safe = [line.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ") for line in lines]
    if left:
        return '"' + "".join(line + "\\l" for line in safe) + '"'
    return '"' + "\\n".join(safe) + '"'

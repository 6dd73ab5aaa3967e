"""Diagrams drawn: as pictures, several side by side, and as the contents of files."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from cardwright.analysis.diagrams.columns import picture_of, with_legend
from cardwright.analysis.diagrams.graph import Graph, GraphCluster, GraphLayout, dot_text
from cardwright.analysis.diagrams.picture import (
    SMALL_SIZE,
    TITLE_SIZE,
    Item,
    Label,
    Picture,
    Point,
    diagram_figure,
    svg_text,
    text_width,
)
from cardwright.analysis.diagrams.stacking import grown, stacked
from cardwright.analysis.errors import AnalysisError
from cardwright.english import listed
from cardwright.publication.figures import CaptionLine
from cardwright.syntax.data_files import csv_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cardwright.analysis.diagrams.graph import GraphNode
    from cardwright.publication.figures import FigureFiles

ENDINGS = ("png", "svg", "pdf", "dot")
"""Kinds of files that diagrams can be saved as, by extension."""

COLUMNS = ("kind", "id", "source", "target", "text", "inside", "colour", "line", "width")

_MARGIN, _LINE = 16.0, 24.0
_ACROSS = 1_600.0
"""Pixels that a row of tiles fills at most, unless a single one is wider."""


def laid_out(graph: Graph) -> Picture:
    """Return the picture of a graph, laid out as it asks."""
    match graph.layout:
        case GraphLayout.STACK:
            return stacked(graph)
        case GraphLayout.TREE:
            return grown(graph)
        case GraphLayout.TILES:
            return tiled(graph)
    return picture_of(graph)


def svg_of(graph: Graph, line: str = "") -> str:
    """Return a graph as SVG; the same graph gives the same text. `line` goes below it."""
    picture = laid_out(graph)
    if not line:
        return svg_text(picture)
    at = Point(_MARGIN, picture.height + _LINE / 2)
    below = Label(at, line, SMALL_SIZE, middle=False, colour="#666666")
    width = max(picture.width, 2 * _MARGIN + text_width(line, SMALL_SIZE))
    return svg_text(Picture(picture.title, width, picture.height + _LINE, (*picture.items, below)))


def side_by_side(title: str, graphs: Sequence[Graph]) -> Graph:
    """Return graphs in one, a box for each with its title; the legend is that of all.

    Raises AnalysisError for none.
    """
    if not graphs:
        raise AnalysisError("there are no diagrams to draw side by side")
    items = tuple(
        GraphCluster(f"{at}", graph.title, tuple(_under(at, item) for item in graph.items))
        for at, graph in enumerate(graphs)
    )
    edges = tuple(
        replace(edge, source=f"{at}/{edge.source}", target=f"{at}/{edge.target}")
        for at, graph in enumerate(graphs)
        for edge in graph.edges
    )
    counted = listed(dict.fromkeys(graph.counted for graph in graphs if graph.counted))
    legend = {key.text: key for graph in graphs for key in graph.legend}
    return Graph(
        title, items, edges, graphs[0].directed, tuple(legend.values()), GraphLayout.TILES, counted
    )


def _under(at: int, item: GraphNode | GraphCluster) -> GraphNode | GraphCluster:
    """Return an item with a number before its identifiers, so that they differ from others'."""
    if isinstance(item, GraphCluster):
        inner = tuple(_under(at, inner_item) for inner_item in item.items)
        return replace(item, id=f"{at}/{item.id}", items=inner)
    return replace(item, id=f"{at}/{item.id}")


def tiled(graph: Graph) -> Picture:
    """Return graphs side by side as a picture: from left to right, and from top to bottom."""
    items: list[Item] = []
    x, y, width, deep = 0.0, 2.5 * TITLE_SIZE, 0.0, 0.0
    for box in graph.items:
        assert isinstance(box, GraphCluster)
        inside = {node.id for node in box.nodes()}
        edges = tuple(edge for edge in graph.edges if edge.source in inside)
        tile = picture_of(Graph(box.label, box.items, edges, graph.directed))
        if x and x + tile.width > _ACROSS:
            x, y, deep = 0.0, y + deep, 0.0
        items += tile.moved(x, y)
        x, deep = x + tile.width, max(deep, tile.height)
        width = max(width, x)
    return with_legend(graph, items, width, y + deep)


# Files ------------------------------------------------------------------------------------------


def diagram_line(graph: Graph, seed: int) -> CaptionLine:
    """Return the line below a diagram; one of rules counts nothing, so it has no seed."""
    if not graph.counted:
        return CaptionLine(game=graph.title)
    # The title of several games side by side is in the diagram only.
    game = "" if graph.layout is GraphLayout.TILES else graph.title
    return CaptionLine(graph.counted, seed, game)


def diagram_content(graph: Graph, kind: str, line: CaptionLine | None, files: FigureFiles) -> bytes:
    """Return a diagram in one of `ENDINGS`, or as `csv` the nodes and edges of it."""
    match kind:
        case "dot":
            return dot_text(graph).encode()
        case "csv":
            return diagram_text(graph).encode()
        case "svg":
            return svg_of(graph, line.text if files.caption and line is not None else "").encode()
    return files.content(diagram_figure(laid_out(graph)), kind, line)


def diagram_text(graph: Graph) -> str:
    """Return the nodes and edges of a diagram as CSV, with a header.

    `text` is what is written in a node, or beside an edge; `inside` is the label of the box around
    a node. `colour` is that of a node's fill or of an edge.
    """
    nodes = [
        ("node", node.id, "", "", " ".join(node.lines), inside, node.fill, str(node.border),
         node.width)
        for node, inside in _nodes(graph.items, "")
    ]  # fmt: skip
    edges = [
        ("edge", "", edge.source, edge.target, edge.label, "", edge.colour, str(edge.line),
         edge.width)
        for edge in graph.edges
    ]  # fmt: skip
    return csv_text(COLUMNS, [*nodes, *edges])


def _nodes(
    items: tuple[GraphNode | GraphCluster, ...], inside: str
) -> Iterator[tuple[GraphNode, str]]:
    for item in items:
        if isinstance(item, GraphCluster):
            yield from _nodes(item.items, item.label)
        else:
            yield item, inside

"""Diagrams as files: SVG, PDF and PNG, text for Graphviz, and what is drawn as CSV."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.analysis.diagram_figure import diagram_figure
from cardwright.analysis.dot import dot_text
from cardwright.analysis.drawing import laid_out, svg_of
from cardwright.analysis.errors import AnalysisError
from cardwright.analysis.graph import Graph, GraphCluster
from cardwright.jobs.files import write_several
from cardwright.publication.caption_line import CaptionLine
from cardwright.syntax.data_files import csv_text

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from cardwright.analysis.graph import GraphNode
    from cardwright.publication.figure_files import FigureFiles

ENDINGS = ("png", "svg", "pdf", "dot")
"""Kinds of files that diagrams can be saved as, by extension."""

COLUMNS = ("kind", "id", "source", "target", "text", "inside", "colour", "line", "width")


def diagram_line(graph: Graph, seed: int) -> CaptionLine:
    """Return the line below a diagram; one of rules counts nothing, so it has no seed."""
    if not graph.counted:
        return CaptionLine(game=graph.title)
    return CaptionLine(graph.counted, seed, graph.title)


def save_diagram(graph: Graph, file: Path, line: CaptionLine | None, files: FigureFiles) -> None:
    """Write a diagram in the format of the file's extension, and what is drawn beside it.

    Raises AnalysisError for other extensions, and RecordsError if a file cannot be written.
    """
    kind = file.suffix.lstrip(".").lower()
    if kind not in ENDINGS:
        *first, last = (f".{name}" for name in ENDINGS)
        raise AnalysisError(f"{file}: a diagram's file ends in {', '.join(first)} or {last}")
    content = _content(graph, kind, line, files)
    write_several({file: content, file.with_suffix(".csv"): diagram_text(graph).encode()})


def write_diagram(
    graph: Graph, stem: Path, line: CaptionLine | None, files: FigureFiles
) -> tuple[Path, ...]:
    """Write a diagram in all formats, as text for Graphviz and as CSV; return the files."""
    contents = {
        stem.with_name(f"{stem.name}.{kind}"): _content(graph, kind, line, files)
        for kind in dict.fromkeys((*files.formats, "dot"))
    }
    contents[stem.with_name(f"{stem.name}.csv")] = diagram_text(graph).encode()
    write_several(contents)
    return tuple(contents)


def _content(graph: Graph, kind: str, line: CaptionLine | None, files: FigureFiles) -> bytes:
    if kind == "dot":
        return dot_text(graph).encode()
    if kind == "svg":
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

"""DOT texts: goldens of several games, what is put in quotation marks, and who draws."""

from __future__ import annotations

import re

import pytest
from drawn import VALET, check_golden, flow_of, loaded

from cardwright.analysis.diagrams.columns import picture_of
from cardwright.analysis.diagrams.drawing import side_by_side, svg_of, tiled
from cardwright.analysis.diagrams.flow import flow_graph
from cardwright.analysis.diagrams.graph import (
    Edge,
    Graph,
    GraphCluster,
    GraphLayout,
    GraphNode,
    LegendKey,
    NodeShape,
    dot_text,
    quoted,
)
from cardwright.analysis.diagrams.parse_tree import parse_tree_graph
from cardwright.analysis.diagrams.picture import svg_text
from cardwright.analysis.diagrams.stacking import grown, stacked
from cardwright.analysis.diagrams.stages import stage_graph

SMALL = Graph(
    "Small", (GraphCluster("box", "box", (GraphNode("a", ("A",)), GraphNode("b", ("B",)))),), ()
)


@pytest.mark.parametrize("name", ["hearts", "gofish", "cribbage", "schwimmen", "cuckoo"])
def test_goldens_of_one_rollout(name):
    """The diagram of one random rollout, as the pages of the Valet games have it."""
    check_golden(f"{name}.dot", dot_text(flow_graph(flow_of(name))))


def test_golden_with_all_that_may_be_asked_for():
    """Several rollouts, with counts, a legend, and lines for those who do not see the colours."""
    flow = flow_of("rummy", 5)
    graph = flow_graph(flow, "Rummy, five games", counts=True, legend=True, dashes=True)
    check_golden("rummy-all.dot", dot_text(graph))


@pytest.mark.sweep
@pytest.mark.parametrize("name", VALET)
def test_every_node_and_edge_is_written_once(name):
    """Each location has one line in the box of its owner, each way one line."""
    flow = flow_of(name)
    text = dot_text(flow_graph(flow))
    for spot, _ in flow.places:
        assert len(re.findall(rf"^    {spot.id} \[", text, re.MULTILINE)) == 1
    for (source, target), _ in flow.ways:
        assert len(re.findall(rf"^  {source.id} -> {target.id}\b", text, re.MULTILINE)) == 1
    assert text.count("->") == len(flow.ways)
    assert text.count("subgraph cluster_") == len({spot.owner for spot, _ in flow.places})


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (("HAND",), "HAND"),
        (("p1_2",), "p1_2"),
        (("2p",), '"2p"'),
        (("",), '""'),
        (("Node",), '"Node"'),
        (("Go Fish",), '"Go Fish"'),
        (('say "no"',), '"say \\"no\\""'),
        (("a\\nb",), '"a\\\\nb"'),
        (("a\nb",), '"a b"'),
        (("A", "1"), '"A\\n1"'),
        (("Ö",), '"Ö"'),
    ],
)
def test_quotation_marks(lines, expected):
    """Identifiers stand as they are; in all else, marks and backslashes mean themselves."""
    assert quoted(*lines) == expected


def test_lines_to_the_left():
    """Where lines begin at the left, Graphviz wants another line break, after the last line too."""
    assert quoted("a", "b", left=True) == '"a\\lb\\l"'


def test_shapes_and_undirected_edges():
    """A shape that is not the usual box is named; an undirected graph has other edges."""
    nodes = (
        GraphNode("a", ("A",), NodeShape.DIAMOND, "orange"),
        GraphNode("b", ("B",), NodeShape.PLAIN),
    )
    text = dot_text(Graph("x", nodes, (Edge("a", "b"),), directed=False))
    assert text.startswith("graph x {\n")
    assert "  a [label=A, shape=diamond, style=filled, fillcolor=orange];" in text
    assert "  b [label=B, shape=plaintext];" in text
    assert "  a -- b;" in text


def test_edges_back_move_nothing():
    """An edge that leads back to a deck does not push the deck down."""
    edges = (Edge("a", "b"), Edge("b", "a", "red", 3, back=True))
    text = dot_text(Graph("x", SMALL.items, edges))
    assert "  b -> a [color=red, penwidth=3, constraint=false];" in text
    back = [edge for edge in flow_graph(flow_of("rummy", 5)).edges if edge.back]
    assert {(edge.source, edge.target) for edge in back} == {
        ("table_VISIBLE_DISCARD_0", "table_INVISIBLE_STOCK_0")
    }


def test_legends():
    """Entries name their mark, and no edge of the diagram leads to them."""
    legend = (
        LegendKey("cards shown", Edge("", "", "green", 3)),
        LegendKey("open", GraphNode("", ("",), fill="red")),
    )
    text = dot_text(Graph("x", SMALL.items, (), legend=legend))
    assert "legend_0 -> legend_0_text [color=green, penwidth=3];" in text
    assert 'legend_1 [label="", style="rounded,filled", fillcolor=red];' in text


def test_pictures_do_not_depend_on_graphviz(tmp_path, monkeypatch):
    """A program `dot` on the path draws nothing: a picture is the same on every machine."""
    monkeypatch.setenv("PATH", str(tmp_path))
    own = svg_of(SMALL)
    program = tmp_path / "dot"
    program.write_text("#!/bin/sh\necho '<svg/>'\n")
    program.chmod(0o755)
    assert svg_of(SMALL) == own
    assert own.count("<path") > len(SMALL.nodes())


def test_every_graph_is_drawn_by_its_own_layout():
    """Flows stand in columns, stages below each other, forms in a tree, several flows in tiles."""
    program = loaded("leduc").program
    alone = (
        flow_graph(flow_of("leduc")),
        stage_graph(program, "Leduc"),
        parse_tree_graph(program.source, "Leduc"),
    )
    graphs = (*alone, side_by_side("Two", [alone[0], flow_graph(flow_of("gofish"))]))
    assert [graph.layout for graph in graphs] == list(GraphLayout)
    pictures = [
        draw(graph) for draw, graph in zip((picture_of, stacked, grown, tiled), graphs, strict=True)
    ]
    assert [svg_of(graph) for graph in graphs] == [svg_text(picture) for picture in pictures]

"""Layouts of flow diagrams: nothing overlaps, boxes hold what is theirs, edges end at nodes."""

from __future__ import annotations

from itertools import combinations
from xml.etree import ElementTree

import pytest
from drawn import VALET, clusters, flow_of, holds, outlines, overlap, within_picture
from hypothesis import given, strategies as st

from cardwright.analysis.diagrams.columns import layers, picture_of
from cardwright.analysis.diagrams.flow import flow_graph
from cardwright.analysis.diagrams.graph import Edge, Graph, GraphCluster, GraphNode
from cardwright.analysis.diagrams.picture import Curve, Label, Picture, Point, svg_text, text_width


@st.composite
def graphs(draw):
    """Boxes of nodes with roles, and edges between any of them."""
    boxes = []
    for box in range(draw(st.integers(1, 5))):
        roles = draw(st.lists(st.sampled_from("abcde"), min_size=1, max_size=8))
        nodes = [
            GraphNode(
                f"{box}_{at}", (role * draw(st.integers(1, 9)),), role=role, first=role == "a"
            )
            for at, role in enumerate(roles)
        ]
        boxes.append(GraphCluster(f"b{box}", f"box {box}", tuple(nodes)))
    ids = [node.id for box in boxes for node in box.nodes()]
    pairs = st.tuples(st.sampled_from(ids), st.sampled_from(ids)).filter(lambda p: p[0] != p[1])
    ways = draw(st.lists(pairs, unique=True, max_size=25)) if len(ids) > 1 else []
    return Graph("any", tuple(boxes), tuple(Edge(*way, label="1.5") for way in ways))


def check(graph):
    """What holds for every picture of boxes side by side."""
    picture = picture_of(graph)
    placed = outlines(picture)
    for one, other in combinations(graph.nodes(), 2):
        assert not overlap(placed[one.id], placed[other.id])
    boxes = clusters(graph)
    for one, other in combinations(boxes, 2):
        assert not overlap(placed[one.label], placed[other.label])
    for box in boxes:
        assert all(holds(placed[box.label], placed[node.id]) for node in box.nodes())
        others = {node.id for node in graph.nodes()} - {node.id for node in box.nodes()}
        assert not any(overlap(placed[box.label], placed[other]) for other in others)
    assert within_picture(picture)
    curves = [item for item in picture.items if isinstance(item, Curve) and item.name]
    for edge, curve in zip(graph.edges, curves, strict=True):
        for name, point in ((edge.source, curve.points[0]), (edge.target, curve.points[-1])):
            node = placed[name]
            assert abs(point.x - node.centre.x) <= node.width / 2
            assert abs(point.y - node.centre.y) == pytest.approx(node.height / 2)
        ends = {edge.source, edge.target}
        for box in boxes:
            if not ends <= {node.id for node in box.nodes()}:
                assert not any(lies_in(placed[box.label], at) for at in curve.points[3:-3:3])
    return picture


def lies_in(box, point):
    return (
        abs(point.x - box.centre.x) < box.width / 2 and abs(point.y - box.centre.y) < box.height / 2
    )


@given(graphs())
def test_any_graph(graph):
    """Whatever stands in the boxes and leads from where to where."""
    check(graph)


@pytest.mark.parametrize("name", VALET)
def test_games(name):
    """All games of Valet; the picture is the same every time, and is well-formed XML."""
    graph = flow_graph(flow_of(name), counts=True)
    text = svg_text(check(graph))
    assert text == svg_text(picture_of(graph))
    root = ElementTree.fromstring(text)
    words = {node.text for node in root.iter("{http://www.w3.org/2000/svg}text")}
    assert words >= {line for node in graph.nodes() for line in node.lines}
    assert words >= {edge.label for edge in graph.edges}


def test_layers_of_hearts():
    """Decks come first, players' locations of one name lie level, and cards go down."""
    graph = flow_graph(flow_of("hearts", 20))
    layer = layers(graph)
    by_name = {}
    for node in graph.nodes():
        by_name.setdefault(node.lines[0], set()).add(layer[node.id])
    assert by_name == {"STOCK": {0}, "HAND": {1}, "TRICK": {2}, "TRICKSWON": {3}, "DISCARD": {4}}


def roles(*edges, first=""):
    names = dict.fromkeys("".join(edges))
    nodes = tuple(GraphNode(name, (name,), first=name == first) for name in names)
    return Graph("x", nodes, tuple(Edge(edge[0], edge[1]) for edge in edges))


def test_layers_are_longest_paths():
    """A node is one below the lowest that leads to it; what only feeds stands just above."""
    assert layers(roles("ab", "bc", "ac")) == {"a": 0, "b": 1, "c": 2}
    assert layers(roles("ab", "bc", "xc")) == {"a": 0, "b": 1, "c": 2, "x": 1}


def test_circles_have_one_edge_up():
    """In a circle all edges but one lead down, and it begins where cards do."""
    for first in "abc":
        layer = layers(roles("ab", "bc", "ca", first=first))
        assert layer[first] == 0
        assert sum(layer[a] > layer[b] for a, b in ("ab", "bc", "ca")) == 1


def test_many_of_a_kind_stand_in_rows():
    """Four stand abreast, of more three in a row."""
    for count, rows in ((4, [4]), (5, [3, 2]), (9, [3, 3, 3])):
        nodes = tuple(GraphNode(f"n{at}", ("x",), role="r") for at in range(count))
        layer = layers(Graph("x", (GraphCluster("b", "b", nodes),), ()))
        assert [list(layer.values()).count(row) for row in range(len(rows))] == rows


def test_texts_of_edges_stand_apart():
    """Two texts that would lie upon each other are written at different places of their edges."""
    nodes = tuple(GraphNode(name, (name,), role=name) for name in "abc")
    edges = (Edge("a", "c", label="12345678"), Edge("b", "c", label="12345678"))
    picture = picture_of(Graph("x", (GraphCluster("c", "c", nodes),), edges))
    one, other = [i.at for i in picture.items if isinstance(i, Label) and i.text == "12345678"]
    assert abs(one.y - other.y) > 11 or abs(one.x - other.x) > text_width("12345678", 11)


def test_labels_stand_around_their_place_or_begin_there():
    """A label is centred unless it says otherwise."""
    labels = (Label(Point(1, 2), "around"), Label(Point(1, 2), "from here", middle=False))
    text = svg_text(Picture("x", 10, 10, labels))
    _, around, begins = text.split("<text")
    assert ">around<" in around
    assert 'text-anchor="middle"' in around
    assert "text-anchor" not in begins


def test_a_long_title_has_room():
    """The picture is as wide as its title, and what it shows stands in the middle."""
    graph = flow_graph(flow_of("leduc"), "A title " * 20)
    picture = check(graph)
    assert picture.width > text_width(graph.title, 18)
    stock = outlines(picture)["table_INVISIBLE_STOCK_0"]
    assert stock.centre.x == pytest.approx(picture.width / 2)


def test_text_is_escaped():
    """Nothing in a name or title becomes markup, and what XML cannot have is dropped."""
    nodes = (GraphNode('<b>"&', ("<b>&", "\x07bell")), GraphNode("c", ("]]>",)))
    edge = Edge("c", '<b>"&', label="<i>")
    graph = Graph("</title>&\x00", (GraphCluster("x", "<x>", nodes),), (edge,))
    text = svg_text(picture_of(graph))
    root = ElementTree.fromstring(text)
    words = [node.text for node in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {"<b>&", "bell", "]]>", "<x>", "</title>&", "<i>"} <= set(words)
    assert not list(root.iter("{http://www.w3.org/2000/svg}b"))

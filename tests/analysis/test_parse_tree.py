"""Parse trees: what becomes a node and of which looks, folding, and the layout."""

from __future__ import annotations

from itertools import combinations

import pytest
from drawn import check_golden, loaded, overlap, within_picture

from cardwright.analysis.diagrams.graph import NodeShape, dot_text
from cardwright.analysis.diagrams.parse_tree import ParseTreeError, parse_tree_graph
from cardwright.analysis.diagrams.picture import Outline
from cardwright.analysis.diagrams.stacking import grown
from cardwright.library.catalogue import names
from cardwright.syntax.source import Source

SMALL = """
(game
  (setup (create players 2) (create deck (game iloc STOCK) (deck (RANK (A, K)))))
  (do ((set (game points WORTH) (((RANK : A) 11) ((RANK : K) 4))) (shuffle (game iloc STOCK))))
  (stage player
    (end (== (size (game iloc STOCK)) 0))
    (choice (
      ((> (game sto A) 0) (move (top (game iloc STOCK)) (top (game vloc OPEN))))
      (any 'L 'C (turn pass)))))
  (scoring max ((current player) sto WON)))
"""


def tree(text, depth=None):
    return parse_tree_graph(Source("small.rcy", text), "small", depth=depth)


def looks(graph):
    return [(node.lines[0], node.fill, node.shape) for node in graph.nodes()]


def test_golden():
    """A small game, as DOT."""
    check_golden("small-tree.dot", dot_text(tree(SMALL)))


def test_looks():
    """As CardStock's: stages red, computer's moves yellow boxes, choices orange diamonds."""
    found = looks(tree(SMALL))
    assert found[0] == ("game", "red", NodeShape.ROUNDED)
    assert ("stage player", "red", NodeShape.ROUNDED) in found
    assert ("do", "yellow", NodeShape.BOX) in found
    assert ("choice", "orange", NodeShape.DIAMOND) in found
    assert ("11", "lightblue", NodeShape.OVAL) in found
    assert ("0", "lightblue", NodeShape.OVAL) in found
    assert ("STOCK", "lightgreen", NodeShape.OVAL) in found
    assert ("'C", "white", NodeShape.OVAL) in found
    titles = [line for line, _, _ in found]
    assert titles.count("worth") == titles.count("is") == 2
    assert titles.count("if") == 1
    assert not {"(", ")", ",", ":", "using"} & set(titles)


def test_inner_blocks_are_not_computers_moves():
    """Only what stands in the game or in a stage is a move of the computer."""
    text = "(game (do ((all player 'P (do ((shuffle (game iloc A))))))))"
    found = [look for look in looks(tree(text)) if look[0] == "do"]
    assert found == [("do", "yellow", NodeShape.BOX), ("do", "white", NodeShape.ROUNDED)]


def test_brackets_around_steps_are_punctuation():
    """The steps of a block are its own children."""
    graph = tree("(game (do ((shuffle (game iloc A)) (shuffle (game iloc B)))))")
    [block] = [node.id for node in graph.nodes() if node.lines == ("do",)]
    below = {edge.target for edge in graph.edges if edge.source == block}
    assert [node.lines for node in graph.nodes() if node.id in below] == [("shuffle",)] * 2


@pytest.mark.parametrize("depth", [0, 1, 2, 3, 50])
def test_folding(depth):
    """No node is deeper than one below the depth, and those folded away are counted."""
    whole, folded = tree(SMALL), tree(SMALL, depth)
    level = {folded.nodes()[0].id: 0}
    for edge in folded.edges:
        level[edge.target] = level[edge.source] + 1
    assert max(level.values()) <= depth + 1
    forms = sum(node.shape is not NodeShape.OVAL for node in whole.nodes())
    seen = [node for node in folded.nodes() if node.shape not in {NodeShape.OVAL, NodeShape.PLAIN}]
    hidden = [
        int(node.lines[0].split()[1]) for node in folded.nodes() if node.shape is NodeShape.PLAIN
    ]
    # The brackets around the steps of the two blocks are forms, though they get no nodes.
    assert forms <= len(seen) + sum(hidden) <= forms + 2
    assert (len(folded.nodes()) == len(whole.nodes())) == (depth == 50)


def test_long_words_are_cut():
    """A name of any length gives a node of bounded width."""
    graph = tree(f"(game (do ((shuffle (game iloc {'A' * 200})))))")
    assert max(len(node.lines[0]) for node in graph.nodes()) == 30


@pytest.mark.parametrize("text", ["(game (do", "", "hello"])
def test_no_tree(text):
    """A text whose brackets do not match has no tree, and the message names the file."""
    with pytest.raises(ParseTreeError, match=r"small\.rcy has no parse tree: .*check the file"):
        tree(text)


@pytest.mark.sweep
@pytest.mark.parametrize("name", [*names()[::6], "hearts"])
def test_layout(name):
    """Nodes do not overlap and lie within the picture; all but the root hang on one edge."""
    graph = parse_tree_graph(loaded(name).program.source, name, depth=4)
    picture = grown(graph)
    assert within_picture(picture)
    shapes = [item for item in picture.items if isinstance(item, Outline)]
    for one, other in combinations(shapes, 2):
        assert not overlap(one, other)
    assert len(graph.edges) == len(graph.nodes()) - 1

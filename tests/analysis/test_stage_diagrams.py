"""Stage diagrams: goldens, what constants rule out, how it goes on, and how they are laid out."""

from __future__ import annotations

from itertools import combinations

import pytest
from drawn import check_golden, clusters, holds, loaded, outlines, overlap, within_picture

from cardwright import Game
from cardwright.analysis.diagrams.graph import GraphCluster, GraphNode, dot_text
from cardwright.analysis.diagrams.picture import Curve
from cardwright.analysis.diagrams.stacking import stacked
from cardwright.analysis.diagrams.stages import StageWording, settled, stage_graph
from cardwright.library.catalogue import names
from cardwright.program import nodes as n
from cardwright.program.kinds import ValueKind
from cardwright.syntax.source import Span

FRAME = """
(game
  (declare 1 'ON) (declare 0 'OFF)
  (setup (create players 2) (create deck (game iloc STOCK) (deck (RANK (A, K)))))
  {}
  (scoring max 0))
"""


def program(text):
    return Game.from_text(FRAME.format(text)).program


@pytest.mark.parametrize("name", ["hearts", "leduc", "klaverjassen", "gofish"])
def test_goldens(name):
    """The stages of some games, as they are written."""
    check_golden(f"{name}-stages.dot", dot_text(stage_graph(loaded(name).program, name)))


def test_the_way_through_stages():
    """A stage is left by its end test, which the last thing in it leads back to."""
    inner = "(stage player (end (== (game sto B) 1)) (choice ((inc (game sto B)) (pass))))"
    text = f"(stage player (end (== (game sto A) 1)) (do ((inc (game sto A)))) {inner})"
    graph = stage_graph(program(text.replace("(pass)", "(turn pass)")), "x")
    ways = [(edge.source, edge.target, edge.label) for edge in graph.edges]
    assert sorted(ways) == sorted(
        [
            ("start", "stage_0_end", ""),
            ("stage_0_end", "actions_0_0", ""),
            ("actions_0_0", "stage_0_1_end", ""),
            ("stage_0_1_end", "choice_0_1_0", ""),
            ("choice_0_1_0", "stage_0_1_end", "next turn"),
            ("stage_0_1_end", "stage_0_end", "next turn"),
            ("stage_0_end", "end", "ended"),
        ]
    )


def test_the_ways_of_an_item_under_a_condition():
    """Its test leads to either item, and both go on to what follows."""
    both = "((== (game sto A) 1) (do ((inc (game sto A)))) else (choice ((turn pass))))"
    graph = stage_graph(program(f"{both} ((== (game sto A) 2) (do ((inc (game sto B)))))"), "x")
    ways = [(edge.source, edge.target, edge.label) for edge in graph.edges]
    assert sorted(ways) == sorted(
        [
            ("start", "test_0_", ""),
            ("test_0_", "actions_0_yes0", "yes"),
            ("test_0_", "choice_0_no0", "no"),
            ("actions_0_yes0", "test_1_", ""),
            ("choice_0_no0", "test_1_", ""),
            ("test_1_", "actions_1_yes0", "yes"),
            ("actions_1_yes0", "end", ""),
            ("test_1_", "end", "no"),
        ]
    )


def test_what_constants_rule_out_is_left_out():
    """Stages that end at once, actions and branches whose test is settled; others stay whole."""
    text = """
      (stage player (end (or (== 'OFF 0) (== (game sto A) 1))) (choice ((inc (game sto X)))))
      (do (((== 'OFF 1) (inc (game sto Y)))))
      (stage player (end (== (game sto A) 1))
        (choice (((== 'OFF 1) (inc (game sto Z))) ((== 'ON 1) (inc (game sto A))))))"""
    graph = stage_graph(program(text), "x")
    assert [node.id for node in graph.nodes()] == ["start", "stage_1_end", "choice_1_0", "end"]
    assert graph.nodes()[2].lines == ("choice of 1 branch", "• A += 1")


def test_deep_stages_are_folded():
    """Below a depth a stage is one box that counts what is in it."""
    rules = loaded("hearts").program
    whole = stage_graph(rules, "x")
    folded = stage_graph(rules, "x", depth=1)
    assert len(clusters(whole)) == 3
    assert len(clusters(folded)) == 1
    lines = [line for node in folded.nodes() for line in node.lines]
    assert "turns of players: 1 choice, 1 inner stage" in lines
    assert not clusters(stage_graph(rules, "x", depth=0))


def test_long_blocks_are_cut():
    """What is beyond the limit is counted."""
    actions = " ".join(f"(set (game sto A{at}) {at})" for at in range(9))
    for lines, last in ((9, "A8 := 8"), (4, "… and 6 more")):
        graph = stage_graph(program(f"(do ({actions}))"), "x", lines=lines)
        assert len(graph.nodes()[1].lines) == lines
        assert graph.nodes()[1].lines[-1] == last


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("(== (size (game iloc STOCK)) 0)", "STOCK is empty"),
        ("(!= (size (game iloc STOCK)) 0)", "STOCK has any"),
        ("(> (size (game iloc STOCK)) 0)", "STOCK has any"),
        ("(not (> (size (game iloc STOCK)) 0))", "STOCK is empty"),
        ("(not (== (game sto A) 1))", "A ≠ 1"),
        ("(not (< (game sto A) 1))", "A ≥ 1"),
        ("(<= (game sto A) (+ 1 (* 2 (game sto B))))", "A ≤ 1 + (2 * B)"),
        ("(or (== (game sto A) 1) (== 'OFF 1))", "A = 1"),
        (
            "(and (== (game sto A) 1) (or (== (game sto B) 2) (== (game sto C) 3)))",
            "A = 1 and (B = 2 or C = 3)",
        ),
        ("(all player 'P (== (size ('P iloc HAND)) 0))", "every player P: P's HAND is empty"),
        ("(any (other player) 'P (== ('P sto A) 1))", "some other player P: P's A = 1"),
        ("(== ((current player) sto A) ((next player) sto A))", "own A = next player's A"),
        ("(== ((1 player) sto A) 1)", "player 1's A = 1"),
        (
            "(any (filter (game iloc L) 'C (== (cardatt RANK 'C) A)) 'C (== (cardatt S 'C) K))",
            "some C of L where rank of C = A: s of C = K",
        ),
        ("(== (cardatt RANK (top (game iloc STOCK))) A)", "rank of top of STOCK = A"),
    ],
)
def test_conditions_in_words(text, words):
    """As people write them, without what the constants settle."""
    rules = program(f"(stage player (end {text}) (do ((inc (game sto A)))))")
    assert StageWording(rules).condition(rules.items[0].end) == words


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("(move (top (game iloc STOCK)) (top (game vloc OPEN)))", ["STOCK → OPEN"]),
        (
            "(move (bottom (game iloc STOCK)) (bottom (game vloc OPEN)))",
            ["bottom of STOCK → under OPEN"],
        ),
        (
            "(repeat 2 (move (top (game iloc STOCK)) (top (game vloc OPEN))))",
            ["2 times STOCK → OPEN"],
        ),
        (
            "(repeat all (move (top (game iloc STOCK)) (top (game vloc OPEN))))",
            ["STOCK → OPEN, all cards"],
        ),
        ("(shuffle (game iloc STOCK))", ["shuffle STOCK"]),
        ("(dec (game sto A) 3)", ["A −= 3"]),
        ("(set (game str S) X)", ["S := X"]),
        ("(cycle next (previous player))", ["next: previous player"]),
        ("(cycle current (next player))", ["turn to: next player"]),
        ("(swap (game iloc STOCK) (game vloc OPEN))", ["STOCK ⇄ OPEN"]),
        ("(remember (top (game iloc STOCK)) (top (game mem M)))", ["remember STOCK in M"]),
        ("((== (game sto A) 1) (inc (game sto B)))", ["if A = 1: B += 1"]),
        (
            "(all player 'P (do ((inc ('P sto A)) (inc ('P sto B)))))",
            ["for each player P:", "   P's A += 1", "   P's B += 1"],
        ),
        ("(let (game iloc STOCK) 'L (shuffle 'L))", ["shuffle L"]),
    ],
)
def test_actions_in_words(text, lines):
    """One line an action, and what depends on another below it."""
    rules = program(f"(do ({text}))")
    assert StageWording(rules).steps(rules.items[0]) == lines


SPAN = Span(0, 0)
OPEN = n.Storage(
    ValueKind.BOOLEAN,
    SPAN,
    n.Table(ValueKind.TABLE, SPAN),
    n.Text(ValueKind.STRING, SPAN, "A"),
    n.StorageKind.INTEGER,
)
YES, NO = (n.Truth(ValueKind.BOOLEAN, SPAN, value) for value in (True, False))


def test_settled_conditions():
    """A disjunction is settled by one true part, a conjunction by one false one."""

    def every(*tests):
        return n.Logic(ValueKind.BOOLEAN, SPAN, tests, every=True)

    def some(*tests):
        return n.Logic(ValueKind.BOOLEAN, SPAN, tests, every=False)

    def negated(test):
        return n.Not(ValueKind.BOOLEAN, SPAN, test)

    words = StageWording(program("(do ((inc (game sto A))))")).condition
    for test, expected in (
        (YES, True),
        (NO, False),
        (OPEN, None),
        (some(OPEN, YES), True),
        (every(OPEN, NO), False),
        (some(OPEN, NO), None),
        (every(OPEN, YES), None),
        (every(YES, YES), True),
        (negated(some(OPEN, YES)), False),
        (negated(OPEN), None),
    ):
        assert settled(test) is expected
        if expected is not None:
            assert words(test) == ("always" if expected else "never")
    assert words(every(OPEN, YES)) == words(some(NO, OPEN)) == "A"


@pytest.mark.sweep
@pytest.mark.parametrize("name", names())
def test_every_game_is_laid_out(name):
    """No two boxes or nodes overlap but those within each other; all edges run between nodes."""
    graph = stage_graph(loaded(name).program, name)
    ids = {node.id for node in graph.nodes()}
    assert {end for edge in graph.edges for end in (edge.source, edge.target)} == ids
    choices = [node for node in graph.nodes() if node.id.startswith("choice")]
    assert choices
    picture = stacked(graph)
    assert within_picture(picture)
    placed = outlines(picture)
    for one, other in combinations(graph.nodes(), 2):
        assert not overlap(placed[one.id], placed[other.id])
    shapes = [item for item in picture.items if not isinstance(item, Curve)]
    assert all(
        0 <= point.x <= picture.width
        for item in picture.items
        if isinstance(item, Curve)
        for point in item.points
    )
    assert len(shapes) > len(ids)


def test_boxes_hold_what_is_in_them():
    """Nested boxes of Hearts lie within each other, with room for the edges beside."""
    graph = stage_graph(loaded("hearts").program, "x")
    named = tuple(_named(item) for item in graph.items)
    picture = stacked(type(graph)(graph.title, named, graph.edges))
    placed = outlines(picture)

    def check(box):
        for item in box.items:
            name = item.label if isinstance(item, GraphCluster) else item.id
            assert holds(placed[box.label], placed[name])
            assert placed[box.label].width >= placed[name].width + 40
            if isinstance(item, GraphCluster):
                check(item)

    [outer] = [item for item in named if isinstance(item, GraphCluster)]
    check(outer)


def _named(item: GraphNode | GraphCluster) -> GraphNode | GraphCluster:
    """Give each box a label of its own, by which it is found."""
    if isinstance(item, GraphNode):
        return item
    return GraphCluster(item.id, item.id, tuple(map(_named, item.items)))


def test_walk_of_all_nodes():
    """The diagram of a game has a box for each stage that its settings leave."""
    rules = loaded("leduc").program
    stages = [one for item in rules.items for one in n.walk(item) if isinstance(one, n.Stage)]
    assert len(clusters(stage_graph(rules, "x"))) == len(stages) == 2

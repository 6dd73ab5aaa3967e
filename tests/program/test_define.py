"""Definitions: what their uses stand for, and where it is said to stand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from small_programs import checked, errors, whole

from cardwright import Game, GameError
from cardwright.errors import NoPlainTextError
from cardwright.game.engines import ENGINES
from cardwright.program import nodes as n
from cardwright.program.check import examine
from cardwright.syntax.diagnostic import Code
from cardwright.syntax.source import Source, Span
from plain_games import plain_program, rules

if TYPE_CHECKING:
    from cardwright.program.program import Program


def program(items: str, declare: str = "") -> Program:
    found = checked(items, declare=declare)
    assert found.program is not None, errors(found)
    return found.program


SAME = {
    "a condition": (
        "(define (LOW 'N) (< 'N 3))",
        "(do (((LOW (size player)) (turn pass))))",
        "(do (((< (size player) 3) (turn pass))))",
    ),
    "a location, and a card of it": (
        "(define HAND ((current player) iloc HAND)) (define (FIRST 'L) (top 'L))",
        "(do ((move (FIRST (HAND)) (FIRST (game vloc OUT)))))",
        "(do ((move (top ((current player) iloc HAND)) (top (game vloc OUT)))))",
    ),
    "a variable that is called as one of the body": (
        "(define (FROM 'L 'N) (all 'L 'C (set (game sto X) 'N)))",
        "(do ((all (range 1 .. 2) 'C (FROM (game iloc STOCK) 'C))))",
        "(do ((all (range 1 .. 2) 'C (all (game iloc STOCK) 'D (set (game sto X) 'C)))))",
    ),
    "a variable of an argument's own": (
        "(define (TWICE 'S) (all team 'P (do ('S 'S))))",
        "(do ((TWICE (all team 'P (inc ('P sto X))))))",
        "(do ((all team 'P (do ((all team 'Q (inc ('Q sto X))) (all team 'R (inc ('R sto X))))))))",
    ),
    "a part of the set-up's constants": (
        "(define (HALF 'N) (// 'N 2)) (declare (HALF 6) 'THREE)",
        "(do ((repeat 'THREE (turn pass))))",
        "(do ((repeat 3 (turn pass))))",
    ),
    "the words of a label are none": (
        "(define (PLAY 'N) (label (PLAY 'N (TWO)) (inc (game sto X) 'N))) (define TWO 2)",
        "(choice ((PLAY 1) (label (PLAI 7) (inc (game sto X) 7))))",
        "(choice ((label (PLAY 1 2) (inc (game sto X) 1)) (label (PLAI 7) (inc (game sto X) 7))))",
    ),
    "a list of names is none": (
        "(define A 3)",
        "(do ((all (A, K) 'V (inc (game sto X) (A)))))",
        "(do ((all (A, K) 'V (inc (game sto X) 3))))",
    ),
}


@pytest.mark.parametrize("case", SAME)
def test_a_use_stands_for_the_body(case: str) -> None:
    """A program has the rules of the one in which its author wrote the bodies out."""
    declare, used, written = SAME[case]
    assert rules(program(used, declare)) == rules(program(written, "(define X 1) (define Y (X))"))


def test_each_use_has_spans_of_its_own() -> None:
    """Two uses of one body are two texts, and so are two places of one argument."""
    declare = "(define (OFFER 'L 'S) (do ((any 'L 'C 'S) (any 'L 'D 'S))))"
    stock = "(game iloc STOCK)"
    offer = f"(OFFER {stock} (any (range 1 .. 2) 'N (inc (game sto X) 'N)))"
    nodes = program(f"(choice ({offer} {offer}))", declare).nodes()
    spans = [node.span for node in nodes if isinstance(node, n.ForEach)]
    assert len(spans) == len(set(spans)) == 8


def test_uses_are_known_after_a_check() -> None:
    """Each place where a definition or a parameter is named is kept, with its definition."""
    text = whole("(do ((inc (game sto X) (ADD 1 2))))", declare="(define (ADD 'A 'B) (+ 'A 'B))")
    meaning = examine(Source("small.rcy", text)).meaning
    assert meaning is not None
    uses = meaning.extensions.unfolding.uses
    named = [(text[slice(*use.span.text)], use.parameter and use.parameter.text) for use in uses]
    assert named == [("ADD", None), ("'A", "'A"), ("'B", "'B")]
    at = text.index("(ADD 1 2)")
    assert [use.span.via for use in uses] == [(), *[(Span(at, at + 9),)] * 2]


@pytest.mark.parametrize("engine", ENGINES)
def test_an_error_in_a_body_names_the_use(engine: str) -> None:
    """A game that stops says where the body is, and where it is used, outermost last."""
    declare = "(define (DRAW) (move (top (game iloc NOTHING)) (top (game vloc OUT))))\n"
    declare += "(define (TURN) (do ((DRAW))))\n"
    game = Game.from_text(whole("(do ((TURN)))", declare=declare), name="stuck", engine=engine)
    with pytest.raises(GameError) as stopped:
        game.start(1)
    assert str(stopped.value).splitlines()[:4] == [
        "stuck:1:28: the game stopped (empty-move): there is no card to move",
        "    1 | (top (game iloc NOTHING))",
        "      used at stuck:2:21: (DRAW)",
        "      used at stuck:3:87: (TURN)",
    ]


def nested_else(count: int) -> str:
    """Return a step with so many conditions, each in the else of the one before."""
    step = "(inc (game sto X))"
    for number in range(count):
        step = f"((> (game sto X) {number}) (inc (game sto X)) else {step})"
    return f"(do ({step}))"


def largest(count: int) -> str:
    value = "(game sto X)"
    for number in range(count):
        value = f"(max {number} {value})"
    return f"(do ((set (game sto X) {value})))"


@pytest.mark.parametrize(
    ("items", "why"),
    [(largest(100), "longer than"), ("(do (" * 40 + nested_else(23) + "))" * 40, "deep")],
)
def test_a_plain_text_has_a_size(items: str, why: str) -> None:
    """A game that plain RECYCLE says only in a monstrous text is played, and that is told."""
    game = Game.from_text(whole(items), engine="interpreter")
    assert game.start(1).finished
    with pytest.raises(NoPlainTextError, match=why):
        game.plain_text()


def test_steps_in_steps_have_a_plain_text() -> None:
    """A chain of conditions has one as long as it is not absurd."""
    assert "else" not in Game.from_text(whole(nested_else(20))).plain_text()


@pytest.mark.parametrize("first", [True, False])
def test_what_a_definition_reads_is_read_where_it_is_used(*, first: bool) -> None:
    """The storage is NONE there, though the definition stands before all that sets it."""
    declare = "(define FREE (== (game str LEAD) NONE))"
    steps = ["(set (game str LEAD) NONE)", "((FREE) (set (game str LEAD) A))"]
    found = checked(f"(do ({' '.join(steps if first else reversed(steps))}))", declare=declare)
    assert (Code.NEVER_EQUAL in {one.code for one in found.diagnostics}) is not first


def test_the_plain_text_counts_players_as_the_game_does() -> None:
    """An extension makes a file count from 1, whatever else it has, and so does its plain text."""
    older = "(put points 'W (((RANK (A)) 1)))"
    plain = whole(f"(do ({older} ((== (game sto X) 0) (turn pass)) (inc (game sto X) 1)))")
    extended = plain.replace("(turn pass))", "(turn pass) else (turn pass))")
    assert [Game.from_text(text).program.base for text in (plain, extended)] == [0, 1]
    assert plain_program(Game.from_text(extended)).base == 1


def test_constants_that_are_set_stand_in_the_plain_text() -> None:
    """Values of every kind are written so that they are read again."""
    declare = "(declare 1 'N) (declare true 'T) (declare A 'NAME) (declare (A, B) 'L)"
    declare += "(declare (range 1 .. 2) 'R)"
    items = "(do (('T (set (game sto X) 'N)) (set (game str S) 'NAME) (inc (game sto X) (size 'L))"
    items += "(inc (game sto X) (size 'R))))"
    values = {"N": -(2**63), "T": False, "NAME": "B", "L": ("C",), "R": range(-3, 4)}
    game = Game.from_text(whole(items, declare=declare), **values)
    plain = plain_program(game)
    assert {one.name: one.value for one in plain.declared} == values
    assert rules(plain) == rules(game.program)

"""Figures of a program add up, and name the ways to options that its compiled form has."""

from __future__ import annotations

import pytest

from cardwright import Game
from cardwright.compiler import ir
from cardwright.compiler.figures import Way, choice_figures, state_figures
from cardwright.compiler.ir import node_count

FRAME = """
(game
  (setup (create players 2)
    (create deck (game iloc STOCK) (deck (SUIT (MOON, STAR)) (RANK (ONE, TWO, THREE)))))
  (stage player
    (end (== (size (game iloc STOCK)) 0))
    (choice ({branches})))
  (scoring max (size ((current player) iloc HAND))))
"""


@pytest.mark.parametrize("name", ["hearts", "leduc", "rummy", "gofish", "cribbage"])
def test_the_parts_of_a_state_are_all_of_it(name: str) -> None:
    """Fields and piles fill a state but for its end; so do a pile's fields."""
    figures = state_figures(Game.load(name).program)
    filled = sum(part.bytes for part in figures.fields) + figures.piles * figures.pile_bytes
    assert 0 <= figures.bytes - filled < 8
    assert sum(part.bytes for part in figures.pile_fields) == figures.pile_bytes
    assert all(part.bytes > 0 for part in (*figures.fields, *figures.pile_fields))


@pytest.mark.parametrize(
    ("branch", "way"),
    [
        ("(any (game iloc STOCK) 'C (move 'C (top (game vloc PILE))))", Way.LISTED),
        ("(move (top (game iloc STOCK)) (top (game vloc PILE)))", Way.ASSURED),
        ("(repeat (random 2) (move (top (game iloc STOCK)) (top (game vloc PILE))))", Way.TRIED),
        ("(do ((inc (game sto X)) (any (range 1..3) 'N (inc (game sto Y) 'N))))", Way.EXPLORED),
    ],
)
def test_the_way_to_options(branch: str, way: Way) -> None:
    """Sure actions are listed, doubtful ones tried, and an `any` after an action is explored."""
    program = Game.from_text(FRAME.format(branches=branch)).program
    (choice,) = choice_figures(program)
    ((span, found),) = choice.branches
    assert found is way
    assert program.source.at(span) == branch
    assert program.source.at(choice.span).startswith("(choice")


def test_nodes_of_the_ir_are_counted() -> None:
    """Statements and expressions count, targets of assignments too."""
    x = ir.Local("x")
    body = (ir.Assign(x, ir.Binary(ir.Op.ADD, ir.Const(1), ir.Const(2))), ir.Return(x))
    module = ir.Module("m", {"f": ir.Function("f", (), ir.Type.INT, body)})
    assert node_count(module) == 7

"""Choices from filters whose tests are no masks: drawn by bits, the same as from a list."""

from __future__ import annotations

import pytest

from cardwright import Game
from cardwright.compiler.figures import ways
from cardwright.syntax.source import Source
from deep import usually
from differential import Checks, compare_games

QUICK = Checks(keys=0)

GAME = """
(game
 (setup (create players 3)
  (create deck (game iloc STOCK) (deck (SUIT (CLUBS, HEARTS)) (RANK (A, B, C, D, E, F)))))
 (do ((set (game points W)
       (((RANK : A) 1) ((RANK : B) 2) ((RANK : C) 3) ((RANK : D) 4) ((RANK : E) 5)))
      (shuffle (game iloc STOCK))
      (all player 'P (repeat 3 (move (top (game iloc STOCK)) (top ('P iloc HAND)))))
      (repeat all (move (top (game iloc STOCK)) (top (game vloc ROW))))
      (set (game str LAST) (cardatt SUIT (bottom (game vloc ROW))))))
 (stage player
  (end (== (game sto TURNS) 6))
  (choice ({branches}))
  (do ((inc (game sto TURNS)))))
 (scoring max (+ ((current player) sto SCORE)
                 (sum ((current player) iloc HAND) using (game points W)))))
"""

BY_BITS = {
    "cards that a loop tests": """(any (filter ((current player) iloc HAND) 'C
        (any (game vloc ROW) 'D (== (cardatt RANK 'D) (cardatt RANK 'C)))) 'CARD
      (move 'CARD (top (game vloc ROW)))) (turn pass)""",
    "cards of a pile": """(any (filter (game vloc ROW) 'C
        (any (game vloc ROW) 'D (and (!= 'C 'D) (== (cardatt RANK 'D) (cardatt RANK 'C))))) 'CARD
      (move 'CARD (top ((current player) iloc HAND)))) (turn pass)""",
    "filters of filters": """(any (filter (filter ((current player) iloc HAND) 'C
          (== (cardatt SUIT 'C) CLUBS)) 'C
        (any (game vloc ROW) 'D (!= (cardatt RANK 'D) (cardatt RANK 'C)))) 'CARD
      (move 'CARD (top (game vloc ROW)))) (turn pass)""",
    "players of players": """(any (filter (filter player 'P (!= 'P (current player))) 'P
        (> (size ('P iloc HAND)) 1)) 'TARGET
      (do ((inc ('TARGET sto SCORE)) (cycle next 'TARGET)))) (turn pass)""",
    "numbers of numbers": """(any (filter (filter (range 1 .. 9) 'N (> 'N (game sto TURNS))) 'N
        (!= 'N 5)) 'NUMBER (inc ((current player) sto SCORE) 'NUMBER))""",
    "a test that may break a rule": """(any (filter ((current player) iloc HAND) 'C
        (>= (score 'C using (game points W))
            (score (top ((next player) vloc ALONE)) using (game points W)))) 'CARD
      (move 'CARD (top ((current player) vloc ALONE))))
      (any ((current player) iloc HAND) 'CARD
       (move 'CARD (top ((current player) vloc ALONE))))""",
}


def game(branches: str) -> Game:
    return Game.from_source(Source("picks", GAME.format(branches=branches)))


@pytest.mark.parametrize("what", BY_BITS)
def test_picks_are_the_same(what: str) -> None:
    one = game(BY_BITS[what])
    (choice,) = ways(one.program).choices
    assert choice.listed is None, choice
    compare_games(one, range(usually(2, 6)), QUICK)


def test_a_step_of_two_that_may_not_act_is_tried() -> None:
    """Whether it is an option at all depends on the state."""
    branch = """(do (((== (size (game vloc ROW)) 2) (inc ((current player) sto SCORE)))
      ((> (size (game vloc ROW)) 3) (move (top (game vloc ROW)) (top (game vloc GONE))))))
      ((> (size (game vloc ROW)) 1) (move (top (game vloc ROW)) (top (game vloc GONE))))
      (turn pass)"""
    games = compare_games(game(branch), range(6), QUICK)
    assert {count for played in games for count in played.counts} == {1, 2, 3}


def test_a_step_of_two_of_which_one_acts_is_tried() -> None:
    """The compiler does not see that the tests leave no third way."""
    branch = """(do (((== (size ((current player) iloc HAND)) 0)
          (inc ((current player) sto SCORE)))
         ((> (size ((current player) iloc HAND)) 0)
          (move (top ((current player) iloc HAND)) (top (game vloc ROW))))))
      ((> (size (game vloc ROW)) 4) (inc ((current player) sto SCORE) 3))"""
    compare_games(game(branch), range(6), QUICK)

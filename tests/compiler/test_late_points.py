"""Points of which some awards are known only in play are compared with a number for all cards."""

from __future__ import annotations

import pytest

from cardwright import Game
from cardwright.compiler.figures import ways
from cardwright.syntax.source import Source
from deep import mostly_deep, usually
from differential import Checks, compare_games

OPERATORS = ("<", ">", "<=", ">=", "==", "!=")
NUMBERS = (-9223372036854775807, -30, -1, 0, 1, 2, 5, 20, 21, 22, 47, 9223372036854775807)

PROGRAM = """
(game
 (setup (create players 2)
  (create deck (game iloc STOCK) (deck (SUIT (RED, BLUE, GREEN)) (RANK (A, B, C, D))))
  (create deck (game iloc STOCK) (deck (SUIT ({more})))))
 (do ((all (game iloc STOCK) 'C (move 'C (top (game vloc ROW))))
      (set (game str TRUMP) RED) {numbers}))
 ;; In the first round the map is not set: no card has points then.
 (stage player
  (end (== (game sto ROUND) 4))
  (choice ({options} (turn pass)))
  (do ((inc (game sto ROUND))
       ((== (game sto ROUND) 3) (set (game str TRUMP) BLUE))
       (set (game points W)
        (((SUIT : (game str TRUMP)) 20) ((SUIT : (game str TRUMP)) (RANK : A) 25)
         ((SUIT : (game str OTHER)) (RANK : (game str WORST)) (- 0 31))
         ((RANK : A) 2) ((RANK : B) 1) ((RANK : C) 2) ((RANK : D) 5)))
       (set (game str OTHER) GREEN) (set (game str WORST) D))))
 (scoring max (game sto LAST)))
"""
OPTION = """
   ((== (game sto ROUND) {round})
    (any (filter (game vloc ROW) 'C ({operator} (score 'C using (game points W)) {number})) 'CARD
     (set (game sto LAST) (score 'CARD using (game points W)))))"""


@pytest.mark.sweep
@pytest.mark.slow
@pytest.mark.parametrize("cards", mostly_deep([20, 90], (20).__eq__))
@pytest.mark.parametrize("operator", OPERATORS)
def test_points_with_late_awards_compare_alike(operator: str, cards: int) -> None:
    """Before a map is set, and when its awards change, with numbers of any size."""
    options = "".join(
        OPTION.format(round=at, operator=operator, number=f"(game sto N{number})")
        for at in range(4)
        for number in range(len(NUMBERS))
    )
    numbers = " ".join(
        f"(set (game sto N{at}) (- {max(number, 0)} {max(-number, 0)}))"
        for at, number in enumerate(NUMBERS)
    )
    more = ", ".join(f"S{at}" for at in range(cards - 12))
    one = Game.from_source(
        Source("late", PROGRAM.format(more=more, options=options, numbers=numbers))
    )
    assert [choice.listed for choice in ways(one.program).choices] == [None]
    played = compare_games(one, range(usually(2, 6)), Checks(keys=1))
    assert {game.end for game in played} == {"over"}


SUMS = """
(game
 (setup (create players 2)
  (create deck (game iloc STOCK) (deck (SUIT (RED, BLUE)) (RANK (A, B, C, D)))))
 (do ((set (game points W) (((RANK : A) 2) ((RANK : B) 1) ((RANK : C) 2)))
      (all (game iloc STOCK) 'C (move 'C (top (game vloc ROW))))
      (set (game sto PLUS) 5) {numbers}
      ;; What is stored from elsewhere may be any number.
      (set (game sto LIMIT) (game sto N0))))
 (stage player
  (end (== (game sto ROUND) {rounds}))
  (choice (
   (any (filter (game vloc ROW) 'C
     ({operator} (+ (game sto PLUS) (score 'C using (game points W))) (game sto LIMIT))) 'CARD
    (inc ((current player) sto SUM) (score 'CARD using (game points W))))
   (turn pass)))
  (do ((inc (game sto ROUND)) {next})))
 (scoring max ((current player) sto SUM)))
"""


@pytest.mark.sweep
@pytest.mark.parametrize("operator", OPERATORS)
def test_points_with_summands_compare_alike(operator: str) -> None:
    """Also with numbers from which nothing can be subtracted."""
    numbers = " ".join(
        f"(set (game sto N{at}) (- {max(number, 0)} {max(-number, 0)}))"
        for at, number in enumerate(NUMBERS)
    )
    next_one = " ".join(
        f"((== (game sto ROUND) {at}) (set (game sto LIMIT) (game sto N{at})))"
        for at in range(len(NUMBERS))
    )
    text = SUMS.format(numbers=numbers, next=next_one, rounds=len(NUMBERS), operator=operator)
    played = compare_games(Game.from_source(Source("sums", text)), range(2), Checks(keys=0))
    assert {one.end for one in played} == {"over"}

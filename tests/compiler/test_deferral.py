"""Deferred shuffles: which programs have them, and that every draw is the same as without."""

from __future__ import annotations

import pytest

from cardwright import Game
from cardwright.program.deferral import deferred_place
from cardwright.program.effects import EffectAnalysis
from cardwright.syntax.source import Source
from deep import usually
from differential import Checks, compare_games

QUICK = Checks(keys=0)

GAME = """
(game
 (setup (create players 3)
  (create deck (game iloc STOCK) (deck (SUIT (CLUBS, HEARTS)) (RANK (A, B, C, D, E, F, G, H)))))
 (do ((set (game points W) (((RANK : A) 1)))
      (set (game points V) (((RANK : C) 3) ((RANK : D) 4) ((RANK : E) 5) ((RANK : F) 6)))
      (shuffle (game iloc STOCK))
      (repeat 4 (move (top (game iloc STOCK)) (top (game vloc ROW))))
      {first}))
 (stage player
  (end (== (game sto TURNS) 12))
  (choice (
   (any (range 1 .. 2) 'N
    (do ((inc (game sto TURNS))
         (inc ((current player) sto KEPT) 'N)
         (move (top (game iloc STOCK)) (top ((current player) vloc MINE)))
         {then}
         ((== (size (game iloc STOCK)) 0)
          (do (
           (all player 'P (repeat all (move (top ('P vloc MINE)) (top (game iloc STOCK)))))
           (shuffle (game iloc STOCK)))))))))))
 (scoring max (+ ((current player) sto KEPT)
                 (sum ((current player) vloc MINE) using (game points W)))))
"""


def game(first: str = "", then: str = "") -> Game:
    return Game.from_source(Source("stock", GAME.format(first=first, then=then)))


def defers(one: Game) -> bool:
    return deferred_place(EffectAnalysis(one.program)) is not None


ALLOWED = {
    "its top and its size": "(set (game sto SEEN) (size (game iloc STOCK)))",
    "the attributes of its top": "(set (game str SUIT) (cardatt SUIT (top (game iloc STOCK))))",
    "a random number": "(inc ((1 player) sto KEPT) (random 1 .. 9))",
    "a tie": """(inc ((1 player) sto KEPT)
      (score (max (game vloc ROW) using (game points W)) using (game points V)))""",
    "a shuffle of a shuffle": "(shuffle (game iloc STOCK))",
    "a card on top": """(do ((move (top (game vloc ROW)) (top (game iloc STOCK)))
      (move (top (game iloc STOCK)) (top (game vloc ROW)))))""",
}

REFUSED = {
    "its bottom": "(set (game str SUIT) (cardatt SUIT (bottom (game iloc STOCK))))",
    "a card below": "(move (top (game vloc ROW)) (bottom (game iloc STOCK)))",
    "all its cards": "(set (game sto SEEN) (sum (game iloc STOCK) using (game points W)))",
    "a filter": """(set (game sto SEEN)
      (size (filter (game iloc STOCK) 'C (== (cardatt SUIT 'C) HEARTS))))""",
    "another shuffle": "(shuffle (game vloc ROW))",
    "a card in a variable": """(all (game vloc ROW) 'C
      (do ((move 'C (top (game iloc STOCK)))
           (shuffle (game iloc STOCK))
           (move 'C (top (game vloc ROW))))))""",
    "cards in memory": """(remember (top (game iloc STOCK)) (top (game mem SEEN)))""",
    "a place named in play": """(do ((set (game str NAME) STOCK)
      (set (game sto SEEN) (sum (game iloc (game str NAME)) using (game points W)))))""",
}


@pytest.mark.sweep
@pytest.mark.parametrize("what", ALLOWED)
def test_shuffles_are_deferred_with(what: str) -> None:
    for one in (game(first=ALLOWED[what]), game(then=ALLOWED[what])):
        assert defers(one)
        ends = {played.end for played in compare_games(one, range(usually(2, 4)), QUICK)}
        assert "over" in ends


@pytest.mark.sweep
@pytest.mark.parametrize("what", REFUSED)
def test_shuffles_are_not_deferred_with(what: str) -> None:
    for one in (game(first=REFUSED[what]), game(then=REFUSED[what])):
        assert not defers(one)
        compare_games(one, range(1), QUICK)

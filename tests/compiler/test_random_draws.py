"""What random players draw from without a list of options is the same as with one."""

from __future__ import annotations

import pytest

from cardwright import Game
from cardwright.syntax.source import Source
from deep import usually
from differential import EVERYTHING, compare_games

CHOICES = """(game
 (setup (create players 2) (create deck (game iloc STOCK) (deck (V (A, B, C)))))
 (choice ({choices} (inc (game sto N))))
 (scoring max (game sto N)))"""


@pytest.mark.parametrize("numbers", ["3 .. 1", "2 .. 1", "2 .. 2", "0 .. 1", "1 .. 64"])
def test_a_range_may_be_empty(numbers: str) -> None:
    choices = f"(any (range {numbers}) 'N (inc (game sto N) (+ 'N 5)))"
    game = Game.from_source(Source("ranges", CHOICES.format(choices=choices)))
    assert {one.end for one in compare_games(game, range(usually(5, 20)), EVERYTHING)} == {"over"}


BETWEEN = """(game
 (setup (create players 3) (create deck (game iloc STOCK) (deck (VAL (A, B)) (HUE (X, Y)))))
 (do ((move (top (game iloc STOCK)) (top ((1 player) iloc C)))))
 (choice (
  (all (filter player 'P (!= (size ('P oloc D)) 0)) 'Q (set (game sto Z) 1))
  ((== (random 1) 1) (set (game sto Z) 1) else
   (move (top ((1 player) iloc C)) (top (game iloc STOCK))))
  (move (top ((1 player) iloc C)) (0 (game iloc STOCK)))
  (turn pass)))
 (scoring max (size ((1 player) iloc C))))"""


def test_an_option_that_draws_leaves_nothing_behind_for_the_next() -> None:
    """It is tried where the one before was tried, and so is the one behind it."""
    played = compare_games(Game.from_text(BETWEEN), range(12), EVERYTHING)
    assert {one.end for one in played} == {"over"}

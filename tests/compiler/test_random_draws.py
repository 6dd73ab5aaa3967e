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

"""Combinations of cards that lie by number, where parts of them are filtered by any test."""

from __future__ import annotations

import pytest

from cardwright import Game
from cardwright.syntax.source import Source
from deep import usually
from differential import EVERYTHING, compare_games

COMBINED = """(game
 (setup (create players 2) (create teams (1, 2))
  (create deck (game iloc STOCK) (deck (VALUE (A, B, C, D)) (OTHER (A, B)))))
 (do ((shuffle (game iloc STOCK))
      (repeat 5 (move (top (game iloc STOCK)) (top ((current player) iloc HAND))))))
 (choice ((any ((current player) iloc HAND) 'CARD
  (do ((move 'CARD (top (game vloc OUT)))
       (set (game sto SIZE) (size ({operation} {first} {second}))))))))
 (scoring max (game sto SIZE)))"""

HAND = "((current player) iloc HAND)"


@pytest.mark.parametrize("operation", ["disjunction", "intersect", "union"])
@pytest.mark.parametrize("test", ["!= (cardatt VALUE 'C) (cardatt OTHER 'C)", "== (size HAND) 4"])
def test_filtered_parts(operation: str, test: str) -> None:
    """Some tests are no masks: of two attributes of a card, or of no card at all."""
    first = f"(filter {HAND} 'C ({test.replace('HAND', HAND)}))"
    text = COMBINED.format(operation=operation, first=first, second=HAND)
    game = Game.from_source(Source("combined", text))
    assert {one.end for one in compare_games(game, range(usually(1, 4)), EVERYTHING)} == {"over"}

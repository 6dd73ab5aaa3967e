"""Random play notes nothing that seats know, but what is noted anyway does no harm."""

from __future__ import annotations

from cardwright import Game
from cardwright.game.native.random_games import play_random
from cardwright.syntax.source import Source
from differential import Checks, compare_games
from fallbacks import without

GAME = """
(game
 (setup (create players 2)
  (create deck (game vloc ROW) (deck (SUIT (CLUBS, HEARTS)) (RANK (A, B, C)))))
 (do ((set (game points W) (((RANK : A) 1) ((RANK : B) 2) ((SUIT : CLUBS) 4)))
      (move (top (game vloc ROW)) (top (game iloc BOX)))
      (move (bottom (game iloc BOX)) (top (game iloc AFTER)))))
 (stage player
  (end (== (game sto TURNS) 40))
  (choice ((any (game vloc ROW) 'C (move 'C (top (game iloc BOX))))))
  (do ((inc (game sto TURNS))
       (inc ((current player) sto SUM)
        (score (bottom (game iloc BOX)) using (game points W)))
       ;; BOX has an order, and so has AFTER, which lies behind it in memory.
       (move (bottom (game iloc BOX)) (top (game vloc ROW)))
       (swap (bottom (game iloc AFTER)) (top (game vloc ROW))))))
 (scoring max (+ ((current player) sto SUM) (* 1000 (size (game iloc AFTER))))))
"""


def test_what_is_known_has_room_however_often_it_is_noted() -> None:
    """Listed options note what everybody sees, stages do not note that a card has left."""
    game = Game.from_source(Source("boxes", GAME))
    expected = [played.scores for played in compare_games(game, range(5), Checks(keys=0))]
    with without(["draws by bits", "bunches of options"]):
        again = Game.from_source(Source("boxes", GAME))
        found = play_random(again, range(5), threads=1)
    assert [tuple(map(int, row)) for row in found.scores] == expected

"""Games that break a rule of the language as soon as somebody chooses the second option."""

from __future__ import annotations

BREAKS = """
(game
  (setup (create players 2) (create deck (game iloc STOCK) (deck (RANK (A, K)))))
  (stage player
    (end (== (game sto ROUND) 3))
    (choice ((set (game sto BROKEN) 0) (set (game sto BROKEN) 1)))
    (do ((inc (game sto ROUND)) ((== (game sto BROKEN) 1) (set (game sto ROUND) (// 1 0))))))
  (scoring max ((current player) sto WON)))
"""
"""For two players."""

BREAKS_ALONE = """(game
  (setup (create players 1) (create deck (game iloc STOCK) (deck (RANK (A, TWO)))))
  (stage player
    (end (== (game sto TURNS) 9))
    (choice (
      (inc (game sto TURNS))
      (set (game sto BAD) 1)))
    (do (((== (game sto BAD) 1) (inc (game sto TURNS) (// 1 (game sto NOTHING)))))))
  (scoring max (game sto TURNS)))
"""
"""For one player; the first option scores a point."""

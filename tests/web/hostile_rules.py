"""Rules that want more than they may have, for tests of the processes in which they are played."""

from __future__ import annotations

TURN = """(stage player (end (== (game sto DONE) 3)) (choice (
  (inc (game sto DONE))
  ((== (game sto DONE) 1) (do ((inc (game sto DONE)) (inc (game sto EVEN)))))
  )))"""
"""Three decisions that nobody cares about."""


def rules(items: str, cards: int = 20, setup: str = "", scoring: str = "(scoring max 0)") -> str:
    """Return rules of two players with these items, and so many cards in the stock."""
    ranks = ", ".join(f"R{number}" for number in range(cards))
    deck = f"(create deck (game iloc STOCK) (deck (RANK ({ranks}))))"
    return f"(game (setup (create players 2) {deck} {setup})\n{items}\n{scoring})"


LONG = "(do ((repeat 1000 (inc (game sto N) (size (subsets (game iloc STOCK)))))))"
"""An action that takes some ten seconds with 14 cards, and leaves nothing behind."""

NEVER = "(stage player (end (== 1 2)) (do ((inc (game sto N)))))"
SETS = """(stage player (end (== (size (game iloc STOCK)) 0)) (choice (
  (any (subsets (game iloc STOCK)) 'S (all 'S 'C (move 'C (top (game vloc OUT))))))))"""
PICKS = """(stage player (end (== (game sto DONE) 3)) (choice (
  (any (game iloc STOCK) 'A (any (game iloc STOCK) 'B (any (game iloc STOCK) 'C
    (any (game iloc STOCK) 'D (any (game iloc STOCK) 'E (inc (game sto DONE))))))))))"""

FINE = rules(TURN)
LONG_SETUP = rules(LONG + TURN, 14)
LONG_TURN = rules(
    f"(stage player (end (== (game sto DONE) 3)) (choice ((inc (game sto DONE)))) {LONG})", 14
)
BROKEN_TURN = rules(
    "(stage player (end (== (game sto DONE) 3)) (choice ((inc (game sto DONE))))"
    " (do ((inc (game sto N) (size (subsets (game iloc STOCK)))))))",
    40,
)
ENDLESS = rules(NEVER + TURN)
MANY_OPTIONS = rules(SETS, 18)
MANY_PICKS = rules(PICKS)
TOO_MANY_OPTIONS = rules(SETS, 40)
MANY_DECKS = rules(
    TURN, setup="(repeat 100000 (create deck (game iloc STOCK) (deck (RANK (A, B, C)))))"
)
LARGE = rules("(do ((set (game sto N) 1)))\n" * 38_000 + TURN)
DEEP = "(game " * 80_000

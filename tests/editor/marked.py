"""Texts with a mark where the cursor is."""

from __future__ import annotations

from pathlib import Path

from cardwright.editor.document import Document

GAMES = Path(__file__).parents[2] / "src" / "cardwright" / "library" / "games"
URI = "file:///games/echo.rcy"
ECHO = """;; Echo: match the suit of the card below.
(game
  (declare 4 'CARDS)
  (setup
    (create players 2)
    (create deck (game iloc STOCK)
      (deck (SUIT (MOON, STAR)) (RANK (ONE, TWO, THREE, FOUR, FIVE)))))
  (do (
    (shuffle (game iloc STOCK))
    (all player 'P (repeat 'CARDS (move (top (game iloc STOCK)) (top ('P iloc HAND)))))
    (move (top (game iloc STOCK)) (top (game vloc PILE)))))
  (stage player
    (end (all player 'P (== (size ('P iloc HAND)) 0)))
    (choice (
      (any ((current player) iloc HAND) 'CARD
        (do (
          ((== (cardatt SUIT 'CARD) (cardatt SUIT (top (game vloc PILE))))
            (inc ((current player) sto SCORE)))
          (move 'CARD (top (game vloc PILE)))))))))
  (scoring max ((current player) sto SCORE)))
"""


def at(text: str, mark: str = "|") -> tuple[Document, int]:
    """Return the document of a text without its mark, and the offset of the mark."""
    return Document(URI, text.replace(mark, "", 1)), text.index(mark)


def echo(before: str, after: str) -> tuple[Document, int]:
    """Return Echo with the cursor before the first `after` that follows `before`."""
    return Document(URI, ECHO), ECHO.index(after, ECHO.index(before))


DEFINED = ECHO.replace(
    "  (setup",
    "  (define (ALIKE 'C 'D) (== (cardatt SUIT 'C) (cardatt SUIT 'D)))\n"
    "  (define (COUNT 'O) (inc ('O sto TURNS)))\n  (setup",
    1,
).replace(
    "((== (cardatt SUIT 'CARD) (cardatt SUIT (top (game vloc PILE))))",
    "(COUNT game)\n          (COUNT (current player))\n"
    "          ((ALIKE 'CARD (top (game vloc PILE)))",
)
"""The same game, with definitions; one of them is used for owners of two sorts."""

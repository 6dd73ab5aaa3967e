"""What one begins with in the studio: starts of new games, and games of the library."""

from __future__ import annotations

from typing import Any

from cardwright.authoring.new_game import DECKS, KINDS, PLAYERS, start_text
from cardwright.game.find import SUFFIX, find
from cardwright.library import catalogue

EMPTY = """\
;; A new game.
;; Two players play their cards one by one; the last card that is played scores.
(game
  (setup
    (create players 2)
    (create deck (game iloc STOCK)
      (deck (SUIT (HEARTS, SPADES)) (RANK (ACE, KING, QUEEN, JACK)))))

  (do (
    (shuffle (game iloc STOCK))
    (all player 'P (repeat 4 (move (top (game iloc STOCK)) (top ('P iloc HAND)))))))

  (stage player
    (end (all player 'P (== (size ('P iloc HAND)) 0)))
    (choice (
      (any ((current player) iloc HAND) 'C (move 'C (top (game vloc PILE))))))
    (do (
      (set ((current player) sto SCORE) 0)
      ((== (size (game vloc PILE)) 8) (set ((current player) sto SCORE) 1)))))

  (scoring max ((current player) sto SCORE)))
"""
"""The smallest game that can be played, to be replaced."""


def starts() -> dict[str, Any]:
    """Return what can be begun with."""
    return {
        "kinds": [{"kind": kind, "about": about} for kind, about in KINDS.items()],
        "decks": [{"deck": name, "cards": len(deck)} for name, deck in DECKS.items()],
        "players": list(PLAYERS),
        "games": [
            {"name": name, "title": catalogue.facts(name).title} for name in catalogue.names()
        ],
    }


def new_text(kind: str, deck: str, players: int) -> str:
    """Return the rules of a new game, whose kind, deck and players are among those of `starts`."""
    return start_text(kind, SUFFIX, "new-game", deck, players)


def library_text(name: str) -> str:
    """Return the rules of a game of the library; raises NotFoundError for another name."""
    catalogue.facts(name)
    return find(name).text

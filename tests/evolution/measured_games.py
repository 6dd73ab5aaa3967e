"""Small games whose measures are known from their rules."""

from __future__ import annotations

from cardwright import Game

_CARDS = "(create deck (game iloc STOCK) (deck (VAL (A, B, C, D, E, F, G, H))))"
_WORTH = """(set (game points W) (((VAL : A) 1) ((VAL : B) 2) ((VAL : C) 3) ((VAL : D) 4)
  ((VAL : E) 5) ((VAL : F) 6) ((VAL : G) 7)))"""
_DEAL = f"""(do ({_WORTH} (shuffle (game iloc STOCK))
  (all player 'P (move (top (game iloc STOCK)) (top ('P iloc HAND))))))"""
_BY_CARD = "(scoring max (sum ((current player) iloc HAND) using (game points W)))"


def _each(options: str) -> str:
    """Every player makes one choice, in turn."""
    return f"""(stage player (end (== (game sto N) (size player)))
 (do ((inc (game sto N)))) (choice ({options})))"""


_IDLE = _each("(set ((current player) sto X) 1) (set ((current player) sto X) 2)")
_PAIR = "(set ((current player) sto X) 0) (set ((current player) sto X) 1)"


def _game(name: str, *parts: str, players: int = 2) -> Game:
    setup = f"(setup (create players {players}) {_CARDS})"
    return Game.from_text(f"(game {setup}\n{chr(10).join(parts)})", name=name)


def dealt(players: int = 2) -> Game:
    """The better card wins, whatever is chosen before."""
    return _game("dealt", _DEAL, _IDLE, _BY_CARD, players=players)


def drawn_late() -> Game:
    """The same, but the cards come after the choices."""
    return _game("drawn late", _IDLE, _DEAL, _BY_CARD)


def pennies() -> Game:
    """The first seat wins if both choose alike, the second if not; nothing is drawn."""
    return _game(
        "pennies",
        _each(_PAIR),
        """(do (((== ((1 player) sto X) ((2 player) sto X)) (set ((1 player) sto WON) 1))
  ((!= ((1 player) sto X) ((2 player) sto X)) (set ((2 player) sto WON) 1))))
(scoring max ((current player) sto WON))""",
    )


def half_dealt() -> Game:
    """The card counts as much as a choice of 0 or 7: 3 and more in 8 cards."""
    return _game(
        "half dealt",
        _DEAL,
        _each("(set ((current player) sto X) 0) (set ((current player) sto X) 7)"),
        "(scoring max (+ ((current player) sto X) "
        "(sum ((current player) iloc HAND) using (game points W))))",
    )


def first_wins(players: int = 2) -> Game:
    """The first seat wins, whatever is chosen."""
    return _game("first wins", _IDLE, "(scoring min (pid (current player)))", players=players)


def better_choice() -> Game:
    """Who chooses 1 and not 0 wins, or shares the win."""
    return _game("better choice", _each(_PAIR), "(scoring max ((current player) sto X))")


def partners() -> Game:
    """Two teams of two; the best choice of a team's players counts."""
    return Game.from_text(
        f"""(game (setup (create players 4) (create teams (1, 3) (2, 4)) {_CARDS})
{
            _each(_PAIR)
            .replace("(set ((current player) sto X) 0)", "(turn pass)")
            .replace("(set ((current player) sto X) 1)", "(inc ((team (current player)) sto X))")
        }
(scoring max ((team (current player)) sto X)))""",
        name="partners",
    )

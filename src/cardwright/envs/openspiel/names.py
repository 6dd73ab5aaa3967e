"""The games that OpenSpiel can load, by name."""

from __future__ import annotations

import re

from cardwright.envs.openspiel.errors import OpenSpielError
from cardwright.game.game import Game

_NAME = re.compile(r"[A-Za-z0-9_.-]+")

_GAMES: dict[str, Game] = {}
"""The games that were given a name."""


def keep(game: Game, name: str) -> None:
    """Keep a game under a name; raises OpenSpielError for a name that OpenSpiel cannot read."""
    if not _NAME.fullmatch(name):
        raise OpenSpielError(f"{name!r} is no name for OpenSpiel: use letters, digits, _, . and -")
    _GAMES[name] = game


def found(name: str, preset: str) -> Game:
    """Return a game that was registered under a name, or that of the library, or of a file.

    A preset is of the library's game or of the file. Raises OpenSpielError without a name, and what
    `Game.load` raises.
    """
    if not name:
        raise OpenSpielError('name a game: pyspiel.load_game("cardwright(game=kuhn)")')
    if preset:
        return Game.load(name, preset=preset)
    if name not in _GAMES:
        _GAMES[name] = Game.load(name)
    return _GAMES[name]

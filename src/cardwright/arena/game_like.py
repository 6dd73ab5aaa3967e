"""What stands for a game: a `Game`, or the text or path of one."""

from __future__ import annotations

from pathlib import Path
from typing import TypeAlias

from cardwright.game.find import split_preset
from cardwright.game.game import Game

GameLike: TypeAlias = str | Path | Game
"""A game that is loaded, or `GAME` or `GAME:PRESET` as on the command line."""


def game_of(given: GameLike) -> Game:
    """Return the game that is meant; raises what `Game.load` does."""
    if isinstance(given, Game):
        return given
    name, preset = split_preset(str(given))
    return Game.load(name, preset=preset)

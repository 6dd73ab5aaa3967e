"""Card games from their rules, written in RECYCLE: checked, played, studied.

    >>> from cardwright import Game
    >>> state = Game.load("hearts").start(seed=1)
    >>> len(state.options()) <= 13
    True

The names below are loaded when they are first used, so that importing the package is cheap.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from cardwright._version import __version__

if TYPE_CHECKING:
    from cardwright.game.batch import Batch
    from cardwright.game.bulk import play_random
    from cardwright.game.determinise import KnowledgeMode
    from cardwright.game.errors import (
        CardwrightError,
        GameError,
        GameFileError,
        IllegalOptionError,
        NotFoundError,
        OptionTextError,
        UndoError,
        UnreadableFileError,
    )
    from cardwright.game.game import Game
    from cardwright.game.option import Option
    from cardwright.game.random_games import RandomGames
    from cardwright.game.rollouts import Rollouts
    from cardwright.game.seeds import game_seeds
    from cardwright.game.settings import FactsError, SettingError
    from cardwright.game.state import State
    from cardwright.game.view import Back, View
    from cardwright.interpreter.machine import GameLimits
    from cardwright.interpreter.stream import Stream
    from cardwright.program.cards import Card, Location, LocationKind, Seat

_HOMES = {
    "Back": "cardwright.game.view",
    "Batch": "cardwright.game.batch",
    "Card": "cardwright.program.cards",
    "CardwrightError": "cardwright.game.errors",
    "FactsError": "cardwright.game.settings",
    "Game": "cardwright.game.game",
    "GameError": "cardwright.game.errors",
    "GameFileError": "cardwright.game.errors",
    "IllegalOptionError": "cardwright.game.errors",
    "GameLimits": "cardwright.interpreter.machine",
    "Location": "cardwright.program.cards",
    "LocationKind": "cardwright.program.cards",
    "KnowledgeMode": "cardwright.game.determinise",
    "NotFoundError": "cardwright.game.errors",
    "Option": "cardwright.game.option",
    "OptionTextError": "cardwright.game.errors",
    "RandomGames": "cardwright.game.random_games",
    "Rollouts": "cardwright.game.rollouts",
    "Seat": "cardwright.program.cards",
    "SettingError": "cardwright.game.settings",
    "State": "cardwright.game.state",
    "Stream": "cardwright.interpreter.stream",
    "UndoError": "cardwright.game.errors",
    "UnreadableFileError": "cardwright.game.errors",
    "View": "cardwright.game.view",
    "game_seeds": "cardwright.game.seeds",
    "play_random": "cardwright.game.bulk",
}
"""Where each public name is at home."""

__all__ = [
    "Back",
    "Batch",
    "Card",
    "CardwrightError",
    "FactsError",
    "Game",
    "GameError",
    "GameFileError",
    "GameLimits",
    "IllegalOptionError",
    "KnowledgeMode",
    "Location",
    "LocationKind",
    "NotFoundError",
    "Option",
    "OptionTextError",
    "RandomGames",
    "Rollouts",
    "Seat",
    "SettingError",
    "State",
    "Stream",
    "UndoError",
    "UnreadableFileError",
    "View",
    "__version__",
    "game_seeds",
    "play_random",
]


def __getattr__(name: str) -> object:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'cardwright' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__

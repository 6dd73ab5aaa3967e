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
    from cardwright.game.errors import (
        CardwrightError,
        GameError,
        GameFileError,
        IllegalOptionError,
        NotFoundError,
    )
    from cardwright.game.game import Game
    from cardwright.game.option import Option
    from cardwright.game.state import State
    from cardwright.game.view import View
    from cardwright.interpreter.stream import Stream

_HOMES = {
    "CardwrightError": "cardwright.game.errors",
    "Game": "cardwright.game.game",
    "GameError": "cardwright.game.errors",
    "GameFileError": "cardwright.game.errors",
    "IllegalOptionError": "cardwright.game.errors",
    "NotFoundError": "cardwright.game.errors",
    "Option": "cardwright.game.option",
    "State": "cardwright.game.state",
    "Stream": "cardwright.interpreter.stream",
    "View": "cardwright.game.view",
}

__all__ = [
    "CardwrightError",
    "Game",
    "GameError",
    "GameFileError",
    "IllegalOptionError",
    "NotFoundError",
    "Option",
    "State",
    "Stream",
    "View",
    "__version__",
]


def __getattr__(name: str) -> object:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'cardwright' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__

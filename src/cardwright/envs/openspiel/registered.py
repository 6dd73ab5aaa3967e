"""Making OpenSpiel know our games."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyspiel

from cardwright.envs.openspiel.game import NAME, OpenSpielGame, game_type
from cardwright.envs.openspiel.guard import guard_bots
from cardwright.envs.openspiel.names import keep
from cardwright.game.game import Game

if TYPE_CHECKING:
    from pathlib import Path

_MOST_PLAYERS = 100


def register(game: Game | str | Path | None = None, name: str | None = None) -> None:
    """Let `pyspiel.load_game("cardwright(game=NAME)")` load games.

    After that it loads every game of the library by name. A game that is given, itself or as for
    `Game.load`, can be loaded by a name of its own: `register(Game.load("kuhn", PLAYERS=3),
    "kuhn3")`. Raises OpenSpielError for a name that OpenSpiel cannot read.
    """
    if NAME not in pyspiel.registered_names():
        kinds = pyspiel.GameType
        type_ = game_type(
            "Cardwright's games",
            range(1, _MOST_PLAYERS + 1),
            kinds.ChanceMode.EXPLICIT_STOCHASTIC,
            kinds.Utility.GENERAL_SUM,
        )
        pyspiel.register_game(type_, OpenSpielGame)
        guard_bots()
    if game is not None:
        loaded = game if isinstance(game, Game) else Game.load(game)
        keep(loaded, loaded.name if name is None else name)

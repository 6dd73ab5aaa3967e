"""Games in OpenSpiel: `register` makes them known to `pyspiel.load_game`.

>>> import pyspiel
>>> from cardwright.envs import openspiel
>>> openspiel.register("kuhn")
>>> pyspiel.load_game("cardwright(game=kuhn)").num_players()
2
"""

from __future__ import annotations

from importlib.util import find_spec

from cardwright.extras import missing

if find_spec("pyspiel") is None:
    raise missing("pyspiel")

from cardwright.envs.openspiel.game import OpenSpielGame, register
from cardwright.envs.openspiel.node import OpenSpielError

__all__ = ["OpenSpielError", "OpenSpielGame", "register"]

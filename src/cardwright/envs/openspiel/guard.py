"""Refusing in words what OpenSpiel's own bots cannot do with games in Python.

Its bots in C++ play a step without Python's lock and then ask the state in Python, which ends the
process. Its searches of information sets cannot resample such a state either.
"""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Any

import pyspiel

from cardwright.envs.openspiel.errors import OpenSpielError
from cardwright.envs.openspiel.state import OpenSpielState

if TYPE_CHECKING:
    from collections.abc import Callable

_STEPS = ("step", "step_verbose")
_SEARCHES = (*_STEPS, "get_policy", "step_with_policy")

_ADVICE = "open_spiel.python.algorithms has one in Python that can"


def guard_bots() -> None:
    """Let OpenSpiel's bots in C++ refuse our states, and no others, where they would crash."""
    for bot, methods in ((pyspiel.ISMCTSBot, _SEARCHES), (pyspiel.MCTSBot, _STEPS)):
        for method in methods:
            setattr(bot, method, _guarded(bot.__name__, getattr(bot, method)))


def _guarded(bot: str, method: Callable[..., object]) -> Callable[..., object]:
    @wraps(method)
    def guarded(self: Any, state: Any, *others: object) -> object:
        if isinstance(state, OpenSpielState):
            raise OpenSpielError(f"OpenSpiel's {bot} cannot play a game in Python: {_ADVICE}")
        return method(self, state, *others)

    return guarded

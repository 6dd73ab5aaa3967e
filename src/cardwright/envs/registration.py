"""The names by which Gymnasium knows the games: `cardwright/Hearts-v0`."""

from __future__ import annotations

from cardwright.extras import missing
from cardwright.game.find import library_names

try:
    from gymnasium.envs.registration import register, registry
except ModuleNotFoundError as error:
    raise missing("gymnasium") from error

_SEAT = "cardwright.envs.gymnasium:SeatEnv"
_BATCH = "cardwright.envs.gymnasium_vector:BatchEnv"


def register_games() -> None:
    """Register every game of the library, and `Game-v0`, which takes the game as a keyword."""
    for name in (None, *library_names()):
        own = f"cardwright/{(name or 'game').capitalize()}-v0"
        if own not in registry:
            kwargs = {} if name is None else {"game": name}
            register(own, _SEAT, vector_entry_point=_BATCH, kwargs=kwargs)

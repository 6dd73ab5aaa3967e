"""A wrapper for players from outside this package."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from cardwright.game.one_way import stream_apart
from cardwright.players.parameter import PlayerSpecError

if TYPE_CHECKING:
    from cardwright.players.player import Decision, Player

PLAYER = "foreign player"
"""The purpose of the streams given to such players."""


class Foreign:
    """A `player` that learns nothing from its draws: its streams do not reveal other seeds.

    For every decision it gets a stream derived one-way from the current state of the seat's own.
    """

    def __init__(self, player: Player) -> None:
        self.player = player

    def choose(self, decision: Decision) -> int:
        """Return the player's answer."""
        return self.player.choose(replace(decision, stream=stream_apart(decision.stream, PLAYER)))


def seated(made: Any, maker: str) -> Player:
    """Return a player to seat: one of this package unchanged, any other wrapped in `Foreign`.

    Raises PlayerSpecError, which names `maker`, for anything that is not a player.
    """
    if not callable(getattr(made, "choose", None)):
        raise PlayerSpecError(
            f"{maker} makes a {type(made).__name__}, which is not a player: "
            "it has no method choose(decision)"
        )
    player: Player = made
    return player if is_ours(player) else Foreign(player)


def is_ours(player: Player) -> bool:
    """Say whether a player's class is one of this package, even if a user's file made it."""
    return type(player).__module__.partition(".")[0] == __name__.partition(".")[0]

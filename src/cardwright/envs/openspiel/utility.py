"""Utilities: what players of OpenSpiel play for."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.game.game import State


def by_score(state: State) -> list[float]:
    """Return the scores of a game that is over, negative if the lowest wins."""
    sign = 1 if state.game.highest_wins else -1
    return [float(sign * score) for score in state.scores]


def by_win(state: State) -> list[float]:
    """Return the shares of the win: 1 for a winner, or a half for each of two."""
    return list(state.wins)


UTILITIES: dict[str, Callable[[State], list[float]]] = {"score": by_score, "win": by_win}
"""The utilities by name."""

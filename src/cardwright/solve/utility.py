"""What the end of a game is worth to each seat."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cardwright.game.state import State


class Utility(StrEnum):
    """What seats want: a good score, the margin over the mean of the others, or the win.

    Scores count as losses in games that the lowest score wins. Margins and shares of wins (less
    the share that each seat has on average) add up to zero in every game.
    """

    SCORE = "score"
    MARGIN = "margin"
    WIN = "win"


def utilities(state: State, utility: Utility) -> tuple[float, ...]:
    """Return what a finished game is worth to each seat."""
    count = state.game.players
    if utility is Utility.WIN:
        return tuple(share - 1 / count for share in state.wins)
    sign = 1 if state.game.highest_wins else -1
    scores = [float(sign * score) for score in state.scores]
    if utility is Utility.SCORE or count == 1:
        return tuple(scores)
    total = sum(scores)
    return tuple(score - (total - score) / (count - 1) for score in scores)

"""What the end of a game is worth to each seat."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from cardwright.game.game import State
    from cardwright.solve.tree import Reals


class Utility(StrEnum):
    """What seats want: a good score, the margin over the mean of the others, or the win.

    Scores count as losses in games that the lowest score wins. Margins and shares of wins (less
    the share that each seat has on average) add up to zero in every game.
    """

    SCORE = "score"
    MARGIN = "margin"
    WIN = "win"

    @property
    def words(self) -> str:
        """What the number is, for tables and sentences."""
        return _WORDS[self]


_WORDS = {
    Utility.SCORE: "score",
    Utility.MARGIN: "margin, a seat's score less the mean of the others'",
    Utility.WIN: "share of the win less an even one",
}


def of_scores(scores: Reals, utility: Utility) -> Reals:
    """Return the utilities for scores of which more is better: both of shape (games, seats)."""
    seats = scores.shape[1]
    if utility is Utility.WIN:
        best = scores == scores.max(axis=1, keepdims=True)
        shares: Reals = best / best.sum(axis=1, keepdims=True) - 1 / seats
        return shares
    if utility is Utility.SCORE or seats == 1:
        return scores
    total = scores.sum(axis=1, keepdims=True)
    margins: Reals = scores - (total - scores) / (seats - 1)
    return margins


def utilities(state: State, utility: Utility) -> tuple[float, ...]:
    """Return what a finished game is worth to each seat."""
    sign = 1 if state.game.highest_wins else -1
    scores = sign * np.array([state.scores], dtype=np.float64)
    return tuple(of_scores(scores, utility)[0].tolist())

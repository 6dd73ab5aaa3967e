"""Rewards: what the seats of an environment get, and when. More is always better."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from cardwright.game.reference import scores_now
from cardwright.interpreter.world import Fault

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.game.game import Game, State


class RewardKind(StrEnum):
    """What is rewarded.

    scores: each seat's score at the end, negative where the lowest wins. wins: its share of the win
    at the end. differences: after every decision, by how much the score has changed as the game
    would count it now; where scores change only at the ends of deals, these are the differences per
    deal. They add up to what `scores` gives.
    """

    SCORES = "scores"
    WINS = "wins"
    DIFFERENCES = "differences"


def signed(game: Game, scores: Sequence[int]) -> list[float]:
    """Return scores such that more is better."""
    sign = 1.0 if game.highest_wins else -1.0
    return [sign * score for score in scores]


def end_rewards(kind: RewardKind, state: State) -> list[float]:
    """Return what each seat gets for a finished game, all in all."""
    return list(state.wins) if kind is RewardKind.WINS else signed(state.game, state.scores)


class RunningRewards:
    """What each seat has been given of a game so far."""

    def __init__(self, kind: RewardKind, state: State) -> None:
        self._kind = kind
        self._given = [0.0] * state.game.players

    def after(self, state: State) -> list[float]:
        """Return what each seat gets after a decision."""
        if state.finished:
            due = end_rewards(self._kind, state)
        elif self._kind is RewardKind.DIFFERENCES:
            due = self._now(state)
        else:
            return [0.0] * len(self._given)
        given, self._given = self._given, due
        return [now - before for now, before in zip(due, given, strict=True)]

    def _now(self, state: State) -> list[float]:
        """Return the scores as they are now; as before, if they cannot be counted yet."""
        try:
            return signed(state.game, scores_now(state._board.world()))
        except Fault:
            return self._given

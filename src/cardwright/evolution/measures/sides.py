"""Sides: the seats that win together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cardwright.game.game import Game


def sides_of(game: Game) -> tuple[tuple[int, ...], ...]:
    """Return the seats of each side: of each team, or each seat where teams overlap or miss some.

    In a game without partners every seat is a side.
    """
    teams = tuple(tuple(map(int, team)) for team in game.program.teams)
    if sorted(seat for team in teams for seat in team) == list(range(game.players)):
        return teams
    return tuple((seat,) for seat in range(game.players))


def side_wins(game: Game, best: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return the sides' shares of the win, of shape (games, sides): 1/k for each of k winners.

    `best` says for each game and seat whether no seat has a better score. A side wins if one of its
    seats does.
    """
    won = np.stack([best[:, list(side)].any(axis=1) for side in sides_of(game)], axis=1)
    shares: NDArray[np.float64] = won / won.sum(axis=1, keepdims=True)
    return shares

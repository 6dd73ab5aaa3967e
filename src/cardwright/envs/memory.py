"""What observations of environments remember: the latest choices, as far as a seat saw them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cardwright.game.actions.observation import ObservationLayout
    from cardwright.game.game import Game

MOST_CHOICES = 64
"""Most choices that are remembered if no number is given."""

_BESIDES = 12
"""How many choices are remembered besides one for each card, for passes and bids."""


def remembering(game: Game, history: int | None) -> ObservationLayout:
    """Return the layout of observations that have a number of the latest choices.

    If none is given, it is as many as the game has cards and twelve more, at most 64: in most games
    all choices of a deal. Raises ValueError for a negative number.
    """
    if history is None:
        history = min(len(game.cards) + _BESIDES, MOST_CHOICES)
    return game.observation_layout(history)

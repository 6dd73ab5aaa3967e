"""The error of games in OpenSpiel."""

from __future__ import annotations

from cardwright.game.errors import CardwrightError


class OpenSpielError(CardwrightError):
    """What OpenSpiel was asked to do with a game of ours cannot be done; the message says why."""

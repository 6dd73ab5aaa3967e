"""The errors of endgames."""

from __future__ import annotations

from cardwright.game.errors import CardwrightError


class EndgameError(CardwrightError):
    """An endgame that is not solved, for the reason that the message gives."""


class UnsuitedEndgameError(EndgameError):
    """The rest of a game is not a trick game of the kind that is known; the message says why."""

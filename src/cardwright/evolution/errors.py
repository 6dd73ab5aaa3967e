"""Errors of the search for games."""

from __future__ import annotations

from cardwright.game.errors import CardwrightError


class EvolutionError(CardwrightError):
    """A search that cannot be planned, carried out or read; the message says what to do."""

    wrong_call = True

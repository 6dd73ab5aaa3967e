"""Errors of the lab."""

from __future__ import annotations

from cardwright.game.errors import CardwrightError


class LabError(CardwrightError):
    """An experiment that cannot be planned, played or read; the message says what to do."""

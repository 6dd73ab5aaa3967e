"""The errors of the study of games."""

from __future__ import annotations

from cardwright.game.errors import CardwrightError


class AnalysisError(CardwrightError):
    """Records that cannot be studied, or a picture that cannot be made; the message says why."""

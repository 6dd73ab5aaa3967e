"""The study of recorded games: measures, statistics, figures, diagrams and reports."""

from __future__ import annotations

from cardwright.game.errors import CardwrightError


class AnalysisError(CardwrightError):
    """Records that cannot be studied, or a picture that cannot be made; the message says why."""

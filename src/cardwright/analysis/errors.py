"""What can go wrong in the study of records."""

from __future__ import annotations

from cardwright.game.errors import CardwrightError


class AnalysisError(CardwrightError):
    """Records that cannot be studied, or a picture that cannot be made; the message says why."""


def missing(library: str) -> AnalysisError:
    """Return the error that says how to install what the study of games needs."""
    return AnalysisError(
        f"this needs {library}, which is not installed; "
        'install it with: pip install "cardwright[arena]"'
    )

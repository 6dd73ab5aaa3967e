"""Errors of solving games."""

from __future__ import annotations

from cardwright.game.errors import CardwrightError


class SolveError(CardwrightError):
    """A game or a file that cannot be solved or used as asked; the message says why."""


class TreeTooLargeError(SolveError):
    """A game whose tree has more nodes than were allowed; `reached` says where building stopped."""

    def __init__(self, message: str, reached: int) -> None:
        super().__init__(message)
        self.reached = reached

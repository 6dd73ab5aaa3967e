"""Errors of methods of search."""

from __future__ import annotations

from cardwright.game.errors import CardwrightError


class MethodError(CardwrightError):
    """A method of search that does not exist, or that lacks what it needs."""

    wrong_call = True

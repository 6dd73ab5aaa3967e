"""Errors of design search."""

from __future__ import annotations

from cardwright.game.errors import CardwrightError


class EvolutionError(CardwrightError):
    """A search that cannot be planned, carried out or read; the message says what to do."""

    wrong_call = True


class AimError(EvolutionError):
    """A text that is no aim; the message says what could stand there."""


class KeepError(EvolutionError):
    """A form to be kept that is no form, or that the original does not have."""


class OriginalError(EvolutionError):
    """A game that no text alone says, as its players are numbered otherwise than its text does."""


class MethodError(EvolutionError):
    """A method of search that does not exist, or that lacks what it needs."""

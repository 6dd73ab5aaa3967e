"""The errors of a table: what was asked of it and cannot be, each with a code for programs."""

from __future__ import annotations

from cardwright.game.errors import CardwrightError, IllegalOptionError, UndoError


class TableError(CardwrightError):
    """A request that a table cannot carry out; nothing has changed, and the message says why.

    `code` is for programs, and the same for all errors of a kind.
    """

    code = "not-allowed"
    wrong_call = True


class InvalidRequestError(TableError):
    """A message that is no request: a member is missing, unknown, or not of its type or range."""

    code = "invalid"


class StaleError(TableError):
    """An answer to a decision that is not pending any more, or not yet."""

    code = "stale"


class NotYourTurnError(TableError, IllegalOptionError):
    """A decision of another seat."""

    code = "not-your-turn"


class RestingError(TableError, IllegalOptionError):
    """A decision at a table that rests between two deals."""

    code = "resting"


class GameOverError(TableError, IllegalOptionError):
    """A decision in a game that is over."""

    code = "game-over"


class NoSuchOptionError(TableError, IllegalOptionError):
    """An option that the pending decision does not have."""

    code = "illegal-option"


class NoUndoError(TableError, UndoError):
    """Moves that cannot be taken back: not at this table, or not these."""


class SeatError(TableError):
    """What cannot be done from a seat, or with it, because of who sits there."""

    code = "conflict"


class RestoredTableError(CardwrightError):
    """The record of a table that does not fit its rules; the message says where."""

"""Levels of confinement."""

from __future__ import annotations

from enum import IntEnum

from cardwright.game.errors import CardwrightError


class JailLevel(IntEnum):
    """Kinds of jails, the stronger the greater; each includes all that the weaker ones do."""

    LIMITS = 1
    """Limits of memory, files and time. For trusted programs: they have their user's rights."""

    CONFINED = 2
    """An unprivileged process that may read Python and its packages and make few system calls."""

    WALLED = 3
    """The same in its own namespaces, where nothing else is visible."""


class LevelError(CardwrightError):
    """A level that this machine does not offer; the message says why and what helps."""

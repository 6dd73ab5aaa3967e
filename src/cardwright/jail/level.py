"""How strongly a sandbox is held."""

from __future__ import annotations

from enum import IntEnum

from cardwright.game.errors import CardwrightError


class JailLevel(IntEnum):
    """Kinds of jails, the stronger the greater; each holds by all that the weaker ones do."""

    LIMITS = 1
    """Limits of memory, files and time. For one's own programs: they may do what their user may."""

    CONFINED = 2
    """An unprivileged process that may read Python and its packages and ask the kernel little."""

    WALLED = 3
    """The same in namespaces of its own, where there is nothing else to be seen."""


class LevelError(CardwrightError):
    """A level that this machine does not offer; the message says why, and what helps."""

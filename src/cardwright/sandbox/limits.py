"""Levels of confinement, and how much a sandbox may use."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from cardwright.game.errors import CardwrightError


@dataclass(frozen=True)
class SandboxLimits:
    """Limits of one sandbox; it cannot start processes or threads, or write files, at all.

    NumPy takes less than 160 MiB of address space and NumPy with pandas less than 224 MiB, with the
    code of all that they may import later; the rest of `memory` is the program's.
    """

    memory: int = 1 << 30
    """Bytes of address space; beyond them a MemoryError is raised inside."""

    cpu_seconds: int = 3600
    """Processor seconds of its whole life: a backstop against computing between requests."""

    open_files: int = 64
    reply: int = 1 << 20
    """Bytes of the longest reply accepted."""

    output: int = 64 << 10
    """Bytes kept of the end of its output; everything before is discarded."""


class SandboxLevel(IntEnum):
    """Kinds of sandboxes, the stronger the greater; each includes all that the weaker ones do."""

    LIMITS = 1
    """Limits of memory, files and time. For trusted programs: they have their user's rights."""

    CONFINED = 2
    """An unprivileged process that may read Python and its packages and make few system calls."""

    WALLED = 3
    """The same in its own namespaces, where nothing else is visible."""


class LevelError(CardwrightError):
    """A level that this machine does not offer; the message says why and what helps."""

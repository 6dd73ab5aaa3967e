"""How much a sandbox may use."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class JailLimits:
    """Bounds of one sandbox; it can neither start processes or threads nor write files at all.

    NumPy takes less than 128 MiB of address space and NumPy with pandas less than 192 MiB; the rest
    of `memory` is the program's.
    """

    memory: int = 1 << 30
    """Bytes of address space; beyond them there is a MemoryError inside."""

    cpu_seconds: int = 3600
    """Processor time of a whole life: a backstop for what computes without being asked."""

    open_files: int = 64
    reply: int = 1 << 20
    """Bytes of the longest reply that is taken."""

    output: int = 64 << 10
    """Bytes kept of what was printed last; whatever was before is thrown away."""

"""What a process may use that the server starts, and how it keeps to that.

Both sides read this: the server, which tells people what was passed, and the process, which asks
its system to hold it to that.
"""

from __future__ import annotations

import json
import os
import sys
from contextlib import suppress
from dataclasses import asdict, dataclass

MEGABYTE = 1 << 20


@dataclass(frozen=True, kw_only=True)
class ProcessLimits:
    """The limits of one process, from its start to its end; 0 means no limit.

    `memory` is in bytes of address space, which its system enforces; `resident` in bytes that are
    really in use, which the server looks at now and then: for machine code, which reserves far more
    than it uses. `processor` is in seconds of processor time in all, and `reply` in bytes of the
    longest answer accepted. `niceness` lowers its priority, so that the server itself is not kept
    waiting.
    """

    memory: int = 512 * MEGABYTE
    resident: int = 0
    processor: int = 600
    reply: int = 16 * MEGABYTE
    niceness: int = 10

    def text(self) -> str:
        """Return this as the argument with which the process is started."""
        return json.dumps(asdict(self), separators=(",", ":"))

    @classmethod
    def of_text(cls, text: str) -> ProcessLimits:
        """Return the limits of such an argument."""
        return cls(**json.loads(text))

    def keep(self) -> None:
        """Hold this process to them, as far as its system can."""
        with suppress(AttributeError, OSError):  # Windows has no niceness
            os.nice(self.niceness)
        if sys.platform == "win32":
            return  # nor any limits that a process sets itself
        import resource

        for kind, wanted in (
            (resource.RLIMIT_AS, self.memory),
            (resource.RLIMIT_CPU, self.processor),
        ):
            _, hard = resource.getrlimit(kind)
            most = wanted if hard < 0 else min(wanted, hard)
            with suppress(ValueError, OSError):  # systems differ in what they can limit
                if wanted:
                    resource.setrlimit(kind, (most, hard))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

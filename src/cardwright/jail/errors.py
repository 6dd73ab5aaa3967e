"""What can become of a sandbox, in words for the author of the program inside.

These errors are for the code that asks a sandbox, which has to make something of them: a fault of a
bot, or a note that this machine cannot build the jail. They are no `CardwrightError`.
"""

from __future__ import annotations

import signal


class SandboxError(Exception):
    """A sandbox that did not answer as it must; it has been killed.

    `reason` is a clause without a subject ("was late: ..."), `output` the end of what the sandbox
    had printed, fit for a terminal. Neither can be trusted to be true: a sandbox prints what it
    likes.
    """

    def __init__(self, reason: str, output: str = "") -> None:
        self.reason = reason
        self.output = output
        super().__init__(reason)


class LateError(SandboxError):
    """No reply within the time."""


class GoneError(SandboxError):
    """The process ended, or closed the pipe of its replies; how it ended is in the reason."""


class NonsenseError(SandboxError):
    """A reply that is none: to another request, too long, or with something behind it."""


class ConfineError(SandboxError):
    """The jail could not be built, so nothing ran in it; the fault is this machine's."""


_LINES = ("\n", "\t")


def printable(output: bytes) -> str:
    """Return printed bytes as text that cannot command a terminal."""
    text = output.decode("utf-8", "replace")
    return "".join(
        letter if letter.isprintable() or letter in _LINES else "\N{REPLACEMENT CHARACTER}"
        for letter in text
    )


def how_it_ended(code: int) -> str:
    """Return in words how a process ended, given its exit code; less than 0 is a signal."""
    if code >= 0:
        return f"ended with exit code {code}"
    try:
        return f"was killed by signal {-code} ({signal.Signals(-code).name})"
    except ValueError:
        return f"was killed by signal {-code}"

"""Errors of sandboxes, in words for the author of the program inside.

They are for the code that uses a sandbox, which translates them: into a fault of a bot, or a note
that this machine cannot build the sandbox. They are not `CardwrightError`s.
"""

from __future__ import annotations

import signal


class SandboxError(Exception):
    """A sandbox that did not answer as required; it has been killed.

    `reason` is a clause without a subject ("was late: ..."), `output` the end of what the sandbox
    had printed, safe for a terminal. Neither can be trusted: a sandbox prints what it likes.
    """

    def __init__(self, reason: str, output: str = "") -> None:
        self.reason = reason
        self.output = output
        super().__init__(reason)


class LateError(SandboxError):
    """No reply within the time limit."""


class GoneError(SandboxError):
    """The process ended, or closed the pipe of its replies; the reason says how."""


class NonsenseError(SandboxError):
    """An invalid reply: to another request, too long, or followed by something."""


class ConfineError(SandboxError):
    """The sandbox could not be built, so nothing ran in it; the cause is this machine."""


_LINES = ("\n", "\t")


def printable(output: bytes) -> str:
    """Return printed bytes as text without terminal control characters."""
    text = output.decode("utf-8", "replace")
    return "".join(
        letter if letter.isprintable() or letter in _LINES else "\N{REPLACEMENT CHARACTER}"
        for letter in text
    )


def how_it_ended(code: int) -> str:
    """Return in words how a process ended, given its exit code; below 0 it is a signal."""
    if code >= 0:
        return f"ended with exit code {code}"
    try:
        return f"was killed by signal {-code} ({signal.Signals(-code).name})"
    except ValueError:
        return f"was killed by signal {-code}"

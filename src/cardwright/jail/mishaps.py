"""What can become of an inmate, in words for the author of what ran inside.

These errors are for the code that asks an inmate, which has to make something of them: a fault of a
bot, or a note that this machine cannot build the jail. They are no `CardwrightError`.
"""

from __future__ import annotations

import signal


class InmateError(Exception):
    """An inmate that did not answer as it must; it has been killed.

    `reason` is a clause without a subject ("was late: ..."), `output` the end of what the inmate
    had printed, fit for a terminal. Neither can be trusted to be true: an inmate prints what it
    likes.
    """

    def __init__(self, reason: str, output: str = "") -> None:
        self.reason = reason
        self.output = output
        super().__init__(reason)


class LateError(InmateError):
    """No reply within the time."""


class GoneError(InmateError):
    """The process ended, or closed the pipe of its replies; how it ended is in the reason."""


class NonsenseError(InmateError):
    """A reply that is none: to another request, too long, or with something behind it."""


class ConfineError(InmateError):
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

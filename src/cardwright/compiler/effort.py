"""How hard LLVM optimises: less for programs so large that it would take minutes.

Its time grows with the square of the longest function, and slightly more than linearly with the
total. Without optimisation it grows linearly: a game of a thousand branches takes 1 second instead
of 20, and plays at half the speed, which is still hundreds of times that of the interpreter.
Every game of the library is far below both limits.

Those who play many games briefly, as tests do, can switch optimisation off for all of them.
"""

from __future__ import annotations

import os

VARIABLE = "CARDWRIGHT_OPTIMISATION"
"""The environment variable that is `off` to optimise nothing, or `on`."""

FULL, LEAST = 1, 0
"""Levels: what pays for itself when many games are played, and what takes the least time."""

MOST_LINES = 55_000
"""Lines of LLVM's text up to which all of a program is optimised."""

MOST_LINES_OF_A_FUNCTION = 15_000
"""Lines of its longest function up to which all of a program is optimised."""


class OptimisationError(Exception):
    """The environment variable for optimisation has an invalid value."""


def most_effort() -> int:
    """Return the highest level that the environment allows; raises OptimisationError."""
    said = os.environ.get(VARIABLE, "").strip().lower()
    if said not in {"", "on", "off"}:
        raise OptimisationError(f"{VARIABLE} in the environment is {said!r}: it can be on or off")
    return LEAST if said == "off" else FULL


def effort(text: str) -> int:
    """Return the level at which LLVM compiles a text that `emit` has written."""
    if most_effort() == LEAST:
        return LEAST
    if text.count("\n") > MOST_LINES:
        return LEAST
    longest = max(function.count("\n") for function in text.split("\n}\n"))
    return LEAST if longest > MOST_LINES_OF_A_FUNCTION else FULL

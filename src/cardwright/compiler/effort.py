"""How hard LLVM tries: less for programs so large that it would take minutes.

Its time grows with the square of the longest function, and somewhat worse than linearly with all of
them together. Without optimisation it grows linearly: a game of a thousand branches takes 1 second
instead of 20, and plays at 6 tenths of the speed, which is still hundreds of times that of the
interpreter. Every game of the library is far below both bounds.

Whoever plays many games for a moment each, as tests do, can have all of them without optimisation.
"""

from __future__ import annotations

import os

VARIABLE = "CARDWRIGHT_OPTIMISATION"
"""The environment variable that says `off` where nothing is to be optimised, or `on`."""

FULL, LEAST = 2, 0
"""LLVM's levels of optimisation."""

MOST_LINES = 40_000
"""Lines of LLVM's text up to which all of a program is optimised."""

MOST_LINES_OF_A_FUNCTION = 10_000
"""Lines of its longest function up to which that is so."""


class OptimisationError(Exception):
    """The environment says something about optimisation that has no meaning."""


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

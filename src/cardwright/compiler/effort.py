"""How hard LLVM tries: less for programs so large that it would take minutes.

Its time grows with the square of the longest function, and somewhat worse than linearly with all of
them together. Without optimisation it grows linearly: a game of a thousand branches takes 1 second
instead of 20, and plays at 6 tenths of the speed, which is still hundreds of times that of the
interpreter. Every game of the library is far below both bounds.
"""

from __future__ import annotations

FULL, LEAST = 2, 0
"""LLVM's levels of optimisation."""

MOST_LINES = 40_000
"""Lines of LLVM's text up to which all of a program is optimised."""

MOST_LINES_OF_A_FUNCTION = 10_000
"""Lines of its longest function up to which that is so."""


def effort(text: str) -> int:
    """Return the level at which LLVM compiles a text that `emit` has written."""
    if text.count("\n") > MOST_LINES:
        return LEAST
    longest = max(function.count("\n") for function in text.split("\n}\n"))
    return LEAST if longest > MOST_LINES_OF_A_FUNCTION else FULL

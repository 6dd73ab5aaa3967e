"""How a shared win counts."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

Ties: TypeAlias = Literal["shared", "full"]
"""`shared`: k winners have 1/k of the win each. `full`: each of them has a win, as in published win
rates of card games."""

TIES: tuple[Ties, ...] = get_args(Ties)


def ties_in_short(ties: Ties) -> str:
    """Return the same in two or three words, for notes and definitions."""
    return "ties in full" if ties == "full" else "ties shared"


def tie_words(ties: Ties) -> str:
    """Return the sentence to show with every share of wins."""
    if ties == "full":
        return "A shared win counts in full for each winner: the shares may exceed 100 % together."
    return "A win that k players share counts 1/k for each."

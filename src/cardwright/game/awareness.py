"""Awareness: what each seat knew, from what it had seen, at every decision of a game."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    import numpy as np


class Sight(IntEnum):
    """What a seat knows about a card: nothing certain, where it is, or that it sees it there."""

    UNKNOWN = 0
    KNOWN = 1
    SEEN = 2


@dataclass(frozen=True, eq=False)
class Awareness:
    """What each of P seats knew of C cards at each of N decisions, before it was made.

    `movers` (N) are the seats that decided. `bits` (N, P) measures how uncertain it is to the seat
    where the cards are, by what it sees at that moment, and `remembered` (N, P) the same for a seat
    that forgot nothing; see `cardwright.arena.awareness` for the formulas. `sights` (N, P, C) has a
    `Sight` for every card, and `cards` the names of these.
    """

    cards: tuple[str, ...]
    movers: np.ndarray[Any, np.dtype[np.int8]]
    bits: np.ndarray[Any, np.dtype[np.float64]]
    remembered: np.ndarray[Any, np.dtype[np.float64]]
    sights: np.ndarray[Any, np.dtype[np.uint8]]

    def __len__(self) -> int:
        return len(self.movers)

    @property
    def seen(self) -> np.ndarray[Any, np.dtype[np.int64]]:
        """The number of cards that each seat sees, (N, P)."""
        count: np.ndarray[Any, np.dtype[np.int64]] = (self.sights == Sight.SEEN).sum(axis=2)
        return count

    @property
    def known(self) -> np.ndarray[Any, np.dtype[np.int64]]:
        """The number of cards of which each seat knows the place, seen ones included, (N, P)."""
        count: np.ndarray[Any, np.dtype[np.int64]] = (self.sights != Sight.UNKNOWN).sum(axis=2)
        return count

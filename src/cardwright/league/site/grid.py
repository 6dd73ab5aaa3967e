"""Grids: a value for each of the 52 cards, four suits by thirteen ranks, shown as shades."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cardwright.league.block import Column

RANKS = "AKQJT98765432"
"""Columns of a grid, from the highest."""

SUITS = (("spades", "♠", 2), ("hearts", "♥", 3), ("diamonds", "♦", 1), ("clubs", "♣", 0))
"""Rows of a grid: the suit's name, its sign, and its number among the cards of the league."""


@dataclass(frozen=True)
class CardShare:
    """A card of a grid: how often something was done with it, and out of how many chances."""

    name: str
    count: int
    chances: int

    @property
    def share(self) -> float | None:
        """The share; None without chances."""
        return self.count / self.chances if self.chances else None


@dataclass(frozen=True)
class GridRow:
    """The cards of a suit, from the ace down."""

    suit: str
    sign: str
    cells: tuple[CardShare, ...]


@dataclass(frozen=True)
class CardGrid:
    """A grid with its title."""

    title: str
    rows: tuple[GridRow, ...]


def grid(title: str, counts: Column, chances: Column) -> CardGrid:
    """Return a grid of how often something was done with each card, by chances to do it."""
    rows = []
    for suit, sign, number in SUITS:
        cells = []
        for at, rank in enumerate(RANKS):
            card = 13 * number + 12 - at
            cells.append(CardShare(f"{rank}{sign}", int(counts[card]), int(chances[card])))
        rows.append(GridRow(suit, sign, tuple(cells)))
    return CardGrid(title, tuple(rows))

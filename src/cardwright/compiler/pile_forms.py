"""How the cards of each location lie in memory: as a mask, as a pile, or as both.

A location whose cards lie by number is a mask: of 64 bits if the game has no more than 64 cards, of
128 bits if it has no more than 128. With still more cards it is a pile that is kept in order.
One of which only the top or bottom card is ever read rarely has more than one card when that
matters (a card played to a trick), so it is a mask as well, and its order is kept beside it as long
as it has several cards.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from cardwright.compiler.structs import Type

if TYPE_CHECKING:
    from cardwright.program.places import Places

WORD = 64
WIDE_WORD = 128
"""The bits of a mask, which are the most cards of which there are masks of its width."""


class PileForm(Enum):
    """How the cards of a location lie in memory."""

    MASK = "mask"
    LAZY = "mask, with the order of several cards beside it"
    SORTED = "pile in order of number"
    PILE = "pile"

    @property
    def masked(self) -> bool:
        """Whether there is a mask of the cards."""
        return self in {PileForm.MASK, PileForm.LAZY}


@dataclass(frozen=True)
class PileForms:
    """Where the slots of each form end, in the order of the forms; the rest are piles."""

    pure: int
    masks: int
    sorted: int

    def of(self, slot: int) -> PileForm:
        """Return the form of a slot."""
        if slot < self.pure:
            return PileForm.MASK
        if slot < self.masks:
            return PileForm.LAZY
        return PileForm.SORTED if slot < self.sorted else PileForm.PILE


def pile_forms(where: Places, cards: int) -> PileForms:
    """Return the forms of the locations of a game with a number of cards."""
    if cards > WIDE_WORD:
        return PileForms(0, 0, where.unordered)
    masks = where.unordered + where.ends
    return PileForms(where.unordered, masks, masks)


def mask_type(cards: int) -> Type:
    """Return the type of the masks of a game with a number of cards."""
    return Type.INT if cards <= WORD else Type.WIDE

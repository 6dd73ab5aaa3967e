"""Kernels on locations that are masks, with a bit for each card.

The order of some is kept in their piles as long as they have several cards.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.compiler.inlining import Inline
from cardwright.compiler.intrinsics import count_ones, lowest_one, wrap
from cardwright.compiler.kernel import kernel
from cardwright.compiler.kernels.piles import position_of

if TYPE_CHECKING:
    from cardwright.compiler.kernels.types import Board, Mask

MASK_BITS = 64


@kernel(inline=Inline.ALWAYS)
def bit(card: int) -> Mask:
    """Return the mask of one card."""
    one: Mask = 1
    if MASK_BITS == 64:
        return wrap(one << card)
    return one << card


@kernel(inline=Inline.NEVER)
def lay_more(board: Board, slot: int, at: int, card: int) -> None:
    """Keep the order of a location that is about to get another card, if it has any."""
    mask: Mask = board.mask[slot]
    if mask == 0:
        return
    count = count_ones(mask)
    if count == 1:
        board.card[slot, 0] = lowest_one(mask)
    i = count
    while at >= 0 and i > at:
        board.card[slot, i] = board.card[slot, i - 1]
        i -= 1
    board.card[slot, i] = card


@kernel(inline=Inline.NEVER)
def leave_pile(board: Board, slot: int, card: int) -> None:
    """Keep the order of a location that a card is about to leave, if others stay."""
    count = count_ones(board.mask[slot])
    if count < 2:
        return
    if count == 2:
        clear_pile(board, slot, 2)
        return
    at = position_of(board, slot, card)
    for i in range(at, count - 1):
        board.card[slot, i] = board.card[slot, i + 1]
    board.card[slot, count - 1] = 0


@kernel
def clear_pile(board: Board, slot: int, count: int) -> None:
    """Forget an order that is not needed any more."""
    if count > 1:
        for i in range(count):
            board.card[slot, i] = 0

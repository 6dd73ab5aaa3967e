"""Kernels that exchange all cards of two locations, and with them what is known of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.compiler.intrinsics import Pointer, count_ones, load, lowest_one, offset
from cardwright.compiler.kernel import kernel
from cardwright.compiler.kernels.engine import slot_kind
from cardwright.compiler.kernels.known_cards import (
    VISIBLE,
    add_known,
    arrange_known,
    concealed,
    forget_known,
)
from cardwright.compiler.kernels.lists import card_in, lay, new_list
from cardwright.compiler.kernels.locations import TOP, card_lying, put, remove, size
from cardwright.compiler.kernels.masks import bit

if TYPE_CHECKING:
    from cardwright.compiler.kernels.types import Board, Context, Mask

PURE = 0
MASKS = 0
KNOWN = 0


@kernel
def exchange(board: Board, context: Context, left: int, right: int) -> int:
    """Exchange all cards of two locations, and with them what is known of them.

    Return -1 if there is no room for a list of them.
    """
    if left == right:
        return 0
    if left < PURE and right < PURE:
        mask = board.mask[left]
        board.mask[left] = board.mask[right]
        board.mask[right] = mask
    else:
        mark = context.top
        mine = spread(context, board, left)
        others = spread(context, board, right)
        if mine < 0 or others < 0:
            return -1
        give(board, offset(context.arena, mine), left)
        give(board, offset(context.arena, others), right)
        receive(board, offset(context.arena, others), left)
        receive(board, offset(context.arena, mine), right)
        context.top = mark
    if KNOWN:
        exchange_known(board, left, right)
    return 0


@kernel
def give(board: Board, cards: Pointer, slot: int) -> None:
    """Take the cards of a list out of a location, the last one first."""
    count = load(cards, 8)
    for i in range(count):
        remove(board, slot, card_in(offset(cards, 8), count - 1 - i))


@kernel
def receive(board: Board, cards: Pointer, slot: int) -> None:
    """Put the cards of a list on a location in their order."""
    for i in range(load(cards, 8)):
        put(board, slot, TOP, card_in(offset(cards, 8), i))


@kernel
def lay_mask(cards: Pointer, mask: Mask) -> None:
    """Write the cards of a mask down by number."""
    at = 0
    while mask != 0:
        lay(cards, at, lowest_one(mask))
        mask &= mask - 1
        at += 1


@kernel
def list_of_mask(context: Context, mask: Mask) -> int:
    """Return a new list of the cards of a mask by number, or -1."""
    base = new_list(context, count_ones(mask))
    if base >= 0:
        lay_mask(offset(context.arena, base + 8), mask)
    return base


@kernel
def list_of_positions(context: Context, array: Pointer, mask: int) -> int:
    """Return a new list of the cards at some positions of an array, or -1."""
    base = new_list(context, count_ones(mask))
    if base >= 0:
        cards = offset(context.arena, base + 8)
        at = 0
        while mask != 0:
            lay(cards, at, card_in(array, lowest_one(mask)))
            mask &= mask - 1
            at += 1
    return base


@kernel
def spread(context: Context, board: Board, slot: int) -> int:
    """Return a new list of the cards of a location in their order, or -1."""
    count = size(board, slot)
    base = new_list(context, count)
    if base < 0:
        return -1
    cards = offset(context.arena, base + 8)
    if MASKS:
        if slot < MASKS:
            if slot < PURE or count < 2:
                lay_mask(cards, board.mask[slot])
                return base
    for i in range(count):
        lay(cards, i, board.card[slot, i])
    return base


@kernel
def exchange_known(board: Board, left: int, right: int) -> None:
    """Update what is known of two locations that have exchanged all their cards."""
    if left >= PURE and right >= PURE:
        exchange_lists(board, left, right)
    elif left < PURE and right < PURE:
        mask = board.known_mask[left]
        board.known_mask[left] = board.known_mask[right]
        board.known_mask[right] = mask
    else:
        exchange_mixed(board, min(left, right), max(left, right))
    relearn(board, left, right)
    relearn(board, right, left)


@kernel
def exchange_lists(board: Board, left: int, right: int) -> None:
    """Exchange two lists of known cards."""
    most = max(board.known_count[left], board.known_count[right])
    for i in range(most):
        card = board.known[left, i]
        board.known[left, i] = board.known[right, i]
        board.known[right, i] = card
    count = board.known_count[left]
    board.known_count[left] = board.known_count[right]
    board.known_count[right] = count
    arrange_known(board, left)
    arrange_known(board, right)


@kernel
def exchange_mixed(board: Board, masked: int, listed: int) -> None:
    """Exchange a mask and a list of known cards."""
    found: Mask = 0
    for i in range(board.known_count[listed]):
        found |= bit(board.known[listed, i])
    left: Mask = board.known_mask[masked]
    forget_known(board, listed)
    while left != 0:
        add_known(board, listed, lowest_one(left))
        left &= left - 1
    board.known_mask[masked] = found


@kernel
def relearn(board: Board, slot: int, came_from: int) -> None:
    """Update which cards of a location everybody knows after an exchange."""
    if not concealed(board, slot):
        forget_known(board, slot)
    elif slot_kind(board, came_from) == VISIBLE:
        forget_known(board, slot)
        for i in range(size(board, slot)):
            add_known(board, slot, card_lying(board, slot, i))

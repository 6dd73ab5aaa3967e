"""Kernels on locations of any form: looking at their cards, taking them out and putting them in.

The slots of a state come in four ranges. Below PURE a location is a mask alone: its cards lie by
number, and nothing else is to be known. From there to MASKS it is a mask, and its order is kept in
its pile as long as it has several cards. From there to SORTED it is a pile that is kept in order of
number, and from there on a pile in the order in which cards come.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.compiler.inlining import Inline
from cardwright.compiler.intrinsics import count_ones, highest_one, nth_one
from cardwright.compiler.kernel import kernel
from cardwright.compiler.kernels.masks import bit, clear_pile, lay_more, leave_pile
from cardwright.compiler.kernels.piles import (
    bear,
    insert,
    insert_by_number,
    position_of,
    take,
    take_top,
)

if TYPE_CHECKING:
    from cardwright.compiler.kernels.types import Board, Mask

PURE = 0
MASKS = 0
SORTED = 0

TOP = -1
"""The position of a card that is put on top."""


@kernel(inline=Inline.ALWAYS)
def size(board: Board, slot: int) -> int:
    """Return how many cards a location has."""
    if MASKS:
        if slot < MASKS:
            return count_ones(board.mask[slot])
    return int(board.count[slot])


@kernel
def mask_of(board: Board, slot: int) -> Mask:
    """Return the cards of a location as a mask; there are no more cards in the game than bits."""
    if MASKS:
        if slot < MASKS:
            return int(board.mask[slot])
    found: Mask = 0
    for i in range(board.count[slot]):
        found |= bit(board.card[slot, i])
    return found


@kernel
def card_lying(board: Board, slot: int, at: int) -> int:
    """Return the card at a position of a location; there is one."""
    if MASKS:
        if slot < MASKS:
            mask = board.mask[slot]
            if slot < PURE or mask & (mask - 1) == 0:
                return nth_one(mask, at)
    return int(board.card[slot, at])


@kernel
def holder_slot(board: Board, card: int) -> int:
    """Return the location where a card lies."""
    if MASKS:
        for slot in range(MASKS):
            if board.mask[slot] & bit(card) != 0:
                return slot
    return int(board.where[card])


@kernel
def position_in(board: Board, slot: int, card: int) -> int:
    """Return the position of a card of any location."""
    if MASKS:
        if slot < MASKS:
            mask = board.mask[slot]
            if slot < PURE or mask & (mask - 1) == 0:
                return count_ones(mask & (bit(card) - 1))
    return position_of(board, slot, card)


@kernel
def put(board: Board, slot: int, at: int, card: int) -> None:
    """Put a card into a location at a position, or on top.

    In a location whose cards lie by number the position does not matter.
    """
    if MASKS:
        if slot < MASKS:
            if slot >= PURE:
                lay_more(board, slot, at, card)
            board.mask[slot] |= bit(card)
            return
    board.where[card] = slot
    if slot < SORTED:
        insert_by_number(board, slot, card)
    else:
        insert(board, slot, board.count[slot] if at < 0 else at, card)


@kernel
def remove(board: Board, slot: int, card: int) -> None:
    """Take a card out of the location where it lies."""
    if MASKS:
        if slot < MASKS:
            if slot >= PURE:
                leave_pile(board, slot, card)
            board.mask[slot] ^= bit(card)
            return
    take(board, slot, position_of(board, slot, card))


@kernel
def take_highest(board: Board, slot: int) -> int:
    """Take the topmost card out of a location, and return it; there is one."""
    card = card_lying(board, slot, size(board, slot) - 1)
    remove(board, slot, card)
    return card


@kernel
def swap_cards(board: Board, left: int, one: int, right: int, other: int) -> None:
    """Let two cards take each other's places; where cards lie by number they are sorted in."""
    if one == other:
        return
    if left < SORTED or right < SORTED:
        swap_sorted(board, left, one, right, other)
        return
    mine = position_of(board, left, one)
    theirs = position_of(board, right, other)
    board.card[left, mine] = other
    board.card[right, theirs] = one
    board.where[one] = right
    board.where[other] = left


@kernel
def swap_sorted(board: Board, left: int, one: int, right: int, other: int) -> None:
    """Do the same where at least one location has no order."""
    if left == right:
        return
    mine = position_in(board, left, one)
    theirs = position_in(board, right, other)
    remove(board, left, one)
    remove(board, right, other)
    put(board, left, mine, other)
    put(board, right, theirs, one)


@kernel
def move_many(board: Board, source: int, target: int, count: int) -> None:
    """Move a number of cards, at least 1, from the top of a location to that of another."""
    if source == target:
        return
    if MASKS:
        if source < MASKS or target < MASKS:
            if source >= MASKS and target < PURE:
                deal(board, source, target, count)
                return
            if source < MASKS:
                mask = board.mask[source]
                if target < PURE and count == count_ones(mask):
                    board.mask[target] |= mask
                    empty(board, source)
                    return
                if target >= SORTED and (source < PURE or mask & (mask - 1) == 0):
                    pour(board, source, target, count)
                    return
            for _ in range(count):
                put(board, target, TOP, take_highest(board, source))
            return
    if target < SORTED:
        for _ in range(count):
            top: int = board.card[source, board.count[source] - 1]
            take_top(board, source)
            insert_by_number(board, target, top)
            board.where[top] = target
        return
    bear(board, target)
    above: int = board.count[source] - 1
    room: int = board.count[target]
    for i in range(count):
        card: int = board.card[source, above - i]
        board.card[source, above - i] = 0
        board.card[target, room + i] = card
        board.where[card] = target
    board.count[source] = above + 1 - count
    board.count[target] = room + count


@kernel
def deal(board: Board, source: int, target: int, count: int) -> None:
    """Move a number of cards from the top of a pile to a location that is a mask."""
    last: int = board.count[source] - count
    found: Mask = 0
    for i in range(count):
        found |= bit(board.card[source, last + i])
        board.card[source, last + i] = 0
    board.count[source] = last
    board.mask[target] |= found


@kernel
def pour(board: Board, source: int, target: int, count: int) -> None:
    """Move a number of cards, the highest ones first, from a mask to the top of a pile."""
    bear(board, target)
    room: int = board.count[target]
    left: Mask = board.mask[source]
    for i in range(count):
        card = highest_one(left)
        left ^= bit(card)
        board.card[target, room + i] = card
        board.where[card] = target
    board.mask[source] = left
    board.count[target] = room + count


@kernel
def empty(board: Board, slot: int) -> None:
    """Take all cards out of a location that is or has a mask."""
    if slot >= PURE and MASKS > PURE:
        clear_pile(board, slot, count_ones(board.mask[slot]))
    board.mask[slot] = 0

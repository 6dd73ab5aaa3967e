"""Kernels on the cards that everybody saw going into a location that hides them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.compiler.intrinsics import offset, pointer_to
from cardwright.compiler.kernel import kernel
from cardwright.compiler.kernels.engine import slot_kind
from cardwright.compiler.kernels.masks import bit
from cardwright.compiler.kernels.piles import sink

if TYPE_CHECKING:
    from cardwright.compiler.kernels.types import Board

KNOWN_AT = 0
PILE_BYTES = 0
PURE = 0
MASKS = 0
SORTED = 0
CAPACITY = 0

VISIBLE = 1
CONCEALED_LOW = 2
CONCEALED_HIGH = 3
"""Kinds of location as `slot_kind` numbers them: visible, then the two that are concealed."""


@kernel
def concealed(board: Board, slot: int) -> bool:
    """Return whether a location hides its cards from a seat that may have seen them arrive."""
    kind = slot_kind(board, slot)
    return kind == CONCEALED_LOW or kind == CONCEALED_HIGH


@kernel
def is_known(board: Board, slot: int, card: int) -> bool:
    """Return whether everybody saw a card going into a location."""
    if slot < PURE:
        return bool(board.known_mask[slot] & bit(card) != 0)
    for i in range(board.known_count[slot]):
        if board.known[slot, i] == card:
            return True
    return False


@kernel
def any_known(board: Board, slot: int) -> bool:
    """Return whether a card of a location is known."""
    if slot < PURE:
        return bool(board.known_mask[slot] != 0)
    return bool(board.known_count[slot] > 0)


@kernel
def add_known(board: Board, slot: int, card: int) -> None:
    """Note that everybody saw a card going into a location."""
    if slot < PURE:
        board.known_mask[slot] |= bit(card)
        return
    if slot >= MASKS and slot < SORTED and is_known(board, slot, card):
        return
    count = board.known_count[slot]
    if count == CAPACITY:
        return  # with cards that have gone: in random play nobody looks, and few moves are noted
    board.known[slot, count] = card
    board.known_count[slot] = count + 1
    arrange_known(board, slot)


@kernel
def drop_known(board: Board, slot: int, card: int) -> None:
    """Take one card out of a list of known cards, if it is there."""
    if slot < PURE:
        board.known_mask[slot] &= ~bit(card)
        return
    count = board.known_count[slot]
    at = 0
    while at < count and board.known[slot, at] != card:
        at += 1
    if at < count:
        for i in range(at, count - 1):
            board.known[slot, i] = board.known[slot, i + 1]
        board.known[slot, count - 1] = 0
        board.known_count[slot] = count - 1


@kernel
def forget_known(board: Board, slot: int) -> None:
    """Forget all known cards of a location."""
    if slot < PURE:
        board.known_mask[slot] = 0
        return
    for i in range(board.known_count[slot]):
        board.known[slot, i] = 0
    board.known_count[slot] = 0


@kernel
def arrange_known(board: Board, slot: int) -> None:
    """Sort the known cards of a location by number, if its cards lie so."""
    if slot >= MASKS and slot < SORTED:
        cards = offset(pointer_to(board), KNOWN_AT + slot * PILE_BYTES)
        for i in range(1, board.known_count[slot]):
            sink(cards, i)


@kernel
def learn_move(board: Board, card: int, source: int, target: int) -> None:
    """Update the lists of known cards when a card actually moves."""
    if source == target:
        return
    if concealed(board, source):
        if any_known(board, source):
            if slot_kind(board, target) != VISIBLE:
                forget_known(board, source)
            else:
                drop_known(board, source, card)
    elif slot_kind(board, source) == VISIBLE and concealed(board, target):
        add_known(board, target, card)


@kernel
def learn_top(board: Board, slot: int, count: int) -> None:
    """Note that everybody saw the topmost cards of a pile coming, one after the other."""
    first = board.count[slot] - count
    known = board.known_count[slot]
    if known + count > CAPACITY:
        return
    for i in range(count):
        board.known[slot, known + i] = board.card[slot, first + i]
    board.known_count[slot] = known + count

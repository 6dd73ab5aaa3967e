"""Kernels on piles: cards in an order, from bottom to top."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.compiler.inlining import Inline
from cardwright.compiler.intrinsics import Pointer, copy, load, offset, pointer_to, store
from cardwright.compiler.kernel import kernel
from cardwright.compiler.kernels.stream import below, next_bits

if TYPE_CHECKING:
    from cardwright.compiler.kernels.types import Board, Stream

CAPACITY = 0
CARD_BYTES = 1
CHUNK = 16
"""Cards that are moved at once: most hands have no more."""

CARDS_AT = 0
PILE_BYTES = 0
MASKS = 0
SORTED = 0


@kernel(inline=Inline.ALWAYS)
def cards_of(board: Board, slot: int) -> Pointer:
    """Return the address of the lowest card of a pile."""
    return offset(pointer_to(board), CARDS_AT + slot * PILE_BYTES)


@kernel
def position_of(board: Board, slot: int, card: int) -> int:
    """Return the position of a card of a pile."""
    at = 0
    while board.card[slot, at] != card:
        at += 1
    return at


@kernel(inline=Inline.ALWAYS)
def push(board: Board, slot: int, card: int) -> None:
    """Put a card on top of a pile."""
    bear(board, slot)
    count = board.count[slot]
    board.card[slot, count] = card
    board.count[slot] = count + 1


@kernel
def insert(board: Board, slot: int, at: int, card: int) -> None:
    """Insert a card into a pile at a position."""
    bear(board, slot)
    count = board.count[slot]
    i = count
    while i > at:
        board.card[slot, i] = board.card[slot, i - 1]
        i -= 1
    board.card[slot, at] = card
    board.count[slot] = count + 1


@kernel
def insert_by_number(board: Board, slot: int, card: int) -> None:
    """Insert a card into a pile that is kept in order of number."""
    push(board, slot, card)
    sink(cards_of(board, slot), board.count[slot] - 1)


@kernel(inline=Inline.ALWAYS)
def bear(board: Board, slot: int) -> None:
    """Number a pile that is about to get its first card ever."""
    if board.born[slot] == 0:
        board.births += 1
        board.born[slot] = board.births


@kernel
def take(board: Board, slot: int, at: int) -> None:
    """Take the card at a position out of a pile; its old place is cleared."""
    last = board.count[slot] - 1
    if at + CHUNK < CAPACITY and last - at <= CHUNK:
        # Above the highest card all is zero, so that more bytes may be moved than there are cards;
        # the number of bytes is constant, since a variable one would be mispredicted.
        here = offset(cards_of(board, slot), at * CARD_BYTES)
        copy(here, offset(here, CARD_BYTES), CHUNK * CARD_BYTES)
    else:
        for i in range(at, last):
            board.card[slot, i] = board.card[slot, i + 1]
    board.card[slot, last] = 0
    board.count[slot] = last


@kernel(inline=Inline.ALWAYS)
def take_top(board: Board, slot: int) -> None:
    """Take the topmost card out of a pile."""
    last = board.count[slot] - 1
    board.card[slot, last] = 0
    board.count[slot] = last


@kernel
def sink(cards: Pointer, at: int) -> None:
    """Sort a card into those below it, which are in order of number."""
    card = load(offset(cards, at * CARD_BYTES), CARD_BYTES)
    while at > 0 and load(offset(cards, (at - 1) * CARD_BYTES), CARD_BYTES) > card:
        store(
            offset(cards, at * CARD_BYTES),
            load(offset(cards, (at - 1) * CARD_BYTES), CARD_BYTES),
            CARD_BYTES,
        )
        at -= 1
    store(offset(cards, at * CARD_BYTES), card, CARD_BYTES)


@kernel
def arrange(board: Board, slot: int) -> None:
    """Sort the cards of a location by number, if they lie so."""
    if slot >= MASKS and slot < SORTED:
        for i in range(1, board.count[slot]):
            sink(cards_of(board, slot), i)


@kernel
def shuffle(stream: Stream, cards: Pointer, count: int) -> None:
    """Permute cards uniformly (Fisher-Yates from the last down), with a board's stream."""
    i = count - 1
    while i > 0:
        j = below(stream, i + 1)
        high = load(offset(cards, i * CARD_BYTES), CARD_BYTES)
        low = load(offset(cards, j * CARD_BYTES), CARD_BYTES)
        store(offset(cards, i * CARD_BYTES), low, CARD_BYTES)
        store(offset(cards, j * CARD_BYTES), high, CARD_BYTES)
        i -= 1


@kernel
def draw(stream: Stream, bound: int) -> int:
    """Return a uniform integer below a bound, where 0 means 2^64.

    The stream is that of a board, at its beginning.
    """
    if bound == 0:
        return next_bits(stream)
    return below(stream, bound)

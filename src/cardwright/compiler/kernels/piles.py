"""Kernels on real locations: taking cards out, putting them in, and what everybody then knows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.compiler.intrinsics import Pointer, copy, load, offset, pointer_to, store
from cardwright.compiler.ir import Inline
from cardwright.compiler.kernel import kernel
from cardwright.compiler.kernels.engine import slot_kind
from cardwright.compiler.kernels.stream import below, next_bits

if TYPE_CHECKING:
    from cardwright.compiler.kernels.types import Board, Stream

CAPACITY = 0
CARD_BYTES = 1
CHUNK = 16
"""Cards that are moved at once: most hands have no more."""

CARDS_AT = 0
PILE_BYTES = 0
VISIBLE = 1
CONCEALED_LOW = 2
CONCEALED_HIGH = 3
"""Kinds of location as `slot_kind` numbers them: visible, then the two that are concealed."""


@kernel(inline=Inline.ALWAYS)
def cards_of(board: Board, slot: int) -> Pointer:
    """Return the address of the lowest card of a location."""
    return offset(pointer_to(board), CARDS_AT + slot * PILE_BYTES)


@kernel
def draw(stream: Stream, bound: int) -> int:
    """Return a uniform integer below a bound, where 0 means 2^64.

    The stream is that of a board, at its beginning.
    """
    if bound == 0:
        return next_bits(stream)
    return below(stream, bound)


@kernel
def take(board: Board, slot: int, at: int) -> None:
    """Take the card at a position out of a location; its old place is cleared."""
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
    """Take the topmost card out of a location."""
    last = board.count[slot] - 1
    board.card[slot, last] = 0
    board.count[slot] = last


@kernel(inline=Inline.ALWAYS)
def bear(board: Board, slot: int) -> None:
    """Number a location that is about to get its first card ever."""
    if board.born[slot] == 0:
        board.births += 1
        board.born[slot] = board.births


@kernel(inline=Inline.ALWAYS)
def push(board: Board, slot: int, card: int) -> None:
    """Put a card on top of a location."""
    bear(board, slot)
    count = board.count[slot]
    board.card[slot, count] = card
    board.count[slot] = count + 1


@kernel
def move_many(board: Board, source: int, target: int, count: int) -> None:
    """Move a number of cards, at least 1, from the top of a location to that of another."""
    if source == target:
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
def insert(board: Board, slot: int, at: int, card: int) -> None:
    """Insert a card into a location at a position."""
    bear(board, slot)
    count = board.count[slot]
    i = count
    while i > at:
        board.card[slot, i] = board.card[slot, i - 1]
        i -= 1
    board.card[slot, at] = card
    board.count[slot] = count + 1


@kernel
def shuffle(stream: Stream, cards: Pointer, count: int) -> None:
    """Permute cards uniformly (Fisher-Yates from the last down), with a board's stream."""
    i = count - 1
    while i > 0:
        j = draw(stream, i + 1)
        high = load(offset(cards, i * CARD_BYTES), CARD_BYTES)
        low = load(offset(cards, j * CARD_BYTES), CARD_BYTES)
        store(offset(cards, i * CARD_BYTES), low, CARD_BYTES)
        store(offset(cards, j * CARD_BYTES), high, CARD_BYTES)
        i -= 1


@kernel
def exchange(board: Board, left: int, right: int) -> None:
    """Exchange all cards of two locations, and with them what is known of them."""
    if left == right:
        return
    most = max(board.count[left], board.count[right])
    for i in range(most):
        card = board.card[left, i]
        board.card[left, i] = board.card[right, i]
        board.card[right, i] = card
    count = board.count[left]
    board.count[left] = board.count[right]
    board.count[right] = count
    for i in range(board.count[left]):
        board.where[board.card[left, i]] = left
    for i in range(board.count[right]):
        board.where[board.card[right, i]] = right
    if KNOWN:
        exchange_known(board, left, right)


KNOWN = 0


@kernel
def concealed(board: Board, slot: int) -> bool:
    """Return whether a location hides its cards from a seat that may have seen them arrive."""
    kind = slot_kind(board, slot)
    return kind == CONCEALED_LOW or kind == CONCEALED_HIGH


@kernel
def forget_known(board: Board, slot: int) -> None:
    """Forget all known cards of a location."""
    for i in range(board.known_count[slot]):
        board.known[slot, i] = 0
    board.known_count[slot] = 0


@kernel
def exchange_known(board: Board, left: int, right: int) -> None:
    """Exchange the lists of known cards, then update which are still valid."""
    most = max(board.known_count[left], board.known_count[right])
    for i in range(most):
        card = board.known[left, i]
        board.known[left, i] = board.known[right, i]
        board.known[right, i] = card
    count = board.known_count[left]
    board.known_count[left] = board.known_count[right]
    board.known_count[right] = count
    relearn(board, left, right)
    relearn(board, right, left)


@kernel
def relearn(board: Board, slot: int, came_from: int) -> None:
    """Update which cards of a location everybody knows after an exchange."""
    if not concealed(board, slot):
        forget_known(board, slot)
    elif slot_kind(board, came_from) == VISIBLE:
        forget_known(board, slot)
        for i in range(board.count[slot]):
            board.known[slot, i] = board.card[slot, i]
        board.known_count[slot] = board.count[slot]


@kernel
def learn_move(board: Board, card: int, source: int, target: int) -> None:
    """Update the lists of known cards when a card actually moves."""
    if source == target:
        return
    if concealed(board, source):
        if board.known_count[source] > 0:
            if slot_kind(board, target) != VISIBLE:
                forget_known(board, source)
            else:
                drop_known(board, source, card)
    elif slot_kind(board, source) == VISIBLE and concealed(board, target):
        count = board.known_count[target]
        board.known[target, count] = card
        board.known_count[target] = count + 1


@kernel
def drop_known(board: Board, slot: int, card: int) -> None:
    """Take one card out of a list of known cards, if it is there."""
    count = board.known_count[slot]
    at = 0
    while at < count and board.known[slot, at] != card:
        at += 1
    if at < count:
        for i in range(at, count - 1):
            board.known[slot, i] = board.known[slot, i + 1]
        board.known[slot, count - 1] = 0
        board.known_count[slot] = count - 1

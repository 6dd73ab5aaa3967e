"""Kernels on real locations: taking cards out, putting them in, and what everybody then knows.

The slots of a state come in four ranges. Below PURE a location is a mask alone: its cards lie by
number, and nothing else is to be known. From there to MASKS it is a mask, and its order is kept in
its pile as long as it has several cards. From there to SORTED it is a pile that is kept in order of
number, and from there on a pile in the order in which cards come.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.compiler.intrinsics import (
    Pointer,
    copy,
    count_ones,
    load,
    lowest_one,
    nth_one,
    offset,
    pointer_to,
    store,
    wrap,
)
from cardwright.compiler.ir import Inline
from cardwright.compiler.kernel import kernel
from cardwright.compiler.kernels.engine import slot_kind
from cardwright.compiler.kernels.lists import card_in, lay, new_list
from cardwright.compiler.kernels.stream import below, next_bits

if TYPE_CHECKING:
    from cardwright.compiler.kernels.types import Board, Context, Stream

CAPACITY = 0
CARD_BYTES = 1
CHUNK = 16
"""Cards that are moved at once: most hands have no more."""

CARDS_AT = 0
PILE_BYTES = 0
PURE = 0
MASKS = 0
SORTED = 0

VISIBLE = 1
CONCEALED_LOW = 2
CONCEALED_HIGH = 3
"""Kinds of location as `slot_kind` numbers them: visible, then the two that are concealed."""

TOP = -1
"""The position of a card that is put on top."""


@kernel(inline=Inline.ALWAYS)
def cards_of(board: Board, slot: int) -> Pointer:
    """Return the address of the lowest card of a pile."""
    return offset(pointer_to(board), CARDS_AT + slot * PILE_BYTES)


@kernel(inline=Inline.ALWAYS)
def bit(card: int) -> int:
    """Return the mask of one card."""
    return wrap(1 << card)


@kernel
def draw(stream: Stream, bound: int) -> int:
    """Return a uniform integer below a bound, where 0 means 2^64.

    The stream is that of a board, at its beginning.
    """
    if bound == 0:
        return next_bits(stream)
    return below(stream, bound)


# Any location -----------------------------------------------------------------------------


@kernel(inline=Inline.ALWAYS)
def size(board: Board, slot: int) -> int:
    """Return how many cards a location has."""
    if MASKS:
        if slot < MASKS:
            return count_ones(board.mask[slot])
    return int(board.count[slot])


@kernel
def mask_of(board: Board, slot: int) -> int:
    """Return the cards of a location as a mask; there are at most 64 cards in the game."""
    if MASKS:
        if slot < MASKS:
            return int(board.mask[slot])
    found = 0
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
def position_of(board: Board, slot: int, card: int) -> int:
    """Return the position of a card of a pile."""
    at = 0
    while board.card[slot, at] != card:
        at += 1
    return at


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
            if target < PURE and count == count_ones(board.mask[source]):
                board.mask[target] |= board.mask[source]
                empty(board, source)
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
    found = 0
    for i in range(count):
        found |= bit(board.card[source, last + i])
        board.card[source, last + i] = 0
    board.count[source] = last
    board.mask[target] |= found


@kernel
def empty(board: Board, slot: int) -> None:
    """Take all cards out of a location that is or has a mask."""
    if slot >= PURE and MASKS > PURE:
        clear_pile(board, slot, count_ones(board.mask[slot]))
    board.mask[slot] = 0


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
def spread(context: Context, board: Board, slot: int) -> int:
    """Return a new list of the cards of a location in their order, or -1."""
    count = size(board, slot)
    base = new_list(context, count)
    if base < 0:
        return -1
    cards = offset(context.arena, base + 8)
    if MASKS:
        if slot < MASKS:
            left: int = board.mask[slot]
            if slot < PURE or count < 2:
                for i in range(count):
                    lay(cards, i, lowest_one(left))
                    left &= left - 1
                return base
    for i in range(count):
        lay(cards, i, board.card[slot, i])
    return base


# Masks whose order is kept as long as there are several cards -----------------------------


@kernel(inline=Inline.NEVER)
def lay_more(board: Board, slot: int, at: int, card: int) -> None:
    """Keep the order of a location that is about to get another card, if it has any."""
    mask: int = board.mask[slot]
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


# Piles ------------------------------------------------------------------------------------


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


@kernel(inline=Inline.ALWAYS)
def bear(board: Board, slot: int) -> None:
    """Number a pile that is about to get its first card ever."""
    if board.born[slot] == 0:
        board.births += 1
        board.born[slot] = board.births


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
    bear(board, slot)
    at: int = board.count[slot]
    board.count[slot] = at + 1
    while at > 0 and board.card[slot, at - 1] > card:
        board.card[slot, at] = board.card[slot, at - 1]
        at -= 1
    board.card[slot, at] = card


@kernel
def arrange(board: Board, slot: int) -> None:
    """Sort the cards of a location by number, if they lie so."""
    if slot >= MASKS and slot < SORTED:
        for i in range(1, board.count[slot]):
            card = board.card[slot, i]
            at = i
            while at > 0 and board.card[slot, at - 1] > card:
                board.card[slot, at] = board.card[slot, at - 1]
                at -= 1
            board.card[slot, at] = card


@kernel
def arrange_known(board: Board, slot: int) -> None:
    """Sort the known cards of a location by number, if its cards lie so."""
    if slot >= MASKS and slot < SORTED:
        for i in range(1, board.known_count[slot]):
            card = board.known[slot, i]
            at = i
            while at > 0 and board.known[slot, at - 1] > card:
                board.known[slot, at] = board.known[slot, at - 1]
                at -= 1
            board.known[slot, at] = card


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


# What everybody knows ---------------------------------------------------------------------


KNOWN = 0


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
def forget_known(board: Board, slot: int) -> None:
    """Forget all known cards of a location."""
    if slot < PURE:
        board.known_mask[slot] = 0
        return
    for i in range(board.known_count[slot]):
        board.known[slot, i] = 0
    board.known_count[slot] = 0


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
    found = 0
    for i in range(board.known_count[listed]):
        found |= bit(board.known[listed, i])
    left: int = board.known_mask[masked]
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


@kernel
def add_known(board: Board, slot: int, card: int) -> None:
    """Note that everybody saw a card going into a location."""
    if slot < PURE:
        board.known_mask[slot] |= bit(card)
        return
    if slot >= MASKS and slot < SORTED and is_known(board, slot, card):
        return
    count = board.known_count[slot]
    board.known[slot, count] = card
    board.known_count[slot] = count + 1
    arrange_known(board, slot)


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
def any_known(board: Board, slot: int) -> bool:
    """Return whether a card of a location is known."""
    if slot < PURE:
        return bool(board.known_mask[slot] != 0)
    return bool(board.known_count[slot] > 0)


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

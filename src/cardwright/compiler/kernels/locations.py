"""Kernels on locations of any form: looking at their cards, taking them out and putting them in.

The slots of a state come in four ranges. Below PURE a location is a mask alone: its cards lie by
number, and nothing else is to be known. From there to MASKS it is a mask, and its order is kept in
its pile as long as it has several cards. From there to SORTED it is a pile that is kept in order of
number, and from there on a pile in the order in which cards come.
"""

from __future__ import annotations

from cardwright.compiler import intrinsics as op
from cardwright.compiler.kernel import Inline, kernel
from cardwright.compiler.kernels import engine
from cardwright.compiler.kernels.engine import Board, Context, Mask, Pointer, Stream
from cardwright.compiler.kernels.lists import card_in, lay, new_list
from cardwright.compiler.kernels.stream import below, next_bits

CHUNK = 16
"""Cards that are moved at once: most hands have no more."""


@kernel(inline=Inline.ALWAYS)
def cards_of(board: Board, slot: int) -> Pointer:
    """Return the address of the lowest card of a pile."""
    return op.offset(op.pointer_to(board), engine.CARDS_AT + slot * engine.PILE_BYTES)


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
    if at + CHUNK < engine.CAPACITY and last - at <= CHUNK:
        # Above the highest card all is zero, so that more bytes may be moved than there are cards;
        # the number of bytes is constant, since a variable one would be mispredicted.
        here = op.offset(cards_of(board, slot), at * engine.CARD_BYTES)
        op.copy(here, op.offset(here, engine.CARD_BYTES), CHUNK * engine.CARD_BYTES)
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
    card = card_in(cards, at)
    while at > 0 and card_in(cards, at - 1) > card:
        lay(cards, at, card_in(cards, at - 1))
        at -= 1
    lay(cards, at, card)


@kernel
def arrange(board: Board, slot: int) -> None:
    """Sort the cards of a location by number, if they lie so."""
    if slot >= engine.MASKS and slot < engine.SORTED:
        for i in range(1, board.count[slot]):
            sink(cards_of(board, slot), i)


@kernel
def shuffle(stream: Stream, cards: Pointer, count: int) -> None:
    """Permute cards uniformly (Fisher-Yates from the last down), with a board's stream."""
    i = count - 1
    while i > 0:
        j = below(stream, i + 1)
        high = card_in(cards, i)
        lay(cards, i, card_in(cards, j))
        lay(cards, j, high)
        i -= 1


@kernel
def draw(stream: Stream, bound: int) -> int:
    """Return a uniform integer below a bound, where 0 means 2^64.

    The stream is that of a board, at its beginning.
    """
    return next_bits(stream) if bound == 0 else below(stream, bound)


@kernel(inline=Inline.ALWAYS)
def bit(card: int) -> Mask:
    """Return the mask of one card."""
    one: Mask = 1
    if engine.MASK_BITS == 64:
        return op.wrap(one << card)
    return one << card


@kernel(inline=Inline.NEVER)
def lay_more(board: Board, slot: int, at: int, card: int) -> None:
    """Keep the order of a location that is about to get another card, if it has any."""
    mask: Mask = board.mask[slot]
    if mask == 0:
        return
    count = op.count_ones(mask)
    if count == 1:
        board.card[slot, 0] = op.lowest_one(mask)
    i = count
    while at >= 0 and i > at:
        board.card[slot, i] = board.card[slot, i - 1]
        i -= 1
    board.card[slot, i] = card


@kernel(inline=Inline.NEVER)
def leave_pile(board: Board, slot: int, card: int) -> None:
    """Keep the order of a location that a card is about to leave, if others stay."""
    count = op.count_ones(board.mask[slot])
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


TOP = -1
"""The position of a card that is put on top."""


@kernel(inline=Inline.ALWAYS)
def size(board: Board, slot: int) -> int:
    """Return how many cards a location has."""
    if engine.MASKS and slot < engine.MASKS:
        return op.count_ones(board.mask[slot])
    return int(board.count[slot])


@kernel
def mask_of(board: Board, slot: int) -> Mask:
    """Return the cards of a location as a mask; there are no more cards in the game than bits."""
    if engine.MASKS and slot < engine.MASKS:
        return int(board.mask[slot])
    found: Mask = 0
    for i in range(board.count[slot]):
        found |= bit(board.card[slot, i])
    return found


@kernel
def card_lying(board: Board, slot: int, at: int) -> int:
    """Return the card at a position of a location; there is one."""
    if engine.MASKS and slot < engine.MASKS:
        mask = board.mask[slot]
        if slot < engine.PURE or mask & (mask - 1) == 0:
            return op.nth_one(mask, at)
    return int(board.card[slot, at])


@kernel
def holder_slot(board: Board, card: int) -> int:
    """Return the location where a card lies."""
    if engine.MASKS:
        for slot in range(engine.MASKS):
            if board.mask[slot] & bit(card) != 0:
                return slot
    return int(board.where[card])


@kernel
def position_in(board: Board, slot: int, card: int) -> int:
    """Return the position of a card of any location."""
    if engine.MASKS and slot < engine.MASKS:
        mask = board.mask[slot]
        if slot < engine.PURE or mask & (mask - 1) == 0:
            return op.count_ones(mask & (bit(card) - 1))
    return position_of(board, slot, card)


@kernel
def put(board: Board, slot: int, at: int, card: int) -> None:
    """Put a card into a location at a position, or on top.

    In a location whose cards lie by number the position does not matter.
    """
    if engine.MASKS and slot < engine.MASKS:
        if slot >= engine.PURE:
            lay_more(board, slot, at, card)
        board.mask[slot] |= bit(card)
        return
    board.where[card] = slot
    if slot < engine.SORTED:
        insert_by_number(board, slot, card)
    else:
        insert(board, slot, board.count[slot] if at < 0 else at, card)


@kernel
def remove(board: Board, slot: int, card: int) -> None:
    """Take a card out of the location where it lies."""
    if engine.MASKS and slot < engine.MASKS:
        if slot >= engine.PURE:
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
    if left < engine.SORTED or right < engine.SORTED:
        if left != right:
            mine = position_in(board, left, one)
            theirs = position_in(board, right, other)
            remove(board, left, one)
            remove(board, right, other)
            put(board, left, mine, other)
            put(board, right, theirs, one)
        return
    mine = position_of(board, left, one)
    theirs = position_of(board, right, other)
    board.card[left, mine] = other
    board.card[right, theirs] = one
    board.where[one] = right
    board.where[other] = left


@kernel
def move_many(board: Board, source: int, target: int, count: int) -> None:
    """Move a number of cards, at least 1, from the top of a location to that of another."""
    if source == target:
        return
    if engine.MASKS and (source < engine.MASKS or target < engine.MASKS):
        if source >= engine.MASKS and target < engine.PURE:
            deal(board, source, target, count)
            return
        if source < engine.MASKS:
            mask = board.mask[source]
            if target < engine.PURE and count == op.count_ones(mask):
                board.mask[target] |= mask
                empty(board, source)
                return
            if target >= engine.SORTED and (source < engine.PURE or mask & (mask - 1) == 0):
                pour(board, source, target, count)
                return
        for _ in range(count):
            put(board, target, TOP, take_highest(board, source))
        return
    if target < engine.SORTED:
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
        card = op.highest_one(left)
        left ^= bit(card)
        board.card[target, room + i] = card
        board.where[card] = target
    board.mask[source] = left
    board.count[target] = room + count


@kernel
def empty(board: Board, slot: int) -> None:
    """Take all cards out of a location that is or has a mask."""
    if slot >= engine.PURE and engine.MASKS > engine.PURE:
        clear_pile(board, slot, op.count_ones(board.mask[slot]))
    board.mask[slot] = 0


# What is known of locations -------------------------------------------------------------------

VISIBLE, INVISIBLE, HIDDEN, OTHERS, MEMORY = range(1, 6)
"""Kinds of locations."""


@kernel
def _concealed(board: Board, slot: int) -> bool:
    kind = engine.slot_kind(board, slot)
    return kind == INVISIBLE or kind == HIDDEN


@kernel
def is_known(board: Board, slot: int, card: int) -> bool:
    """Return whether everybody saw a card going into a location."""
    if slot < engine.PURE:
        return bool(board.known_mask[slot] & bit(card) != 0)
    for i in range(board.known_count[slot]):
        if board.known[slot, i] == card:
            return True
    return False


@kernel
def add_known(board: Board, slot: int, card: int) -> None:
    """Note that everybody saw a card going into a location."""
    if slot < engine.PURE:
        board.known_mask[slot] |= bit(card)
        return
    if slot >= engine.MASKS and slot < engine.SORTED and is_known(board, slot, card):
        return
    count = board.known_count[slot]
    if count == engine.CAPACITY:
        return  # with cards that have gone: in random play nobody looks, and few moves are noted
    board.known[slot, count] = card
    board.known_count[slot] = count + 1
    arrange_known(board, slot)


@kernel
def _drop_known(board: Board, slot: int, card: int) -> None:
    if slot < engine.PURE:
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
def _forget_known(board: Board, slot: int) -> None:
    if slot < engine.PURE:
        board.known_mask[slot] = 0
        return
    for i in range(board.known_count[slot]):
        board.known[slot, i] = 0
    board.known_count[slot] = 0


@kernel
def arrange_known(board: Board, slot: int) -> None:
    """Sort the known cards of a location by number, if its cards lie so."""
    if slot >= engine.MASKS and slot < engine.SORTED:
        cards = op.offset(op.pointer_to(board), engine.KNOWN_AT + slot * engine.PILE_BYTES)
        for i in range(1, board.known_count[slot]):
            sink(cards, i)


@kernel
def learn_move(board: Board, card: int, source: int, target: int) -> None:
    """Update the lists of known cards when a card actually moves."""
    if source == target:
        return
    if _concealed(board, source):
        if engine.slot_kind(board, target) != VISIBLE:
            _forget_known(board, source)
        else:
            _drop_known(board, source, card)
    elif engine.slot_kind(board, source) == VISIBLE and _concealed(board, target):
        add_known(board, target, card)


@kernel
def learn_top(board: Board, slot: int, count: int) -> None:
    """Note that everybody saw the topmost cards of a pile coming, one after the other."""
    first = board.count[slot] - count
    known = board.known_count[slot]
    if known + count > engine.CAPACITY:
        return
    for i in range(count):
        board.known[slot, known + i] = board.card[slot, first + i]
    board.known_count[slot] = known + count


@kernel
def exchange(board: Board, context: Context, left: int, right: int) -> int:
    """Exchange all cards of two locations, and with them what is known of them.

    Return -1 if there is no room for a list of them.
    """
    if left == right:
        return 0
    mark = context.top
    if engine.KNOWN:
        my_known = known_cards(context, board, left)
        other_known = known_cards(context, board, right)
        if my_known < 0 or other_known < 0:
            return -1
    if left < engine.PURE and right < engine.PURE:
        mask = board.mask[left]
        board.mask[left] = board.mask[right]
        board.mask[right] = mask
    else:
        mine = spread(context, board, left)
        others = spread(context, board, right)
        if mine < 0 or others < 0:
            return -1
        give(board, op.offset(context.arena, mine), left)
        give(board, op.offset(context.arena, others), right)
        _receive(board, op.offset(context.arena, others), left)
        _receive(board, op.offset(context.arena, mine), right)
    if engine.KNOWN:
        relearn(board, left, right, op.offset(context.arena, other_known))
        relearn(board, right, left, op.offset(context.arena, my_known))
    context.top = mark
    return 0


@kernel
def known_cards(context: Context, board: Board, slot: int) -> int:
    """Return a new list of the cards that everybody saw going into a location, or -1."""
    if slot < engine.PURE:
        return list_of_mask(context, board.known_mask[slot])
    base = new_list(context, board.known_count[slot])
    if base >= 0:
        for i in range(board.known_count[slot]):
            lay(op.offset(context.arena, base + 8), i, board.known[slot, i])
    return base


@kernel
def relearn(board: Board, slot: int, came_from: int, known: Pointer) -> None:
    """Update which cards of a location everybody knows after an exchange, given those known."""
    _forget_known(board, slot)
    if _concealed(board, slot):
        if engine.slot_kind(board, came_from) == VISIBLE:
            for i in range(size(board, slot)):
                add_known(board, slot, card_lying(board, slot, i))
        else:
            for i in range(known[0]):
                add_known(board, slot, card_in(known + 1, i))


@kernel
def give(board: Board, cards: Pointer, slot: int) -> None:
    """Take the cards of a list out of a location, the last one first."""
    count = cards[0]
    for i in range(count):
        remove(board, slot, card_in(cards + 1, count - 1 - i))


@kernel
def _receive(board: Board, cards: Pointer, slot: int) -> None:
    for i in range(cards[0]):
        put(board, slot, TOP, card_in(cards + 1, i))


@kernel
def _lay_mask(cards: Pointer, mask: Mask) -> None:
    at = 0
    for card in op.ones(mask):
        lay(cards, at, card)
        at += 1


@kernel
def list_of_mask(context: Context, mask: Mask) -> int:
    """Return a new list of the cards of a mask by number, or -1."""
    base = new_list(context, op.count_ones(mask))
    if base >= 0:
        _lay_mask(op.offset(context.arena, base + 8), mask)
    return base


@kernel
def list_of_positions(context: Context, array: Pointer, mask: int) -> int:
    """Return a new list of the cards at some positions of an array, or -1."""
    base = new_list(context, op.count_ones(mask))
    if base >= 0:
        cards = op.offset(context.arena, base + 8)
        at = 0
        for position in op.ones(mask):
            lay(cards, at, card_in(array, position))
            at += 1
    return base


@kernel
def spread(context: Context, board: Board, slot: int) -> int:
    """Return a new list of the cards of a location in their order, or -1."""
    count = size(board, slot)
    base = new_list(context, count)
    if base < 0:
        return -1
    cards = op.offset(context.arena, base + 8)
    if engine.MASKS and slot < engine.MASKS and (slot < engine.PURE or count < 2):
        _lay_mask(cards, board.mask[slot])
        return base
    for i in range(count):
        lay(cards, i, board.card[slot, i])
    return base

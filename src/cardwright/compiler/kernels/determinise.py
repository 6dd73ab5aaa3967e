"""The determinisation kernel: it redeals everything on a board that a seat does not know."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.compiler.intrinsics import Pointer, like, offset
from cardwright.compiler.kernel import kernel
from cardwright.compiler.kernels.engine import back, member, slot_kind, slot_owner
from cardwright.compiler.kernels.lists import put_word, reserve_words, word
from cardwright.compiler.kernels.stream import below, next_bits, seed_stream

if TYPE_CHECKING:
    from cardwright.compiler.kernels.types import Board, Context, Stream

FIXED_SLOTS = 0
POOL_SLOTS = 0
CARDS = 0
KNOWN = 0
VISIBLE = 1
INVISIBLE = 2
HIDDEN = 3
OTHERS = 4
MEMORY = 5
TABLE = 1


@kernel
def sees(board: Board, slot: int, seat: int) -> bool:
    """Return whether a player sees the cards of a location."""
    kind = slot_kind(board, slot)
    owner = slot_owner(board, slot)
    if kind == VISIBLE or kind == MEMORY:
        return True
    if kind == INVISIBLE:
        return owner == seat
    if kind == OTHERS:
        return owner != TABLE and member(owner, seat) == 0
    return False


@kernel
def hidden_slots(board: Board, seat: int, out: Pointer) -> int:
    """List the locations that a seat does not see, owners by number, then by first card."""
    found = 0
    for slot in range(FIXED_SLOTS + POOL_SLOTS):
        if board.born[slot] != 0 and board.count[slot] > 0 and not sees(board, slot, seat):
            at = found
            while at > 0 and comes_before(board, slot, word(out, at - 1)):
                put_word(out, at, word(out, at - 1))
                at -= 1
            put_word(out, at, slot)
            found += 1
    return found


@kernel
def comes_before(board: Board, left: int, right: int) -> bool:
    """Return whether a location comes before another in the order of dealing."""
    mine = slot_owner(board, left)
    other = slot_owner(board, right)
    if mine != other:
        return mine < other
    return bool(board.born[left] < board.born[right])


@kernel
def is_known(board: Board, slot: int, card: int) -> bool:
    """Return whether everybody saw a card going into a location."""
    for i in range(board.known_count[slot]):
        if board.known[slot, i] == card:
            return True
    return False


@kernel
def lay_known(board: Board, slot: int, old: Pointer, taken: Pointer, marks: Pointer) -> None:
    """Put known cards at the lowest positions of their back; mark the positions that are left.

    The cards displaced by them are dealt elsewhere with the others: the lists only name cards.
    """
    count = board.count[slot]
    for i in range(count):
        put_word(old, i, board.card[slot, i])
        put_word(taken, i, 0)
    names = board.known_count[slot]
    used = offset(taken, 8 * count)
    for i in range(names):
        put_word(used, i, 0)
    for i in range(count):
        wanted = back(word(old, i))
        at = 0
        while at < names and (word(used, at) != 0 or back(board.known[slot, at]) != wanted):
            at += 1
        if at < names:
            put_word(used, at, 1)
            board.card[slot, i] = board.known[slot, at]
            put_word(marks, i, 0)
        else:
            free = 0
            while not is_free(board, slot, word(old, free), word(taken, free), wanted):
                free += 1
            put_word(taken, free, 1)
            board.card[slot, i] = word(old, free)
            put_word(marks, i, 1)


@kernel
def is_free(board: Board, slot: int, card: int, taken: int, wanted: int) -> bool:
    """Return whether a card of a location can be put at a position: unknown, and of its back."""
    if taken != 0 or back(card) != wanted:
        return False
    return not is_known(board, slot, card)


@kernel(exported=True)
def cw_determinise(board: Board, context: Context, seat: int, stream: Stream, known: int) -> int:
    """Redeal every card that a seat does not know, uniformly, and give the board a new stream.

    Sizes, and the back at each position, stay as they are. -1 if there is no room.
    """
    context.top = 0
    slots = reserve_words(context, FIXED_SLOTS + POOL_SLOTS + 1)
    old = reserve_words(context, CARDS + 1)
    taken = reserve_words(context, 2 * CARDS + 2)
    marks = reserve_words(context, CARDS + 1)
    places = reserve_words(context, 2 * CARDS + 2)
    if slots < 0 or old < 0 or taken < 0 or marks < 0 or places < 0:
        return -1
    chosen = offset(context.arena, places)
    hidden = offset(context.arena, slots)
    number = hidden_slots(board, seat, hidden)
    found = 0
    for i in range(number):
        slot = word(hidden, i)
        if KNOWN:
            if known != 0:
                lay_known(
                    board,
                    slot,
                    offset(context.arena, old),
                    offset(context.arena, taken),
                    offset(context.arena, marks),
                )
        for at in range(board.count[slot]):
            free = True
            if KNOWN:
                if known != 0:
                    free = word(offset(context.arena, marks), at) != 0
            if free:
                put_word(chosen, 2 * found, slot)
                put_word(chosen, 2 * found + 1, at)
                found += 1
    deal_out(board, stream, chosen, found, offset(context.arena, old), hidden_pack(context))
    seed_stream(like(stream, board), next_bits(stream))
    return 0


@kernel
def hidden_pack(context: Context) -> Pointer:
    """Return memory for the cards of one back."""
    return offset(context.arena, context.top)


@kernel
def deal_out(
    board: Board, stream: Stream, places: Pointer, found: int, cards: Pointer, pack: Pointer
) -> None:
    """Deal the cards of some positions over these positions, each to one with its back.

    The cards are taken in order of number before they are permuted, so that the deal depends on
    what the seat does not know only through the stream.
    """
    for i in range(found):
        card: int = board.card[word(places, 2 * i), word(places, 2 * i + 1)]
        at = i
        while at > 0 and word(cards, at - 1) > card:
            put_word(cards, at, word(cards, at - 1))
            at -= 1
        put_word(cards, at, card)
    for i in range(found):
        kind = back(word(cards, i))
        if first_of_back(cards, i, kind):
            deal_back(board, stream, places, found, cards, pack, kind)


@kernel
def first_of_back(cards: Pointer, at: int, kind: int) -> bool:
    """Return whether no card before a position has a back."""
    for i in range(at):
        if back(word(cards, i)) == kind:
            return False
    return True


@kernel
def deal_back(
    board: Board,
    stream: Stream,
    places: Pointer,
    found: int,
    cards: Pointer,
    pack: Pointer,
    kind: int,
) -> None:
    """Deal the cards of one back."""
    size = 0
    for i in range(found):
        if back(word(cards, i)) == kind:
            put_word(pack, size, word(cards, i))
            size += 1
    i = size - 1
    while i > 0:
        j = below(stream, i + 1)
        high = word(pack, i)
        put_word(pack, i, word(pack, j))
        put_word(pack, j, high)
        i -= 1
    dealt = 0
    for i in range(found):
        slot = word(places, 2 * i)
        at = word(places, 2 * i + 1)
        if back(board.card[slot, at]) == kind:
            card = word(pack, dealt)
            board.card[slot, at] = card
            board.where[card] = slot
            dealt += 1

"""The determinisation kernel: it redeals everything on a board that a seat does not know."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.compiler.intrinsics import (
    Pointer,
    count_ones,
    like,
    load,
    lowest_one,
    offset,
    store,
)
from cardwright.compiler.kernel import kernel
from cardwright.compiler.kernels.engine import (
    back,
    in_order,
    member,
    slot_at,
    slot_kind,
    slot_name,
    slot_owner,
)
from cardwright.compiler.kernels.known_cards import is_known
from cardwright.compiler.kernels.lists import put_word, reserve_words, word
from cardwright.compiler.kernels.locations import size
from cardwright.compiler.kernels.masks import bit
from cardwright.compiler.kernels.piles import arrange
from cardwright.compiler.kernels.stream import below, next_bits, seed_stream

if TYPE_CHECKING:
    from cardwright.compiler.kernels.types import Board, Context, Mask, Stream

FIXED_SLOTS = 0
POOL_SLOTS = 0
CARDS = 0
BACKS = 0
PURE = 0
MASKS = 0
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
    """List the locations with cards that a seat does not see, by owner, kind, name and index."""
    found = 0
    for i in range(FIXED_SLOTS):
        slot = in_order(i)
        if size(board, slot) > 0 and not sees(board, slot, seat):
            put_word(out, found, slot)
            found += 1
    if POOL_SLOTS:
        for slot in range(FIXED_SLOTS, FIXED_SLOTS + POOL_SLOTS):
            if size(board, slot) > 0 and not sees(board, slot, seat):
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
    if mine == other:
        mine = slot_kind(board, left)
        other = slot_kind(board, right)
    if mine == other:
        mine = slot_name(board, left)
        other = slot_name(board, right)
    if mine == other:
        return slot_at(board, left) < slot_at(board, right)
    return mine < other


@kernel
def lay_known(board: Board, slot: int, old: Pointer, taken: Pointer, marks: Pointer) -> None:
    """Put known cards at the lowest positions of their back; mark the positions that are left.

    The cards displaced by them are dealt elsewhere with the others: the lists only name cards.
    """
    count = size(board, slot)
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


@kernel
def open_pile(board: Board, slot: int) -> None:
    """Let all cards of a location that is not a mask alone lie in its pile, also a single one."""
    if MASKS > PURE:
        if slot < MASKS:
            mask: Mask = board.mask[slot]
            if mask & (mask - 1) == 0:
                board.card[slot, 0] = lowest_one(mask)


@kernel
def close_pile(board: Board, slot: int) -> None:
    """Restore the order and the mask of a pile in which cards were exchanged for others."""
    if MASKS > PURE:
        if slot < MASKS:
            count = size(board, slot)
            found: Mask = 0
            for i in range(count):
                found |= bit(board.card[slot, i])
            board.mask[slot] = found
            if count == 1:
                board.card[slot, 0] = 0
            return
    arrange(board, slot)


@kernel(exported=True)
def cw_determinise(board: Board, context: Context, seat: int, stream: Stream, known: int) -> int:
    """Redeal every card that a seat does not know, uniformly, and give the board a new stream.

    Sizes, and the back at each position, stay as they are. -1 if there is no room.
    """
    context.top = 0
    slots = reserve_words(context, FIXED_SLOTS + POOL_SLOTS + 1)
    room = reserve_words(context, CARDS + 1)
    if slots < 0 or room < 0:
        return -1
    hidden = offset(context.arena, slots)
    number = hidden_slots(board, seat, hidden)
    if BACKS == 1 and PURE > 0:
        if number == 0 or only_masks(hidden, number):
            deal_masks(board, stream, hidden, number, known, offset(context.arena, room))
            seed_stream(like(stream, board), next_bits(stream))
            return 0
    if redeal(board, context, stream, hidden, number, known) < 0:
        return -1
    seed_stream(like(stream, board), next_bits(stream))
    return 0


@kernel
def only_masks(hidden: Pointer, number: int) -> bool:
    """Return whether all of some locations are masks alone."""
    for i in range(number):
        if word(hidden, i) >= PURE:
            return False
    return True


@kernel
def deal_masks(
    board: Board, stream: Stream, hidden: Pointer, number: int, known: int, pack: Pointer
) -> None:
    """Redeal cards of one back among locations that are masks.

    The cards are taken in order of number before they are permuted, so that the deal depends on
    what the seat does not know only through the stream.
    """
    loose: Mask = 0
    for i in range(number):
        loose |= loose_cards(board, word(hidden, i), known)
    count = 0
    while loose != 0:
        store(offset(pack, count), lowest_one(loose), 1)
        loose &= loose - 1
        count += 1
    i = count - 1
    while i > 0:
        j = below(stream, i + 1)
        high = load(offset(pack, i), 1)
        store(offset(pack, i), load(offset(pack, j), 1), 1)
        store(offset(pack, j), high, 1)
        i -= 1
    dealt = 0
    for i in range(number):
        slot = word(hidden, i)
        mine = loose_cards(board, slot, known)
        dealing: Mask = 0
        for _ in range(count_ones(mine)):
            dealing |= bit(load(offset(pack, dealt), 1))
            dealt += 1
        board.mask[slot] ^= mine ^ dealing


@kernel
def loose_cards(board: Board, slot: int, known: int) -> Mask:
    """Return the cards of a mask that are dealt anew: all, or those that were not seen to come."""
    mask: Mask = board.mask[slot]
    if KNOWN:
        if known != 0:
            mask &= ~board.known_mask[slot]
    return mask


@kernel
def redeal(
    board: Board, context: Context, stream: Stream, hidden: Pointer, number: int, known: int
) -> int:
    """Redeal the cards of some locations, each to a position with its back; -1 if there is no room.

    A position has three words: slot, position and back.
    """
    old = reserve_words(context, CARDS + 1)
    taken = reserve_words(context, 2 * CARDS + 2)
    marks = reserve_words(context, CARDS + 1)
    places = reserve_words(context, 3 * CARDS + 3)
    if old < 0 or taken < 0 or marks < 0 or places < 0:
        return -1
    chosen = offset(context.arena, places)
    marked = offset(context.arena, marks)
    found = 0
    for i in range(number):
        slot = word(hidden, i)
        if slot < PURE:
            found = list_loose(board, slot, known, chosen, found)
        else:
            open_pile(board, slot)
            if KNOWN:
                if known != 0:
                    lay_known(
                        board,
                        slot,
                        offset(context.arena, old),
                        offset(context.arena, taken),
                        marked,
                    )
            found = list_pile(board, slot, known, marked, chosen, found)
    deal_out(board, stream, chosen, found, offset(context.arena, old), hidden_pack(context))
    for i in range(number):
        if word(hidden, i) >= PURE:
            close_pile(board, word(hidden, i))
    return 0


@kernel
def list_loose(board: Board, slot: int, known: int, places: Pointer, found: int) -> int:
    """List the cards of a mask that are dealt anew, each as its position; return the count."""
    left = loose_cards(board, slot, known)
    while left != 0:
        found = list_place(places, found, slot, lowest_one(left), back(lowest_one(left)))
        left &= left - 1
    return found


@kernel
def list_pile(
    board: Board, slot: int, known: int, marks: Pointer, places: Pointer, found: int
) -> int:
    """List the positions of a pile that are dealt anew; return how many are listed."""
    for at in range(size(board, slot)):
        free = True
        if KNOWN:
            if known != 0:
                free = word(marks, at) != 0
        if free:
            found = list_place(places, found, slot, at, back(board.card[slot, at]))
    return found


@kernel
def list_place(places: Pointer, found: int, slot: int, at: int, kind: int) -> int:
    """Add a position to a list of them; return how many there are."""
    put_word(places, 3 * found, slot)
    put_word(places, 3 * found + 1, at)
    put_word(places, 3 * found + 2, kind)
    return found + 1


@kernel
def card_there(board: Board, places: Pointer, at: int) -> int:
    """Return the card at a position of a list of them."""
    slot = word(places, 3 * at)
    if slot < PURE:
        return word(places, 3 * at + 1)
    return int(board.card[slot, word(places, 3 * at + 1)])


@kernel
def lay_there(board: Board, places: Pointer, at: int, card: int) -> None:
    """Put a card at a position of a list of them; masks have lost the cards listed before."""
    slot = word(places, 3 * at)
    if slot < PURE:
        board.mask[slot] |= bit(card)
        return
    board.card[slot, word(places, 3 * at + 1)] = card
    if slot >= MASKS:
        board.where[card] = slot


@kernel
def lift(board: Board, places: Pointer, found: int) -> None:
    """Take the cards of listed positions out of the locations that are masks."""
    if PURE:
        for i in range(found):
            slot = word(places, 3 * i)
            if slot < PURE:
                board.mask[slot] &= ~bit(word(places, 3 * i + 1))


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
        card = card_there(board, places, i)
        at = i
        while at > 0 and word(cards, at - 1) > card:
            put_word(cards, at, word(cards, at - 1))
            at -= 1
        put_word(cards, at, card)
    lift(board, places, found)
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
    number = 0
    for i in range(found):
        if back(word(cards, i)) == kind:
            put_word(pack, number, word(cards, i))
            number += 1
    i = number - 1
    while i > 0:
        j = below(stream, i + 1)
        high = word(pack, i)
        put_word(pack, i, word(pack, j))
        put_word(pack, j, high)
        i -= 1
    dealt = 0
    for i in range(found):
        if word(places, 3 * i + 2) == kind:
            lay_there(board, places, i, word(pack, dealt))
            dealt += 1


EXPORTED = (cw_determinise,)

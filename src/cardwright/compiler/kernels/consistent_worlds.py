"""Kernels that sample consistent worlds: no card lies where a seat knows that it cannot.

The knowledge is the table `allowed`: for every card a mask of slots, one bit each, in as many words
of 8 bytes as they take. A card may lie at a place if the place is in such a slot and now has a card
of the same back. Worlds are drawn by a Markov chain on the deals that the table allows: it starts
at a deal that depends on nothing hidden (`list_unseen` and `match`), and every proposal (`sweep`)
is as likely as its reverse, so that the uniform distribution is stationary. If every card may lie
at every place of its back, a single sweep is the Fisher-Yates shuffle of each back: exact, and
independent of the state before. Otherwise it is an approximation: the chain is stopped after
BURN_IN sweeps. Cards change places in pairs, or in cycles of up to LONGEST. As a cycle need not
touch a slot twice, all allowed deals are reached if no more than LONGEST slots are hidden.

A chain takes `CHAIN_BYTES` of memory: some numbers, the places (slot and position), the card at
each of them, and working memory. Nothing here takes memory from a context, so a chain can outlive
what is played in between.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.compiler.intrinsics import (
    Pointer,
    like,
    lowest_one,
    offset,
    shift_right,
)
from cardwright.compiler.kernel import kernel
from cardwright.compiler.kernels.determinise import close_pile, hidden_slots, open_pile
from cardwright.compiler.kernels.engine import back
from cardwright.compiler.kernels.lists import put_word, word
from cardwright.compiler.kernels.locations import card_lying, size
from cardwright.compiler.kernels.masks import bit
from cardwright.compiler.kernels.stream import below, next_bits, seed_stream

if TYPE_CHECKING:
    from cardwright.compiler.kernels.types import Board, Mask, Stream

FIXED_SLOTS = 0
POOL_SLOTS = 0
CARDS = 0
UNORDERED = 0
BACKS = 1
PURE = 0
MASKS = 0
STATE_BYTES = 0

BURN_IN = 8
"""Sweeps before the first world of a chain."""

SWEEPS = 2
"""Sweeps between a world of a chain and the next."""

THREE = 3
LONGEST = 8
"""The fewest and the most cards in a cycle."""

TRIES = 8
"""Draws of a place for a card before a proposal is abandoned."""

SIZE, LOOSE, FRESH, HEAD = range(4)
"""Words of a chain: how many places there are; 1 if every card may lie at every place of its back;
1 until the first world is taken; and where the places begin."""


def chain_bytes(cards: int, slots: int) -> int:
    """Return how much memory a chain takes, from the parameters CARDS and FIXED_SLOTS + POOL_SLOTS.

    After the head there are two words for each place, one for its card, and working memory for it.
    """
    return 8 * (HEAD + 8 * (cards + 1) + slots + LONGEST)


def table_words(slots: int) -> int:
    """Return how many words the mask of a card takes, by FIXED_SLOTS + POOL_SLOTS."""
    return (slots + 63) // 64


@kernel
def permits(allowed: Pointer, card: int, slot: int) -> bool:
    """Return whether a card may lie in a slot."""
    words = (FIXED_SLOTS + POOL_SLOTS + 63) // 64
    return shift_right(word(allowed, card * words + (slot >> 6)), slot & 63) & 1 != 0


@kernel
def list_unseen(board: Board, seat: int, places: Pointer, cards: Pointer, slots: Pointer) -> int:
    """List the places that a seat does not see, and the cards there in order of number.

    A place takes two words, slot and position. Where cards lie by number, the positions are those
    of each back in turn, which tells nothing of the cards. `slots` has room for a word for each
    slot. Returns how many places there are.
    """
    number = hidden_slots(board, seat, slots)
    found = 0
    for i in range(number):
        slot = word(slots, i)
        for kind in range(BACKS if BACKS > 1 and slot < UNORDERED else 1):
            for position in range(size(board, slot)):
                card = card_lying(board, slot, position)
                if BACKS == 1 or slot >= UNORDERED or back(card) == kind:
                    put_word(places, 2 * found, slot)
                    put_word(places, 2 * found + 1, position)
                    at = found
                    while at > 0 and word(cards, at - 1) > card:
                        put_word(cards, at, word(cards, at - 1))
                        at -= 1
                    put_word(cards, at, card)
                    found += 1
    return found


@kernel
def match(
    board: Board, places: Pointer, cards: Pointer, count: int, allowed: Pointer, room: Pointer
) -> int:
    """Order the cards so that each may lie at its place; return 0 if there is no such order.

    The cards come in order of number. Kuhn's algorithm, "The Hungarian method for the assignment
    problem" (1955): the places in order take the first free card that they may have, or else the
    first whose current place finds another. `room` has five words for each place.
    """
    holder = room
    pack = offset(room, 8 * count)
    for i in range(count):
        put_word(holder, i, -1)
        put_word(pack, i, word(cards, i))
    for place in range(count):
        if not augment(board, places, pack, count, allowed, room, place):
            return 0
    for i in range(count):
        put_word(cards, word(holder, i), word(pack, i))
    return 1


@kernel
def augment(
    board: Board,
    places: Pointer,
    pack: Pointer,
    count: int,
    allowed: Pointer,
    room: Pointer,
    place: int,
) -> bool:
    """Give a place a card, while all places before it keep one; return whether that is possible.

    The path goes from place to place along the cards that they give up; `nexts` is how far each
    place of the path has searched.
    """
    holder = room
    tried = offset(room, 16 * count)
    path = offset(room, 24 * count)
    nexts = offset(room, 32 * count)
    for i in range(count):
        put_word(tried, i, 0)
    put_word(path, 0, place)
    put_word(nexts, 0, 0)
    depth = 0
    arrived = True
    while depth >= 0:
        here = word(path, depth)
        if arrived:
            arrived = False
            free = 0
            while free < count and (
                word(holder, free) >= 0 or not may_lie(board, places, pack, allowed, here, free)
            ):
                free += 1
            if free < count:
                put_word(holder, free, here)
                for i in range(depth):
                    put_word(holder, word(nexts, i) - 1, word(path, i))
                return True
        at = word(nexts, depth)
        while at < count and (
            word(tried, at) != 0 or not may_lie(board, places, pack, allowed, here, at)
        ):
            at += 1
        put_word(nexts, depth, at + 1)
        if at < count:
            put_word(tried, at, 1)
            depth += 1
            put_word(path, depth, word(holder, at))
            put_word(nexts, depth, 0)
            arrived = True
        else:
            depth -= 1
    return False


@kernel
def may_lie(
    board: Board, places: Pointer, pack: Pointer, allowed: Pointer, place: int, at: int
) -> bool:
    """Return whether a card of the pack may lie at a place of the board."""
    slot = word(places, 2 * place)
    card = word(pack, at)
    if back(card_lying(board, slot, word(places, 2 * place + 1))) != back(card):
        return False
    return permits(allowed, card, slot)


@kernel
def is_loose(places: Pointer, cards: Pointer, count: int, allowed: Pointer) -> int:
    """Return 1 if every card may lie at every place whose card has its back, else 0."""
    for i in range(count):
        card = word(cards, i)
        for j in range(count):
            if not permits(allowed, card, word(places, 2 * j)) and back(word(cards, j)) == back(
                card
            ):
                return 0
    return 1


@kernel
def sweep(
    stream: Stream,
    cards: Pointer,
    places: Pointer,
    count: int,
    allowed: Pointer,
    loose: int,
    path: Pointer,
) -> None:
    """Propose to exchange each card, from the last, with one before it or itself, of its back.

    If cards are not loose, propose as many cycles as well. Proposals that are not allowed are
    rejected. `path` has room for LONGEST words.
    """
    i = count - 1
    while i > 0:
        high = word(cards, i)
        j = below(stream, i + 1)
        low = word(cards, j)
        while back(low) != back(high):
            j = below(stream, i + 1)
            low = word(cards, j)
        if loose != 0 or (
            permits(allowed, high, word(places, 2 * j))
            and permits(allowed, low, word(places, 2 * i))
        ):
            put_word(cards, i, low)
            put_word(cards, j, high)
        i -= 1
    if loose == 0:
        for _ in range(count):
            move_round(stream, cards, places, count, allowed, path)


@kernel
def move_round(
    stream: Stream, cards: Pointer, places: Pointer, count: int, allowed: Pointer, path: Pointer
) -> None:
    """Propose to move some cards in a cycle: each to the place of the next one.

    Three cards are moved with probability 1/2, four with 1/4, and so on up to LONGEST. The cycle
    goes from a random place to one where its card may lie, from the card there to another, and so
    on. The probability of a step depends on the card alone, not on where it lies; and the reverse
    cycle, starting from any of the same cards, takes as many steps, of all cards except one. So,
    summed over the starts, both directions are equally likely.
    """
    length = THREE + lowest_one(next_bits(stream) | 1 << (LONGEST - THREE))
    here = below(stream, count)
    for step in range(length):
        put_word(path, step, here)
        if step < length - 1:
            here = way_on(stream, cards, places, count, allowed, here)
            if here < 0:
                return
            for i in range(step):
                if word(path, i) == here:
                    return
    first = word(path, 0)
    held = word(cards, here)
    if back(held) != back(word(cards, first)) or not permits(
        allowed, held, word(places, 2 * first)
    ):
        return
    for step in range(length):
        at = word(path, step)
        card = word(cards, at)
        put_word(cards, at, held)
        held = card


@kernel
def way_on(
    stream: Stream, cards: Pointer, places: Pointer, count: int, allowed: Pointer, here: int
) -> int:
    """Draw another place where the card of a place may lie; -1 if TRIES draws do not give one."""
    card = word(cards, here)
    for _ in range(TRIES):
        there = below(stream, count)
        if there != here and back(word(cards, there)) == back(card):
            if permits(allowed, card, word(places, 2 * there)):
                return there
    return -1


@kernel
def lay_out(board: Board, places: Pointer, cards: Pointer, count: int) -> None:
    """Lay each card at its place of the board; the places of a slot come one after another."""
    i = 0
    while i < count:
        slot = word(places, 2 * i)
        if slot < PURE:
            found: Mask = 0
            while i < count and word(places, 2 * i) == slot:
                found |= bit(word(cards, i))
                i += 1
            board.mask[slot] = found
        else:
            open_pile(board, slot)
            while i < count and word(places, 2 * i) == slot:
                card = word(cards, i)
                board.card[slot, word(places, 2 * i + 1)] = card
                if slot >= MASKS:
                    board.where[card] = slot
                i += 1
            close_pile(board, slot)


@kernel
def chain_places(chain: Pointer) -> Pointer:
    """Return the places of a chain."""
    return offset(chain, 8 * HEAD)


@kernel
def chain_cards(chain: Pointer) -> Pointer:
    """Return the cards at the places of a chain."""
    return offset(chain, 8 * (HEAD + 2 * (CARDS + 1)))


@kernel
def chain_room(chain: Pointer) -> Pointer:
    """Return the working memory of a chain."""
    return offset(chain, 8 * (HEAD + 3 * (CARDS + 1)))


@kernel(exported=True)
def cw_chain(board: Board, seat: int, stream: Stream, allowed: Pointer, chain: Pointer) -> int:
    """Begin a chain of worlds consistent with what a seat knows; -1 if no deal is allowed.

    Returns the number of places that the seat does not see.
    """
    places = chain_places(chain)
    cards = chain_cards(chain)
    room = chain_room(chain)
    count = list_unseen(board, seat, places, cards, room)
    if match(board, places, cards, count, allowed, room) == 0:
        return -1
    loose = is_loose(places, cards, count, allowed)
    put_word(chain, SIZE, count)
    put_word(chain, LOOSE, loose)
    put_word(chain, FRESH, 1)
    for _ in range(BURN_IN if loose == 0 else 1):
        sweep(stream, cards, places, count, allowed, loose, room)
    return count


@kernel
def next_world(board: Board, stream: Stream, allowed: Pointer, chain: Pointer) -> None:
    """Lay the next world of a chain on a board like the one for which the chain was begun.

    The board also gets a new random stream of its own.
    """
    places = chain_places(chain)
    cards = chain_cards(chain)
    count = word(chain, SIZE)
    if word(chain, FRESH) == 0:
        loose = word(chain, LOOSE)
        for _ in range(SWEEPS if loose == 0 else 1):
            sweep(stream, cards, places, count, allowed, loose, chain_room(chain))
    put_word(chain, FRESH, 0)
    lay_out(board, places, cards, count)
    seed_stream(like(stream, board), next_bits(stream))


@kernel(exported=True)
def cw_next_world(board: Board, stream: Stream, allowed: Pointer, chain: Pointer) -> int:
    """Lay the next world of a chain on a board; see `next_world`."""
    next_world(board, stream, allowed, chain)
    return 0


EXPORTED = (cw_chain, cw_next_world)

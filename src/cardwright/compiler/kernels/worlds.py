"""Worlds that a seat cannot tell from the true one: drawn at once, or by a chain.

`cw_determinise` redeals everything on a board that a seat does not know, uniformly. A chain draws
worlds in which no card lies where the seat knows that it cannot. That knowledge is the table
`allowed`: for every card a mask of slots, one bit each, in as many words of 8 bytes as they take. A
card may lie at a place if the place is in such a slot and now has a card of the same back. It is a
Markov chain on the deals that the table allows: it starts at a deal that depends on nothing hidden
(`list_unseen` and `match`), and every proposal (`sweep`) is as likely as its reverse, so that the
uniform distribution is stationary. If every card may lie at every place of its back, a single sweep
is the Fisher-Yates shuffle of each back: exact, and independent of the state before. Otherwise it
is an approximation: the chain is stopped after BURN_IN sweeps. Cards change places in pairs, or in
cycles of up to LONGEST. As a cycle need not touch a slot twice, all allowed deals are reached if no
more than LONGEST slots are hidden.

A chain takes `CHAIN_BYTES` of memory: some numbers, the places (slot and position), the card at
each of them, and working memory. Nothing in it is in the memory of a context, so it can outlive
what is played in between.
"""

from __future__ import annotations

from cardwright.compiler import intrinsics as op
from cardwright.compiler.kernel import kernel
from cardwright.compiler.kernels import engine, locations
from cardwright.compiler.kernels.engine import Board, Context, Mask, Pointer, Stream
from cardwright.compiler.kernels.lists import card_in, lay, reserve_words
from cardwright.compiler.kernels.stream import below, next_bits, seed_stream

BASIC, KNOWING, WITHIN, GIVEN, POOLED = range(5)
"""How a world is sampled: from what a seat knows by open cards; also by those that everybody saw
going to a hidden place; or by a table's contents; or it is the given one, or the next of a pool."""

POOL_SIZE, POOL_AT, POOL_HEAD = range(3)
"""Words of a pool: how many boards there are, which is the next, and where they begin."""

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
def sees(board: Board, slot: int, seat: int) -> bool:
    """Return whether a player sees the cards of a location."""
    kind = engine.slot_kind(board, slot)
    owner = engine.slot_owner(board, slot)
    if kind == locations.VISIBLE or kind == locations.MEMORY:
        return True
    if kind == locations.INVISIBLE:
        return owner == seat
    if kind == locations.OTHERS:
        return owner != engine.TABLE and engine.member(owner, seat) == 0
    return False


@kernel
def hidden_slots(board: Board, seat: int, out: Pointer) -> int:
    """List the locations with cards that a seat does not see, by owner, kind, name and index."""
    found = 0
    for i in range(engine.FIXED_SLOTS):
        slot = engine.in_order(i)
        if locations.size(board, slot) > 0 and not sees(board, slot, seat):
            out[found] = slot
            found += 1
    if engine.POOL_SLOTS:
        for slot in range(engine.FIXED_SLOTS, engine.FIXED_SLOTS + engine.POOL_SLOTS):
            if locations.size(board, slot) > 0 and not sees(board, slot, seat):
                at = found
                while at > 0 and comes_before(board, slot, out[at - 1]):
                    out[at] = out[at - 1]
                    at -= 1
                out[at] = slot
                found += 1
    return found


@kernel
def comes_before(board: Board, left: int, right: int) -> bool:
    """Return whether a location comes before another in the order of dealing."""
    mine = engine.slot_owner(board, left)
    other = engine.slot_owner(board, right)
    if mine == other:
        mine = engine.slot_kind(board, left)
        other = engine.slot_kind(board, right)
    if mine == other:
        mine = engine.slot_name(board, left)
        other = engine.slot_name(board, right)
    if mine == other:
        return engine.slot_at(board, left) < engine.slot_at(board, right)
    return mine < other


@kernel
def _sort_in(cards: Pointer, count: int, card: int) -> None:
    at = count
    while at > 0 and cards[at - 1] > card:
        cards[at] = cards[at - 1]
        at -= 1
    cards[at] = card


@kernel
def open_pile(board: Board, slot: int) -> None:
    """Let all cards of a location that is not a mask alone lie in its pile, also a single one."""
    if engine.MASKS > engine.PURE and slot < engine.MASKS:
        mask: Mask = board.mask[slot]
        if mask & (mask - 1) == 0:
            board.card[slot, 0] = op.lowest_one(mask)


@kernel
def close_pile(board: Board, slot: int) -> None:
    """Restore the order and the mask of a pile in which cards were exchanged for others."""
    if engine.MASKS > engine.PURE and slot < engine.MASKS:
        count = locations.size(board, slot)
        found: Mask = 0
        for i in range(count):
            found |= locations.bit(board.card[slot, i])
        board.mask[slot] = found
        if count == 1:
            board.card[slot, 0] = 0
        return
    locations.arrange(board, slot)


@kernel
def lay_there(board: Board, slot: int, at: int, card: int) -> None:
    """Put a card at a position of a location, where another has been."""
    if slot < engine.PURE:
        board.mask[slot] |= locations.bit(card)
        return
    board.card[slot, at] = card
    if slot >= engine.MASKS:
        board.where[card] = slot


# Worlds drawn at once -------------------------------------------------------------------------


@kernel(exported=True)
def cw_determinise(board: Board, context: Context, seat: int, stream: Stream, known: int) -> int:
    """Redeal every card that a seat does not know, uniformly, and give the board a new stream.

    Sizes, and the back at each position, stay as they are. The cards are taken in order of number
    before they are permuted, so that the deal depends on what the seat does not know only through
    the stream. -1 if there is no room.
    """
    context.top = 0
    if (
        reserve_words(context, engine.FIXED_SLOTS + engine.POOL_SLOTS + 1 + 9 * (engine.CARDS + 1))
        < 0
    ):
        return -1
    hidden = context.arena
    number = hidden_slots(board, seat, hidden)
    room = hidden + (engine.FIXED_SLOTS + engine.POOL_SLOTS + 1)
    if engine.BACKS == 1 and engine.PURE > 0 and _only_masks(hidden, number):
        deal_masks(board, stream, hidden, number, known, room)
    else:
        redeal(board, stream, hidden, number, known, room)
    seed_stream(op.like(stream, board), next_bits(stream))
    return 0


@kernel
def _only_masks(hidden: Pointer, number: int) -> bool:
    for i in range(number):
        if hidden[i] >= engine.PURE:
            return False
    return True


@kernel
def deal_masks(
    board: Board, stream: Stream, hidden: Pointer, number: int, known: int, pack: Pointer
) -> None:
    """Redeal cards of one back among locations that are masks."""
    loose: Mask = 0
    for i in range(number):
        loose |= loose_cards(board, hidden[i], known)
    count = 0
    for card in op.ones(loose):
        lay(pack, count, card)
        count += 1
    locations.shuffle(stream, pack, count)
    dealt = 0
    for i in range(number):
        slot = hidden[i]
        mine = loose_cards(board, slot, known)
        dealing: Mask = 0
        for _ in range(op.count_ones(mine)):
            dealing |= locations.bit(card_in(pack, dealt))
            dealt += 1
        board.mask[slot] ^= mine ^ dealing


@kernel
def loose_cards(board: Board, slot: int, known: int) -> Mask:
    """Return the cards of a mask that are dealt anew: all, or those that were not seen to come."""
    mask: Mask = board.mask[slot]
    if engine.KNOWN and known != 0:
        mask &= ~board.known_mask[slot]
    return mask


@kernel
def redeal(
    board: Board, stream: Stream, hidden: Pointer, number: int, known: int, room: Pointer
) -> None:
    """Redeal the cards of some locations, each to a position with its back.

    A position has three words: slot, position and back.
    """
    marks = room
    cards = marks + (engine.CARDS + 1)
    places = cards + (engine.CARDS + 1)
    pack = places + 3 * (engine.CARDS + 1)
    found = 0
    for i in range(number):
        slot = hidden[i]
        if slot < engine.PURE:
            loose = loose_cards(board, slot, known)
            board.mask[slot] ^= loose
            for card in op.ones(loose):
                found = note_place(places, cards, found, slot, card, card)
        else:
            open_pile(board, slot)
            if engine.KNOWN and known != 0:
                lay_known(board, slot, marks, pack)
            for at in range(locations.size(board, slot)):
                if not engine.KNOWN or known == 0 or marks[at] != 0:
                    found = note_place(places, cards, found, slot, at, board.card[slot, at])
    for i in range(found):
        if cards[i] >= 0:
            kind = engine.back(cards[i])
            count = 0
            for j in range(i, found):
                if cards[j] >= 0 and engine.back(cards[j]) == kind:
                    lay(pack, count, cards[j])
                    cards[j] = -1
                    count += 1
            locations.shuffle(stream, pack, count)
            dealt = 0
            for j in range(found):
                if places[3 * j + 2] == kind:
                    lay_there(board, places[3 * j], places[3 * j + 1], card_in(pack, dealt))
                    dealt += 1
    for i in range(number):
        if hidden[i] >= engine.PURE:
            close_pile(board, hidden[i])


@kernel
def note_place(places: Pointer, cards: Pointer, found: int, slot: int, at: int, card: int) -> int:
    """Add a position that is dealt anew, and its card; return how many there are."""
    places[3 * found] = slot
    places[3 * found + 1] = at
    places[3 * found + 2] = engine.back(card)
    _sort_in(cards, found, card)
    return found + 1


@kernel
def lay_known(board: Board, slot: int, marks: Pointer, room: Pointer) -> None:
    """Put known cards at the lowest positions of their back; mark the positions that are left.

    The cards displaced by them are dealt elsewhere with the others: the lists only name cards.
    """
    count = locations.size(board, slot)
    old = room
    taken = old + count
    used = taken + count
    for i in range(count):
        old[i] = board.card[slot, i]
        taken[i] = 0
    names = board.known_count[slot]
    for i in range(names):
        used[i] = 0
    for i in range(count):
        wanted = engine.back(old[i])
        at = 0
        while at < names and (used[at] != 0 or engine.back(board.known[slot, at]) != wanted):
            at += 1
        if at < names:
            used[at] = 1
            board.card[slot, i] = board.known[slot, at]
            marks[i] = 0
        else:
            free = 0
            while (
                taken[free] != 0
                or engine.back(old[free]) != wanted
                or locations.is_known(board, slot, old[free])
            ):
                free += 1
            taken[free] = 1
            board.card[slot, i] = old[free]
            marks[i] = 1


# Worlds of a chain ----------------------------------------------------------------------------


@kernel
def _chain_places(chain: Pointer) -> Pointer:
    return chain + HEAD


@kernel
def _chain_cards(chain: Pointer) -> Pointer:
    return chain + (HEAD + 2 * (engine.CARDS + 1))


@kernel
def _chain_room(chain: Pointer) -> Pointer:
    return chain + (HEAD + 3 * (engine.CARDS + 1))


@kernel(exported=True)
def cw_chain(board: Board, seat: int, stream: Stream, allowed: Pointer, chain: Pointer) -> int:
    """Begin a chain of worlds consistent with what a seat knows; -1 if no deal is allowed.

    Returns the number of places that the seat does not see.
    """
    count = list_unseen(board, seat, chain)
    chain[SIZE] = count
    if not match(board, allowed, chain):
        return -1
    chain[LOOSE] = is_loose(allowed, chain)
    chain[FRESH] = 1
    for _ in range(BURN_IN if chain[LOOSE] == 0 else 1):
        sweep(stream, allowed, chain)
    return count


@kernel
def next_world(board: Board, stream: Stream, allowed: Pointer, chain: Pointer) -> None:
    """Lay the next world of a chain on a board like the one for which the chain was begun.

    The board also gets a new random stream of its own.
    """
    if chain[FRESH] == 0:
        for _ in range(SWEEPS if chain[LOOSE] == 0 else 1):
            sweep(stream, allowed, chain)
    chain[FRESH] = 0
    lay_out(board, chain)
    seed_stream(op.like(stream, board), next_bits(stream))


@kernel(exported=True)
def cw_next_world(board: Board, stream: Stream, allowed: Pointer, chain: Pointer) -> int:
    """Lay the next world of a chain on a board; see `next_world`."""
    next_world(board, stream, allowed, chain)
    return 0


@kernel
def fits(allowed: Pointer, chain: Pointer, card: int, at: int) -> bool:
    """Return whether a card may lie in the slot of one of the places."""
    slot = _chain_places(chain)[2 * at]
    words = (engine.FIXED_SLOTS + engine.POOL_SLOTS + 63) // 64
    return op.shift_right(allowed[card * words + (slot >> 6)], slot & 63) & 1 != 0


@kernel
def list_unseen(board: Board, seat: int, chain: Pointer) -> int:
    """List the places that a seat does not see, and the cards there in order of number.

    Where cards lie by number, the positions are those of each back in turn, which tells nothing of
    the cards. Returns how many places there are.
    """
    places = _chain_places(chain)
    slots = _chain_room(chain)
    number = hidden_slots(board, seat, slots)
    found = 0
    for i in range(number):
        slot = slots[i]
        for kind in range(engine.BACKS if engine.BACKS > 1 and slot < engine.UNORDERED else 1):
            for position in range(locations.size(board, slot)):
                card = locations.card_lying(board, slot, position)
                if engine.BACKS == 1 or slot >= engine.UNORDERED or engine.back(card) == kind:
                    places[2 * found] = slot
                    places[2 * found + 1] = position
                    _sort_in(_chain_cards(chain), found, card)
                    found += 1
    return found


@kernel
def match(board: Board, allowed: Pointer, chain: Pointer) -> bool:
    """Order the cards so that each may lie at its place; return whether there is such an order.

    The cards come in order of number. Kuhn's algorithm, "The Hungarian method for the assignment
    problem" (1955): the places in order take the first free card that they may have, or else the
    first whose current place finds another. The working memory has for each card its place and its
    number, and for each place whether it was tried, and the path of a search.
    """
    count = chain[SIZE]
    cards = _chain_cards(chain)
    holder = _chain_room(chain)
    pack = holder + count
    for i in range(count):
        holder[i] = -1
        pack[i] = cards[i]
    for place in range(count):
        if not augment(board, allowed, chain, place):
            return False
    for i in range(count):
        cards[holder[i]] = pack[i]
    return True


@kernel
def augment(board: Board, allowed: Pointer, chain: Pointer, place: int) -> bool:
    """Give a place a card, while all places before it keep one; return whether that is possible.

    The path goes from place to place along the cards that they give up; `nexts` is how far each
    place of the path has searched.
    """
    count = chain[SIZE]
    holder = _chain_room(chain)
    tried = holder + 2 * count
    path = holder + 3 * count
    nexts = holder + 4 * count
    for i in range(count):
        tried[i] = 0
    path[0] = place
    nexts[0] = 0
    depth = 0
    arrived = True
    while depth >= 0:
        here = path[depth]
        if arrived:
            arrived = False
            free = 0
            while free < count and (
                holder[free] >= 0 or not _may_lie(board, allowed, chain, here, free)
            ):
                free += 1
            if free < count:
                holder[free] = here
                for i in range(depth):
                    holder[nexts[i] - 1] = path[i]
                return True
        at = nexts[depth]
        while at < count and (tried[at] != 0 or not _may_lie(board, allowed, chain, here, at)):
            at += 1
        nexts[depth] = at + 1
        if at < count:
            tried[at] = 1
            depth += 1
            path[depth] = holder[at]
            nexts[depth] = 0
            arrived = True
        else:
            depth -= 1
    return False


@kernel
def _may_lie(board: Board, allowed: Pointer, chain: Pointer, place: int, at: int) -> bool:
    places = _chain_places(chain)
    card = (_chain_room(chain) + chain[SIZE])[at]
    if engine.back(
        locations.card_lying(board, places[2 * place], places[2 * place + 1])
    ) != engine.back(card):
        return False
    return fits(allowed, chain, card, place)


@kernel
def is_loose(allowed: Pointer, chain: Pointer) -> int:
    """Return 1 if every card may lie at every place whose card has its back, else 0."""
    cards = _chain_cards(chain)
    for i in range(chain[SIZE]):
        for j in range(chain[SIZE]):
            if not fits(allowed, chain, cards[i], j) and engine.back(cards[j]) == engine.back(
                cards[i]
            ):
                return 0
    return 1


@kernel
def sweep(stream: Stream, allowed: Pointer, chain: Pointer) -> None:
    """Propose to exchange each card, from the last, with one before it or itself, of its back.

    If cards are not loose, propose as many cycles as well. Proposals that are not allowed are
    rejected.
    """
    count = chain[SIZE]
    loose = chain[LOOSE]
    cards = _chain_cards(chain)
    i = count - 1
    while i > 0:
        high = cards[i]
        j = below(stream, i + 1)
        low = cards[j]
        while engine.back(low) != engine.back(high):
            j = below(stream, i + 1)
            low = cards[j]
        if loose != 0 or (fits(allowed, chain, high, j) and fits(allowed, chain, low, i)):
            cards[i] = low
            cards[j] = high
        i -= 1
    if loose == 0:
        for _ in range(count):
            move_round(stream, allowed, chain)


@kernel
def move_round(stream: Stream, allowed: Pointer, chain: Pointer) -> None:
    """Propose to move some cards in a cycle: each to the place of the next one.

    Three cards are moved with probability 1/2, four with 1/4, and so on up to LONGEST. The cycle
    goes from a random place to one where its card may lie, from the card there to another, and so
    on. The probability of a step depends on the card alone, not on where it lies; and the reverse
    cycle, starting from any of the same cards, takes as many steps, of all cards except one. So,
    summed over the starts, both directions are equally likely.
    """
    cards = _chain_cards(chain)
    path = _chain_room(chain)
    length = THREE + op.lowest_one(next_bits(stream) | 1 << (LONGEST - THREE))
    here = below(stream, chain[SIZE])
    for step in range(length):
        path[step] = here
        if step < length - 1:
            here = way_on(stream, allowed, chain, here)
            if here < 0:
                return
            for i in range(step):
                if path[i] == here:
                    return
    held = cards[here]
    if engine.back(held) != engine.back(cards[path[0]]) or not fits(allowed, chain, held, path[0]):
        return
    for step in range(length):
        card = cards[path[step]]
        cards[path[step]] = held
        held = card


@kernel
def way_on(stream: Stream, allowed: Pointer, chain: Pointer, here: int) -> int:
    """Draw another place where the card of a place may lie; -1 if TRIES draws do not give one."""
    cards = _chain_cards(chain)
    card = cards[here]
    for _ in range(TRIES):
        there = below(stream, chain[SIZE])
        if (
            there != here
            and engine.back(cards[there]) == engine.back(card)
            and fits(allowed, chain, card, there)
        ):
            return there
    return -1


@kernel
def lay_out(board: Board, chain: Pointer) -> None:
    """Lay each card at its place of the board; the places of a slot come one after another."""
    places = _chain_places(chain)
    cards = _chain_cards(chain)
    count = chain[SIZE]
    i = 0
    while i < count:
        slot = places[2 * i]
        if slot < engine.PURE:
            found: Mask = 0
            while i < count and places[2 * i] == slot:
                found |= locations.bit(cards[i])
                i += 1
            board.mask[slot] = found
        else:
            open_pile(board, slot)
            while i < count and places[2 * i] == slot:
                lay_there(board, slot, places[2 * i + 1], cards[i])
                i += 1
            close_pile(board, slot)


@kernel
def sample_world(
    board: Board, context: Context, world: Board, seat: int, knowledge: int, stream: Stream,
    allowed: Pointer, chain: Pointer,
) -> int:  # fmt: skip
    """Make a board like one that a seat cannot tell from it, with a new random stream.

    `allowed` and `chain` matter only for worlds consistent with a table; for those of a pool,
    `allowed` is the pool. -1 if there is no room.
    """
    if knowledge == POOLED:
        at = allowed[POOL_AT]
        drawn = op.offset(allowed + POOL_HEAD, engine.STATE_BYTES * at)
        op.copy(op.pointer_to(world), drawn, engine.STATE_BYTES)
        allowed[POOL_AT] = (at + 1) % allowed[POOL_SIZE]
        seed_stream(op.like(stream, world), next_bits(stream))
        return 0
    op.copy(op.pointer_to(world), op.pointer_to(board), engine.STATE_BYTES)
    if knowledge == GIVEN:
        seed_stream(op.like(stream, world), next_bits(stream))
    elif knowledge == WITHIN:
        next_world(world, stream, allowed, chain)
    else:
        return cw_determinise(world, context, seat, stream, knowledge)
    return 0

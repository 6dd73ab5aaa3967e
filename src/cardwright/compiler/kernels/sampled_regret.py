"""Kernels for regret minimization by external sampling, in games whose trees are too large.

M. Lanctot, K. Waugh, M. Zinkevich and M. Bowling, "Monte Carlo sampling for regret minimization in
extensive games" (NIPS 2009): an iteration plays a deal for each seat, which tries all its options,
while chance and all others draw theirs.

Probabilities and what the end is worth are whole numbers, in parts of UNIT. `table` has the number
of slots, a power of 2; how many are taken and the most that may be; how many words of entries there
are, and how many there is room for; the room for frames; what the end is worth, and whether the
highest score wins. In the slots that follow is where the entry of an information set is, or 0. An
entry has the words of HEAD, the choices of the first path to it, and the key, the regret and the
sum of probabilities of each option.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.compiler.intrinsics import (
    Pointer,
    copy,
    load_signed,
    multiply_high,
    offset,
    pointer_to,
    wrap,
)
from cardwright.compiler.kernel import kernel
from cardwright.compiler.kernels.chosen import WORDS
from cardwright.compiler.kernels.engine import advance, player, start
from cardwright.compiler.kernels.information import (
    choose,
    decision_word,
    follow_on,
    look_at_picks,
    pick_words,
)
from cardwright.compiler.kernels.lists import put_word, word
from cardwright.compiler.kernels.sightings import ACTIVE, CHAINS
from cardwright.compiler.kernels.stream import next_bits, seed_stream

if TYPE_CHECKING:
    from cardwright.compiler.kernels.types import Board, Context, Stream

PLAYERS = 1
STATE_BYTES = 0

BITS = 16
UNIT = 1 << BITS
HALF_WORD = 1 << 46

SLOT_COUNT, TAKEN, MOST_TAKEN, WORDS_USED, WORD_ROOM, FRAME_ROOM, WANTS, HIGHEST, SLOT = range(9)
"""The words of a table; the slots begin at the last."""

SEAT, KEY, OTHER_KEY, OPTIONS, SEED, PATH, HEAD = range(7)
"""The words of an entry: PATH is how many choices follow at HEAD."""

SCORE, MARGIN, WIN = range(3)
"""What the end of a game is worth."""

ENTRY, NEXT, LENGTH, VALUES = range(4)
"""The words of a frame, the value of each option so far, the chains, and a board."""

DONE, BROKEN, FULL, FRAMES_FULL, TOO_MANY_OPTIONS = range(5)
"""What `cw_sample_regret` returns: where it is full, the iteration is to be begun anew."""

MOST_OPTIONS = 512


@kernel
def frame_of(frames: Pointer, depth: int) -> Pointer:
    """Return a frame."""
    return offset(frames, (8 * (VALUES + MOST_OPTIONS + 2 * PLAYERS + 2) + STATE_BYTES) * depth)


@kernel(exported=True)
def cw_sample_regret(
    board: Board,
    context: Context,
    forms: Pointer,
    table: Pointer,
    entries: Pointer,
    frames: Pointer,
    path: Pointer,
    stream: Stream,
    seeds: Pointer,
    first: int,
    end: int,
) -> int:
    """Run some iterations, each a deal for every seat; `path` has room for choices.

    `seeds` has at its beginning how many iterations are done, then the sum of what deals were worth
    to each seat, the beginning of its chains, and the seed of each iteration and seat.
    """
    memory = context.extra
    for iteration in range(first, end):
        for seat in range(PLAYERS):
            number = iteration * PLAYERS + seat
            given = word(seeds, 3 + 3 * PLAYERS + number)
            seed_stream(stream, wrap(given ^ UNIT))
            copy(offset(memory, 8 * CHAINS), offset(seeds, 8 * (1 + PLAYERS)), 16 * (PLAYERS + 1))
            put_word(memory, ACTIVE, 0)
            if start(board, context, given) < 0:
                return BROKEN
            found = follow_on(board, context, memory)
            depth = 0
            length = 0
            going = True
            while going:
                if found < 0:
                    return BROKEN
                value = 0
                if found > 0:
                    count = advance(board, context)
                    if count < 0:
                        return BROKEN
                    if count > MOST_OPTIONS:
                        return TOO_MANY_OPTIONS
                    entry = entry_met(
                        board, context, forms, table, entries, path, length, given, count
                    )
                    if entry < 0:
                        return FULL
                    own = offset(entries, 8 * entry)
                    index = 0
                    if player(board) == seat:
                        if depth == word(table, FRAME_ROOM):
                            return FRAMES_FULL
                        open_frame(board, memory, frame_of(frames, depth), entry, length)
                        depth += 1
                    else:
                        index = drawn(
                            board, context, memory, forms, own, stream, path, length, count
                        )
                    put_word(path, length, index)
                    length += 1
                    found = choose(board, context, memory, forms, index)
                else:
                    value = worth(memory, word(table, WANTS), word(table, HIGHEST), seat)
                    rising = True
                    while rising:
                        if depth == 0:
                            rising = False
                            going = False
                            put_word(seeds, 1 + seat, wrap(word(seeds, 1 + seat) + value))
                        else:
                            frame = frame_of(frames, depth - 1)
                            own = offset(entries, 8 * word(frame, ENTRY))
                            after = word(frame, NEXT)
                            put_word(frame, VALUES + after, value)
                            after += 1
                            put_word(frame, NEXT, after)
                            if after < word(own, OPTIONS):
                                rising = False
                                length = word(frame, LENGTH)
                                found = try_next(board, context, memory, forms, frame, after)
                                put_word(path, length, after)
                                length += 1
                            else:
                                depth -= 1
                                resume(board, memory, frame)
                                advance(board, context)
                                value = learn(board, context, memory, forms, own, frame)
        put_word(seeds, 0, iteration + 1)
    return DONE


@kernel
def open_frame(board: Board, memory: Pointer, frame: Pointer, entry: int, length: int) -> None:
    """Make the frame of a decision whose options are all tried."""
    put_word(frame, ENTRY, entry)
    put_word(frame, NEXT, 0)
    put_word(frame, LENGTH, length)
    chains = offset(frame, 8 * (VALUES + MOST_OPTIONS))
    copy(chains, offset(memory, 8 * CHAINS), 16 * (PLAYERS + 1))
    copy(offset(chains, 16 * (PLAYERS + 1)), pointer_to(board), STATE_BYTES)


@kernel
def resume(board: Board, memory: Pointer, frame: Pointer) -> None:
    """Go back to the decision of a frame."""
    chains = offset(frame, 8 * (VALUES + MOST_OPTIONS))
    copy(offset(memory, 8 * CHAINS), chains, 16 * (PLAYERS + 1))
    copy(pointer_to(board), offset(chains, 16 * (PLAYERS + 1)), STATE_BYTES)


@kernel
def try_next(
    board: Board, context: Context, memory: Pointer, forms: Pointer, frame: Pointer, index: int
) -> int:
    """Make another choice at the decision of a frame."""
    resume(board, memory, frame)
    if advance(board, context) < 0:
        return -1
    return choose(board, context, memory, forms, index)


# Information sets ---------------------------------------------------------------------------


@kernel
def entry_met(
    board: Board,
    context: Context,
    forms: Pointer,
    table: Pointer,
    entries: Pointer,
    path: Pointer,
    length: int,
    seed: int,
    count: int,
) -> int:
    """Return where the entry of the decision that is due is, a new one if need be; -1 for no room.

    Its options are in the context.
    """
    memory = context.extra
    seat = player(board)
    key = word(memory, CHAINS + 2 * seat)
    other = word(memory, CHAINS + 2 * seat + 1)
    mask = word(table, SLOT_COUNT) - 1
    slot = wrap(key + seat) & mask
    at = word(table, SLOT + slot)
    while at != 0:
        found = offset(entries, 8 * at)
        if word(found, KEY) == key and word(found, OTHER_KEY) == other:
            if word(found, SEAT) == seat:
                return at
        slot = (slot + 1) & mask
        at = word(table, SLOT + slot)
    at = word(table, WORDS_USED)
    size = HEAD + length + 3 * count
    if word(table, TAKEN) == word(table, MOST_TAKEN) or at + size > word(table, WORD_ROOM):
        return -1
    put_word(table, SLOT + slot, at)
    put_word(table, TAKEN, word(table, TAKEN) + 1)
    put_word(table, WORDS_USED, at + size)
    new = offset(entries, 8 * at)
    put_word(new, SEAT, seat)
    put_word(new, KEY, key)
    put_word(new, OTHER_KEY, other)
    put_word(new, OPTIONS, count)
    put_word(new, SEED, seed)
    put_word(new, PATH, length)
    copy(offset(new, 8 * HEAD), path, 8 * length)
    for index in range(count):
        put_word(new, HEAD + length + index, option_word(board, context, memory, forms, index))
        put_word(new, HEAD + length + count + index, 0)
        put_word(new, HEAD + length + 2 * count + index, 0)
    return at


@kernel
def option_word(board: Board, context: Context, memory: Pointer, forms: Pointer, index: int) -> int:
    """Return a hash of an option, as the seat that decides sees it."""
    form = offset(forms, 8 * word(forms, board.pc))
    option = offset(context.options, 8 * word(form, WORDS) * index)
    look_at_picks(board, context, memory, forms, form, option)
    mover = player(board)
    return decision_word(board, context, memory, forms, form, option, mover, mover)


@kernel
def place_of(
    board: Board, context: Context, memory: Pointer, forms: Pointer, own: Pointer, index: int
) -> int:
    """Return the place in its entry of an option, which may be offered at another place."""
    count = word(own, OPTIONS)
    keys = HEAD + word(own, PATH)
    key = option_word(board, context, memory, forms, index)
    if word(own, keys + index) == key:
        return index
    for place in range(count):
        if word(own, keys + place) == key:
            return place
    return index


# Strategies -------------------------------------------------------------------------------


@kernel
def positive(own: Pointer) -> int:
    """Return the sum of the positive regrets of an entry."""
    regrets = HEAD + word(own, PATH) + word(own, OPTIONS)
    total = 0
    for place in range(word(own, OPTIONS)):
        total += max(word(own, regrets + place), 0)
    return total


@kernel
def probability(own: Pointer, place: int, total: int) -> int:
    """Return with what probability an option is chosen, by regret matching."""
    count = word(own, OPTIONS)
    if total == 0:
        return UNIT // count
    regret = max(word(own, HEAD + word(own, PATH) + count + place), 0)
    if total < HALF_WORD:
        return (regret << BITS) // total
    return min(regret // (total >> BITS), UNIT)


@kernel
def drawn(
    board: Board,
    context: Context,
    memory: Pointer,
    forms: Pointer,
    own: Pointer,
    stream: Stream,
    path: Pointer,
    length: int,
    count: int,
) -> int:
    """Draw an option by its probability, and add these to the sums of the entry."""
    total = positive(own)
    left = multiply_high(next_bits(stream), UNIT)
    chosen = 0
    likely = -1
    best = -1
    for index in range(count):
        place = place_of(board, context, memory, forms, own, index)
        share = probability(own, place, total)
        sums = HEAD + word(own, PATH) + 2 * count + place
        put_word(own, sums, word(own, sums) + share)
        if share > best:
            best = share
            likely = index
        if left >= 0:
            left -= share
            chosen = index
    return chosen if left < 0 else likely


@kernel
def learn(
    board: Board, context: Context, memory: Pointer, forms: Pointer, own: Pointer, frame: Pointer
) -> int:
    """Add the regrets of a decision whose options were all tried; return what it is worth."""
    count = word(own, OPTIONS)
    total = positive(own)
    value = 0
    for index in range(count):
        place = place_of(board, context, memory, forms, own, index)
        share = probability(own, place, total)
        value += share * load_signed(offset(frame, 8 * (VALUES + index)), 8)
    value = value >> BITS if value >= 0 else -(-value >> BITS)
    for index in range(count):
        place = place_of(board, context, memory, forms, own, index)
        regret = HEAD + word(own, PATH) + count + place
        gained = load_signed(offset(frame, 8 * (VALUES + index)), 8) - value
        put_word(own, regret, wrap(word(own, regret) + gained))
    return value


@kernel
def worth(memory: Pointer, wants: int, highest: int, seat: int) -> int:
    """Return what the end of a game is worth to a seat, in parts of UNIT."""
    ends = pick_words(memory)
    sign = 1 if highest != 0 else -1
    total = 0
    best = 0
    winners = 0
    for other in range(PLAYERS):
        score = sign * load_signed(offset(ends, 8 * other), 8)
        total += score
        if other == 0 or score > best:
            best = score
            winners = 0
        if score == best:
            winners += 1
    own = sign * load_signed(offset(ends, 8 * seat), 8)
    if wants == WIN:
        won = UNIT // winners if own == best else 0
        return won - UNIT // PLAYERS
    if wants == MARGIN and PLAYERS > 1:
        margin = (PLAYERS * own - total) * UNIT
        return margin // (PLAYERS - 1) if margin >= 0 else -(-margin // (PLAYERS - 1))
    return own * UNIT


EXPORTED = (cw_sample_regret,)

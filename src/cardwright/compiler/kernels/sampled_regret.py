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

from cardwright.compiler import intrinsics as op
from cardwright.compiler.kernel import kernel
from cardwright.compiler.kernels import engine, information
from cardwright.compiler.kernels.engine import Board, Context, Pointer, Stream
from cardwright.compiler.kernels.stream import next_bits, seed_stream

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

KEPT = VALUES + MOST_OPTIONS
"""Where a frame has the chains and the board of its decision."""


@kernel(exported=True)
def cw_sample_regret(
    board: Board, context: Context, forms: Pointer, table: Pointer, entries: Pointer,
    frames: Pointer, path: Pointer, stream: Stream, seeds: Pointer, first: int, end: int,
) -> int:  # fmt: skip
    """Run some iterations, each a deal for every seat; `path` has room for choices.

    `seeds` has at its beginning how many iterations are done, then the sum of what deals were worth
    to each seat, the beginning of its chains, and the seed of each iteration and seat.
    """
    context.forms = forms
    memory = context.extra
    for iteration in range(first, end):
        for seat in range(engine.PLAYERS):
            number = iteration * engine.PLAYERS + seat
            given = seeds[3 + 3 * engine.PLAYERS + number]
            seed_stream(stream, op.wrap(given ^ UNIT))
            op.copy(
                memory + information.CHAINS, seeds + (1 + engine.PLAYERS), 16 * (engine.PLAYERS + 1)
            )
            memory[information.ACTIVE] = 0
            if engine.start(board, context, given) < 0:
                return BROKEN
            found = information.follow_on(board, context)
            depth = 0
            length = 0
            going = True
            while going:
                if found < 0:
                    return BROKEN
                if found > 0:
                    count = engine.advance(board, context)
                    if count < 0:
                        return BROKEN
                    if count > MOST_OPTIONS:
                        return TOO_MANY_OPTIONS
                    entry = entry_met(board, context, table, entries, path, length, given, count)
                    if entry < 0:
                        return FULL
                    own = entries + entry
                    index = 0
                    if engine.player(board) == seat:
                        if depth == table[FRAME_ROOM]:
                            return FRAMES_FULL
                        frame = information.frame_at(frames, KEPT, depth)
                        frame[ENTRY] = entry
                        frame[NEXT] = 0
                        frame[LENGTH] = length
                        information.keep_point(board, context, frame + KEPT)
                        depth += 1
                    else:
                        index = drawn(board, context, own, stream, count)
                    path[length] = index
                    length += 1
                    found = information.choose(board, context, index)
                else:
                    value = worth(memory, table[WANTS], table[HIGHEST], seat)
                    while True:
                        if depth == 0:
                            seeds[1 + seat] = op.wrap(seeds[1 + seat] + value)
                            going = False
                            break
                        frame = information.frame_at(frames, KEPT, depth - 1)
                        own = entries + frame[ENTRY]
                        after = frame[NEXT] + 1
                        frame[VALUES + frame[NEXT]] = value
                        frame[NEXT] = after
                        information.go_back(board, context, frame + KEPT)
                        found = engine.advance(board, context)
                        if after < own[OPTIONS]:
                            path[frame[LENGTH]] = after
                            length = frame[LENGTH] + 1
                            if found >= 0:
                                found = information.choose(board, context, after)
                            break
                        depth -= 1
                        value = learn(board, context, own, frame)
        seeds[0] = iteration + 1
    return DONE


# Information sets ---------------------------------------------------------------------------


@kernel
def entry_met(
    board: Board, context: Context, table: Pointer, entries: Pointer, path: Pointer, length: int,
    seed: int, count: int,
) -> int:  # fmt: skip
    """Return where the entry of the decision that is due is, a new one if need be; -1 for no room.

    Its options are in the context.
    """
    memory = context.extra
    seat = engine.player(board)
    key = memory[information.CHAINS + 2 * seat]
    other = memory[information.CHAINS + 2 * seat + 1]
    mask = table[SLOT_COUNT] - 1
    slot = op.wrap(key + seat) & mask
    at = table[SLOT + slot]
    while at != 0:
        found = entries + at
        if found[KEY] == key and found[OTHER_KEY] == other and found[SEAT] == seat:
            return at
        slot = slot + 1 & mask
        at = table[SLOT + slot]
    at = table[WORDS_USED]
    size = HEAD + length + 3 * count
    if table[TAKEN] == table[MOST_TAKEN] or at + size > table[WORD_ROOM]:
        return -1
    table[SLOT + slot] = at
    table[TAKEN] += 1
    table[WORDS_USED] = at + size
    new = entries + at
    new[SEAT] = seat
    new[KEY] = key
    new[OTHER_KEY] = other
    new[OPTIONS] = count
    new[SEED] = seed
    new[PATH] = length
    op.copy(new + HEAD, path, 8 * length)
    for index in range(count):
        new[HEAD + length + index] = information.option_word(board, context, index)
        new[HEAD + length + count + index] = 0
        new[HEAD + length + 2 * count + index] = 0
    return at


@kernel
def place_of(board: Board, context: Context, own: Pointer, index: int) -> int:
    """Return the place in its entry of an option, which may be offered at another place."""
    count = own[OPTIONS]
    keys = HEAD + own[PATH]
    key = information.option_word(board, context, index)
    if own[keys + index] == key:
        return index
    for place in range(count):
        if own[keys + place] == key:
            return place
    return index


# Strategies -------------------------------------------------------------------------------


@kernel
def _positive(own: Pointer) -> int:
    regrets = HEAD + own[PATH] + own[OPTIONS]
    total = 0
    for place in range(own[OPTIONS]):
        total += max(own[regrets + place], 0)
    return total


@kernel
def probability(own: Pointer, place: int, total: int) -> int:
    """Return with what probability an option is chosen, by regret matching."""
    count = own[OPTIONS]
    if total == 0:
        return UNIT // count
    regret = max(own[HEAD + own[PATH] + count + place], 0)
    if total < HALF_WORD:
        return (regret << BITS) // total
    return min(regret // (total >> BITS), UNIT)


@kernel
def drawn(board: Board, context: Context, own: Pointer, stream: Stream, count: int) -> int:
    """Draw an option by its probability, and add these to the sums of the entry."""
    total = _positive(own)
    left = op.multiply_high(next_bits(stream), UNIT)
    chosen = 0
    likely = -1
    best = -1
    for index in range(count):
        place = place_of(board, context, own, index)
        share = probability(own, place, total)
        sums = HEAD + own[PATH] + 2 * count + place
        own[sums] += share
        if share > best:
            best = share
            likely = index
        if left >= 0:
            left -= share
            chosen = index
    return chosen if left < 0 else likely


@kernel
def learn(board: Board, context: Context, own: Pointer, frame: Pointer) -> int:
    """Add the regrets of a decision whose options were all tried; return what it is worth."""
    count = own[OPTIONS]
    total = _positive(own)
    value = 0
    for index in range(count):
        place = place_of(board, context, own, index)
        share = probability(own, place, total)
        value += share * frame[VALUES + index]
    value = value >> BITS if value >= 0 else -(-value >> BITS)
    for index in range(count):
        place = place_of(board, context, own, index)
        regret = HEAD + own[PATH] + count + place
        gained = frame[VALUES + index] - value
        own[regret] = op.wrap(own[regret] + gained)
    return value


@kernel
def worth(memory: Pointer, wants: int, highest: int, seat: int) -> int:
    """Return what the end of a game is worth to a seat, in parts of UNIT."""
    ends = information.pick_words(memory)
    sign = 1 if highest != 0 else -1
    total = 0
    best = 0
    winners = 0
    for other in range(engine.PLAYERS):
        score = sign * ends[other]
        total += score
        if other == 0 or score > best:
            best = score
            winners = 0
        if score == best:
            winners += 1
    own = sign * ends[seat]
    if wants == WIN:
        won = UNIT // winners if own == best else 0
        return won - UNIT // engine.PLAYERS
    if wants == MARGIN and engine.PLAYERS > 1:
        margin = (engine.PLAYERS * own - total) * UNIT
        return margin // (engine.PLAYERS - 1) if margin >= 0 else -(-margin // (engine.PLAYERS - 1))
    return own * UNIT

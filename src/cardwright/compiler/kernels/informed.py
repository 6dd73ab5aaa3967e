"""Playouts in which every seat takes what surely raises its score, by what it knows.

An option is sure if it raises the score of the seat that decides, and would whatever the seat may
have not seen: each hidden card that the option shows to it is exchanged for every other that might
lie there instead. Branches that have raised scores are not taken otherwise, unless there is nothing
else: who cannot tell a good card from a bad one waits until it can.

What might lie at a place is learnt as the game goes on. When an option is carried out, the card at
each place that belongs to a player and holds a single card is exchanged for others, and the option
is carried out again: if anything but the places of the two cards is then different, as after a clue
that would have been another, the seat knows from now on that the other card does not lie there.
So the rules need not say what tells what. Cards are exchanged one pair at a time, which misses what
only several together would tell. Where a branch never told a seat anything, this is soon left out.

The `extra` memory of a context has the words below, tables, and room for two boards. What a seat
knows is a byte for each place and kind of card, where cards of the same back and attributes are of
one kind, known by its first card: 1 if such a card may lie there. It holds as long as the card
that was there remains.
"""

from __future__ import annotations

from cardwright.compiler import intrinsics as op
from cardwright.compiler.kernel import kernel
from cardwright.compiler.kernels import engine, picks
from cardwright.compiler.kernels.engine import Board, Context, Pointer, Stream
from cardwright.compiler.kernels.evaluation import (
    LEAST,
    give_rewards,
    preferred,
    preferred_card,
    settled,
    settled_card,
)
from cardwright.compiler.kernels.greedy import own_score
from cardwright.compiler.kernels.locations import card_lying, holder_slot, size, swap_cards
from cardwright.compiler.kernels.stream import below, next_bits, seed_stream, stream_at
from cardwright.compiler.kernels.worlds import sees

HIGHEST, STAMP, KINDS, MARKS, HELD, BRANCHES, ENDS, NOW, BEGUN, POST, TRIAL, HEAD = range(12)
"""The first words: 1 if the highest score wins; a counter; then the offsets in bytes of tables: the
kind of each card; when each kind was last looked at; the card that is known about at each place;
what branches have done; room for scores; what seats know now, and at the decision; and two boards.
"""

TRIED, RAISED, TOLD, BRANCH_WORDS = 0, 1, 2, 6
"""The words of a branch: how often it was tried for the score, and whether it raised it; then for
the seat that decides and for others how often it was tried for what it tells, and whether it did.
"""

MOST_BRANCHES = 64
"""Branches with words of their own; others share them."""

ENOUGH_SCORES, ENOUGH_TOLD = 200, 8
"""How often a branch is tried in vain."""


@kernel
def part_of(context: Context, part: int) -> Pointer:
    """Return a table of the memory."""
    memory: Pointer = context.extra
    return op.offset(memory, memory[part])


@kernel
def branch_of(context: Context, pc: int, index: int) -> Pointer:
    """Return the words of the branch of an option."""
    row = picks.choice_row(context, pc)
    number = (row[picks.FIRST] + picks.option_at(context, row, index)[0]) % MOST_BRANCHES
    return part_of(context, BRANCHES) + BRANCH_WORDS * number


@kernel
def lasts(context: Context, pc: int, index: int) -> bool:
    """Return whether an option can be carried out again after play has come to another decision."""
    row = picks.choice_row(context, pc)
    option = picks.option_at(context, row, index)
    for i in range(picks.pick_count(context, row, option)):
        sort = picks.pick_sort(context, row, option, i)
        if sort == picks.GROUP or sort == picks.PLACE:
            return False
    return True


@kernel
def after(context: Context, out: Board, index: int) -> int:
    """Carry out an option on a board that is ready for it, and come to the next decision."""
    kept: int = context.kept
    done = engine.carry_out(out, context, index)
    if done >= 0:
        done = engine.arrive(out, context)
    context.kept = kept
    return done


# What seats know ----------------------------------------------------------------------------


@kernel
def row_at(context: Context, part: int, seat: int, slot: int) -> Pointer:
    """Return what a seat knows of a place."""
    places = engine.FIXED_SLOTS + engine.POOL_SLOTS
    return op.offset(part_of(context, part), (seat * places + slot) * engine.CARDS)


@kernel
def hold(context: Context, slot: int, card: int) -> None:
    """Forget what was known of a place if another card lies there now."""
    held = part_of(context, HELD)
    if held[slot] != card:
        held[slot] = card
        for seat in range(engine.PLAYERS):
            row = row_at(context, NOW, seat, slot)
            for kind in range(engine.CARDS):
                op.store(op.offset(row, kind), 1, 1)


@kernel
def single(board: Board, slot: int) -> int:
    """Return the card of a place that belongs to a player and holds no other, or else -1."""
    if size(board, slot) != 1 or engine.slot_owner(board, slot) >= engine.PLAYERS:
        return -1
    return card_lying(board, slot, 0)


@kernel
def elsewhere(board: Board, context: Context, seat: int, kind: int) -> int:
    """Return a card of a kind that does not lie alone where a seat does not see it, or -1."""
    kinds = part_of(context, KINDS)
    for card in range(engine.CARDS):
        if kinds[card] == kind:
            slot = holder_slot(board, card)
            if sees(board, slot, seat) or single(board, slot) < 0:
                return card
    return -1


@kernel
def instead(
    board: Board, context: Context, seat: int, slot: int, card: int, last: int, stamp: int,
    learns: int,
) -> int:  # fmt: skip
    """Return the next card that might lie at a place instead of one, as a seat sees it, or -1.

    It is one of each kind; `stamp` tells those that were looked at. If the other card lies alone
    too, the first one has to be possible there. While the seat `learns`, a card of the same kind
    from elsewhere stands for it, as it would not be clear which of the two does not fit.
    """
    kinds = part_of(context, KINDS)
    marks = part_of(context, MARKS)
    row = row_at(context, NOW, seat, slot)
    for other in range(last + 1, engine.CARDS):
        kind = kinds[other]
        if marks[kind] != stamp and op.load(op.offset(row, kind), 1) != 0:
            there = holder_slot(board, other)
            fits = there != slot and not sees(board, there, seat)
            found = other
            if fits and single(board, there) >= 0:
                if learns != 0:
                    found = elsewhere(board, context, seat, kind)
                    fits = found >= 0
                else:
                    hold(context, there, other)
                    known = row_at(context, NOW, seat, there)
                    fits = op.load(op.offset(known, kinds[card]), 1) != 0
            if fits:
                marks[kind] = stamp
                if engine.back(other) == engine.back(card):
                    return found
    return -1


@kernel
def new_stamp(context: Context, card: int) -> int:
    """Return a new stamp, with which a card's own kind was looked at."""
    memory: Pointer = context.extra
    memory[STAMP] += 1
    part_of(context, MARKS)[part_of(context, KINDS)[card]] = memory[STAMP]
    return memory[STAMP]


@kernel
def same(context: Context) -> bool:
    """Return whether the trial is like the board after the option, but for orders in piles."""
    post = part_of(context, POST)
    trial = part_of(context, TRIAL)
    left = 0
    for i in range(engine.HEAD_BYTES // 8):
        left |= post[i] ^ trial[i]
    return left == 0


@kernel
def tell(board: Board, context: Context, index: int, count: int, seat: int) -> int:
    """Learn what an option tells a seat about single cards that it does not see; return if it did.

    The board after the option is already there.
    """
    post = op.like(board, part_of(context, POST))
    trial = op.like(board, part_of(context, TRIAL))
    again = not lasts(context, board.pc, index)
    told = 0
    for slot in range(engine.FIXED_SLOTS + engine.POOL_SLOTS):
        card = single(board, slot)
        if card >= 0 and not sees(board, slot, seat) and holder_slot(post, card) == slot:
            hold(context, slot, card)
            stamp = new_stamp(context, card)
            other = instead(board, context, seat, slot, card, -1, stamp, 1)
            while other >= 0:
                if again and engine.find_options(board, context) != count:
                    return -1
                op.copy(op.pointer_to(trial), op.pointer_to(board), engine.STATE_BYTES)
                swap_cards(trial, slot, card, holder_slot(board, other), other)
                fits = after(context, trial, index) >= 0
                if fits:
                    here = holder_slot(trial, card)
                    swap_cards(trial, here, card, holder_slot(trial, other), other)
                    fits = same(context)
                if not fits:
                    kind = part_of(context, KINDS)[other]
                    op.store(op.offset(row_at(context, NOW, seat, slot), kind), 0, 1)
                    told = 1
                other = instead(board, context, seat, slot, card, -1, stamp, 1)
    return told


@kernel
def act(board: Board, context: Context, index: int) -> int:
    """Carry out an option, and learn what it tells; return -1 for a fault."""
    mover = engine.player(board)
    branch = branch_of(context, board.pc, index)
    tells = 0
    for seat in range(engine.PLAYERS):
        sort = branch + (TOLD + 2 * int(seat != mover))
        tells |= int(sort[0] < ENOUGH_TOLD or sort[1] != 0)
    if tells == 0:
        return engine.carry_out(board, context, index)
    post = op.like(board, part_of(context, POST))
    op.copy(op.pointer_to(post), op.pointer_to(board), engine.STATE_BYTES)
    if after(context, post, index) < 0:
        return -1
    count = engine.find_options(board, context)
    if count < 0:
        return -1
    for seat in range(engine.PLAYERS):
        sort = branch + (TOLD + 2 * int(seat != mover))
        if sort[0] < ENOUGH_TOLD or sort[1] != 0:
            sort[0] += 1
            told = tell(board, context, index, count, seat)
            if told < 0:
                return -1
            sort[1] |= told
    op.copy(op.pointer_to(board), op.pointer_to(post), engine.STATE_BYTES)
    return 0


@kernel
def begin(board: Board, context: Context) -> int:
    """Begin with what the seats know at the decision, in a world of its own."""
    places = engine.FIXED_SLOTS + engine.POOL_SLOTS
    op.copy(part_of(context, NOW), part_of(context, BEGUN), engine.PLAYERS * places * engine.CARDS)
    held = part_of(context, HELD)
    for slot in range(places):
        held[slot] = single(board, slot)
    return 0


@kernel(exported=True)
def cw_learn(board: Board, context: Context, forms: Pointer, index: int) -> int:
    """Learn from a step of a history, which is not played on the board; return -1 for a fault."""
    context.forms = forms
    if not op.unsigned_less(index, engine.advance(board, context)):
        return -1
    return act(board, context, index)


@kernel(exported=True)
def cw_learnt(board: Board, context: Context) -> int:
    """Keep what the seats know at a decision."""
    places = engine.FIXED_SLOTS + engine.POOL_SLOTS
    for slot in range(places):
        hold(context, slot, single(board, slot))
    op.copy(part_of(context, BEGUN), part_of(context, NOW), engine.PLAYERS * places * engine.CARDS)
    return 0


# Playouts -----------------------------------------------------------------------------------


@kernel
def score_after(context: Context, trial: Board, seat: int, index: int) -> int:
    """Carry out an option on a trial board, and return the seat's score; the least for a fault."""
    if after(context, trial, index) < 0:
        return LEAST
    return own_score(trial, context, part_of(context, ENDS), seat)


@kernel
def surely(board: Board, context: Context, seat: int, index: int, count: int, now: int) -> bool:
    """Return whether an option raises the score whatever the cards are that it shows the seat.

    The board after it is there.
    """
    post = op.like(board, part_of(context, POST))
    trial = op.like(board, part_of(context, TRIAL))
    again = not lasts(context, board.pc, index)
    for card in range(engine.CARDS):
        slot = holder_slot(board, card)
        if sees(post, holder_slot(post, card), seat) and not sees(board, slot, seat):
            hold(context, slot, single(board, slot))
            stamp = new_stamp(context, card)
            other = instead(board, context, seat, slot, card, -1, stamp, 0)
            while other >= 0:
                if again and engine.find_options(board, context) != count:
                    return False
                op.copy(op.pointer_to(trial), op.pointer_to(board), engine.STATE_BYTES)
                swap_cards(trial, slot, card, holder_slot(board, other), other)
                if score_after(context, trial, seat, index) <= now:
                    return False
                other = instead(board, context, seat, slot, card, other, stamp, 0)
    return True


@kernel
def choose_surely(board: Board, context: Context, stream: Stream, seat: int, count: int) -> int:
    """Return what surely raises the score most; else what never does, or else any option."""
    post = op.like(board, part_of(context, POST))
    now = own_score(board, context, part_of(context, ENDS), seat)
    most = now
    best = -1
    quiet = 0
    pc: int = board.pc
    chosen = below(stream, count)
    again = False
    for i in range(count):
        if again and engine.find_options(board, context) != count:
            return -1
        again = False
        branch = branch_of(context, pc, i)
        if branch[RAISED] != 0 or branch[TRIED] < ENOUGH_SCORES:
            branch[TRIED] += 1
            again = not lasts(context, pc, i)
            op.copy(op.pointer_to(post), op.pointer_to(board), engine.STATE_BYTES)
            seed_stream(op.like(stream, post), next_bits(stream))
            score = score_after(context, post, seat, i)
            if score > now:
                branch[RAISED] = 1
            if score > most and surely(board, context, seat, i, count, now):
                most = score
                best = i
        if branch[RAISED] == 0:
            quiet += 1
            if below(stream, quiet) == 0:
                chosen = i
    return best if best >= 0 else chosen


@kernel
def play_out(board: Board, context: Context, streams: Stream) -> int:
    """Play to the end, every seat taking what surely raises its score, or else any quiet option."""
    arrived = engine.arrive(board, context)
    while arrived > 0:
        seat = engine.player(board)
        count = engine.find_options(board, context)
        if count < 0:
            return -1
        chosen = 0
        if count > 1:
            chosen = choose_surely(board, context, stream_at(streams, seat), seat, count)
            if chosen < 0 or engine.find_options(board, context) != count:
                return -1
        if act(board, context, chosen) < 0:
            return -1
        arrived = engine.arrive(board, context)
    return arrived


POLICY = (play_out, settled, settled_card, preferred, preferred_card, give_rewards, begin, act)

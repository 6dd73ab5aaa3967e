"""Kernels that follow a game for what its seats see of it.

They are compiled with rules that report every event (`sightings.py`). After the chains, the memory
has a byte for every card and seat, the spectator too: whether a card that is picked was seen before
the choice; then a word for each pick.

`forms` describes how options lie in memory (`chosen.py`). Before the words for
picks are the entries for the latest choices (`recall.py`), as many as a word of the memory says.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.compiler.intrinsics import (
    Pointer,
    load,
    load_signed,
    offset,
    store,
    unsigned_less,
    wrap,
)
from cardwright.compiler.kernel import kernel
from cardwright.compiler.kernels.chosen import NAMES, SORTS, WORDS, form_at, pick_at, pick_count
from cardwright.compiler.kernels.content import joined, scattered
from cardwright.compiler.kernels.engine import (
    advance,
    arrive,
    back,
    carry_out,
    player,
    scores,
    start,
)
from cardwright.compiler.kernels.lists import card_in, put_word, word
from cardwright.compiler.kernels.locations import card_lying, holder_slot, size
from cardwright.compiler.kernels.observe import next_made
from cardwright.compiler.kernels.picks import CARD, GROUP, PLACE, UNSEEN
from cardwright.compiler.kernels.recall import ENTRY_WORDS, mark_seen, recall
from cardwright.compiler.kernels.sightings import (
    ACTIVE,
    CHAINS,
    DECIDES,
    DECISION,
    END,
    PLACE_PICK,
    ROOM,
    SIGHT,
    UNSEEN_PICK,
    cards_word,
    chain_all,
    chain_on,
    place_word,
    witnesses,
)

if TYPE_CHECKING:
    from cardwright.compiler.kernels.types import Board, Context

PLAYERS = 1
CARDS = 1
FIXED_SLOTS = 0
POOL_SLOTS = 0

REFUSED = -2
"""What is returned for a choice that the game does not offer."""


@kernel
def sight_of(memory: Pointer, card: int, seat: int) -> Pointer:
    """Return the byte that says whether a seat saw a picked card before it was chosen."""
    return offset(memory, 8 * (CHAINS + 2 * PLAYERS + 2) + card * (PLAYERS + 1) + seat)


@kernel
def recalled_at(memory: Pointer) -> Pointer:
    """Return where the entries for the latest choices are."""
    sights = CARDS * (PLAYERS + 1) + 7
    return offset(memory, 8 * (CHAINS + 2 * PLAYERS + 2 + sights // 8))


@kernel
def pick_words(memory: Pointer) -> Pointer:
    """Return the words for picks, which come last."""
    return offset(recalled_at(memory), 8 * ENTRY_WORDS * word(memory, ROOM))


@kernel(exported=True)
def cw_follow_start(board: Board, context: Context, seed: int) -> int:
    """Start a game and run it to its first decision; returns what `cw_follow` does."""
    memory = context.extra
    put_word(memory, ACTIVE, 0)
    if start(board, context, seed) < 0:
        return -1
    return follow_on(board, context, memory)


@kernel(exported=True)
def cw_follow(
    board: Board, context: Context, forms: Pointer, choices: Pointer, first: int, end: int
) -> int:
    """Make some choices, indices of 8 bytes, from a board at a decision.

    Returns 1 at a decision, 0 if the game is over, -1 for a fault, and REFUSED for a choice that
    is not offered.
    """
    memory = context.extra
    found = 1
    for i in range(first, end):
        index = word(choices, i)
        put_word(memory, ACTIVE, 0)
        count = advance(board, context)
        if count < 0:
            return -1
        if not unsigned_less(index, count):
            return REFUSED
        found = choose(board, context, memory, forms, index)
        if found < 0:
            return -1
    return found


@kernel
def follow_on(board: Board, context: Context, memory: Pointer) -> int:
    """Run to the next decision or to the end, and let everybody see whose turn it is."""
    put_word(memory, ACTIVE, 1)
    found = arrive(board, context)
    put_word(memory, ACTIVE, 0)
    if found > 0:
        chain_all(memory, joined(DECIDES, player(board)))
    if found == 0:
        ends = pick_words(memory)
        if scores(board, context, ends) < 0:
            return -1
        event = END
        for seat in range(PLAYERS):
            event = joined(event, word(ends, seat))
        chain_all(memory, event)
    return found


@kernel
def choose(board: Board, context: Context, memory: Pointer, forms: Pointer, index: int) -> int:
    """Carry out an option, and run on."""
    if carry_out_seen(board, context, memory, forms, index) < 0:
        return -1
    return follow_on(board, context, memory)


@kernel
def carry_out_seen(
    board: Board, context: Context, memory: Pointer, forms: Pointer, index: int
) -> int:
    """Carry out an option, and let all seats see of the choice what they can."""
    row = offset(forms, 8 * word(forms, board.pc))
    option = offset(context.options, 8 * word(row, WORDS) * index)
    look_at_picks(board, context, memory, forms, row, option)
    mover = player(board)
    recalled = recalled_at(memory)
    room = word(memory, ROOM)
    if room > 0:
        recall(board, context, forms, row, option, mover, recalled, room)
    put_word(memory, ACTIVE, 1)
    if carry_out(board, context, index) < 0:
        put_word(memory, ACTIVE, 0)
        return -1
    if room > 0:
        mark_seen(board, context, forms, row, option, recalled)
    for seat in range(PLAYERS + 1):
        chain_on(
            memory, seat, decision_word(board, context, memory, forms, row, option, mover, seat)
        )
    return 0


# Decisions ---------------------------------------------------------------------------------


@kernel
def look_at_picks(
    board: Board, context: Context, memory: Pointer, forms: Pointer, row: Pointer, option: Pointer
) -> None:
    """Note who sees the picked cards, and what the picked locations are, before the choice."""
    for i in range(pick_count(forms, row, option)):
        item = load_signed(pick_at(row, option, i), 8)
        sort = word(forms, word(row, SORTS) + form_at(row, option, i))
        value = item
        if sort == CARD:
            look_at(board, memory, item)
        if sort == GROUP:
            group = offset(context.arena, item)
            for j in range(load(group, 8)):
                look_at(board, memory, card_in(offset(group, 8), j))
        if sort == PLACE:
            value = joined(PLACE_PICK, picked_place(board, context, item))
        put_word(pick_words(memory), i, value)


@kernel
def look_at(board: Board, memory: Pointer, card: int) -> None:
    """Note who sees a card."""
    slot = holder_slot(board, card)
    for seat in range(PLAYERS + 1):
        store(sight_of(memory, card, seat), 1 if witnesses(board, slot, seat) else 0, 1)


@kernel
def picked_place(board: Board, context: Context, item: int) -> int:
    """Return what stands for a picked location: a slot, or one of which the arena has the words."""
    if item >= 0:
        return place_word(board, item)
    words = offset(context.arena, UNSEEN - item)
    key = joined(joined(FIXED_SLOTS, word(words, 0)), word(words, 1))
    return joined(joined(key, word(words, 2)), word(words, 3))


@kernel
def decision_word(
    board: Board,
    context: Context,
    memory: Pointer,
    forms: Pointer,
    row: Pointer,
    option: Pointer,
    mover: int,
    seat: int,
) -> int:
    """Return a hash of a choice as a seat sees it, once it is carried out."""
    key = joined(joined(DECISION, mover), word(option, 0))
    for i in range(pick_count(forms, row, option)):
        at = pick_at(row, option, i)
        item = load_signed(at, 8)
        form = form_at(row, option, i)
        sort = word(forms, word(row, SORTS) + form)
        key = joined(key, word(forms, word(row, NAMES) + form))
        value = word(pick_words(memory), i)
        if sort == CARD:
            if not saw(board, memory, item, seat):
                blind = load(sight_of(memory, item, mover), 1) == 0
                value = joined(UNSEEN_PICK, 1 + word(at, 1) if blind else 0)
        if sort == GROUP:
            value = group_word(board, memory, offset(context.arena, item), word(at, 1), mover, seat)
        key = joined(key, value)
    return key


@kernel
def saw(board: Board, memory: Pointer, card: int, seat: int) -> bool:
    """Return whether a seat sees a picked card, or saw it before it was chosen."""
    if load(sight_of(memory, card, seat), 1) != 0:
        return True
    return witnesses(board, holder_slot(board, card), seat)


@kernel
def group_word(
    board: Board, memory: Pointer, group: Pointer, ordinal: int, mover: int, seat: int
) -> int:
    """Return what stands for a picked group: its cards, if the seat sees them all."""
    count = load(group, 8)
    cards = offset(group, 8)
    known = True
    blind = False
    key = joined(0, count)
    for i in range(count):
        card = card_in(cards, i)
        known = known and saw(board, memory, card, seat)
        blind = blind or load(sight_of(memory, card, mover), 1) == 0
        key = joined(key, card)
    if known:
        return key
    return joined(UNSEEN_PICK, 1 + ordinal if blind else 0)


# Beginnings --------------------------------------------------------------------------------


@kernel(exported=True)
def cw_follow_from(board: Board, context: Context, seat: int) -> int:
    """Add what a seat sees of a board's cards to its chain."""
    memory = context.extra
    for slot in range(FIXED_SLOTS):
        see_location(board, memory, slot, seat)
    if POOL_SLOTS:
        slot = next_made(board, 0)
        while slot >= 0:
            see_location(board, memory, slot, seat)
            slot = next_made(board, board.born[slot])
    return 0


@kernel
def see_location(board: Board, memory: Pointer, slot: int, seat: int) -> None:
    """Add what a seat sees of a location to its chain: its cards, or how many of each back."""
    count = size(board, slot)
    if count == 0:
        return
    event = joined(SIGHT, place_word(board, slot))
    if witnesses(board, slot, seat):
        chain_on(memory, seat, cards_word(board, slot, event))
        return
    total = count
    for i in range(count):
        total = wrap(total + scattered(back(card_lying(board, slot, i))))
    chain_on(memory, seat, joined(event, total))


EXPORTED = (cw_follow_start, cw_follow, cw_follow_from)

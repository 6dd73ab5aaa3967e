"""What seats see of a game: chains of what happens, and entries for the latest choices.

Each event goes into a chained hash for every seat, in games whose rules report every event. A chain
is 128 bits: two hashes of 64 bits that differ in their multipliers and in how they take a word in.
Each is a bijection of its state for a given word, so that histories can only meet in both by
chance: among n different histories that has a probability of about n^2 / 2^129, for a million
million of them 10^-15.

The `extra` memory of a context has, in words of 8 bytes: whether events happen now, or are only
tried; for how many choices there are entries; two words for each seat, its chain, and two for a
spectator, who sees what all see; a byte for every card and seat, the spectator too: whether a card
that is picked was seen before the choice; the entries, the latest first; then a word for each pick.

An entry has the number of the seat that chose plus 1, 0 for none; the number of the branch plus 1;
a word for each of `chains.public_picks`, which is PICKED more than the number that the option
picked, or 0; and for each seat and a spectator a set of cards: those that the option picked and the
seat saw, before it was chosen or once it was carried out.
"""

from __future__ import annotations

from cardwright.compiler import intrinsics as op
from cardwright.compiler.kernel import kernel
from cardwright.compiler.kernels import engine, picks
from cardwright.compiler.kernels.engine import Board, Context, Pointer
from cardwright.compiler.kernels.locations import MEMORY, VISIBLE, card_lying, holder_slot, size
from cardwright.compiler.kernels.picks import joined
from cardwright.compiler.kernels.places import UNSEEN, next_made
from cardwright.compiler.kernels.stream import GOLDEN, scattered
from cardwright.compiler.kernels.worlds import sees

ACTIVE, ROOM, CHAINS = range(3)

OTHER = op.wrap(0xD1342543DE82EF95)
"""The multiplier of the second half of a chain, which is the state of another generator."""

MOVE, SWAP, EXCHANGE, SHUFFLE, STORE, REMEMBER, FORGET, TURN, QUEUE = range(1, 10)
STORAGES = ("integers", "strings", "points")
"""What is stored, by number."""

DECISION, DECIDES, END, SIGHT, UNSEEN_PICK, PLACE_PICK = range(10, 16)
"""Sorts of events, and of picks."""

REFUSED = -2
"""What is returned for a choice that the game does not offer."""


@kernel
def chain_on(memory: Pointer, seat: int, event: int) -> None:
    """Add an event to the chain of a seat."""
    at = CHAINS + 2 * seat
    first = memory[at]
    second = memory[at + 1]
    memory[at] = joined(first, event)
    memory[at + 1] = scattered(op.wrap((op.rotate_left(second, 32) ^ event) * OTHER + GOLDEN))


@kernel
def _chain_all(memory: Pointer, event: int) -> None:
    for seat in range(engine.PLAYERS + 1):
        chain_on(memory, seat, event)


@kernel
def chain_dealt(memory: Pointer, seat: int, event: int) -> None:
    """Add to the chain of a seat that a card was dealt: the order of several in a row is no matter.

    Cards are dealt as sets where their order tells nobody anything (`deferral.dealt_place`).
    """
    at = CHAINS + 2 * seat
    memory[at] = op.wrap(memory[at] + scattered(event))
    other = scattered(op.wrap(event * OTHER + GOLDEN))
    memory[at + 1] = op.wrap(memory[at + 1] + other)


@kernel
def witnesses(board: Board, slot: int, seat: int) -> bool:
    """Return whether a seat sees the cards of a location; the last is the spectator's."""
    if seat == engine.PLAYERS:
        kind = engine.slot_kind(board, slot)
        return kind == VISIBLE or kind == MEMORY
    return sees(board, slot, seat)


@kernel
def place_word(board: Board, slot: int) -> int:
    """Return what stands for a location: its slot, or a hash of what one made in play is."""
    if slot < engine.FIXED_SLOTS:
        return slot
    key = joined(
        joined(engine.FIXED_SLOTS, engine.slot_owner(board, slot)),
        engine.slot_kind(board, slot),
    )
    return joined(joined(key, engine.slot_name(board, slot)), engine.slot_at(board, slot))


@kernel
def back_word(card: int) -> int:
    """Return what stands for a card of which only the back is seen; a card is one more than it."""
    return -1 - engine.back(card)


@kernel
def event_between(board: Board, sort: int, left: int, right: int) -> int:
    """Return a word for an event of a sort between two locations."""
    return joined(joined(sort, place_word(board, left)), place_word(board, right))


@kernel
def chain_seen(
    board: Board, memory: Pointer, left: int, right: int, known: int, unknown: int
) -> None:
    """Add an event to all chains: as known to those who see one of two locations, or unknown."""
    for seat in range(engine.PLAYERS + 1):
        seen = witnesses(board, left, seat) or witnesses(board, right, seat)
        chain_on(memory, seat, known if seen else unknown)


@kernel
def saw_move(board: Board, context: Context, card: int, source: int, target: int) -> None:
    """A card has gone from one location to another: who sees either end sees it."""
    memory = context.extra
    if memory[ACTIVE] != 0:
        event = event_between(board, MOVE, source, target)
        known = joined(event, card + 1)
        unknown = joined(event, back_word(card))
        if source + 1 == engine.DEALT and target < engine.UNORDERED:
            for seat in range(engine.PLAYERS + 1):
                seen = witnesses(board, source, seat) or witnesses(board, target, seat)
                chain_dealt(memory, seat, known if seen else unknown)
        else:
            chain_seen(board, memory, source, target, known, unknown)


@kernel
def saw_deal(board: Board, context: Context, source: int, target: int, count: int) -> None:
    """A number of cards are about to be dealt from the top of a pile."""
    last: int = board.count[source] - count
    for i in range(count):
        saw_move(board, context, board.card[source, last + i], source, target)


@kernel
def saw_swap(board: Board, context: Context, left: int, card: int, right: int, other: int) -> None:
    """A card at one location and one at another have changed places."""
    memory = context.extra
    if memory[ACTIVE] != 0:
        event = event_between(board, SWAP, left, right)
        known = joined(joined(event, card + 1), other + 1)
        unknown = joined(joined(event, back_word(card)), back_word(other))
        chain_seen(board, memory, left, right, known, unknown)


@kernel
def saw_exchange(board: Board, context: Context, left: int, right: int) -> None:
    """Two locations are about to exchange their cards: who sees one of them sees all."""
    memory = context.extra
    if memory[ACTIVE] != 0:
        event = event_between(board, EXCHANGE, left, right)
        known = cards_word(board, right, cards_word(board, left, event))
        chain_seen(board, memory, left, right, known, event)


@kernel
def cards_word(board: Board, slot: int, key: int) -> int:
    """Return a hash of a key and the cards of a location, as they lie."""
    count = size(board, slot)
    key = joined(key, count)
    for i in range(count):
        key = joined(key, card_lying(board, slot, i))
    return key


@kernel
def saw_shuffle(board: Board, context: Context, slot: int) -> None:
    """A location with cards has been shuffled: who sees it sees the new order."""
    memory = context.extra
    if memory[ACTIVE] != 0 and size(board, slot) > 0:
        event = joined(SHUFFLE, place_word(board, slot))
        chain_seen(board, memory, slot, slot, cards_word(board, slot, event), event)


@kernel
def saw_reference(board: Board, context: Context, event: int, slot: int, card: int) -> None:
    """A reference to a card was put into a memory location or taken out, which all see."""
    memory = context.extra
    if memory[ACTIVE] != 0:
        _chain_all(memory, joined(joined(event, place_word(board, slot)), card))


@kernel
def saw_stored(context: Context, storage: int, cell: int, value: int) -> None:
    """A value was stored, which all see."""
    memory = context.extra
    if memory[ACTIVE] != 0:
        _chain_all(memory, joined(joined(joined(STORE, storage), cell), value))


@kernel
def saw_turn(context: Context, event: int, seat: int) -> None:
    """A player has become current, or is queued, which all see."""
    memory = context.extra
    if memory[ACTIVE] != 0:
        _chain_all(memory, joined(event, seat))


@kernel
def recall(
    board: Board, context: Context, row: Pointer, option: Pointer, mover: int, entries: Pointer,
    count: int,
) -> None:  # fmt: skip
    """Make an entry for an option that is about to be carried out; the oldest one goes."""
    width = 8 * engine.ENTRY_WORDS
    op.copy(op.offset(entries, width), entries, width * (count - 1))
    op.clear(entries, width)
    entries[0] = mover + 1
    entries[1] = row[picks.FIRST] + option[0] + 1
    for i in range(picks.pick_count(context, row, option)):
        number = context.forms[row[picks.PUBLIC] + picks.form_at(row, option, i)]
        item = picks.pick_at(row, option, i)[0]
        # Of locations only those known before the game are recalled.
        place = picks.pick_sort(context, row, option, i) == picks.PLACE
        if number > 0 and (not place or op.unsigned_less(item, engine.FIXED_SLOTS)):
            entries[1 + number] = op.wrap(item + picks.PICKED)
    mark_seen(board, context, row, option, entries)


@kernel
def mark_seen(
    board: Board, context: Context, row: Pointer, option: Pointer, entry: Pointer
) -> None:
    """Add the cards that an option picks to the sets of the seats that see them now."""
    for i in range(picks.pick_count(context, row, option)):
        for j in range(picks.cards_in_pick(context, row, option, i)):
            card = picks.card_in_pick(context, row, option, i, j)
            slot = holder_slot(board, card)
            for seat in range(engine.PLAYERS + 1):
                if witnesses(board, slot, seat):
                    at = engine.ENTRY_CARDS + engine.CARD_WORDS * seat + card // 64
                    entry[at] |= op.wrap(1 << card % 64)


@kernel
def sights(memory: Pointer, card: int) -> Pointer:
    """Return a byte for each seat that says whether it saw a picked card before it was chosen."""
    return op.offset(memory + (CHAINS + 2 * engine.PLAYERS + 2), card * (engine.PLAYERS + 1))


@kernel
def _recalled_at(memory: Pointer) -> Pointer:
    return memory + (
        CHAINS + 2 * engine.PLAYERS + 2 + (engine.CARDS * (engine.PLAYERS + 1) + 7) // 8
    )


@kernel
def pick_words(memory: Pointer) -> Pointer:
    """Return the words for picks, which come last."""
    return _recalled_at(memory) + engine.ENTRY_WORDS * memory[ROOM]


@kernel(exported=True)
def cw_follow_start(board: Board, context: Context, seed: int) -> int:
    """Start a game and run it to its first decision; returns what `cw_follow` does."""
    memory = context.extra
    memory[ACTIVE] = 0
    if engine.start(board, context, seed) < 0:
        return -1
    return follow_on(board, context)


@kernel(exported=True)
def cw_follow(
    board: Board, context: Context, forms: Pointer, choices: Pointer, first: int, end: int
) -> int:
    """Make some choices, indices of 8 bytes, from a board at a decision.

    Returns 1 at a decision, 0 if the game is over, -1 for a fault, and REFUSED for a choice that
    is not offered.
    """
    context.forms = forms
    memory = context.extra
    found = 1
    for i in range(first, end):
        index = choices[i]
        memory[ACTIVE] = 0
        count = engine.advance(board, context)
        if count < 0:
            return -1
        if not op.unsigned_less(index, count):
            return REFUSED
        found = choose(board, context, index)
        if found < 0:
            return -1
    return found


@kernel
def follow_on(board: Board, context: Context) -> int:
    """Run to the next decision or to the end, and let everybody see whose turn it is."""
    memory: Pointer = context.extra
    memory[ACTIVE] = 1
    found = engine.arrive(board, context)
    memory[ACTIVE] = 0
    if found > 0:
        _chain_all(memory, joined(DECIDES, engine.player(board)))
    if found == 0:
        ends = pick_words(memory)
        if engine.scores(board, context, ends) < 0:
            return -1
        event = END
        for seat in range(engine.PLAYERS):
            event = joined(event, ends[seat])
        _chain_all(memory, event)
    return found


@kernel
def choose(board: Board, context: Context, index: int) -> int:
    """Carry out an option, and run on."""
    return -1 if carry_out_seen(board, context, index) < 0 else follow_on(board, context)


@kernel
def frame_at(frames: Pointer, words: int, depth: int) -> Pointer:
    """Return one of some frames: each has so many words, and then room for what is kept."""
    size = 8 * (words + 2 * engine.PLAYERS + 2) + engine.STATE_BYTES
    return op.offset(frames, size * depth)


@kernel
def keep_point(board: Board, context: Context, kept: Pointer) -> None:
    """Keep all chains and the board, to go back there."""
    memory = context.extra
    op.copy(kept, memory + CHAINS, 16 * (engine.PLAYERS + 1))
    op.copy(kept + (2 * engine.PLAYERS + 2), op.pointer_to(board), engine.STATE_BYTES)


@kernel
def go_back(board: Board, context: Context, kept: Pointer) -> None:
    """Go back to where chains and the board were kept."""
    memory = context.extra
    op.copy(memory + CHAINS, kept, 16 * (engine.PLAYERS + 1))
    op.copy(op.pointer_to(board), kept + (2 * engine.PLAYERS + 2), engine.STATE_BYTES)


@kernel
def carry_out_seen(board: Board, context: Context, index: int) -> int:
    """Carry out an option, and let all seats see of the choice what they can."""
    memory: Pointer = context.extra
    row = picks.choice_row(context, board.pc)
    option = picks.option_at(context, row, index)
    look_at_picks(board, context, row, option)
    mover = engine.player(board)
    recalled = _recalled_at(memory)
    room = memory[ROOM]
    if room > 0:
        recall(board, context, row, option, mover, recalled, room)
    memory[ACTIVE] = 1
    if engine.carry_out(board, context, index) < 0:
        memory[ACTIVE] = 0
        return -1
    if room > 0:
        mark_seen(board, context, row, option, recalled)
    for seat in range(engine.PLAYERS + 1):
        chain_on(memory, seat, decision_word(board, context, row, option, mover, seat))
    return 0


# Decisions ---------------------------------------------------------------------------------


@kernel
def option_word(board: Board, context: Context, index: int) -> int:
    """Return a hash of an option, as the seat that decides sees it."""
    row = picks.choice_row(context, board.pc)
    option = picks.option_at(context, row, index)
    look_at_picks(board, context, row, option)
    mover = engine.player(board)
    return decision_word(board, context, row, option, mover, mover)


@kernel
def look_at_picks(board: Board, context: Context, row: Pointer, option: Pointer) -> None:
    """Note who sees the picked cards, and what the picked locations are, before the choice."""
    memory: Pointer = context.extra
    values = pick_words(memory)
    for i in range(picks.pick_count(context, row, option)):
        item = picks.pick_at(row, option, i)[0]
        values[i] = item
        if picks.pick_sort(context, row, option, i) == picks.PLACE:
            values[i] = joined(PLACE_PICK, picked_place(board, context, item))
        for j in range(picks.cards_in_pick(context, row, option, i)):
            card = picks.card_in_pick(context, row, option, i, j)
            slot = holder_slot(board, card)
            for seat in range(engine.PLAYERS + 1):
                sight = 1 if witnesses(board, slot, seat) else 0
                op.store(op.offset(sights(memory, card), seat), sight, 1)


@kernel
def picked_place(board: Board, context: Context, item: int) -> int:
    """Return what stands for a picked location: a slot, or one of which the arena has the words."""
    if item >= 0:
        return place_word(board, item)
    words = op.offset(context.arena, UNSEEN - item)
    return joined(
        joined(joined(joined(engine.FIXED_SLOTS, words[0]), words[1]), words[2]),
        words[3],
    )


@kernel
def decision_word(
    board: Board, context: Context, row: Pointer, option: Pointer, mover: int, seat: int
) -> int:
    """Return a hash of a choice as a seat sees it, once it is carried out."""
    memory: Pointer = context.extra
    key = joined(joined(DECISION, mover), option[0])
    for i in range(picks.pick_count(context, row, option)):
        pick = picks.pick_at(row, option, i)
        sort = picks.pick_sort(context, row, option, i)
        value = pick_words(memory)[i]
        count = picks.cards_in_pick(context, row, option, i)
        if sort == picks.GROUP:
            value = joined(0, count)
        known = True
        blind = False
        for j in range(count):
            card = picks.card_in_pick(context, row, option, i, j)
            known = known and saw(board, memory, card, seat)
            blind = blind or not saw_before(memory, card, mover)
            if sort == picks.GROUP:
                value = joined(value, card)
        if not known:
            value = joined(UNSEEN_PICK, 1 + pick[1] if blind else 0)
        key = joined(
            joined(key, context.forms[row[picks.NAMES] + picks.form_at(row, option, i)]),
            value,
        )
    return key


@kernel
def saw_before(memory: Pointer, card: int, seat: int) -> bool:
    """Return whether a seat saw a picked card before it was chosen."""
    return op.load(op.offset(sights(memory, card), seat), 1) != 0


@kernel
def saw(board: Board, memory: Pointer, card: int, seat: int) -> bool:
    """Return whether a seat sees a picked card, or saw it before it was chosen."""
    return saw_before(memory, card, seat) or witnesses(board, holder_slot(board, card), seat)


# Beginnings --------------------------------------------------------------------------------


@kernel(exported=True)
def cw_follow_from(board: Board, context: Context, seat: int) -> int:
    """Add what a seat sees of a board's cards to its chain."""
    memory = context.extra
    for slot in range(engine.FIXED_SLOTS):
        see_location(board, memory, slot, seat)
    if engine.POOL_SLOTS:
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
        total = op.wrap(total + scattered(engine.back(card_lying(board, slot, i))))
    chain_on(memory, seat, joined(event, total))

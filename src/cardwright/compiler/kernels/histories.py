"""Histories that a seat cannot tell from the true one, and the worlds to which they lead.

A history is what chance and the players did: the order of the cards after each shuffle, a seed for
the other draws of each step, and the choices. A step is the beginning of a game or a choice, with
all that follows up to the next decision. `cw_history_note` plays the true game once and writes down
what a seat sees of it: a log of events, and for each choice what the seat sees of its option. All
else knows only that. A history agrees with the log if every event in it is the same for the seat.

`cw_history_find` searches one, from a random order of the cards. It is mended where it first
differs: two cards change places in all orders from some shuffle on, or a hidden choice is made
otherwise, or lots are drawn anew. What was changed is kept if the history then agrees for at least
as long.

`cw_history_next` goes on from one to others by a Markov chain. It proposes to exchange two cards,
to permute the cards of a place that the seat does not see, to make another hidden choice, or to
draw anew. Choices that are not seen follow the places of the cards that they pick, or
the cards. Each proposal is as likely as
its reverse, or is accepted by the ratio, and one that does not agree is rejected. So every history
that agrees is equally likely in the stationary distribution: all orders of the cards, and
all ways to make the hidden choices.

The `extra` memory of a context is as in `information`, without entries; in place of the first chain
it has the place of a block, the trace, whose first words are those below. Its other parts lie at
offsets in words from its beginning. The log has EVENT_WORDS for every event, the rows ROW_WORDS for
every step and one more, an order the number of cards and the cards. `PERMUTED` has for each card
the one that a proposal puts in its place, and `INVERSE` the reverse. Frames are boards before each
step; `FRESH` are those of a proposal, and `BEFORE` is a copy of the orders.
"""

from __future__ import annotations

from cardwright.compiler import intrinsics as op
from cardwright.compiler.kernel import kernel
from cardwright.compiler.kernels import engine, information, picks
from cardwright.compiler.kernels.engine import Board, Context, Pointer, Stream
from cardwright.compiler.kernels.information import (
    ACTIVE,
    CHAINS,
    DECIDES,
    DECISION,
    END,
    EXCHANGE,
    MOVE,
    PLACE_PICK,
    SHUFFLE,
    STORE,
    SWAP,
    UNSEEN_PICK,
    back_word,
    cards_word,
    event_between,
    place_word,
    witnesses,
)
from cardwright.compiler.kernels.locations import card_lying, holder_slot, size
from cardwright.compiler.kernels.picks import joined
from cardwright.compiler.kernels.stream import below, next_bits, scattered, seed_stream
from cardwright.compiler.kernels.worlds import hidden_slots

(
    SEAT, NOTING, SEARCHING, STEPS, BEGINS, AT, DIFFERS, MET, MET_SOURCE, SHUFFLED,
    EVENTS, WHOLE, FIRST, REACHED, STUCK_AT, STUCK_STEP, STUCK_MET, STUCK_SOURCE,
    FORCED, WANTED, FOLLOWS, FREE, DRAWS, PROPOSED, ACCEPTED, RUN, EVENT_ROOM, ORDER_ROOM,
    LOG, ROWS, ORDERS, BEFORE, PERMUTED, INVERSE, PLACES, FRAMES, FRESH, HEAD,
) = range(38)  # fmt: skip
"""The first words of a trace. SEAT: who sees. NOTING: 1 while the true game is noted. SEARCHING: 1
while a first history is searched. STEPS: how many there are. BEGINS: 1 if the first one begins a
game. AT: the next event; DIFFERS: 1 once an event was another; MET: the card that moved instead,
and from where. SHUFFLED: the next shuffle. EVENTS: those of the log. WHOLE: whether a shuffle of
the step left nothing hidden elsewhere; FIRST: the last step with such a shuffle. REACHED: the
step in which a run ended. STUCK: where and how the history kept differs. FORCED: the step whose
choice is made anew, or -1; WANTED: a card that it shall pick, or -1. FOLLOWS: 1 if hidden
choices pick what takes the place of the cards, 0 if they pick the same cards. FREE: how many
choices are not seen whole. DRAWS: whether anything but shuffles is drawn. Then counters of
proposals and of steps run, room, and the offsets of the parts."""

WORD, CARD, SOURCE, TARGET, ANY_ORDER, EVENT_WORDS = range(6)
"""The words of an event: how the seat sees it; for a card that moves and is seen, its number plus
1, and its places; and whether it was dealt, where the order does not matter."""

PATTERN, SEEN, CHOICE, INDEX, NEW_CHOICE, NEW_INDEX, LOG_AT, SHUFFLE_AT, SEED, ROW_WORDS = range(10)
"""The words of a row: what the seat sees of the option; which picks it sees, bit by bit; the hidden
picks and the index of the option in the history, and in a proposal; the first event and the first
shuffle of the step; and the seed of its draws."""

MISSING = -2
"""What is met where no option is as the seat saw it."""

EVENTS_WORTH = 256
"""How many cards in place an event is worth that agrees."""

EVERY = -1
"""All picks are seen."""


@kernel
def trace_of(memory: Pointer) -> Pointer:
    """Return the trace of a context's memory."""
    return memory + memory[CHAINS]


@kernel
def row_of(trace: Pointer, step: int) -> Pointer:
    """Return the row of a step."""
    return trace + (trace[ROWS] + ROW_WORDS * step)


@kernel
def order_of(trace: Pointer, shuffle: int) -> Pointer:
    """Return the order of a shuffle."""
    return trace + (trace[ORDERS] + (engine.CARDS + 1) * shuffle)


@kernel
def frame_of(trace: Pointer, part: int, step: int) -> Pointer:
    """Return the board before a step, in one of the parts of frames."""
    return op.offset(trace + trace[part], engine.STATE_BYTES * step)


# What happens -------------------------------------------------------------------------------


@kernel
def happened(
    trace: Pointer, word: int, card: int, source: int, target: int, dealt: int, met: int
) -> None:
    """Write an event down, or compare it with the next of the log; `met` is the card that moved."""
    at = trace[AT]
    event = trace + (trace[LOG] + EVENT_WORDS * at)
    if trace[NOTING] != 0:
        if at < trace[EVENT_ROOM]:
            event[WORD] = word
            event[CARD] = card
            event[SOURCE] = source
            event[TARGET] = target
            event[ANY_ORDER] = dealt
        trace[AT] = at + 1
    elif trace[DIFFERS] == 0:
        if at < trace[EVENTS] and event[WORD] == word:
            trace[AT] = at + 1
        else:
            trace[DIFFERS] = 1
            trace[MET] = met
            trace[MET_SOURCE] = source


@kernel
def _public(context: Context, word: int) -> None:
    memory = context.extra
    if memory[ACTIVE] != 0:
        happened(trace_of(memory), word, 0, -1, -1, 0, -1)


@kernel
def _seen_between(board: Board, trace: Pointer, left: int, right: int) -> bool:
    seat = trace[SEAT]
    return witnesses(board, left, seat) or witnesses(board, right, seat)


@kernel
def saw_move(board: Board, context: Context, card: int, source: int, target: int) -> None:
    """A card has gone from one location to another."""
    memory = context.extra
    if memory[ACTIVE] != 0:
        trace = trace_of(memory)
        event = event_between(board, MOVE, source, target)
        dealt = int(source + 1 == engine.DEALT and target < engine.UNORDERED)
        if _seen_between(board, trace, source, target):
            happened(trace, joined(event, card + 1), card + 1, source, target, dealt, card)
        else:
            happened(trace, joined(event, back_word(card)), 0, source, target, dealt, card)


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
        trace = trace_of(memory)
        event = event_between(board, SWAP, left, right)
        if _seen_between(board, trace, left, right):
            event = joined(joined(event, card + 1), other + 1)
        else:
            event = joined(joined(event, back_word(card)), back_word(other))
        happened(trace, event, 0, -1, -1, 0, -1)


@kernel
def saw_exchange(board: Board, context: Context, left: int, right: int) -> None:
    """Two locations are about to exchange their cards."""
    memory = context.extra
    if memory[ACTIVE] != 0:
        trace = trace_of(memory)
        event = event_between(board, EXCHANGE, left, right)
        if _seen_between(board, trace, left, right):
            event = cards_word(board, right, cards_word(board, left, event))
        happened(trace, event, 0, -1, -1, 0, -1)


@kernel
def saw_shuffle(board: Board, context: Context, slot: int) -> None:
    """A location has been shuffled: its order becomes that of the history."""
    memory = context.extra
    if memory[ACTIVE] != 0 and size(board, slot) > 0:
        trace = trace_of(memory)
        if trace[NOTING] != 0:
            note_shuffle(board, trace, slot)
        else:
            impose(board, trace, slot)
        event = joined(SHUFFLE, place_word(board, slot))
        if witnesses(board, slot, trace[SEAT]):
            event = cards_word(board, slot, event)
        happened(trace, event, 0, -1, -1, 0, -1)


@kernel
def note_shuffle(board: Board, trace: Pointer, slot: int) -> None:
    """Count a shuffle, and note whether all cards that the seat does not see are in it."""
    trace[SHUFFLED] += 1
    slots = trace + trace[PLACES]
    count = hidden_slots(board, trace[SEAT], slots)
    if count == 1 and slots[0] == slot:
        trace[WHOLE] = 1


@kernel
def impose(board: Board, trace: Pointer, slot: int) -> None:
    """Lay the cards of a pile in the order of the history.

    Where it has none, or one of other cards, the order stays in a search, and becomes part of the
    history; otherwise it differs.
    """
    shuffle = trace[SHUFFLED]
    if shuffle >= trace[ORDER_ROOM]:
        trace[DIFFERS] = 1
        return
    trace[SHUFFLED] = shuffle + 1
    order = order_of(trace, shuffle)
    count = size(board, slot)
    same = order[0] == count
    for i in range(count):
        same = same and holder_slot(board, order[1 + i]) == slot
    if same:
        if count > 1:
            for i in range(count):
                board.card[slot, i] = order[1 + i]
    elif trace[SEARCHING] != 0:
        order[0] = count
        for i in range(count):
            order[1 + i] = card_lying(board, slot, i)
    elif trace[DIFFERS] == 0:
        trace[DIFFERS] = 1
        trace[MET] = -1


@kernel
def saw_reference(board: Board, context: Context, event: int, slot: int, card: int) -> None:
    """A reference to a card was put into a memory location or taken out, which all see."""
    _public(context, joined(joined(event, place_word(board, slot)), card))


@kernel
def saw_stored(context: Context, storage: int, cell: int, value: int) -> None:
    """A value was stored, which all see."""
    _public(context, joined(joined(joined(STORE, storage), cell), value))


@kernel
def saw_turn(context: Context, event: int, seat: int) -> None:
    """A player has become current, or is queued, which all see."""
    _public(context, joined(event, seat))


INSTEAD = (
    saw_move, saw_deal, saw_swap, saw_exchange, saw_shuffle, saw_reference, saw_stored, saw_turn,
)  # fmt: skip
"""What rules call in place of the kernels of the same names."""


# Steps --------------------------------------------------------------------------------------


@kernel
def until_decision(board: Board, context: Context) -> int:
    """Run to the next decision or to the end; returns 1 or 0, or -1 for a fault."""
    memory: Pointer = context.extra
    memory[ACTIVE] = 1
    found = engine.arrive(board, context)
    memory[ACTIVE] = 0
    if found < 0:
        return -1
    word = joined(DECIDES, engine.player(board)) if found > 0 else END
    if found == 0:
        ends = information.pick_words(memory)
        if engine.scores(board, context, ends) < 0:
            return -1
        for seat in range(engine.PLAYERS):
            word = joined(word, ends[seat])
    happened(trace_of(memory), word, 0, -1, -1, 0, -1)
    return found


@kernel
def carry_on(board: Board, context: Context, row: Pointer, index: int) -> int:
    """Carry out an option, and run on; the row is noted if the true game is."""
    memory: Pointer = context.extra
    trace = trace_of(memory)
    form = picks.choice_row(context, board.pc)
    option = picks.option_at(context, form, index)
    mover = engine.player(board)
    information.look_at_picks(board, context, form, option)
    memory[ACTIVE] = 1
    done = engine.carry_out(board, context, index)
    memory[ACTIVE] = 0
    if done < 0:
        return -1
    seat = trace[SEAT]
    word = information.decision_word(board, context, form, option, mover, seat)
    happened(trace, word, 0, -1, -1, 0, -1)
    if trace[NOTING] != 0:
        seen = 0
        hidden = 0
        for i in range(picks.pick_count(context, form, option)):
            known = True
            for j in range(picks.cards_in_pick(context, form, option, i)):
                card = picks.card_in_pick(context, form, option, i, j)
                known = known and information.saw(board, memory, card, seat)
            if known:
                seen |= 1 << i
            else:
                hidden = 1
        row[SEEN] = seen if hidden != 0 else EVERY
        row[PATTERN] = pattern_of(board, context, form, option, mover, row[SEEN], 1)
    return until_decision(board, context)


@kernel
def pattern_of(
    board: Board, context: Context, form: Pointer, option: Pointer, mover: int, seen: int,
    looked: int,
) -> int:  # fmt: skip
    """Return a hash of what a seat sees of an option, by which of its picks it sees.

    After the option is carried out, what was `looked` at before counts.
    """
    memory: Pointer = context.extra
    key = joined(DECISION, option[0])
    for i in range(picks.pick_count(context, form, option)):
        pick = picks.pick_at(form, option, i)
        sort = picks.pick_sort(context, form, option, i)
        count = picks.cards_in_pick(context, form, option, i)
        value = pick[0]
        if seen >> i & 1 != 0:
            if sort == picks.GROUP:
                value = joined(0, count)
                for j in range(count):
                    value = joined(value, picks.card_in_pick(context, form, option, i, j))
            elif sort == picks.PLACE and looked != 0:
                value = information.pick_words(memory)[i]
            elif sort == picks.PLACE:
                value = joined(PLACE_PICK, information.picked_place(board, context, value))
        else:
            blind = False
            for j in range(count):
                card = picks.card_in_pick(context, form, option, i, j)
                if looked != 0:
                    blind = blind or not information.saw_before(memory, card, mover)
                else:
                    blind = blind or not witnesses(board, holder_slot(board, card), mover)
            value = joined(UNSEEN_PICK, 1 + pick[1] if blind else 0)
        key = joined(key, value)
    return key


@kernel
def hidden_key(
    context: Context, trace: Pointer, form: Pointer, option: Pointer, seen: int, labels: int
) -> int:
    """Return a hash of the cards of the picks that a seat does not see.

    Each stands for the one that has its place by `labels`, the offset of a table, or for itself.
    """
    key = 1
    for i in range(picks.pick_count(context, form, option)):
        if seen >> i & 1 == 0:
            total = picks.cards_in_pick(context, form, option, i)
            for j in range(picks.cards_in_pick(context, form, option, i)):
                card = picks.card_in_pick(context, form, option, i, j)
                if labels > 0:
                    card = (trace + labels)[card]
                total = op.wrap(total + scattered(card + 1))
            key = joined(key, total)
    return key


@kernel
def choose_again(board: Board, context: Context, trace: Pointer, step: int, stream: Stream) -> int:
    """Return the option of a step: as the seat saw it, and else as in the history; -1 for none.

    What is not seen follows the cards. It is drawn where it is forced, and in a search also where
    there is no such option.
    """
    count = engine.advance(board, context)
    if count <= 0:
        return -1
    row = row_of(trace, step)
    form = picks.choice_row(context, board.pc)
    mover = engine.player(board)
    seen = row[SEEN]
    if seen == EVERY:
        last = row[INDEX]
        for i in range(-1, count):
            index = i if i >= 0 else last
            if index >= 0 and index < count:
                option = picks.option_at(context, form, index)
                if pattern_of(board, context, form, option, mover, seen, 0) == row[PATTERN]:
                    return index
        return -1
    drawn = -1
    fitting = 0
    for index in range(count):
        option = picks.option_at(context, form, index)
        if pattern_of(board, context, form, option, mover, seen, 0) == row[PATTERN]:
            key = hidden_key(context, trace, form, option, seen, trace[INVERSE] * trace[FOLLOWS])
            if step != trace[FORCED] and key == row[CHOICE]:
                return index
            if step == trace[FORCED] and key == key_of(trace[WANTED]):
                return index
            fitting += 1
            if (trace[SEARCHING] != 0 or step == trace[FORCED]) and below(stream, fitting) == 0:
                drawn = index
    return drawn


@kernel
def key_of(card: int) -> int:
    """Return the hash of one hidden pick of a card."""
    return joined(1, op.wrap(1 + scattered(card + 1)))


@kernel
def run_from(board: Board, context: Context, trace: Pointer, stream: Stream, first: int) -> int:
    """Play the history from a step on, to where it differs or to its end.

    Returns how many events agree.
    """
    op.copy(op.pointer_to(board), frame_of(trace, FRAMES, first), engine.STATE_BYTES)
    start = row_of(trace, first)
    trace[AT] = start[LOG_AT]
    trace[SHUFFLED] = start[SHUFFLE_AT]
    trace[DIFFERS] = 0
    trace[MET] = -1
    step = first
    while step < trace[STEPS] and trace[DIFFERS] == 0:
        play_step(board, context, trace, stream, step)
        trace[RUN] += 1
        if trace[DIFFERS] == 0:
            step += 1
            op.copy(frame_of(trace, FRESH, step), op.pointer_to(board), engine.STATE_BYTES)
    if trace[DIFFERS] == 0 and engine.advance(board, context) < 0:
        trace[DIFFERS] = 1  # where the options would break a rule, play has not come to them
        trace[MET] = -1
        step -= 1
    trace[REACHED] = step
    return trace[AT]


@kernel
def play_step(board: Board, context: Context, trace: Pointer, stream: Stream, step: int) -> None:
    """Play a step of the history; it differs where it has other events, more or fewer."""
    row = row_of(trace, step)
    seed_stream(op.like(stream, board), row[SEED])
    row[NEW_INDEX] = row[INDEX]
    row[NEW_CHOICE] = row[CHOICE]
    found = -1
    if step == 0 and trace[BEGINS] != 0:
        found = until_decision(board, context)
    else:
        index = row[INDEX]
        if step == 0:
            if engine.advance(board, context) <= index:
                index = -1
        else:
            index = choose_again(board, context, trace, step, stream)
        if index < 0:
            trace[DIFFERS] = 1
            trace[MET] = MISSING
            return
        row[NEW_INDEX] = index
        if row[SEEN] != EVERY:
            form = picks.choice_row(context, board.pc)
            option = picks.option_at(context, form, index)
            row[NEW_CHOICE] = hidden_key(context, trace, form, option, row[SEEN], 0)
        found = carry_on(board, context, row, index)
    following = row_of(trace, step + 1)
    if trace[DIFFERS] == 0 and (found < 0 or trace[AT] != following[LOG_AT]):
        trace[DIFFERS] = 1
        trace[MET] = -1


@kernel
def keep(trace: Pointer, first: int) -> None:
    """Keep what was run from a step on as the history."""
    reached = trace[REACHED]
    if reached > first:
        count = engine.STATE_BYTES * (reached - first)
        op.copy(frame_of(trace, FRAMES, first + 1), frame_of(trace, FRESH, first + 1), count)
    for step in range(first, min(reached + 1, trace[STEPS])):
        row = row_of(trace, step)
        row[INDEX] = row[NEW_INDEX]
        row[CHOICE] = row[NEW_CHOICE]


@kernel
def step_of(trace: Pointer, shuffle: int) -> int:
    """Return the step in which a shuffle happens."""
    step = trace[STEPS] - 1
    while step > 0 and row_of(trace, step)[SHUFFLE_AT] > shuffle:
        step -= 1
    return step


# Cards that change places -------------------------------------------------------------------


@kernel
def holds(order: Pointer, card: int) -> bool:
    """Return whether a card was shuffled."""
    for i in range(order[0]):
        if order[1 + i] == card:
            return True
    return False


@kernel
def last_with(trace: Pointer, left: int, right: int, end: int, passed: int) -> int:
    """Return the last shuffle before an end that has both cards, but for some; -1 for none."""
    shuffle = end - 1
    while shuffle >= 0:
        order = order_of(trace, shuffle)
        if holds(order, left) and holds(order, right):
            if passed == 0:
                return shuffle
            passed -= 1
        shuffle -= 1
    return -1


@kernel
def label(trace: Pointer, card: int, other: int) -> None:
    """Let a card be put in the place of another."""
    (trace + trace[PERMUTED])[card] = other
    (trace + trace[INVERSE])[other] = card


@kernel
def relabel(trace: Pointer, shuffle: int, labels: int) -> None:
    """Put cards in the places of others in the orders of a shuffle and of all later ones."""
    for at in range(shuffle, trace[ORDER_ROOM]):
        order = order_of(trace, at)
        for i in range(order[0]):
            order[1 + i] = (trace + trace[labels])[order[1 + i]]


@kernel
def unlabel(trace: Pointer) -> None:
    """Let every card have its own place."""
    for card in range(engine.CARDS):
        label(trace, card, card)


@kernel
def any_hidden(board: Board, trace: Pointer, stream: Stream) -> int:
    """Draw a place that the seat does not see, and a card there."""
    slots = trace + trace[PLACES]
    slot = slots[below(stream, trace[WHOLE])]
    return card_lying(board, slot, below(stream, size(board, slot)))


@kernel
def any_of(board: Board, trace: Pointer, stream: Stream, seat: int) -> int:
    """Draw a card that the seat does not see; half of the time one of a player, if it has any."""
    slots = trace + trace[PLACES]
    found = -1
    if below(stream, 2) == 0:
        many = 0
        for i in range(trace[WHOLE]):
            if engine.slot_owner(board, slots[i]) == seat:
                many += 1
                if below(stream, many) == 0:
                    found = slots[i]
    if found < 0:
        return any_hidden(board, trace, stream)
    return card_lying(board, found, below(stream, size(board, found)))


# A first history ----------------------------------------------------------------------------


@kernel
def misplaced(board: Board, trace: Pointer, stream: Stream, at: int, step: int) -> Pointer:
    """Return a random event of a step in which a card moves that the seat sees, but is elsewhere.

    It is a move from where the seat does not see cards. Without one, some event is returned.
    """
    end = row_of(trace, step + 1)[LOG_AT]
    found = trace + (trace[LOG] + EVENT_WORDS * at)
    many = 0
    for i in range(at, end):
        event = trace + (trace[LOG] + EVENT_WORDS * i)
        if event[CARD] > 0 and not witnesses(board, event[SOURCE], trace[SEAT]):
            if not at_hand(board, event):
                many += 1
                if below(stream, many) == 0:
                    found = event
    return found


@kernel
def comes_from(trace: Pointer, step: int, slot: int) -> int:
    """Return from where a step moves a card to a place in secret, or else the place."""
    for i in range(row_of(trace, step)[LOG_AT], row_of(trace, step + 1)[LOG_AT]):
        event = trace + (trace[LOG] + EVENT_WORDS * i)
        if event[CARD] == 0 and event[SOURCE] >= 0 and event[TARGET] == slot:
            return event[SOURCE]
    return slot


@kernel
def at_hand(board: Board, event: Pointer) -> bool:
    """Return whether a card lies where it will move from, on top where cards have an order."""
    card = event[CARD] - 1
    slot = event[SOURCE]
    if holder_slot(board, card) != slot:
        return False
    return slot < engine.UNORDERED or card_lying(board, slot, size(board, slot) - 1) == card


@kernel
def merit_of(board: Board, trace: Pointer, agreed: int) -> int:
    """Return how good a history is: by the events that agree, and then by the cards in place.

    These are cards that the seat sees move in a step of which no option is as it saw it.
    """
    place = EVENTS_WORTH - 1
    if trace[DIFFERS] != 0 and trace[MET] == MISSING:
        place = 0
        step = trace[REACHED]
        end = row_of(trace, step + 1)[LOG_AT]
        for i in range(agreed, end):
            event = trace + (trace[LOG] + EVENT_WORDS * i)
            if event[CARD] > 0 and holder_slot(board, event[CARD] - 1) == event[SOURCE]:
                place += 1
    return agreed * EVENTS_WORTH + min(place, EVENTS_WORTH - 1)


@kernel
def mend(board: Board, trace: Pointer, stream: Stream) -> int:
    """Draw two cards to exchange where the history differs, and return the shuffle; -1 for none.

    The board is the one before the step in which it differs. A card that may have come to the
    player is wanted there.
    """
    trace[WANTED] = -1
    at = trace[STUCK_AT]
    met = trace[STUCK_MET]
    left = -1
    right = -1
    if below(stream, 4) > 0:
        event = trace + (trace[LOG] + EVENT_WORDS * at)
        if met == MISSING or (met < 0 and below(stream, 2) == 0):
            event = misplaced(board, trace, stream, at, trace[STUCK_STEP])
            slot = event[SOURCE]
            if below(stream, 2) == 0:
                slot = comes_from(trace, trace[STUCK_STEP], slot)
            if event[CARD] > 0 and size(board, slot) > 0:
                left = event[CARD] - 1
                right = card_lying(board, slot, below(stream, size(board, slot)))
                if slot >= engine.UNORDERED and below(stream, 2) == 0:
                    right = card_lying(board, slot, size(board, slot) - 1)
        elif met >= 0 and at < trace[EVENTS]:
            if event[CARD] == 0:
                left = met
            elif event[SOURCE] == trace[STUCK_SOURCE]:
                left = event[CARD] - 1
                right = met
    if right < 0 or left == right:
        trace[WHOLE] = hidden_slots(board, trace[SEAT], trace + trace[PLACES])
        if trace[WHOLE] == 0:
            return -1
        if left < 0 or right >= 0:
            left = any_of(board, trace, stream, engine.player(board))
        right = any_hidden(board, trace, stream)
        trace[WANTED] = right
    if left == right or engine.back(left) != engine.back(right):
        return -1
    shuffle = last_with(trace, left, right, trace[ORDER_ROOM], 0)
    if shuffle >= 0:
        label(trace, left, right)
        label(trace, right, left)
    return shuffle


@kernel
def picked_at(trace: Pointer, card: int) -> int:
    """Return the last hidden choice that picks a card before the history differs; 0 for none."""
    step = min(trace[STUCK_STEP], trace[STEPS] - 1)
    while step > 0 and not (
        row_of(trace, step)[SEEN] != EVERY and row_of(trace, step)[CHOICE] == key_of(card)
    ):
        step -= 1
    return max(step, 0)


@kernel
def choose_otherwise(board: Board, trace: Pointer, stream: Stream) -> int:
    """Draw a hidden choice up to where the history differs, often the last; 0 for none.

    Half of the time it is the one that has picked the card that moved instead of another, which
    shall be picked; or the one that has picked the other.
    """
    trace[WANTED] = -1
    at = trace[STUCK_AT]
    if below(stream, 2) == 0 and at < trace[EVENTS]:
        event = trace + (trace[LOG] + EVENT_WORDS * at)
        if trace[STUCK_MET] == MISSING:
            event = misplaced(board, trace, stream, at, trace[STUCK_STEP])
        card = event[CARD] - 1
        if card >= 0:
            if trace[STUCK_MET] >= 0:
                made = picked_at(trace, trace[STUCK_MET])
                if made > 0:
                    trace[WANTED] = card
                    return made
            made = picked_at(trace, card)
            if made > 0:
                return made
    found = 0
    many = 0
    last = below(stream, 2)
    for step in range(1, min(trace[STUCK_STEP] + 1, trace[STEPS])):
        if row_of(trace, step)[SEEN] != EVERY:
            many += 1
            if last != 0 or below(stream, many) == 0:
                found = step
    return found


@kernel
def stick(trace: Pointer) -> None:
    """Note where and how the history that is kept differs."""
    trace[STUCK_AT] = trace[AT]
    trace[STUCK_STEP] = trace[REACHED]
    trace[STUCK_MET] = trace[MET]
    trace[STUCK_SOURCE] = trace[MET_SOURCE]


@kernel(exported=True)
def cw_history_find(
    board: Board, context: Context, forms: Pointer, stream: Stream, tries: int
) -> int:
    """Search a history that agrees, from a new order; return 1 if there is one, else 0."""
    context.forms = forms
    trace = trace_of(context.extra)
    trace[NOTING] = 0
    trace[SEARCHING] = 1
    trace[FORCED] = -1
    trace[WANTED] = -1
    trace[FOLLOWS] = 1
    for shuffle in range(trace[ORDER_ROOM]):
        order_of(trace, shuffle)[0] = 0
    for step in range(trace[STEPS]):
        row_of(trace, step)[SEED] = next_bits(stream)
        row_of(trace, step)[CHOICE] = 0
    unlabel(trace)
    agreed = merit_of(board, trace, run_from(board, context, trace, stream, 0))
    differs = trace[DIFFERS]
    keep(trace, 0)
    stick(trace)
    words = 8 * (engine.CARDS + 1) * trace[ORDER_ROOM]
    while differs != 0 and tries > 0:
        tries -= 1
        there = frame_of(trace, FRAMES, trace[STUCK_STEP])
        op.copy(op.pointer_to(board), there, engine.STATE_BYTES)
        first = -1
        shuffle = -1
        drawn = -1
        seed = 0
        stuck = min(trace[STUCK_STEP], trace[STEPS] - 1)
        trace[FORCED] = -1
        if trace[DRAWS] > 0 and below(stream, 4) == 0:
            drawn = stuck if below(stream, 2) == 0 else below(stream, stuck + 1)
            seed = row_of(trace, drawn)[SEED]
            row_of(trace, drawn)[SEED] = next_bits(stream)
            first = drawn
        elif trace[FREE] > 0 and below(stream, 4) == 0:
            first = choose_otherwise(board, trace, stream)
            trace[FORCED] = first
        if drawn < 0 and first <= 0:
            first = -1
            shuffle = mend(board, trace, stream)
            if row_of(trace, stuck)[SEEN] != EVERY and below(stream, 2) == 0:
                trace[FORCED] = stuck
        if shuffle >= 0:
            first = step_of(trace, shuffle)
        if first >= 0:
            op.copy(trace + trace[BEFORE], trace + trace[ORDERS], words)
            if shuffle >= 0:
                relabel(trace, shuffle, PERMUTED)
            reached = merit_of(board, trace, run_from(board, context, trace, stream, first))
            if trace[DIFFERS] == 0 or reached >= agreed:
                agreed = reached
                differs = trace[DIFFERS]
                keep(trace, first)
                stick(trace)
            else:
                op.copy(trace + trace[ORDERS], trace + trace[BEFORE], words)
                if drawn >= 0:
                    row_of(trace, drawn)[SEED] = seed
            unlabel(trace)
    trace[SEARCHING] = 0
    trace[WANTED] = -1
    return 1 - differs


# The chain ----------------------------------------------------------------------------------

SORTS = 16
"""Sorts of proposals are drawn by sixteenths: hidden choices, draws, permutations, any two cards of
a shuffle; the rest exchange cards that are hidden now."""

CHOICES, REDRAWN, PERMUTATIONS, ANY_TWO = 4, 6, 8, 9


@kernel
def slot_size(board: Board, card: int) -> int:
    """Return how many cards lie where a card does."""
    return size(board, holder_slot(board, card))


@kernel
def exchange_hidden(board: Board, trace: Pointer, stream: Stream) -> int:
    """Propose to exchange two cards that are hidden now; return the shuffle, or -1."""
    left = any_hidden(board, trace, stream)
    right = any_hidden(board, trace, stream)
    return exchange_from(trace, stream, left, right)


@kernel
def exchange_from(trace: Pointer, stream: Stream, left: int, right: int) -> int:
    """Propose to exchange two cards from the last shuffle on that has both, or an earlier one."""
    passed = op.lowest_one(next_bits(stream) & 7 | 8)
    if left == right or engine.back(left) != engine.back(right):
        return -1
    shuffle = last_with(trace, left, right, trace[ORDER_ROOM], passed)
    if shuffle >= 0:
        label(trace, left, right)
        label(trace, right, left)
    return shuffle


@kernel
def permute_hidden(board: Board, trace: Pointer, stream: Stream) -> int:
    """Propose to permute the cards of a hidden place, from the last shuffle of all on; or -1."""
    slots = trace + trace[PLACES]
    slot = slots[below(stream, trace[WHOLE])]
    count = size(board, slot)
    if count < 2:
        return -1
    shuffle = trace[ORDER_ROOM] - 1
    while shuffle >= 0:
        order = order_of(trace, shuffle)
        every = True
        for i in range(count):
            every = every and holds(order, card_lying(board, slot, i))
        if every:
            i = count - 1
            while i > 0:
                j = below(stream, i + 1)
                high = card_lying(board, slot, i)
                low = card_lying(board, slot, j)
                if engine.back(high) == engine.back(low):
                    held = (trace + trace[PERMUTED])[high]
                    label(trace, high, (trace + trace[PERMUTED])[low])
                    label(trace, low, held)
                i -= 1
            return shuffle
        shuffle -= 1
    return -1


@kernel
def fair(before: Pointer, board: Board, trace: Pointer, stream: Stream) -> bool:
    """Return whether to accept a proposal that agrees, by how likely it was and its reverse.

    Two hidden cards are drawn by their places, and the cards of a place have to stay in it.
    """
    old = op.like(board, before)
    above = 1
    under = 1
    moved = 0
    for card in range(engine.CARDS):
        if (trace + trace[PERMUTED])[card] != card:
            moved += 1
            if moved <= 2:
                above = above * slot_size(old, card)
                under = under * slot_size(board, card)
    if moved > 2:
        for card in range(engine.CARDS):
            if (trace + trace[PERMUTED])[card] != card and (
                holder_slot(old, card) != holder_slot(board, card)
            ):
                return False
        return True
    return above >= under or below(stream, under) < above


@kernel
def propose(board: Board, context: Context, trace: Pointer, stream: Stream) -> int:
    """Make a proposal, and return 1 if it is accepted."""
    last = frame_of(trace, FRAMES, trace[STEPS])
    op.copy(op.pointer_to(board), last, engine.STATE_BYTES)
    trace[WHOLE] = hidden_slots(board, trace[SEAT], trace + trace[PLACES])
    trace[FORCED] = -1
    sort = below(stream, SORTS)
    shuffle = -1
    first = -1
    seed = 0
    by_place = 0
    if sort < CHOICES:
        if trace[FREE] > 0:
            left = below(stream, trace[FREE])
            first = 1
            while row_of(trace, first)[SEEN] == EVERY or left > 0:
                left -= int(row_of(trace, first)[SEEN] != EVERY)
                first += 1
            trace[FORCED] = first
    elif sort < REDRAWN:
        if trace[DRAWS] > 0:
            first = below(stream, trace[STEPS])
            seed = row_of(trace, first)[SEED]
            row_of(trace, first)[SEED] = next_bits(stream)
    elif sort < PERMUTATIONS:
        if trace[WHOLE] > 0:
            shuffle = permute_hidden(board, trace, stream)
            by_place = 1
    elif sort < ANY_TWO and trace[ORDER_ROOM] > 0:
        order = order_of(trace, below(stream, trace[ORDER_ROOM]))
        if order[0] > 0:
            left = order[1 + below(stream, order[0])]
            right = order[1 + below(stream, order[0])]
            shuffle = exchange_from(trace, stream, left, right)
    elif trace[WHOLE] > 0:
        shuffle = exchange_hidden(board, trace, stream)
        by_place = 1
    if shuffle >= 0:
        first = step_of(trace, shuffle)
        relabel(trace, shuffle, PERMUTED)
        if trace[FREE] > 0:
            trace[FOLLOWS] = below(stream, 2)
    if first < 0:
        return 0
    trace[PROPOSED] += 1
    run_from(board, context, trace, stream, first)
    accepted = trace[DIFFERS] == 0
    if accepted and by_place != 0:
        accepted = fair(last, board, trace, stream)
    if accepted:
        keep(trace, first)
        trace[ACCEPTED] += 1
    elif sort < CHOICES:
        pass
    elif sort < REDRAWN:
        row_of(trace, first)[SEED] = seed
    else:
        relabel(trace, shuffle, INVERSE)
    if shuffle >= 0:
        unlabel(trace)
    return int(accepted)


@kernel(exported=True)
def cw_history_next(
    board: Board, context: Context, forms: Pointer, stream: Stream, count: int, steps: int
) -> int:
    """Make a number of proposals, lay the world of the history, and return how many were accepted.

    No further ones are made once they have played so many steps. The board gets a new random stream
    of its own.
    """
    context.forms = forms
    trace = trace_of(context.extra)
    accepted = 0
    end = trace[RUN] + steps
    while count > 0 and trace[RUN] < end:
        accepted += propose(board, context, trace, stream)
        count -= 1
    op.copy(op.pointer_to(board), frame_of(trace, FRAMES, trace[STEPS]), engine.STATE_BYTES)
    seed_stream(op.like(stream, board), next_bits(stream))
    return accepted


# Hidden choices that are made otherwise ------------------------------------------------------


@kernel
def chosen_otherwise(
    board: Board, context: Context, trace: Pointer, stream: Stream, step: int, index: int
) -> bool:
    """Play the history with another option of a hidden choice; return whether it then agrees."""
    op.copy(op.pointer_to(board), frame_of(trace, FRAMES, step), engine.STATE_BYTES)
    row = row_of(trace, step)
    if index >= engine.advance(board, context):
        return False
    form = picks.choice_row(context, board.pc)
    option = picks.option_at(context, form, index)
    seen = row[SEEN]
    if pattern_of(board, context, form, option, engine.player(board), seen, 0) != row[PATTERN]:
        return False
    held = row[CHOICE]
    row[CHOICE] = hidden_key(context, trace, form, option, seen, 0)
    trace[FORCED] = -1
    trace[FOLLOWS] = 0
    run_from(board, context, trace, stream, step)
    row[CHOICE] = held
    return trace[DIFFERS] == 0


@kernel(exported=True)
def cw_history_choices(
    board: Board, context: Context, forms: Pointer, stream: Stream, step: int, count: int,
    out: Pointer,
) -> int:  # fmt: skip
    """Say for each of so many options of a hidden choice whether the history agrees with it."""
    context.forms = forms
    trace = trace_of(context.extra)
    for index in range(count):
        out[index] = int(chosen_otherwise(board, context, trace, stream, step, index))
    return 0


@kernel(exported=True)
def cw_history_choose(
    board: Board, context: Context, forms: Pointer, stream: Stream, step: int, index: int
) -> int:
    """Make a hidden choice otherwise, so that the history still agrees; the board is its world."""
    context.forms = forms
    trace = trace_of(context.extra)
    done = int(chosen_otherwise(board, context, trace, stream, step, index))
    if done != 0:
        keep(trace, step)
    return done


# The true game ------------------------------------------------------------------------------


@kernel(exported=True)
def cw_history_note(
    board: Board, context: Context, forms: Pointer, seed: int, choices: Pointer, count: int
) -> int:
    """Play a game from its seed by its choices, and note what the seat sees; -1 for a fault.

    The first frame becomes the board before the last step in which all that the seat does not see
    was shuffled: what it did not see before has no effect on what comes then.
    """
    context.forms = forms
    memory = context.extra
    trace = trace_of(memory)
    trace[NOTING] = 1
    trace[AT] = 0
    trace[SHUFFLED] = 0
    trace[FIRST] = 0
    memory[ACTIVE] = 0
    if engine.start(board, context, seed) < 0:
        return -1
    op.copy(frame_of(trace, FRAMES, 0), op.pointer_to(board), engine.STATE_BYTES)
    for step in range(count + 1):
        row = row_of(trace, step)
        row[LOG_AT] = trace[AT]
        row[SHUFFLE_AT] = trace[SHUFFLED]
        row[SEEN] = EVERY
        op.copy(frame_of(trace, FRESH, 0), op.pointer_to(board), engine.STATE_BYTES)
        trace[WHOLE] = 0
        if step == 0:
            if until_decision(board, context) < 0:
                return -1
        else:
            if not op.unsigned_less(choices[step - 1], engine.advance(board, context)):
                return -1
            row[INDEX] = choices[step - 1]
            if carry_on(board, context, row, row[INDEX]) < 0:
                return -1
        if trace[WHOLE] != 0:
            trace[FIRST] = step
            from_there = frame_of(trace, FRESH, 0)
            op.copy(frame_of(trace, FRAMES, 0), from_there, engine.STATE_BYTES)
    end = row_of(trace, count + 1)
    end[LOG_AT] = trace[AT]
    end[SHUFFLE_AT] = trace[SHUFFLED]
    return 0

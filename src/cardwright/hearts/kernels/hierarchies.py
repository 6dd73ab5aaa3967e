"""Whole games of Hearts between hierarchies and random players, and their choices in batches.

Every choice is the one that `cardwright.hearts.hierarchy` makes with a stream for each decision
(`Stream.of_decision`); in batches each seat of each game has its stream. A player is stored in the
`extra` memory as words: its kind and the offsets of its lists from the start of that memory, 0 for
a random choice. The counts of a game are words: the tricks of all seats, the deals in which each
took the queen, those in which it took all penalty cards, and the number of deals.
"""

from __future__ import annotations

from cardwright.compiler import intrinsics as op
from cardwright.compiler.kernel import kernel
from cardwright.compiler.kernels import engine, stream as rng
from cardwright.compiler.kernels.batches import OPTIONS, PLAYER, board_of, note_of
from cardwright.compiler.kernels.engine import Board, Context, Pointer, Stream
from cardwright.compiler.kernels.locations import card_lying, size
from cardwright.hearts.kernels import hierarchy_table as facts
from cardwright.hearts.kernels.selectors import STEP_WORDS, selected

OPTION_BYTES = 24
"""An option to play a card has three words: its branch, the card it picks, and its ordinal."""


@kernel
def picked_number(context: Context, extra: Pointer, index: int) -> int:
    """Return the card that an option plays."""
    return facts.card_number(extra, op.offset(context.options, OPTION_BYTES * index + 8)[0])


@kernel
def note_card(board: Board, context: Context, counts: Pointer, index: int) -> None:
    """Count the trick for its winner, if the chosen option completes it."""
    extra = context.extra
    seat = engine.player(board)
    if board.pc != extra[facts.PLAY]:
        return
    if size(board, facts.slot_of(extra, facts.TRICKS, (seat + 1) % engine.PLAYERS)) == 0:
        return
    # The next seat has led, and this one is the last.
    best = facts.card_number(
        extra, card_lying(board, facts.slot_of(extra, facts.TRICKS, (seat + 1) % engine.PLAYERS), 0)
    )
    led = facts.suit_set(best)
    winner = (seat + 1) % engine.PLAYERS
    trick = 1 << best
    for step in range(2, engine.PLAYERS + 1):
        number = picked_number(context, extra, index)
        if step < engine.PLAYERS:
            slot = facts.slot_of(extra, facts.TRICKS, (seat + step) % engine.PLAYERS)
            number = facts.card_number(extra, card_lying(board, slot, 0))
        trick = trick | 1 << number
        if 1 << number & led != 0 and number > best:
            best = number
            winner = (seat + step) % engine.PLAYERS
    counts[winner] += 1
    if size(board, facts.slot_of(extra, facts.HANDS, seat)) == 1:
        note_deal(board, extra, counts, winner, trick)


@kernel
def note_deal(board: Board, extra: Pointer, counts: Pointer, winner: int, trick: int) -> None:
    """Count a finished deal, and who took its queen and who all its penalty cards."""
    penalties = extra[facts.PENALTIES] & ~facts.pile_set(board, extra, extra[facts.REMOVED])
    to = extra[facts.WIDOW_TO]
    last = trick
    if to == facts.A_TRICK or (to == facts.A_HEART and trick & facts.HEART_SUIT != 0):
        last = last | facts.pile_set(board, extra, extra[facts.WIDOW])
    for seat in range(engine.PLAYERS):
        taken = facts.pile_set(board, extra, facts.slot_of(extra, facts.WON, seat))
        taken = taken | facts.pile_set(board, extra, facts.slot_of(extra, facts.ASIDE, seat))
        if seat == winner:
            taken = taken | last
        if taken & extra[facts.QUEEN] != 0:
            counts[engine.PLAYERS + seat] += 1
        if penalties != 0 and penalties & ~taken == 0:
            counts[2 * engine.PLAYERS + seat] += 1
    counts[3 * engine.PLAYERS] += 1


RANDOM, LISTED = range(2)
"""The first word of a player: whether it has lists."""

PASS_LIST, FIRST_LIST, SECOND_LIST, DISCARDS, PLAYER_WORDS = 1, 2, 3, 6, 9
"""Words of a player: its lists, those of the third and last position after that of the second; the
lists for discarding follow in the same order, already resolved."""

FILTERS, TIE, STEPS, LIST_WORDS = range(4)
"""Words of a list: whether it filters, its tie rule, and its number of steps, which follow."""

TIE_LOW, TIE_HIGH, TIE_RANDOM = range(3)

BROKE = -1
CALL = -2
"""Stands for a choice that names no cards."""


# One decision ----------------------------------------------------------------------------------


@kernel
def order_options(context: Context, extra: Pointer, count: int) -> int:
    """Store the legal cards in the order of the options; return their set."""
    legal = 0
    for at in range(count):
        number = picked_number(context, extra, at)
        extra[facts.ORDERED + at] = number
        legal = legal | 1 << number
    return legal


@kernel
def order_hand(board: Board, extra: Pointer, seat: int) -> int:
    """Store the cards of a hand in its order, which that of the options to pass follows."""
    slot = facts.slot_of(extra, facts.HANDS, seat)
    for at in range(size(board, slot)):
        extra[facts.ORDERED + at] = facts.card_number(extra, card_lying(board, slot, at))
    return extra[facts.HAND]


@kernel
def left_to_pass(board: Board, extra: Pointer) -> int:
    """Return how many cards the passing seat still has to choose, this one included."""
    passes = extra[facts.PASSES]
    if extra[facts.PASSING] == facts.TOGETHER:
        return passes
    passed: int = board.integers[extra[facts.PASSED]]
    if extra[facts.PASSING] == facts.SINGLY:
        return passes - passed % passes
    return passes - passed // engine.PLAYERS


@kernel
def list_for(extra: Pointer, listed_player: Pointer) -> int:
    """Return the offset of the list for the decision; 0 for a random choice."""
    if extra[facts.KIND] != facts.PLAY:
        return listed_player[PASS_LIST]
    if extra[facts.TRICK] == 0:
        return listed_player[FIRST_LIST]
    at = 2 if facts.is_last(extra) else min(extra[facts.POSITION], 2) - 1
    if extra[facts.HAND] & extra[facts.LED] == 0:
        at += DISCARDS - SECOND_LIST
    return listed_player[SECOND_LIST + at]


@kernel
def nth_of(extra: Pointer, cards: int, number: int) -> int:
    """Return a card of a set by its index from 0 in the stored order."""
    at = 0
    left = number
    while True:
        card = extra[facts.ORDERED + at]
        if cards & 1 << card != 0:
            if left == 0:
                return card
            left -= 1
        at += 1


@kernel
def next_card(board: Board, extra: Pointer, stream: Stream, listed_player: Pointer) -> int:
    """Return the card that a player chooses from those still allowed."""
    left = extra[facts.LEGAL]
    listed = list_for(extra, listed_player)
    tie = TIE_RANDOM
    if listed != 0:
        order = extra + listed
        tie = order[TIE]
        for at in range(order[STEPS]):
            step = order + (LIST_WORDS + STEP_WORDS * at)
            found = selected(board, extra, step, left)
            if found != 0:
                left = found
                if order[FILTERS] == 0:
                    break
    if tie == TIE_RANDOM:
        return nth_of(extra, left, rng.below(stream, op.count_ones(left)))
    return (
        op.lowest_one(facts.lowest_of(left))
        if tie == TIE_LOW
        else op.highest_one(facts.highest_of(left))
    )


@kernel
def _binomial(places: int, chosen: int) -> int:
    ways = 1
    for at in range(chosen):
        ways = ways * max(places - at, 0) // (at + 1)
    return ways


@kernel
def index_of(extra: Pointer, cards: int) -> int:
    """Return the option that chooses a set of cards; options go ab, ac, bc, ad, ... by place."""
    index = 0
    found = 0
    at = 0
    rest = cards
    while rest != 0:
        card = 1 << extra[facts.ORDERED + at]
        if rest & card != 0:
            rest = rest & ~card
            found += 1
            index += _binomial(at, found)
        at += 1
    return index


@kernel
def kind_of(board: Board, extra: Pointer) -> int:
    """Return the kind of the pending choice: PLAY, PASS, LAY, or CALL for all others."""
    if board.pc == extra[facts.PLAY]:
        return facts.PLAY
    if board.pc == extra[facts.PASS]:
        return facts.PASS
    return facts.LAY if board.pc == extra[facts.LAY] else CALL


@kernel
def listed_index(
    board: Board, context: Context, stream: Stream, listed_player: Pointer, count: int
) -> int:
    """Return the option that a player with lists chooses."""
    extra = context.extra
    kind = kind_of(board, extra)
    if kind == CALL:
        return 0
    seat = engine.player(board)
    facts.see(board, extra, seat, kind)
    if kind == facts.PLAY:
        extra[facts.LEGAL] = order_options(context, extra, count)
        return index_of(extra, 1 << next_card(board, extra, stream, listed_player))
    extra[facts.LEGAL] = order_hand(board, extra, seat)
    number = extra[facts.LAYS]
    extra[facts.TO_GO] = number
    if kind == facts.PASS:
        number = extra[facts.PASSES] if extra[facts.PASSING] == facts.TOGETHER else 1
        extra[facts.TO_GO] = left_to_pass(board, extra)
    chosen = 0
    for gone in range(number):
        extra[facts.GONE] = gone
        card = 1 << next_card(board, extra, stream, listed_player)
        chosen = chosen | card
        extra[facts.HAND] &= ~card
        extra[facts.LEGAL] = extra[facts.HAND]
        extra[facts.TO_GO] -= 1
        extra[facts.UNSEEN_READ] = 0
    return index_of(extra, chosen)


@kernel
def chosen_index(board: Board, context: Context, stream: Stream, table: Pointer, count: int) -> int:
    """Return the option that the deciding seat's player, by the table, chooses."""
    extra = context.extra
    seat = engine.player(board)
    made = extra[facts.MADE + seat]
    extra[facts.MADE + seat] = made + 1
    if count == 1:
        return 0
    rng.seed_stream(stream, rng.seat_seed(extra[facts.SEEDS + seat], made))
    listed_player = extra + table[seat]
    if listed_player[0] == RANDOM:
        return rng.below(stream, count)
    return listed_index(board, context, stream, listed_player, count)


# Games -----------------------------------------------------------------------------------------


@kernel(exported=True)
def cw_hearts_game(
    board: Board, context: Context, stream: Stream, seed: int, table: Pointer, counts: Pointer,
    choices: Pointer, room: int,
) -> int:  # fmt: skip
    """Play a game to its end; return the number of decisions, or BROKE.

    The first `room` choices are stored, 8 bytes each.
    """
    extra = context.extra
    extra[facts.DONE] = 0
    op.clear(counts, 8 * (3 * engine.PLAYERS + 1))
    if engine.start(board, context, seed) < 0:
        return BROKE
    for seat in range(engine.PLAYERS):
        rng.seed_stream(stream, rng.seat_seed(seed, seat))
        extra[facts.SEEDS + seat] = rng.next_bits(stream)
        extra[facts.MADE + seat] = 0
    while True:
        count = engine.advance(board, context)
        if count < 0:
            return BROKE
        done: int = extra[facts.DONE]
        if count == 0:
            return done
        index = chosen_index(board, context, stream, table, count)
        if done < room:
            choices[done] = index
        extra[facts.DONE] = done + 1
        note_card(board, context, counts, index)
        if engine.carry_out(board, context, index) < 0:
            return BROKE


@kernel(exported=True)
def cw_hearts_games(
    board: Board, context: Context, stream: Stream, seeds: Pointer, games: int, tables: Pointer,
    many: int, points: Pointer, counts: Pointer,
) -> int:  # fmt: skip
    """Play a game from each of `games` seeds at each of `many` tables; return how many ended.

    A table has, for each seat, the offset of its player in words of the `extra` memory. A game's
    scores go to `points`; the tricks, queens and moons of all seats and the number of deals go to
    `counts`; all have 8 bytes. A game that breaks a rule ends the call.
    """
    done = 0
    for game in range(games):
        for at in range(many):
            counted = counts + (3 * engine.PLAYERS + 1) * done
            table = tables + engine.PLAYERS * at
            seed = seeds[game]
            if cw_hearts_game(board, context, stream, seed, table, counted, counted, 0) < 0:
                return done
            if engine.scores(board, context, points + engine.PLAYERS * done) < 0:
                return done
            done += 1
    return done


@kernel(exported=True)
def cw_hearts_choices(
    boards: Board, context: Context, notes: Pointer, streams: Stream, table: Pointer,
    wanted: Pointer, choices: Pointer, count: int,
) -> int:  # fmt: skip
    """Write the option chosen in each of `count` games whose byte in `wanted` is not 0.

    Where none of these players decides, or none is wanted, -1 is written. The table has, for each
    seat, the offset of its player in words of the `extra` memory, or 0.
    """
    for game in range(count):
        note = note_of(notes, game)
        choice = -1
        if note[OPTIONS] != 0 and op.load(op.offset(wanted, game), 1) != 0:
            seat = note[PLAYER]
            place = table[seat]
            if place != 0:
                board = board_of(boards, game)
                options = engine.advance(board, context)
                own = op.offset(streams, rng.STREAM_BYTES * (engine.PLAYERS * game + seat))
                who = context.extra + place
                choice = listed_index(board, context, op.like(streams, own), who, options)
        choices[game] = choice
    return count

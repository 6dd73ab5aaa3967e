"""Whole games of Hearts between hierarchies and random players, with counts of what seats took.

Every choice is the one that `cardwright.hearts.hierarchy` makes with a stream for each decision
(`Stream.of_decision`). A player is stored in the `extra` memory as words: its kind and the offsets
of its lists from the start of that memory, 0 for a random choice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.compiler.intrinsics import (
    Pointer,
    clear,
    count_ones,
    highest_one,
    lowest_one,
    offset,
    store,
)
from cardwright.compiler.kernel import kernel
from cardwright.compiler.kernels.engine import advance, carry_out, player, scores, start
from cardwright.compiler.kernels.lists import put_word, word
from cardwright.compiler.kernels.locations import card_lying, size
from cardwright.compiler.kernels.stream import below, next_bits, seat_seed, seed_stream
from cardwright.hearts.kernels.hierarchy_counts import note_card, picked_number
from cardwright.hearts.kernels.hierarchy_rule import highest_of, lowest_of
from cardwright.hearts.kernels.hierarchy_steps import STEP_WORDS, selected
from cardwright.hearts.kernels.hierarchy_table import (
    DONE,
    GONE,
    HAND,
    KIND,
    LAY,
    LAYS,
    LED,
    LEGAL,
    MADE,
    ORDERED,
    PASS,
    PASSED,
    PASSES,
    PASSING,
    PLAY,
    POSITION,
    SEEDS,
    SINGLY,
    TO_GO,
    TOGETHER,
    TRICK,
    UNSEEN_READ,
    card_number,
    hand_slot,
    is_last,
    see,
)

if TYPE_CHECKING:
    from cardwright.compiler.kernels.types import Board, Context, Stream

PLAYERS = 1

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
        put_word(extra, ORDERED + at, number)
        legal = legal | 1 << number
    return legal


@kernel
def order_hand(board: Board, extra: Pointer, seat: int) -> int:
    """Store the cards of a hand in its order, which that of the options to pass follows."""
    slot = hand_slot(extra, seat)
    for at in range(size(board, slot)):
        put_word(extra, ORDERED + at, card_number(extra, card_lying(board, slot, at)))
    return word(extra, HAND)


@kernel
def left_to_pass(board: Board, extra: Pointer) -> int:
    """Return how many cards the passing seat still has to choose, this one included."""
    passes = word(extra, PASSES)
    if word(extra, PASSING) == TOGETHER:
        return passes
    passed: int = board.integers[word(extra, PASSED)]
    if word(extra, PASSING) == SINGLY:
        return passes - passed % passes
    return passes - passed // PLAYERS


@kernel
def list_for(extra: Pointer, listed_player: Pointer) -> int:
    """Return the offset of the list for the decision; 0 for a random choice."""
    if word(extra, KIND) != PLAY:
        return word(listed_player, PASS_LIST)
    if word(extra, TRICK) == 0:
        return word(listed_player, FIRST_LIST)
    at = 2 if is_last(extra) else min(word(extra, POSITION), 2) - 1
    if word(extra, HAND) & word(extra, LED) == 0:
        at += DISCARDS - SECOND_LIST
    return word(listed_player, SECOND_LIST + at)


@kernel
def nth_of(extra: Pointer, cards: int, number: int) -> int:
    """Return a card of a set by its index from 0 in the stored order."""
    at = 0
    left = number
    while True:
        card = word(extra, ORDERED + at)
        if cards & 1 << card != 0:
            if left == 0:
                return card
            left -= 1
        at += 1


@kernel
def next_card(board: Board, extra: Pointer, stream: Stream, listed_player: Pointer) -> int:
    """Return the card that a player chooses from those still allowed."""
    left = word(extra, LEGAL)
    listed = list_for(extra, listed_player)
    tie = TIE_RANDOM
    if listed != 0:
        order = offset(extra, 8 * listed)
        tie = word(order, TIE)
        for at in range(word(order, STEPS)):
            step = offset(order, 8 * (LIST_WORDS + STEP_WORDS * at))
            found = selected(board, extra, step, left)
            if found != 0:
                left = found
                if word(order, FILTERS) == 0:
                    break
    if tie == TIE_RANDOM:
        return nth_of(extra, left, below(stream, count_ones(left)))
    return lowest_one(lowest_of(left)) if tie == TIE_LOW else highest_one(highest_of(left))


@kernel
def binomial(places: int, chosen: int) -> int:
    """Return the number of ways to choose some of several places."""
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
        card = 1 << word(extra, ORDERED + at)
        if rest & card != 0:
            rest = rest & ~card
            found += 1
            index += binomial(at, found)
        at += 1
    return index


@kernel
def kind_of(board: Board, extra: Pointer) -> int:
    """Return the kind of the pending choice: PLAY, PASS, LAY, or CALL for all others."""
    if board.pc == word(extra, PLAY):
        return PLAY
    if board.pc == word(extra, PASS):
        return PASS
    return LAY if board.pc == word(extra, LAY) else CALL


@kernel
def listed_index(
    board: Board, context: Context, stream: Stream, listed_player: Pointer, count: int
) -> int:
    """Return the option that a player with lists chooses."""
    extra = context.extra
    kind = kind_of(board, extra)
    if kind == CALL:
        return 0
    seat = player(board)
    see(board, extra, seat, kind)
    if kind == PLAY:
        put_word(extra, LEGAL, order_options(context, extra, count))
        return index_of(extra, 1 << next_card(board, extra, stream, listed_player))
    put_word(extra, LEGAL, order_hand(board, extra, seat))
    number = word(extra, LAYS)
    put_word(extra, TO_GO, number)
    if kind == PASS:
        number = word(extra, PASSES) if word(extra, PASSING) == TOGETHER else 1
        put_word(extra, TO_GO, left_to_pass(board, extra))
    chosen = 0
    for gone in range(number):
        put_word(extra, GONE, gone)
        card = 1 << next_card(board, extra, stream, listed_player)
        chosen = chosen | card
        put_word(extra, HAND, word(extra, HAND) & ~card)
        put_word(extra, LEGAL, word(extra, HAND))
        put_word(extra, TO_GO, word(extra, TO_GO) - 1)
        put_word(extra, UNSEEN_READ, 0)
    return index_of(extra, chosen)


@kernel
def chosen_index(board: Board, context: Context, stream: Stream, table: Pointer, count: int) -> int:
    """Return the option that the deciding seat's player, by the table, chooses."""
    extra = context.extra
    seat = player(board)
    made = word(extra, MADE + seat)
    put_word(extra, MADE + seat, made + 1)
    if count == 1:
        return 0
    seed_stream(stream, seat_seed(word(extra, SEEDS + seat), made))
    listed_player = offset(extra, 8 * word(table, seat))
    if word(listed_player, 0) == RANDOM:
        return below(stream, count)
    return listed_index(board, context, stream, listed_player, count)


# Games -----------------------------------------------------------------------------------------


@kernel(exported=True)
def cw_hearts_game(
    board: Board,
    context: Context,
    stream: Stream,
    seed: int,
    table: Pointer,
    counts: Pointer,
    choices: Pointer,
    room: int,
) -> int:
    """Play a game to its end; return the number of decisions, or BROKE.

    The first `room` choices are stored, 8 bytes each.
    """
    extra = context.extra
    put_word(extra, DONE, 0)
    clear(counts, 8 * (3 * PLAYERS + 1))
    if start(board, context, seed) < 0:
        return BROKE
    for seat in range(PLAYERS):
        seed_stream(stream, seat_seed(seed, seat))
        put_word(extra, SEEDS + seat, next_bits(stream))
        put_word(extra, MADE + seat, 0)
    while True:
        count = advance(board, context)
        if count < 0:
            return BROKE
        done = word(extra, DONE)
        if count == 0:
            return done
        index = chosen_index(board, context, stream, table, count)
        if done < room:
            store(offset(choices, 8 * done), index, 8)
        put_word(extra, DONE, done + 1)
        note_card(board, context, counts, index)
        if carry_out(board, context, index) < 0:
            return BROKE


@kernel(exported=True)
def cw_hearts_games(
    board: Board,
    context: Context,
    stream: Stream,
    seeds: Pointer,
    games: int,
    tables: Pointer,
    many: int,
    points: Pointer,
    counts: Pointer,
) -> int:
    """Play a game from each of `games` seeds at each of `many` tables; return how many ended.

    A table has, for each seat, the offset of its player in words of the `extra` memory. A game's
    scores go to `points`; the tricks, queens and moons of all seats and the number of deals go to
    `counts`; all have 8 bytes. A game that breaks a rule ends the call.
    """
    done = 0
    for game in range(games):
        for at in range(many):
            counted = offset(counts, 8 * (3 * PLAYERS + 1) * done)
            table = offset(tables, 8 * PLAYERS * at)
            seed = word(seeds, game)
            if cw_hearts_game(board, context, stream, seed, table, counted, counted, 0) < 0:
                return done
            if scores(board, context, offset(points, 8 * PLAYERS * done)) < 0:
                return done
            done += 1
    return done


EXPORTED = (cw_hearts_game, cw_hearts_games)

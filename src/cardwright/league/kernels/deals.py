"""Running games of the Hearts League, and playing whole games between random players.

Game data is in the `extra` memory of a context, as words of 8 bytes: the slots of the four hands,
then the numbers of all cards by their ids. A choice is recorded as one byte, `seat << 6 | card`.
"""

from __future__ import annotations

from cardwright.compiler import intrinsics as op
from cardwright.compiler.kernel import kernel
from cardwright.compiler.kernels import engine
from cardwright.compiler.kernels.engine import Board, Context, Pointer, Stream
from cardwright.compiler.kernels.locations import card_lying, size
from cardwright.compiler.kernels.stream import below, seat_seed, seed_stream

PLAYERS = 1
STREAM_BYTES = 32

NUMBERS = 4
"""The offset of the cards' numbers, after the slots of the hands."""

OPTION_BYTES = 24
"""An option has three words: its branch, the card it picks, and its ordinal."""

SEAT_BITS = 2
"""A pending decision is one integer: the seat, and above it a bit for each card of the hand."""

CARD_BITS = 6
ROUND = 64
"""Choices of a round: twelve cards passed and 52 played."""

BROKE = -1
DISORDER = -2


@kernel
def picked_card(context: Context, index: int) -> int:
    """Return the id of the card that an option picks."""
    return op.offset(context.options, OPTION_BYTES * index + 8)[0]


@kernel
def due(board: Board, context: Context, count: int) -> int:
    """Return the pending decision of `count` options; 0 at the end, BROKE after a fault.

    Bit 0 of the cards is the first card of the hand. DISORDER means that the options are not the
    cards of the hand in order, so that their numbers are not those of the league.
    """
    if count <= 0:
        return count
    seat = engine.player(board)
    slot = context.extra[seat]
    at = 0
    cards = 0
    for index in range(count):
        card = picked_card(context, index)
        while at < size(board, slot) and card_lying(board, slot, at) != card:
            at += 1
        if at >= size(board, slot):
            return DISORDER
        cards = cards | (1 << at)
        at += 1
    return cards << SEAT_BITS | seat


@kernel(exported=True)
def cw_league_due(board: Board, context: Context) -> int:
    """Run to the next decision, and return it like `due`."""
    return due(board, context, engine.advance(board, context))


@kernel(exported=True)
def cw_league_step(board: Board, context: Context, index: int) -> int:
    """Carry out an option of the pending decision, and return the next one."""
    if engine.carry_out(board, context, index) < 0:
        return BROKE
    return due(board, context, engine.advance(board, context))


@kernel(exported=True)
def cw_league_hands(board: Board, context: Context, out: Pointer) -> int:
    """Write the numbers of the cards of all hands in sequence; return how many there are."""
    written = 0
    for seat in range(PLAYERS):
        slot = context.extra[seat]
        for at in range(size(board, slot)):
            op.store(
                op.offset(out, written), context.extra[NUMBERS + card_lying(board, slot, at)], 1
            )
            written += 1
    return written


@kernel
def play_at_random(
    board: Board, context: Context, streams: Stream, plays: Pointer, room: int
) -> int:
    """Play to the end, every seat choosing from its own stream, and record all choices.

    Return their number; BROKE after a fault, or if there are more than `room`.
    """
    done = 0
    while True:
        count = engine.advance(board, context)
        if count < 0 or done > room:
            return BROKE
        if count == 0:
            return done
        if done == room:
            return BROKE
        seat = engine.player(board)
        index = below(op.like(streams, op.offset(streams, STREAM_BYTES * seat)), count)
        card = context.extra[NUMBERS + picked_card(context, index)]
        op.store(op.offset(plays, done), seat << CARD_BITS | card, 1)
        if engine.carry_out(board, context, index) < 0:
            return BROKE
        done += 1


@kernel(exported=True)
def cw_league_random(
    board: Board,
    context: Context,
    streams: Stream,
    seeds: Pointer,
    count: int,
    plays: Pointer,
    room: int,
    rounds: Pointer,
) -> int:
    """Play a game for each pair of seeds, one for the cards and one for the players' draws.

    All choices go to `plays`, game by game, and the number of rounds of each game to `rounds`, 8
    bytes each. Return the total number of choices; BROKE if a game breaks a rule.
    """
    done = 0
    for game in range(count):
        if engine.start(board, context, seeds[2 * game]) < 0:
            return BROKE
        chances = seeds[2 * game + 1]
        for seat in range(PLAYERS):
            stream = op.like(streams, op.offset(streams, STREAM_BYTES * seat))
            seed_stream(stream, seat_seed(chances, seat))
        played = play_at_random(board, context, streams, op.offset(plays, done), room - done)
        if played < 0:
            return BROKE
        rounds[game] = played // ROUND
        done += played
    return done

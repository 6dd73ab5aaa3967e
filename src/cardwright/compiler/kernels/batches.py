"""Kernels for batches: many games side by side, each advanced by one decision at a time.

The boards of a batch are stored consecutively. Its notes have a row of words of 8 bytes for every
game: the number of options and the seat that has to decide, or 0 and -1 if there is none; which
rule was broken (its site from 1, and its numbers) or 0; and the scores, once the game is over. A
call works on the games from `first` up to `end`, so that several threads can share the work.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.compiler.intrinsics import (
    Pointer,
    clear,
    like,
    load,
    load_signed,
    offset,
    store,
    unlikely,
    unsigned_less,
)
from cardwright.compiler.kernel import kernel
from cardwright.compiler.kernels.engine import advance, carry_out, player, scores, start
from cardwright.compiler.kernels.lists import put_word, word
from cardwright.compiler.kernels.stream import below, seat_seed, seed_stream

if TYPE_CHECKING:
    from cardwright.compiler.kernels.types import Board, Context, Stream

PLAYERS = 1
STATE_BYTES = 0
STREAM_BYTES = 32

OPTIONS, PLAYER, BROKEN, FAULT_A, FAULT_B, FAULT_C, SCORES = range(7)
"""The words of a row of the notes; at SCORES is the score of the first seat."""


@kernel
def note_of(notes: Pointer, game: int) -> Pointer:
    """Return the row of a game."""
    return offset(notes, 8 * (SCORES + PLAYERS) * game)


@kernel
def board_of(boards: Board, game: int) -> Board:
    """Return the board of a game."""
    return like(boards, offset(boards, STATE_BYTES * game))


@kernel
def run_on(board: Board, context: Context, note: Pointer) -> None:
    """Run to the next decision or to the end, and record what is there."""
    count = advance(board, context)
    if count == 0:
        count = scores(board, context, offset(note, 8 * SCORES))
    if count < 0:
        note_fault(context, note)
        return
    put_word(note, OPTIONS, count)
    put_word(note, PLAYER, player(board) if count > 0 else -1)


@kernel
def note_fault(context: Context, note: Pointer) -> None:
    """Record that a game has broken a rule, which ends it."""
    put_word(note, OPTIONS, 0)
    put_word(note, PLAYER, -1)
    put_word(note, BROKEN, context.fault_site + 1)
    put_word(note, FAULT_A, context.fault_a)
    put_word(note, FAULT_B, context.fault_b)
    put_word(note, FAULT_C, context.fault_c)
    clear(offset(note, 8 * SCORES), 8 * PLAYERS)


@kernel(exported=True)
def cw_batch_start(
    boards: Board,
    context: Context,
    notes: Pointer,
    wanted: Pointer,
    seeds: Pointer,
    first: int,
    end: int,
) -> int:
    """Restart the games whose byte in `wanted` is not 0, each from its seed (8 bytes)."""
    for game in range(first, end):
        if load(offset(wanted, game), 1) != 0:
            note = note_of(notes, game)
            clear(note, 8 * (SCORES + PLAYERS))
            board = board_of(boards, game)
            if start(board, context, word(seeds, game)) < 0:
                note_fault(context, note)
            else:
                run_on(board, context, note)
    return 0


@kernel(exported=True)
def cw_batch_refused(notes: Pointer, choices: Pointer, count: int) -> int:
    """Return the first of `count` games that does not have the option chosen; `count` if all do.

    Choices are indices of 8 bytes. Where there is no decision, any value will do.
    """
    for game in range(count):
        options = word(note_of(notes, game), OPTIONS)
        if unlikely(not unsigned_less(word(choices, game), options)) and options != 0:
            return game
    return count


@kernel(exported=True)
def cw_batch_step(
    boards: Board, context: Context, notes: Pointer, choices: Pointer, first: int, end: int
) -> int:
    """Carry out the options chosen, where the index is not below 0, and run on."""
    for game in range(first, end):
        note = note_of(notes, game)
        choice = load_signed(offset(choices, 8 * game), 8)
        if word(note, OPTIONS) != 0 and choice >= 0:
            board = board_of(boards, game)
            # The options are computed again: the context only ever has those of one game.
            found = advance(board, context)
            if found < 0 or carry_out(board, context, choice) < 0:
                note_fault(context, note)
            else:
                run_on(board, context, note)
    return 0


@kernel(exported=True)
def cw_batch_choose(
    notes: Pointer, streams: Stream, wanted: Pointer, choices: Pointer, count: int
) -> int:
    """Choose at random in the games of `count` whose byte in `wanted` is not 0.

    There is a stream for each seat of each game, and that of the seat that has to decide is drawn
    from. Where there is no decision, or none is wanted, -1 is written.
    """
    for game in range(count):
        note = note_of(notes, game)
        choice = -1
        options = word(note, OPTIONS)
        if options != 0 and load(offset(wanted, game), 1) != 0:
            at = PLAYERS * game + word(note, PLAYER)
            choice = below(like(streams, offset(streams, STREAM_BYTES * at)), options)
        store(offset(choices, 8 * game), choice, 8)
    return count


@kernel(exported=True)
def cw_seat_streams(streams: Stream, seeds: Pointer, count: int) -> int:
    """Set the streams of all seats to their beginnings in the games of the given seeds."""
    for game in range(count):
        for seat in range(PLAYERS):
            at = STREAM_BYTES * (PLAYERS * game + seat)
            seed_stream(like(streams, offset(streams, at)), seat_seed(word(seeds, game), seat))
    return count


EXPORTED = (cw_batch_start, cw_batch_refused, cw_batch_step, cw_batch_choose, cw_seat_streams)

"""Kernels for batches: many games side by side, each advanced by one decision at a time.

The boards of a batch are stored consecutively. Its notes have a row of words of 8 bytes for every
game: the number of options and the seat that has to decide, or 0 and -1 if there is none; which
rule was broken (its site from 1, and its numbers) or 0; and the scores, once the game is over. A
call works on the games from `first` up to `end`, so that several threads can share the work.
"""

from __future__ import annotations

from cardwright.compiler import intrinsics as op
from cardwright.compiler.kernel import kernel
from cardwright.compiler.kernels import engine, picks
from cardwright.compiler.kernels.engine import Board, Context, Pointer, Stream
from cardwright.compiler.kernels.information import mark_seen, recall
from cardwright.compiler.kernels.places import UNSEEN
from cardwright.compiler.kernels.stream import below, seed_seats, stream_at

OPTIONS, PLAYER, BROKEN, FAULT_A, FAULT_B, FAULT_C, SCORES = range(7)
"""The words of a row of the notes; at SCORES is the score of the first seat."""


@kernel
def note_of(notes: Pointer, game: int) -> Pointer:
    """Return the row of a game."""
    return notes + (SCORES + engine.PLAYERS) * game


@kernel
def board_of(boards: Board, game: int) -> Board:
    """Return the board of a game."""
    return op.like(boards, op.offset(boards, engine.STATE_BYTES * game))


@kernel
def run_on(board: Board, context: Context, note: Pointer) -> None:
    """Run to the next decision or to the end, and record what is there."""
    count = engine.advance(board, context)
    if count == 0:
        count = engine.scores(board, context, note + SCORES)
    if count < 0:
        note_fault(context, note)
        return
    note[OPTIONS] = count
    note[PLAYER] = engine.player(board) if count > 0 else -1


@kernel
def note_fault(context: Context, note: Pointer) -> None:
    """Record that a game has broken a rule, which ends it."""
    note[OPTIONS] = 0
    note[PLAYER] = -1
    note[BROKEN] = context.fault_site + 1
    note[FAULT_A] = context.fault_a
    note[FAULT_B] = context.fault_b
    note[FAULT_C] = context.fault_c
    op.clear(note + SCORES, 8 * engine.PLAYERS)


@kernel(exported=True)
def cw_batch_start(
    boards: Board, context: Context, notes: Pointer, wanted: Pointer, seeds: Pointer, first: int,
    end: int,
) -> int:  # fmt: skip
    """Restart the games whose byte in `wanted` is not 0, each from its seed (8 bytes)."""
    for game in range(first, end):
        if op.load(op.offset(wanted, game), 1) != 0:
            note = note_of(notes, game)
            op.clear(note, 8 * (SCORES + engine.PLAYERS))
            board = board_of(boards, game)
            if engine.start(board, context, seeds[game]) < 0:
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
        options = note_of(notes, game)[OPTIONS]
        if op.unlikely(not op.unsigned_less(choices[game], options)) and options != 0:
            return game
    return count


@kernel(exported=True)
def cw_batch_step(
    boards: Board, context: Context, notes: Pointer, choices: Pointer, forms: Pointer,
    entries: Pointer, count: int, first: int, end: int,
) -> int:  # fmt: skip
    """Carry out the options chosen, where the index is not below 0, and run on.

    Choices are recalled where each game has a `count` of entries; if not, `forms` does not matter.
    """
    context.forms = forms
    for game in range(first, end):
        note = note_of(notes, game)
        choice = choices[game]
        if note[OPTIONS] != 0 and choice >= 0:
            board = board_of(boards, game)
            # The options are computed again: the context only ever has those of one game.
            found = engine.advance(board, context)
            if found >= 0:
                if count == 0:
                    found = engine.carry_out(board, context, choice)
                else:
                    own = entries + engine.ENTRY_WORDS * count * game
                    found = carry_out_recalled(board, context, choice, note[PLAYER], own, count)
            if found < 0:
                note_fault(context, note)
            else:
                run_on(board, context, note)
    return 0


@kernel
def carry_out_recalled(
    board: Board, context: Context, choice: int, mover: int, entries: Pointer, count: int
) -> int:
    """Carry out an option, and recall the choice among the entries of a game."""
    row = picks.choice_row(context, board.pc)
    option = picks.option_at(context, row, choice)
    recall(board, context, row, option, mover, entries, count)
    done = engine.carry_out(board, context, choice)
    if done >= 0:
        mark_seen(board, context, row, option, entries)
    return done


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
        options = note[OPTIONS]
        if options != 0 and op.load(op.offset(wanted, game), 1) != 0:
            choice = below(stream_at(streams, engine.PLAYERS * game + note[PLAYER]), options)
        choices[game] = choice
    return count


@kernel(exported=True)
def cw_seat_streams(streams: Stream, seeds: Pointer, count: int) -> int:
    """Set the streams of all seats to their beginnings in the games of the given seeds."""
    for game in range(count):
        seed_seats(stream_at(streams, engine.PLAYERS * game), seeds[game])
    return count


@kernel(exported=True)
def cw_option_picks(
    boards: Board, context: Context, notes: Pointer, forms: Pointer, width: int, most: int,
    cards: int, out: Pointer, hot: Pointer, first: int, end: int,
) -> int:  # fmt: skip
    """Write down the picks of the options of some games, at most `width` options for each.

    An option has in `out` its branch and up to `most` picks, as words, and in `hot` a byte for
    each card, which is set to 1 for those that it picks and that are seen.
    """
    context.forms = forms
    for game in range(first, end):
        note = note_of(notes, game)
        board = board_of(boards, game)
        count = note[OPTIONS]
        if count > 0 and engine.advance(board, context) == count:
            row = picks.choice_row(context, board.pc)
            for i in range(count):
                option = picks.option_at(context, row, i)
                target = out + (1 + most) * (width * game + i)
                target[0] = row[picks.FIRST] + option[0]
                marks = op.offset(hot, cards * (width * game + i))
                for j in range(picks.pick_count(context, row, option)):
                    seen = seen_pick(board, context, note[PLAYER], row, option, j)
                    target[1 + j] = seen
                    if seen >= 0:
                        for k in range(picks.cards_in_pick(context, row, option, j)):
                            op.store(
                                op.offset(marks, picks.card_in_pick(context, row, option, j, k)),
                                1,
                                1,
                            )
    return 0


@kernel
def seen_pick(
    board: Board, context: Context, seat: int, row: Pointer, option: Pointer, i: int
) -> int:
    """Return what a seat sees of a pick; of a group of cards that is the ordinal."""
    pick = picks.pick_at(row, option, i)
    sort = picks.pick_sort(context, row, option, i)
    if sort == picks.GROUP:
        seen = picks.sees_group(board, seat, op.offset(context.arena, pick[0]))
        return pick[1] if seen else UNSEEN - pick[1]
    return picks.pick_key(board, context, seat, sort, pick[0], pick[1])

"""Kernels that recall the latest choices: who made them, and what of them each seat saw.

An entry has the number of the seat that chose plus 1, 0 for none; the number of the branch plus 1;
a word for each of `chains.public_picks`, which is PICKED more than the number that the option
picked, or 0; and for each seat and a spectator a set of cards: those that the option picked and the
seat saw, before it was chosen or once it was carried out. The latest choice comes first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.compiler.intrinsics import (
    Pointer,
    clear,
    copy,
    load,
    load_signed,
    offset,
    unsigned_less,
    wrap,
)
from cardwright.compiler.kernel import kernel
from cardwright.compiler.kernels.batches import (
    OPTIONS,
    PLAYER,
    board_of,
    note_fault,
    note_of,
    run_on,
)
from cardwright.compiler.kernels.chosen import (
    FIRST,
    PUBLIC,
    SORTS,
    WORDS,
    form_at,
    pick_at,
    pick_count,
)
from cardwright.compiler.kernels.engine import advance, carry_out
from cardwright.compiler.kernels.lists import card_in, put_word, word
from cardwright.compiler.kernels.locations import holder_slot
from cardwright.compiler.kernels.observe import PICKED
from cardwright.compiler.kernels.picks import CARD, GROUP, PLACE
from cardwright.compiler.kernels.sightings import witnesses

if TYPE_CHECKING:
    from cardwright.compiler.kernels.types import Board, Context

PLAYERS = 1
ENTRY_WORDS = 1
ENTRY_CARDS = 1
CARD_WORDS = 1
FIXED_SLOTS = 0


@kernel
def recall(
    board: Board,
    context: Context,
    forms: Pointer,
    row: Pointer,
    option: Pointer,
    mover: int,
    entries: Pointer,
    count: int,
) -> None:
    """Make an entry for an option that is about to be carried out; the oldest one goes."""
    width = 8 * ENTRY_WORDS
    copy(offset(entries, width), entries, width * (count - 1))
    clear(entries, width)
    put_word(entries, 0, mover + 1)
    put_word(entries, 1, word(row, FIRST) + word(option, 0) + 1)
    note_picks(forms, row, option, entries)
    mark_seen(board, context, forms, row, option, entries)


@kernel
def note_picks(forms: Pointer, row: Pointer, option: Pointer, entry: Pointer) -> None:
    """Note what an option picks besides cards; of locations only those known before the game."""
    for i in range(pick_count(forms, row, option)):
        form = form_at(row, option, i)
        number = word(forms, word(row, PUBLIC) + form)
        if number > 0:
            item = load_signed(pick_at(row, option, i), 8)
            place = word(forms, word(row, SORTS) + form) == PLACE
            if not place or unsigned_less(item, FIXED_SLOTS):
                put_word(entry, 1 + number, wrap(item + PICKED))


@kernel
def mark_seen(
    board: Board,
    context: Context,
    forms: Pointer,
    row: Pointer,
    option: Pointer,
    entry: Pointer,
) -> None:
    """Add the cards that an option picks to the sets of the seats that see them now."""
    for i in range(pick_count(forms, row, option)):
        item = load_signed(pick_at(row, option, i), 8)
        sort = word(forms, word(row, SORTS) + form_at(row, option, i))
        if sort == CARD:
            mark_card(board, entry, item)
        if sort == GROUP:
            group = offset(context.arena, item)
            for j in range(load(group, 8)):
                mark_card(board, entry, card_in(offset(group, 8), j))


@kernel
def mark_card(board: Board, entry: Pointer, card: int) -> None:
    """Add a card to the sets of the seats that see it now."""
    slot = holder_slot(board, card)
    for seat in range(PLAYERS + 1):
        if witnesses(board, slot, seat):
            at = ENTRY_CARDS + CARD_WORDS * seat + card // 64
            put_word(entry, at, word(entry, at) | wrap(1 << (card % 64)))


@kernel(exported=True)
def cw_batch_step_recalled(
    boards: Board,
    context: Context,
    notes: Pointer,
    choices: Pointer,
    forms: Pointer,
    entries: Pointer,
    count: int,
    first: int,
    end: int,
) -> int:
    """Carry out the options chosen, where the index is not below 0, and recall them.

    Each game has `count` entries.
    """
    for game in range(first, end):
        note = note_of(notes, game)
        choice = load_signed(offset(choices, 8 * game), 8)
        if word(note, OPTIONS) != 0 and choice >= 0:
            board = board_of(boards, game)
            if advance(board, context) < 0:
                note_fault(context, note)
            else:
                row = offset(forms, 8 * word(forms, board.pc))
                option = offset(context.options, 8 * word(row, WORDS) * choice)
                own = offset(entries, 8 * ENTRY_WORDS * count * game)
                recall(board, context, forms, row, option, word(note, PLAYER), own, count)
                if carry_out(board, context, choice) < 0:
                    note_fault(context, note)
                else:
                    mark_seen(board, context, forms, row, option, own)
                    run_on(board, context, note)
    return 0


EXPORTED = (cw_batch_step_recalled,)

"""The kernel that writes down what options pick, as the choosing seat sees it.

`forms` describes how options lie in memory (`chosen.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.compiler.intrinsics import Pointer, load, load_signed, offset, store
from cardwright.compiler.kernel import kernel
from cardwright.compiler.kernels.batches import OPTIONS, PLAYER, board_of, note_of
from cardwright.compiler.kernels.chosen import FIRST, SORTS, WORDS, form_at, pick_at, pick_count
from cardwright.compiler.kernels.determinise import sees
from cardwright.compiler.kernels.engine import advance
from cardwright.compiler.kernels.lists import card_in, put_word, word
from cardwright.compiler.kernels.locations import holder_slot

if TYPE_CHECKING:
    from cardwright.compiler.kernels.types import Board, Context

FIXED_SLOTS = 0
POOL_SLOTS = 0

NUMBER, CARD, GROUP, PLACE = range(4)
"""Sorts of picks; a number is an integer, an owner or a string's number."""

UNSEEN = -2
"""What is written for the first item of a collection if it is not seen; less for later ones.

The same goes for locations made in play that have no cards.
"""


@kernel(exported=True)
def cw_option_picks(
    boards: Board,
    context: Context,
    notes: Pointer,
    forms: Pointer,
    width: int,
    most: int,
    cards: int,
    picks: Pointer,
    hot: Pointer,
    first: int,
    end: int,
) -> int:
    """Write down the picks of the options of some games, at most `width` options for each.

    An option has in `picks` its branch and up to `most` picks, as words, and in `hot` a byte for
    each card, which is set to 1 for those that it picks and that are seen.
    """
    for game in range(first, end):
        note = note_of(notes, game)
        count = word(note, OPTIONS)
        if count > 0:
            board = board_of(boards, game)
            if advance(board, context) == count:
                row = offset(forms, 8 * word(forms, board.pc))
                for i in range(count):
                    option = offset(context.options, 8 * word(row, WORDS) * i)
                    target = offset(picks, 8 * (1 + most) * (width * game + i))
                    put_word(target, 0, word(row, FIRST) + word(option, 0))
                    marks = offset(hot, cards * (width * game + i))
                    seat = word(note, PLAYER)
                    read_picks(board, context, seat, forms, row, option, target, marks)
    return 0


@kernel
def read_picks(
    board: Board,
    context: Context,
    seat: int,
    forms: Pointer,
    row: Pointer,
    option: Pointer,
    target: Pointer,
    marks: Pointer,
) -> None:
    """Write down the picks of one option."""
    for i in range(pick_count(forms, row, option)):
        sort = word(forms, word(row, SORTS) + form_at(row, option, i))
        pick = pick_at(row, option, i)
        item = load_signed(pick, 8)
        put_word(target, 1 + i, seen_pick(board, context, seat, sort, item, word(pick, 1), marks))


@kernel
def seen_pick(
    board: Board, context: Context, seat: int, sort: int, item: int, ordinal: int, marks: Pointer
) -> int:
    """Return what a seat sees of a pick, and mark its cards."""
    if sort == CARD:
        if not sees(board, holder_slot(board, item), seat):
            return UNSEEN - ordinal
        store(offset(marks, item), 1, 1)
    if sort == GROUP:
        return seen_group(board, seat, offset(context.arena, item), ordinal, marks)
    if POOL_SLOTS and sort == PLACE:
        return place_number(board, item, offset(context.arena, UNSEEN - item), ordinal)
    return item


@kernel
def seen_group(board: Board, seat: int, group: Pointer, ordinal: int, marks: Pointer) -> int:
    """Return the ordinal of a group of cards, and mark them, if all of them are seen."""
    if not sees_group(board, seat, group):
        return UNSEEN - ordinal
    cards = offset(group, 8)
    for i in range(load(group, 8)):
        store(offset(marks, card_in(cards, i)), 1, 1)
    return ordinal


@kernel
def sees_group(board: Board, seat: int, group: Pointer) -> bool:
    """Return whether a seat sees all cards of a group."""
    cards = offset(group, 8)
    for i in range(load(group, 8)):
        if not sees(board, holder_slot(board, card_in(cards, i)), seat):
            return False
    return True


@kernel
def place_number(board: Board, item: int, words: Pointer, ordinal: int) -> int:
    """Return the number of a picked location: its slot, or a number for one made in play.

    For the latter an option may have owner, kind, name and index, at `words`, instead of the slot.
    """
    slot = item if item >= 0 else made_slot(board, words)
    if slot < 0 or (slot >= FIXED_SLOTS and board.count[slot] == 0):
        return UNSEEN - ordinal
    return slot if slot < FIXED_SLOTS else made_place(board, slot)


@kernel
def made_slot(board: Board, words: Pointer) -> int:
    """Return the slot of a location made in play, or -1 if it has none."""
    for i in range(POOL_SLOTS):
        if board.pool_owner[i] == word(words, 0) and board.pool_kind[i] == word(words, 1):
            if board.pool_name[i] == word(words, 2) and board.pool_at[i] == word(words, 3):
                return FIXED_SLOTS + i
    return -1


@kernel
def made_place(board: Board, place: int) -> int:
    """Return the number of a location made in play: how many with cards were born before it."""
    number = FIXED_SLOTS
    for slot in range(FIXED_SLOTS, FIXED_SLOTS + POOL_SLOTS):
        if board.count[slot] > 0 and board.born[slot] < board.born[place]:
            number += 1
    return number


EXPORTED = (cw_option_picks,)

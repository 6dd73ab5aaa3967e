"""Kernels for keys of options: integers by which a search recognises them.

The key of an option is a hash of its content (`cardwright.game.option.Content`): the branch, and
what each `any` picked, as the choosing seat sees it. So an option has the same key in every world
that the choosing seat cannot tell apart, at any position in the list. Groups of the same cards in
another order have the same key. What another seat sees of a choice has a key too.

`forms` describes how options lie in memory, (`chosen.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.compiler.intrinsics import Pointer, load, load_signed, offset, shift_right, wrap
from cardwright.compiler.kernel import kernel
from cardwright.compiler.kernels.chosen import FIRST, SORTS, WORDS, form_at, pick_at, pick_count
from cardwright.compiler.kernels.determinise import sees
from cardwright.compiler.kernels.lists import card_in, word
from cardwright.compiler.kernels.locations import holder_slot
from cardwright.compiler.kernels.picks import CARD, GROUP, PLACE, UNSEEN, place_number

if TYPE_CHECKING:
    from cardwright.compiler.kernels.types import Board, Context

FIXED_SLOTS = 0
POOL_SLOTS = 0

FIRST_MIX = wrap(0xBF58476D1CE4E5B9)
SECOND_MIX = wrap(0x94D049BB133111EB)
GOLDEN = wrap(0x9E3779B97F4A7C15)


@kernel
def scattered(value: int) -> int:
    """Return a hash of an integer: the finaliser of splitmix64."""
    once = wrap((value ^ shift_right(value, 30)) * FIRST_MIX)
    twice = wrap((once ^ shift_right(once, 27)) * SECOND_MIX)
    return twice ^ shift_right(twice, 31)


@kernel
def joined(key: int, value: int) -> int:
    """Return a hash of a key combined with another value."""
    return scattered(wrap(key * GOLDEN + value))


ORDINAL, NOTHING = range(2)
"""What represents a picked card that a seat does not see: its place in the list, or nothing."""


@kernel
def option_key(
    board: Board, context: Context, forms: Pointer, pc: int, seat: int, index: int, unseen: int
) -> int:
    """Return the key of an option in the context as a seat sees it.

    `pc` is the place in the program of its choice, and `unseen` what represents cards that the seat
    does not see.
    """
    row = offset(forms, 8 * word(forms, pc))
    option = offset(context.options, 8 * word(row, WORDS) * index)
    key = word(row, FIRST) + word(option, 0)
    for i in range(pick_count(forms, row, option)):
        sort = word(forms, word(row, SORTS) + form_at(row, option, i))
        pick = pick_at(row, option, i)
        ordinal = word(pick, 1) if unseen == ORDINAL else 0
        key = joined(key, pick_key(board, context, seat, sort, load_signed(pick, 8), ordinal))
    return key


@kernel
def pick_key(board: Board, context: Context, seat: int, sort: int, item: int, ordinal: int) -> int:
    """Return what represents a picked item: itself, or its ordinal if the seat does not see it."""
    if sort == CARD:
        return item if sees(board, holder_slot(board, item), seat) else UNSEEN - ordinal
    if sort == GROUP:
        return group_key(board, seat, offset(context.arena, item), ordinal)
    if POOL_SLOTS and sort == PLACE:
        return place_number(board, item, offset(context.arena, UNSEEN - item), ordinal)
    return item


@kernel
def card_key(board: Board, forms: Pointer, pc: int, seat: int, card: int) -> int:
    """Return the key of an option at a choice between single cards, as a seat sees it.

    There a card means the same option in whatever branch it comes; one not seen is nothing.
    """
    first = word(offset(forms, 8 * word(forms, pc)), FIRST)
    return joined(first, card if sees(board, holder_slot(board, card), seat) else UNSEEN)


@kernel
def group_key(board: Board, seat: int, group: Pointer, ordinal: int) -> int:
    """Return what represents a group of cards: the same for any order of the same cards."""
    count = load(group, 8)
    cards = offset(group, 8)
    total = count
    for i in range(count):
        card = card_in(cards, i)
        if not sees(board, holder_slot(board, card), seat):
            return UNSEEN - ordinal
        total = wrap(total + scattered(card + 1))
    return total


@kernel
def witnessed_key(
    board: Board, context: Context, forms: Pointer, mover: int, seat: int, index: int
) -> int:
    """Return the key of what a seat sees of another's choice before it is carried out.

    A card that only the mover sees counts as nothing for the seat; one that neither sees, as when a
    mover picks from cards that lie face down, is known by its place.
    """
    pc: int = board.pc
    known = option_key(board, context, forms, pc, mover, index, NOTHING)
    blind = option_key(board, context, forms, pc, mover, index, ORDINAL)
    unseen = ORDINAL if known != blind else NOTHING
    return option_key(board, context, forms, pc, seat, index, unseen)

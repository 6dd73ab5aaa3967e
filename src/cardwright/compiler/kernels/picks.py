"""What options pick, as a seat sees it, and the keys of options.

The `forms` of a context describe how options lie in memory: for every place in the program they
have the start of the row of the choice there, in words of 8 bytes. A table of sorts has for strict
options a row for each branch, of one word more than the most picks: their number, and the sort of
each; for others the sort of every form that picks. A table of the numbers of their variables lies
in the same way, and one of their numbers among `chains.public_picks`, counted from 1, with 0 for
cards. Branches are numbered over all choices.

The key of an option, an integer by which a search recognises it, is a hash of its content
(`cardwright.game.option.Content`): the branch, and what each `any` picked, as the choosing seat
sees it. So an option has the same key in every world that the choosing seat cannot tell apart, at
any position in the list. Groups of the same cards in another order have the same key. What another
seat sees of a choice has a key too.
"""

from __future__ import annotations

from cardwright.compiler import intrinsics as op
from cardwright.compiler.kernel import kernel
from cardwright.compiler.kernels import engine
from cardwright.compiler.kernels.engine import Board, Context, Pointer
from cardwright.compiler.kernels.lists import card_in
from cardwright.compiler.kernels.locations import holder_slot
from cardwright.compiler.kernels.places import UNSEEN, place_number
from cardwright.compiler.kernels.stream import GOLDEN, scattered
from cardwright.compiler.kernels.worlds import sees

WORDS, STRICT, SORTS, NAMES, FIRST, PUBLIC = range(6)
"""The words of a row: those of an option, whether options are strict, where the tables begin, and
the number of the first branch, before the last table."""

NUMBER, CARD, GROUP, PLACE = range(4)
"""Sorts of picks; a number is an integer, an owner or a string's number."""

PICKED = 1 << 62
"""What is added to a number that an option picks, where it is recalled."""

ORDINAL, NOTHING = range(2)
"""What represents a picked card that a seat does not see: its place in the list, or nothing."""


@kernel
def choice_row(context: Context, pc: int) -> Pointer:
    """Return the row of the choice at a place in the program."""
    forms: Pointer = context.forms
    return forms + forms[pc]


@kernel
def option_at(context: Context, row: Pointer, index: int) -> Pointer:
    """Return an option of a choice."""
    options: Pointer = context.options
    return options + row[WORDS] * index


@kernel
def pick_count(context: Context, row: Pointer, option: Pointer) -> int:
    """Return how many picks an option has."""
    return option[1] if row[STRICT] == 0 else pick_sort(context, row, option, -1)


@kernel
def pick_at(row: Pointer, option: Pointer, i: int) -> Pointer:
    """Return where a pick is: its item, its ordinal, and if options are loose its form."""
    return option + (2 + 3 * i if row[STRICT] == 0 else 1 + 2 * i)


@kernel
def form_at(row: Pointer, option: Pointer, i: int) -> int:
    """Return the place of a pick's form in a table of sorts or of names."""
    if row[STRICT] == 0:
        return option[4 + 3 * i]
    return (row[WORDS] - 1) // 2 * option[0] + option[0] + 1 + i


@kernel
def pick_sort(context: Context, row: Pointer, option: Pointer, i: int) -> int:
    """Return the sort of a pick."""
    return int(context.forms[row[SORTS] + form_at(row, option, i)])


@kernel
def cards_in_pick(context: Context, row: Pointer, option: Pointer, i: int) -> int:
    """Return how many cards a pick has: one, those of a group, or none."""
    sort = pick_sort(context, row, option, i)
    if sort == GROUP:
        return op.offset(context.arena, pick_at(row, option, i)[0])[0]
    return int(sort == CARD)


@kernel
def card_in_pick(context: Context, row: Pointer, option: Pointer, i: int, at: int) -> int:
    """Return one of the cards of a pick."""
    item = pick_at(row, option, i)[0]
    if pick_sort(context, row, option, i) == CARD:
        return item
    return card_in(op.offset(context.arena, item) + 1, at)


@kernel
def sees_group(board: Board, seat: int, group: Pointer) -> bool:
    """Return whether a seat sees all cards of a group."""
    for i in range(group[0]):
        if not sees(board, holder_slot(board, card_in(group + 1, i)), seat):
            return False
    return True


@kernel
def joined(key: int, value: int) -> int:
    """Return a hash of a key combined with another value."""
    return scattered(op.wrap(key * GOLDEN + value))


@kernel
def option_key(board: Board, context: Context, pc: int, seat: int, index: int, unseen: int) -> int:
    """Return the key of an option in the context as a seat sees it.

    `pc` is the place in the program of its choice, and `unseen` what represents cards that the seat
    does not see.
    """
    row = choice_row(context, pc)
    option = option_at(context, row, index)
    key = row[FIRST] + option[0]
    for i in range(pick_count(context, row, option)):
        pick = pick_at(row, option, i)
        ordinal = pick[1] if unseen == ORDINAL else 0
        sort = pick_sort(context, row, option, i)
        key = joined(key, pick_key(board, context, seat, sort, pick[0], ordinal))
    return key


@kernel
def pick_key(board: Board, context: Context, seat: int, sort: int, item: int, ordinal: int) -> int:
    """Return what represents a picked item: itself, or its ordinal if the seat does not see it."""
    if sort == CARD:
        return item if sees(board, holder_slot(board, item), seat) else UNSEEN - ordinal
    if sort == GROUP:
        group = op.offset(context.arena, item)
        if not sees_group(board, seat, group):
            return UNSEEN - ordinal
        total = group[0]
        for i in range(group[0]):
            total = op.wrap(total + scattered(card_in(group + 1, i) + 1))
        return total
    if engine.POOL_SLOTS and sort == PLACE:
        return place_number(board, item, op.offset(context.arena, UNSEEN - item), ordinal)
    return item


@kernel
def card_key(board: Board, context: Context, pc: int, seat: int, card: int) -> int:
    """Return the key of an option at a choice between single cards, as a seat sees it.

    There a card means the same option in whatever branch it comes; one not seen is nothing.
    """
    first = choice_row(context, pc)[FIRST]
    return joined(first, card if sees(board, holder_slot(board, card), seat) else UNSEEN)


@kernel
def witnessed_key(board: Board, context: Context, mover: int, seat: int, index: int) -> int:
    """Return the key of what a seat sees of another's choice before it is carried out.

    A card that only the mover sees counts as nothing for the seat; one that neither sees, as when a
    mover picks from cards that lie face down, is known by its place.
    """
    pc: int = board.pc
    known = option_key(board, context, pc, mover, index, NOTHING)
    blind = option_key(board, context, pc, mover, index, ORDINAL)
    unseen = ORDINAL if known != blind else NOTHING
    return option_key(board, context, pc, seat, index, unseen)

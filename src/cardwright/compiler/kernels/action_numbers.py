"""Kernels that number the options of many games by what they mean; see `game.actions.numbering`.

`forms` describes how options lie in memory and what their picks mean, in words of 8 bytes; it is
made by `game.actions.kernel_tables`. Its word for a place in the program is the start of the row of
the choice there: the words of an option, whether options are strict, and the start and the
length of its rows for branches. A branch has the number of its first action, or SEQUENCE or LEFT,
how many options may mean the same, how many picks there are, and for each pick five words: its
sort, what one more in its value's place adds, the table of its sort, another number, and whether
cards may be unseen. In a sequence the second of these is the first action for the pick.

A game has a row of words for the actions made so far of its decision: their number, they
themselves, and room for one more. Options that are spelled, and those that mean the same and have
no numbers of their own, are left to Python, game by game.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.compiler.intrinsics import Pointer, clear, load, load_signed, offset, store, wrap
from cardwright.compiler.kernel import kernel
from cardwright.compiler.kernels.batches import OPTIONS, PLAYER, board_of, note_of
from cardwright.compiler.kernels.chosen import STRICT, pick_at
from cardwright.compiler.kernels.content import scattered
from cardwright.compiler.kernels.determinise import sees
from cardwright.compiler.kernels.engine import advance
from cardwright.compiler.kernels.lists import card_in, put_word, word
from cardwright.compiler.kernels.locations import holder_slot
from cardwright.compiler.kernels.picks import sees_group

if TYPE_CHECKING:
    from cardwright.compiler.kernels.types import Board, Context

SHOWN, CARD, LISTED, PART, GROUP, PLACE, OTHER, SINGLY = range(8)
"""Sorts of picks.

SHOWN by another pick, it adds nothing. The table of a CARD or a PART has the place of each card's
value; the other number of a CARD is the place of the first card that is not seen. A LISTED has the
least value, the number of values from there on, and their places. A GROUP's is a hash table: its
size less 1, and pairs of a key and a place from 1; the other number is the table of looks. The
other number of a PLACE is the number of places that the program names. All OTHER picks are left.
The cards of a group that is picked SINGLY are actions in ascending order; the table has their
looks, and the other number is the action that ends them, or -1.
"""

REFUSED, LEFT, GOES_ON = -1, -2, -3
"""No option has this action, it is left to Python, or more actions are needed for an option."""

SEQUENCE = -1
ELSEWHERE = -1
"""What follows where the actions made so far do not lead to an option, or make it."""

NO_LOOK = 1 << 30

HEAD = 3
PICK = 5
"""Words of a branch before its first pick, and of a pick."""


@kernel
def signed_word(items: Pointer, at: int) -> int:
    """Return the item at a position of a vector's items, which may be less than 0."""
    return load_signed(offset(items, 8 * at), 8)


@kernel
def branch_of(forms: Pointer, row: Pointer, option: Pointer) -> Pointer:
    """Return where the words of an option's branch are."""
    return offset(forms, 8 * (word(row, 2) + word(row, 3) * word(option, 0)))


@kernel
def action_number(
    board: Board, context: Context, seat: int, forms: Pointer, row: Pointer, option: Pointer
) -> int:
    """Return the first action that means what an option does, or LEFT."""
    branch = branch_of(forms, row, option)
    number = signed_word(branch, 0)
    if number < 0:
        return LEFT
    picks = word(branch, 2)
    if word(row, STRICT) == 0:
        if word(option, 1) != picks:
            return LEFT
    for i in range(picks):
        pick = offset(branch, 8 * (HEAD + PICK * i))
        picked = pick_at(row, option, i)
        item = signed_word(picked, 0)
        ordinal = word(picked, 1)
        place = pick_place(board, context, seat, forms, pick, item, ordinal)
        if place < 0:
            return LEFT
        number += place * word(pick, 1)
    return number


@kernel
def next_action(
    board: Board,
    context: Context,
    seat: int,
    forms: Pointer,
    row: Pointer,
    option: Pointer,
    made: Pointer,
    length: int,
) -> int:
    """Return the action after the first `length` of those made on the way to an option.

    ELSEWHERE if they do not lead there, or all the way; LEFT if it is not known.
    """
    branch = branch_of(forms, row, option)
    first = signed_word(branch, 0)
    if first >= 0:
        number = action_number(board, context, seat, forms, row, option)
        return number if length == 0 or number == LEFT else ELSEWHERE
    picks = word(branch, 2)
    if word(row, STRICT) == 0:
        if word(option, 1) != picks:
            return LEFT
    if first != SEQUENCE:
        return LEFT
    done = 0
    for i in range(picks):
        pick = offset(branch, 8 * (HEAD + PICK * i))
        picked = pick_at(row, option, i)
        item = signed_word(picked, 0)
        sort = word(pick, 0)
        if sort == SINGLY:
            found = next_card(board, context, seat, forms, pick, item, made, length, done)
            if found < NO_LOOK:
                return found
            done = found - NO_LOOK
        elif sort != SHOWN:
            ordinal = word(picked, 1)
            place = pick_place(board, context, seat, forms, pick, item, ordinal)
            if place < 0:
                return LEFT
            action = word(pick, 1) + place
            if done == length:
                return action
            if word(made, 1 + done) != action:
                return ELSEWHERE
            done += 1
    return ELSEWHERE


@kernel
def next_card(
    board: Board,
    context: Context,
    seat: int,
    forms: Pointer,
    pick: Pointer,
    item: int,
    made: Pointer,
    length: int,
    before: int,
) -> int:
    """Return the action after the first `length` of those made that picks a card of a group.

    `before` of them were made before the group. If all of the group was picked, the result is the
    number made with it, and NO_LOOK more; otherwise it is as for `next_action`.
    """
    group = offset(context.arena, item)
    if word(pick, 4) != 0:
        if not sees_group(board, seat, group):
            return LEFT
    looks = offset(forms, 8 * word(pick, 2))
    count = load(group, 8)
    cards = offset(group, 8)
    done = before
    last = -1
    for _ in range(count):
        least = NO_LOOK
        for k in range(count):
            look = word(looks, card_in(cards, k))
            if look > last and look < least:
                least = look
        if least == NO_LOOK:
            return LEFT
        last = least
        action = word(pick, 1) + least
        if done == length:
            return action
        if word(made, 1 + done) != action:
            return ELSEWHERE
        done += 1
    end = signed_word(pick, 3)
    if end >= 0:
        if done == length:
            return end
        if word(made, 1 + done) != end:
            return ELSEWHERE
        done += 1
    return NO_LOOK + done


@kernel
def pick_place(
    board: Board,
    context: Context,
    seat: int,
    forms: Pointer,
    pick: Pointer,
    item: int,
    ordinal: int,
) -> int:
    """Return the place of what was picked among the values of its column; less than 0 if none."""
    sort = word(pick, 0)
    table = offset(forms, 8 * word(pick, 2))
    if sort == CARD:
        if word(pick, 4) != 0:
            if not sees(board, holder_slot(board, item), seat):
                return word(pick, 3) + ordinal
        return word(table, item)
    if sort == SHOWN:
        return 0
    if sort == LISTED:
        at = item - signed_word(table, 0)
        if at < 0 or at >= word(table, 1):
            return -1
        return signed_word(table, 2 + at)
    if sort == PLACE:
        return item if item < word(pick, 3) else -1
    if sort == OTHER:
        return -1
    group = offset(context.arena, item)
    if word(pick, 4) != 0:
        if not sees_group(board, seat, group):
            return -1
    if sort == PART:
        return signed_word(table, card_in(offset(group, 8), 0))
    return group_place(table, offset(forms, 8 * word(pick, 3)), group)


@kernel
def group_place(table: Pointer, looks: Pointer, group: Pointer) -> int:
    """Return the place of a group of cards by the hash of their looks; -1 if it has none."""
    count = load(group, 8)
    cards = offset(group, 8)
    key = count
    for i in range(count):
        key = wrap(key + scattered(word(looks, card_in(cards, i)) + 1))
    last = word(table, 0)
    at = key & last
    while word(table, 2 + 2 * at) != 0:
        if signed_word(table, 1 + 2 * at) == key:
            return word(table, 2 + 2 * at) - 1
        at = (at + 1) & last
    return -1


@kernel
def copies_of(forms: Pointer, row: Pointer, option: Pointer) -> int:
    """Return how many actions there are of an option's meaning."""
    branch = branch_of(forms, row, option)
    return word(branch, 1)


@kernel(exported=True)
def cw_action_mask(
    boards: Board,
    context: Context,
    notes: Pointer,
    forms: Pointer,
    made: Pointer,
    most: int,
    width: int,
    out: Pointer,
    left: Pointer,
    first: int,
    end: int,
) -> int:
    """Write for some games a byte for each of `width` actions: 1 for those that are legal.

    The rows of actions made so far have `most` words. The byte of a game in `left` is set to 1 if
    it has options that are left to Python.
    """
    for game in range(first, end):
        note = note_of(notes, game)
        mask = offset(out, width * game)
        clear(mask, width)
        count = word(note, OPTIONS)
        if count > 0:
            board = board_of(boards, game)
            row = offset(forms, 8 * word(forms, board.pc))
            so_far = offset(made, 8 * most * game)
            found = advance(board, context)
            if found != count or not mark_options(
                board, context, word(note, PLAYER), forms, row, count, so_far, mask
            ):
                store(offset(left, game), 1, 1)
    return 0


@kernel
def mark_options(
    board: Board,
    context: Context,
    seat: int,
    forms: Pointer,
    row: Pointer,
    count: int,
    made: Pointer,
    mask: Pointer,
) -> bool:
    """Set the bytes of the next actions of the options of a game; return whether they are known.

    Options of single actions have one each.
    """
    size = 8 * word(row, 0)
    length = word(made, 0)
    known = False
    for i in range(count):
        option = offset(context.options, size * i)
        number = next_action(board, context, seat, forms, row, option, made, length)
        if number == LEFT:
            return False
        if number >= 0:
            known = True
            last = number + copies_of(forms, row, option)
            while number < last and load(offset(mask, number), 1) != 0:
                number += 1
            if number < last:
                store(offset(mask, number), 1, 1)
            elif not in_sequence(forms, row, option):
                return False
    return known


@kernel
def in_sequence(forms: Pointer, row: Pointer, option: Pointer) -> bool:
    """Return whether an option is a sequence of actions."""
    branch = branch_of(forms, row, option)
    return signed_word(branch, 0) < 0


@kernel(exported=True)
def cw_action_options(
    boards: Board,
    context: Context,
    notes: Pointer,
    forms: Pointer,
    made: Pointer,
    most: int,
    choices: Pointer,
    first: int,
    end: int,
) -> int:
    """Write for some games the index of the option that an action makes, or why there is none.

    It stands after the actions made so far, in rows of `most` words. Where there is no decision,
    0 is written.
    """
    for game in range(first, end):
        note = note_of(notes, game)
        count = word(note, OPTIONS)
        choice = 0
        if count > 0:
            board = board_of(boards, game)
            row = offset(forms, 8 * word(forms, board.pc))
            choice = LEFT
            if advance(board, context) == count:
                mover = word(note, PLAYER)
                so_far = offset(made, 8 * most * game)
                choice = option_of(board, context, mover, forms, row, count, so_far)
        put_word(choices, game, choice)
    return 0


@kernel
def option_of(
    board: Board,
    context: Context,
    seat: int,
    forms: Pointer,
    row: Pointer,
    count: int,
    made: Pointer,
) -> int:
    """Return the index of the option that an action makes; REFUSED, LEFT or GOES_ON if none.

    Options that mean the same are numbered in their order; only if there are more of them than
    numbers they are left.
    """
    size = 8 * word(row, 0)
    length = word(made, 0)
    action = signed_word(made, 1 + length)
    before = 0
    choice = REFUSED
    known = False
    for i in range(count):
        option = offset(context.options, size * i)
        number = next_action(board, context, seat, forms, row, option, made, length)
        if number == LEFT:
            return LEFT
        if number >= 0:
            known = True
            copies = copies_of(forms, row, option)
            if number <= action < number + copies:
                after = next_action(board, context, seat, forms, row, option, made, length + 1)
                if after >= 0:
                    choice = GOES_ON
                else:
                    if number + before == action:
                        choice = i
                    before += 1
                    if before > copies:
                        return LEFT
    return choice if known else LEFT


EXPORTED = (cw_action_mask, cw_action_options)

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

from cardwright.compiler import intrinsics as op
from cardwright.compiler.kernel import kernel
from cardwright.compiler.kernels import engine
from cardwright.compiler.kernels.batches import OPTIONS, PLAYER, board_of, note_of
from cardwright.compiler.kernels.engine import Board, Context, Pointer
from cardwright.compiler.kernels.lists import card_in
from cardwright.compiler.kernels.locations import holder_slot
from cardwright.compiler.kernels.picks import STRICT, choice_row, option_at, pick_at, sees_group
from cardwright.compiler.kernels.stream import scattered
from cardwright.compiler.kernels.worlds import sees

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
def _branch_of(context: Context, row: Pointer, option: Pointer) -> Pointer:
    forms: Pointer = context.forms
    return forms + (row[2] + row[3] * option[0])


@kernel
def next_action(
    board: Board, context: Context, seat: int, row: Pointer, branch: Pointer, option: Pointer,
    made: Pointer, length: int,
) -> int:  # fmt: skip
    """Return the action after the first `length` of those made on the way to an option.

    ELSEWHERE if they do not lead there, or all the way; LEFT if it is not known.
    """
    number = branch[0]
    picks = branch[2]
    if number < SEQUENCE or (row[STRICT] == 0 and option[1] != picks):
        return LEFT
    single = number != SEQUENCE
    done = 0
    for i in range(picks):
        pick = branch + (HEAD + PICK * i)
        picked = pick_at(row, option, i)
        if pick[0] == SINGLY and not single:
            found = next_card(board, context, seat, pick, picked[0], made, length, done)
            if found < NO_LOOK:
                return found
            done = found - NO_LOOK
        elif single or pick[0] != SHOWN:
            place = pick_place(board, context, seat, pick, picked)
            if place < 0:
                return LEFT
            if single:
                number += place * pick[1]
            elif done == length:
                return pick[1] + place
            elif made[1 + done] != pick[1] + place:
                return ELSEWHERE
            else:
                done += 1
    return number if single and length == 0 else ELSEWHERE


@kernel
def next_card(
    board: Board, context: Context, seat: int, pick: Pointer, item: int, made: Pointer, length: int,
    done: int,
) -> int:  # fmt: skip
    """Return the action after the first `length` of those made that picks a card of a group.

    `done` of them were made before the group. If all of the group was picked, the result is the
    number made with it, and NO_LOOK more; otherwise it is as for `next_action`.
    """
    group = op.offset(context.arena, item)
    if pick[4] != 0 and not sees_group(board, seat, group):
        return LEFT
    looks = context.forms + pick[2]
    count = group[0]
    last = -1
    for i in range(count + 1):
        action = pick[3]
        if i < count:
            least = NO_LOOK
            for k in range(count):
                look = looks[card_in(group + 1, k)]
                if look > last and look < least:
                    least = look
            if least == NO_LOOK:
                return LEFT
            last = least
            action = pick[1] + least
        if i < count or action >= 0:
            if done == length:
                return action
            if made[1 + done] != action:
                return ELSEWHERE
            done += 1
    return NO_LOOK + done


@kernel
def pick_place(board: Board, context: Context, seat: int, pick: Pointer, picked: Pointer) -> int:
    """Return the place of what was picked among the values of its column; less than 0 if none."""
    forms: Pointer = context.forms
    item = picked[0]
    sort = pick[0]
    table = forms + pick[2]
    if sort == CARD:
        if pick[4] != 0 and not sees(board, holder_slot(board, item), seat):
            return pick[3] + picked[1]
        return table[item]
    if sort == SHOWN:
        return 0
    if sort == LISTED:
        at = item - table[0]
        return table[2 + at] if 0 <= at < table[1] else -1
    if sort == PLACE:
        return item if item < pick[3] else -1
    if sort == OTHER:
        return -1
    group = op.offset(context.arena, item)
    if pick[4] != 0 and not sees_group(board, seat, group):
        return -1
    if sort == PART:
        return table[card_in(group + 1, 0)]
    return group_place(table, forms + pick[3], group)


@kernel
def group_place(table: Pointer, looks: Pointer, group: Pointer) -> int:
    """Return the place of a group of cards by the hash of their looks; -1 if it has none."""
    key = group[0]
    for i in range(group[0]):
        key = op.wrap(key + scattered(looks[card_in(group + 1, i)] + 1))
    last = table[0]
    at = key & last
    while table[2 + 2 * at] != 0:
        if table[1 + 2 * at] == key:
            return table[2 + 2 * at] - 1
        at = (at + 1) & last
    return -1


@kernel(exported=True)
def cw_action_mask(
    boards: Board, context: Context, notes: Pointer, forms: Pointer, made: Pointer, most: int,
    width: int, out: Pointer, left: Pointer, first: int, end: int,
) -> int:  # fmt: skip
    """Write for some games a byte for each of `width` actions: 1 for those that are legal.

    The rows of actions made so far have `most` words. The byte of a game in `left` is set to 1 if
    it has options that are left to Python.
    """
    context.forms = forms
    for game in range(first, end):
        note = note_of(notes, game)
        mask = op.offset(out, width * game)
        op.clear(mask, width)
        count = note[OPTIONS]
        if count > 0:
            board = board_of(boards, game)
            found = engine.advance(board, context)
            if found != count or not mark_options(
                board, context, note[PLAYER], count, made + most * game, mask
            ):
                op.store(op.offset(left, game), 1, 1)
    return 0


@kernel
def mark_options(
    board: Board, context: Context, seat: int, count: int, made: Pointer, mask: Pointer
) -> bool:
    """Set the bytes of the next actions of the options of a game; return whether they are known.

    Options of single actions have one each.
    """
    row = choice_row(context, board.pc)
    known = False
    for i in range(count):
        option = option_at(context, row, i)
        branch = _branch_of(context, row, option)
        number = next_action(board, context, seat, row, branch, option, made, made[0])
        if number == LEFT:
            return False
        if number >= 0:
            known = True
            last = number + branch[1]
            while number < last and op.load(op.offset(mask, number), 1) != 0:
                number += 1
            if number < last:
                op.store(op.offset(mask, number), 1, 1)
            elif branch[0] >= 0:
                return False
    return known


@kernel(exported=True)
def cw_action_options(
    boards: Board, context: Context, notes: Pointer, forms: Pointer, made: Pointer, most: int,
    choices: Pointer, first: int, end: int,
) -> int:  # fmt: skip
    """Write for some games the index of the option that an action makes, or why there is none.

    It stands after the actions made so far, in rows of `most` words. Where there is no decision,
    0 is written.
    """
    context.forms = forms
    for game in range(first, end):
        note = note_of(notes, game)
        count = note[OPTIONS]
        choices[game] = 0
        if count > 0:
            board = board_of(boards, game)
            choice = LEFT
            if engine.advance(board, context) == count:
                choice = option_of(board, context, note[PLAYER], count, made + most * game)
            choices[game] = choice
    return 0


@kernel
def option_of(board: Board, context: Context, seat: int, count: int, made: Pointer) -> int:
    """Return the index of the option that an action makes; REFUSED, LEFT or GOES_ON if none.

    Options that mean the same are numbered in their order; only if there are more of them than
    numbers they are left.
    """
    row = choice_row(context, board.pc)
    length = made[0]
    action = made[1 + length]
    before = 0
    choice = REFUSED
    known = False
    for i in range(count):
        option = option_at(context, row, i)
        branch = _branch_of(context, row, option)
        number = next_action(board, context, seat, row, branch, option, made, length)
        if number == LEFT:
            return LEFT
        if number >= 0:
            known = True
            copies = branch[1]
            if number <= action < number + copies:
                after = next_action(board, context, seat, row, branch, option, made, length + 1)
                if after >= 0:
                    choice = GOES_ON
                else:
                    if number + before == action:
                        choice = i
                    before += 1
                    if before > copies:
                        return LEFT
    return choice if known else LEFT

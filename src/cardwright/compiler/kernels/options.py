"""Kernels that find options by trying them: each is run on a copy of the board.

The trail of a context has a row for every `any` that was passed: the ordinal of the item taken, the
number of items, the item, and the number of the form. Prescribed items are taken; beyond them the
first item is, and then the next, until all are tried.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.compiler.inlining import Inline
from cardwright.compiler.intrinsics import Pointer, copy, like, load, offset, pointer_to, store
from cardwright.compiler.kernel import kernel
from cardwright.compiler.kernels.engine import explore, too_many

if TYPE_CHECKING:
    from cardwright.compiler.kernels.types import Board, Context

STATE_BYTES = 0
HEAD_BYTES = 0
PILES_AT = 0
PILE_BYTES = 0
PURE = 0
CHANGED_AT = 32 * 1_024
MOST_CHANGED = 512
ROW = 32


@kernel
def take_pick(context: Context, items: int, form: int, most: int) -> int:
    """Return the ordinal to take at an `any`; -1 if there were too many on the path."""
    at = context.picks
    if at >= most:
        return -1
    row = offset(context.trail, ROW * at)
    if at >= context.pick_count:
        store(row, 0, 8)
    store(offset(row, 8), items, 8)
    store(offset(row, 24), form, 8)
    context.picks = at + 1
    return load(row, 8)


@kernel
def note_pick(context: Context, item: int) -> None:
    """Record the item that was taken last."""
    store(offset(context.trail, ROW * (context.picks - 1) + 16), item, 8)


@kernel
def try_options(
    board: Board, context: Context, which: int, branch: int, found: int, words: int, site: int
) -> int:
    """Add the options of a branch to those found so far; return how many there are, or -1.

    `site` is the fault reported if there is no room for one more.
    """
    context.pick_count = 0
    scratch = like(board, context.scratch)
    while True:
        copy(pointer_to(scratch), pointer_to(board), STATE_BYTES)
        context.picks = 0
        acted = explore(scratch, context, which)
        if acted < 0:
            return -1
        if acted > 0:
            if (found + 1) * words > context.options_room:
                return too_many(context, site)
            note(context, offset(context.options, 8 * words * found), branch)
            found += 1
        at = context.picks
        while at > 0 and last_item(offset(context.trail, ROW * (at - 1))):
            at -= 1
        if at == 0:
            return found
        row = offset(context.trail, ROW * (at - 1))
        store(row, load(row, 8) + 1, 8)
        context.pick_count = at


@kernel(inline=Inline.ALWAYS)
def note_changed(context: Context, slot: int) -> None:
    """Record that a location is about to change, so that a scratch board can be restored."""
    number: int = context.changed
    if number < MOST_CHANGED:
        store(offset(context.trail, CHANGED_AT + 8 * number), slot, 8)
    context.changed = number + 1


@kernel
def prepare_trial(scratch: Board, board: Board, context: Context, again: int) -> None:
    """Make the scratch board equal to the board.

    If it was used before in this search, only the locations that changed are copied, and what comes
    before the locations.
    """
    number: int = context.changed
    context.changed = 0
    if again == 0 or number > MOST_CHANGED:
        copy(pointer_to(scratch), pointer_to(board), STATE_BYTES)
        return
    copy(pointer_to(scratch), pointer_to(board), HEAD_BYTES)
    for i in range(number):
        slot = load(offset(context.trail, CHANGED_AT + 8 * i), 8)
        if slot >= PURE:
            at = PILES_AT + slot * PILE_BYTES
            copy(offset(pointer_to(scratch), at), offset(pointer_to(board), at), PILE_BYTES)


@kernel
def last_item(row: Pointer) -> bool:
    """Return whether the item taken is the last of its collection."""
    return load(row, 8) + 1 >= load(offset(row, 8), 8)


@kernel
def note(context: Context, option: Pointer, branch: int) -> None:
    """Write down an option: branch, number of picks, and item, ordinal and form of each."""
    store(option, branch, 8)
    store(offset(option, 8), context.picks, 8)
    for i in range(context.picks):
        row = offset(context.trail, ROW * i)
        target = offset(option, 16 + 24 * i)
        store(target, load(offset(row, 16), 8), 8)
        store(offset(target, 8), load(row, 8), 8)
        store(offset(target, 16), load(offset(row, 24), 8), 8)


@kernel
def follow(context: Context, option: Pointer) -> None:
    """Prescribe the picks of an option."""
    count = load(offset(option, 8), 8)
    context.pick_count = count
    context.picks = 0
    for i in range(count):
        store(offset(context.trail, ROW * i), load(offset(option, 16 + 24 * i + 8), 8), 8)

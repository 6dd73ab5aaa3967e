"""Kernels that rules call: arithmetic, the work that may be done, and options found by trying.

Arithmetic without a machine instruction leaves its result in the context. It returns 0, or 1 for an
overflow, or 2 for a division by zero.

Of work without a decision, `left` counts down the rounds that may be made before the next check; a
decision sets it to `allowance`. What is allowed beyond that is granted in portions by `spent`.
`ticks` counts down decisions, and thousands of rounds, until Python is asked.

An option is tried on a copy of the board. The trail of a context has a row for every `any` that was
passed: the ordinal of the item taken, the number of items, the item, and the number of the form.
Prescribed items are taken; beyond them the first item is, and then the next, until all are tried.
"""

from __future__ import annotations

from cardwright.compiler import intrinsics as op
from cardwright.compiler.kernel import Inline, kernel
from cardwright.compiler.kernels import engine
from cardwright.compiler.kernels.engine import Board, Context, Pointer

LAST_FIBONACCI = 92
"""The number of the largest Fibonacci number that fits in 64 bits."""


@kernel
def power(context: Context, base: int, exponent: int) -> int:
    """Raise to a power; negative exponents give the nearest integer to the fraction."""
    context.result = 1
    if exponent < 0:
        if base == 0:
            return 2
        if base == 1:
            return 0
        context.result = 0
        if base == -1:
            context.result = -1 if (exponent & 1) != 0 else 1
        return 0
    if base == 0 or base == 1 or base == -1:
        if exponent > 0:
            context.result = base if (exponent & 1) != 0 else base * base
        return 0
    if exponent > 63:
        return 1
    for _ in range(exponent):
        if op.multiply_overflows(context.result, base):
            return 1
        context.result = context.result * base
    return 0


@kernel
def triangle(context: Context, number: int) -> int:
    """Return the sum of the integers from 1 to n, by the formula n(n+1)/2."""
    if op.add_overflows(number, 1):
        return 1
    left = number
    right = number + 1
    if (number & 1) != 0:
        right = op.shift_right_signed(right, 1)
    else:
        left = op.shift_right_signed(left, 1)
    if op.multiply_overflows(left, right):
        return 1
    context.result = left * right
    return 0


@kernel
def fibonacci(context: Context, number: int) -> int:
    """Return the n-th Fibonacci number; below 0 by the same recurrence backwards."""
    if number > LAST_FIBONACCI or number < -LAST_FIBONACCI:
        return 1
    count = number if number >= 0 else -number
    low = 0
    high = 1
    for _ in range(count):
        following = op.wrap(low + high)
        low = high
        high = following
    context.result = low
    if number < 0 and (number & 1) == 0:
        context.result = -low
    return 0


PART = 8_192
"""Rounds granted at once."""

PART_TICKS = 2
TICKS = 8_192
"""Ticks from one question to the next: some milliseconds in most games."""


@kernel(inline=Inline.NEVER)
def stopped(context: Context) -> bool:
    """Return whether to stop: another thread may have set `stop`, or `watch` may say so.

    `watch` is the address of a function, or 0. After that nothing goes on until Python sets `stop`
    and `allowance` again.
    """
    if context.stop == 0 and context.watch != 0:
        context.stop = op.ask(context.watch)
    if context.stop != 0:
        context.allowance = 0
        return True
    context.ticks = TICKS
    return False


@kernel(inline=Inline.NEVER)
def time_to_stop(context: Context) -> bool:
    """Return whether to stop, if it is time to ask."""
    return bool(context.ticks <= 0 and stopped(context))


@kernel(inline=Inline.NEVER)
def spent(context: Context) -> bool:
    """Return whether all allowed rounds are used up, or play must stop; else grant some more."""
    if context.stop != 0:
        return True
    if context.parts == 0:
        context.later = context.limit - context.allowance
    context.parts = 1
    given: int = min(context.later, max(PART, -context.left))
    context.later -= given
    context.left += given
    if context.left < 0:
        return True
    context.ticks -= PART_TICKS
    return bool(context.ticks < 0 and stopped(context))


CHANGED_AT = 4 * 1_024
MOST_CHANGED = 512
ROW = 4
"""Words of a row of the trail; after the rows come the slots that have changed."""


@kernel
def take_pick(context: Context, items: int, form: int, most: int) -> int:
    """Return the ordinal to take at an `any`; -1 if there were too many on the path."""
    at = context.picks
    if at >= most:
        return -1
    row = context.trail + ROW * at
    if at >= context.pick_count:
        row[0] = 0
    row[1] = items
    row[3] = form
    context.picks = at + 1
    return int(row[0])


@kernel
def note_pick(context: Context, item: int) -> None:
    """Record the item that was taken last."""
    context.trail[ROW * (context.picks - 1) + 2] = item


@kernel
def try_options(
    board: Board, context: Context, which: int, branch: int, found: int, words: int, site: int
) -> int:
    """Add the options of a branch to those found so far; return how many there are, or -1.

    `site` is the fault reported if there is no room for one more.
    """
    context.pick_count = 0
    scratch = op.like(board, context.scratch)
    while True:
        op.copy(op.pointer_to(scratch), op.pointer_to(board), engine.STATE_BYTES)
        context.picks = 0
        acted = engine.explore(scratch, context, which)
        if acted < 0:
            return -1
        if acted > 0:
            if (found + 1) * words > context.options_room:
                return engine.too_many(context, site)
            note(context, context.options + words * found, branch)
            found += 1
        at = context.picks
        row = context.trail + ROW * (at - 1)
        while at > 0 and row[0] + 1 >= row[1]:
            at -= 1
            row = context.trail + ROW * (at - 1)
        if at == 0:
            return found
        row[0] += 1
        context.pick_count = at


@kernel(inline=Inline.ALWAYS)
def note_changed(context: Context, slot: int) -> None:
    """Record that a location is about to change, so that a scratch board can be restored."""
    number: int = context.changed
    if number < MOST_CHANGED:
        context.trail[CHANGED_AT + number] = slot
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
        op.copy(op.pointer_to(scratch), op.pointer_to(board), engine.STATE_BYTES)
        return
    op.copy(op.pointer_to(scratch), op.pointer_to(board), engine.HEAD_BYTES)
    for i in range(number):
        slot: int = context.trail[CHANGED_AT + i]
        if slot >= engine.PURE:
            at = engine.PILES_AT + slot * engine.PILE_BYTES
            op.copy(
                op.offset(op.pointer_to(scratch), at),
                op.offset(op.pointer_to(board), at),
                engine.PILE_BYTES,
            )


@kernel
def note(context: Context, option: Pointer, branch: int) -> None:
    """Write down an option: branch, number of picks, and item, ordinal and form of each."""
    option[0] = branch
    option[1] = context.picks
    for i in range(context.picks):
        row = context.trail + ROW * i
        target = option + (2 + 3 * i)
        target[0] = row[2]
        target[1] = row[0]
        target[2] = row[3]


@kernel
def follow(context: Context, option: Pointer) -> None:
    """Prescribe the picks of an option."""
    count = option[1]
    context.pick_count = count
    context.picks = 0
    for i in range(count):
        context.trail[ROW * i] = option[3 + 3 * i]

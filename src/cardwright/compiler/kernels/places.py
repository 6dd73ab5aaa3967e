"""Kernels that find locations whose names or indices are known only in play."""

from __future__ import annotations

from cardwright.compiler import intrinsics as op
from cardwright.compiler.kernel import Inline, kernel
from cardwright.compiler.kernels import engine
from cardwright.compiler.kernels.engine import Board, Context, Pointer
from cardwright.compiler.kernels.lists import list_at, reserve_words

KEPT = 32
"""Number of pool slots in use beyond which empty locations are forgotten."""

ROW = 16
"""Bytes of a row of the table of fixed places: owner (2), kind (2), name (4), index (8)."""


@kernel
def find_place(
    board: Board, fixed: Pointer, count: int, owner: int, kind: int, name: int, at: int
) -> int:
    """Return the slot of a location, or the always empty slot if it has none."""
    for i in range(count):
        row = op.offset(fixed, i * ROW)
        if op.load(row, 2) == owner and op.load(op.offset(row, 2), 2) == kind:
            if op.load(op.offset(row, 4), 4) == name and row[1] == at:
                return i
    slot = made_slot(board, owner, kind, name, at)
    return slot if slot >= 0 else engine.SLOTS - 1


@kernel
def made_slot(board: Board, owner: int, kind: int, name: int, at: int) -> int:
    """Return the slot of a location made in play, or -1 if it has none."""
    for i in op.ones(board.pool_used):
        if is_made(board, i, owner, kind, name) and board.pool_at[i] == at:
            return engine.FIXED_SLOTS + i
    return -1


@kernel
def is_made(board: Board, i: int, owner: int, kind: int, name: int) -> bool:
    """Return whether a slot of the pool is a location of an owner, kind and name."""
    if board.pool_kind[i] != kind or board.pool_owner[i] != owner:
        return False
    return bool(board.pool_name[i] == name)


@kernel
def make_place(
    board: Board, fixed: Pointer, count: int, owner: int, kind: int, name: int, at: int
) -> int:
    """Return the slot of a location, which gets one if it has none; -1 if the pool is empty."""
    slot = find_place(board, fixed, count, owner, kind, name, at)
    if slot != engine.SLOTS - 1:
        return slot
    unused = ~board.pool_used
    if unused == 0:
        return -1
    i = op.lowest_one(unused)
    board.pool_used |= unused & -unused
    board.pool_kind[i] = kind
    board.pool_owner[i] = owner
    board.pool_name[i] = name
    board.pool_at[i] = at
    return engine.FIXED_SLOTS + i


@kernel(inline=Inline.ALWAYS)
def free_places(board: Board) -> int:
    """Return how many slots of the pool are free."""
    return engine.POOL_SLOTS - op.count_ones(board.pool_used)


@kernel
def keep_place(context: Context, board: Board, slot: int) -> int:
    """Return the number of a picked location: its slot, or below -1 an offset of its fields.

    A slot of the pool may be another location's by the time the options are read.
    """
    if slot < engine.FIXED_SLOTS:
        return slot
    base: int = context.kept
    if base + 32 > context.kept_end:
        return -1
    context.kept = base + 32
    target = op.offset(context.arena, base)
    target[0] = board.pool_owner[slot - engine.FIXED_SLOTS]
    target[1] = board.pool_kind[slot - engine.FIXED_SLOTS]
    target[2] = board.pool_name[slot - engine.FIXED_SLOTS]
    target[3] = board.pool_at[slot - engine.FIXED_SLOTS]
    return -2 - base


@kernel
def tidy(board: Board) -> None:
    """Return the slots of locations that never had a card to the pool.

    If many are in use, return those of empty locations too, in order of their first card.
    """
    for i in op.ones(board.pool_used):
        if board.born[engine.FIXED_SLOTS + i] == 0:
            free(board, i)
    used = op.count_ones(board.pool_used)
    while used > KEPT:
        found = first_empty(board)
        if found < 0:
            return
        forget(board, found)
        used -= 1


@kernel
def free(board: Board, at: int) -> None:
    """Return a slot to the pool."""
    board.pool_used &= ~op.wrap(1 << at)
    board.pool_kind[at] = 0
    board.pool_owner[at] = 0
    board.pool_name[at] = 0
    board.pool_at[at] = 0


@kernel
def first_empty(board: Board) -> int:
    """Return the oldest empty location of the pool that is not listed, or -1."""
    found = -1
    for i in range(engine.POOL_SLOTS):
        born: int = board.born[engine.FIXED_SLOTS + i]
        if born != 0 and board.count[engine.FIXED_SLOTS + i] == 0:
            if found < 0 or born < board.born[engine.FIXED_SLOTS + found]:
                if engine.listed(board.pool_kind[i], board.pool_name[i]) == 0:
                    found = i
    return found


@kernel
def forget(board: Board, at: int) -> None:
    """Reset an empty location of the pool to the state before its first card."""
    born: int = board.born[engine.FIXED_SLOTS + at]
    for slot in range(engine.PURE, engine.SLOTS):
        if board.born[slot] > born:
            board.born[slot] -= 1
    board.born[engine.FIXED_SLOTS + at] = 0
    board.births -= 1
    free(board, at)


@kernel
def indexed(
    context: Context, board: Board, fixed: Pointer, count: int, owner: int, kind: int, name: int,
) -> int:  # fmt: skip
    """Return a vector of the locations of a name that have held a card, by their first card."""
    base = reserve_words(context, engine.SLOTS + 1)
    if base < 0:
        return -1
    items = list_at(context, base) + 1
    found = 0
    for slot in range(engine.PURE, engine.FIXED_SLOTS + engine.POOL_SLOTS):
        if board.born[slot] != 0:
            fits = False
            if slot < count:
                row = op.offset(fixed, slot * ROW)
                fits = (
                    op.load(row, 2) == owner
                    and op.load(op.offset(row, 2), 2) == kind
                    and op.load(op.offset(row, 4), 4) == name
                )
            elif engine.POOL_SLOTS > 0:
                fits = is_made(board, slot - engine.FIXED_SLOTS, owner, kind, name)
            if fits:
                at = found
                while at > 0 and board.born[items[at - 1]] > board.born[slot]:
                    items[at] = items[at - 1]
                    at -= 1
                items[at] = slot
                found += 1
    list_at(context, base)[0] = found
    context.top = base + 8 * (found + 1)
    return base


UNSEEN = -2
"""What is written for the first item of a collection if it is not seen; less for later ones.

The same goes for locations made in play that have no cards.
"""


@kernel
def place_number(board: Board, item: int, words: Pointer, ordinal: int) -> int:
    """Return the number of a picked location: its slot, or a number for one made in play.

    For the latter an option may have owner, kind, name and index, at `words`, instead of the slot.
    """
    slot = item
    if slot < 0:
        slot = made_slot(board, words[0], words[1], words[2], words[3])
    if slot < 0 or (slot >= engine.FIXED_SLOTS and board.count[slot] == 0):
        return UNSEEN - ordinal
    return slot if slot < engine.FIXED_SLOTS else made_place(board, slot)


@kernel
def made_place(board: Board, place: int) -> int:
    """Return the number of a location made in play: how many with cards were born before it."""
    number = engine.FIXED_SLOTS
    for slot in range(engine.FIXED_SLOTS, engine.FIXED_SLOTS + engine.POOL_SLOTS):
        if board.count[slot] > 0 and board.born[slot] < board.born[place]:
            number += 1
    return number


@kernel
def next_made(board: Board, born: int) -> int:
    """Return the first location made in play that has cards and was born after another; else -1."""
    found = -1
    for slot in range(engine.FIXED_SLOTS, engine.FIXED_SLOTS + engine.POOL_SLOTS):
        later = board.count[slot] > 0 and board.born[slot] > born
        if later and (found < 0 or board.born[slot] < board.born[found]):
            found = slot
    return found

"""Kernels that find locations whose names or indices are known only in play."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.compiler.inlining import Inline
from cardwright.compiler.intrinsics import (
    Pointer,
    count_ones,
    load,
    lowest_one,
    offset,
    store,
    wrap,
)
from cardwright.compiler.kernel import kernel
from cardwright.compiler.kernels.engine import listed

if TYPE_CHECKING:
    from cardwright.compiler.kernels.types import Board, Context

FIXED_SLOTS = 0
POOL_SLOTS = 0
SLOTS = 0
PURE = 0
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
        row = offset(fixed, i * ROW)
        if load(row, 2) == owner and load(offset(row, 2), 2) == kind:
            if load(offset(row, 4), 4) == name and load(offset(row, 8), 8) == at:
                return i
    used: int = board.pool_used
    while used != 0:
        i = lowest_one(used)
        if board.pool_kind[i] == kind and board.pool_owner[i] == owner:
            if board.pool_name[i] == name and board.pool_at[i] == at:
                return FIXED_SLOTS + i
        used &= used - 1
    return SLOTS - 1


@kernel
def make_place(
    board: Board, fixed: Pointer, count: int, owner: int, kind: int, name: int, at: int
) -> int:
    """Return the slot of a location, which gets one if it has none; -1 if the pool is empty."""
    slot = find_place(board, fixed, count, owner, kind, name, at)
    if slot != SLOTS - 1:
        return slot
    unused = ~board.pool_used
    if unused == 0:
        return -1
    i = lowest_one(unused)
    board.pool_used |= unused & -unused
    board.pool_kind[i] = kind
    board.pool_owner[i] = owner
    board.pool_name[i] = name
    board.pool_at[i] = at
    return FIXED_SLOTS + i


@kernel(inline=Inline.ALWAYS)
def free_places(board: Board) -> int:
    """Return how many slots of the pool are free."""
    return POOL_SLOTS - count_ones(board.pool_used)


@kernel
def keep_place(context: Context, board: Board, slot: int) -> int:
    """Return the number of a picked location: its slot, or below -1 an offset of its fields.

    A slot of the pool may be another location's by the time the options are read.
    """
    if slot < FIXED_SLOTS:
        return slot
    base: int = context.kept
    if base + 32 > context.kept_end:
        return -1
    context.kept = base + 32
    target = offset(context.arena, base)
    store(target, board.pool_owner[slot - FIXED_SLOTS], 8)
    store(offset(target, 8), board.pool_kind[slot - FIXED_SLOTS], 8)
    store(offset(target, 16), board.pool_name[slot - FIXED_SLOTS], 8)
    store(offset(target, 24), board.pool_at[slot - FIXED_SLOTS], 8)
    return -2 - base


@kernel
def tidy(board: Board) -> None:
    """Return the slots of locations that never had a card to the pool.

    If many are in use, return those of empty locations too, in order of their first card.
    """
    left: int = board.pool_used
    while left != 0:
        i = lowest_one(left)
        if board.born[FIXED_SLOTS + i] == 0:
            free(board, i)
        left &= left - 1
    used = count_ones(board.pool_used)
    while used > KEPT:
        found = first_empty(board)
        if found < 0:
            return
        forget(board, found)
        used -= 1


@kernel
def free(board: Board, at: int) -> None:
    """Return a slot to the pool."""
    board.pool_used &= ~wrap(1 << at)
    board.pool_kind[at] = 0
    board.pool_owner[at] = 0
    board.pool_name[at] = 0
    board.pool_at[at] = 0


@kernel
def first_empty(board: Board) -> int:
    """Return the oldest empty location of the pool that is not listed, or -1."""
    found = -1
    for i in range(POOL_SLOTS):
        born: int = board.born[FIXED_SLOTS + i]
        if born != 0 and board.count[FIXED_SLOTS + i] == 0:
            if found < 0 or born < board.born[FIXED_SLOTS + found]:
                if listed(board.pool_kind[i], board.pool_name[i]) == 0:
                    found = i
    return found


@kernel
def forget(board: Board, at: int) -> None:
    """Reset an empty location of the pool to the state before its first card."""
    born: int = board.born[FIXED_SLOTS + at]
    for slot in range(PURE, SLOTS):
        if board.born[slot] > born:
            board.born[slot] -= 1
    board.born[FIXED_SLOTS + at] = 0
    board.births -= 1
    free(board, at)


@kernel
def indexed(
    context: Context,
    board: Board,
    fixed: Pointer,
    count: int,
    owner: int,
    kind: int,
    name: int,
) -> int:
    """Return a vector of the locations of a name that have held a card, by their first card."""
    base: int = context.top
    context.top = base + 8 * (SLOTS + 1)
    if context.top > context.arena_end:
        return -1
    items = offset(context.arena, base + 8)
    found = 0
    for slot in range(PURE, FIXED_SLOTS + POOL_SLOTS):
        if board.born[slot] != 0:
            fits = False
            if slot < count:
                row = offset(fixed, slot * ROW)
                fits = (
                    load(row, 2) == owner
                    and load(offset(row, 2), 2) == kind
                    and load(offset(row, 4), 4) == name
                )
            elif POOL_SLOTS > 0:
                fits = pool_fits(board, slot - FIXED_SLOTS, owner, kind, name)
            if fits:
                at = found
                while (
                    at > 0 and board.born[load(offset(items, 8 * (at - 1)), 8)] > board.born[slot]
                ):
                    store(offset(items, 8 * at), load(offset(items, 8 * (at - 1)), 8), 8)
                    at -= 1
                store(offset(items, 8 * at), slot, 8)
                found += 1
    store(offset(context.arena, base), found, 8)
    context.top = base + 8 * (found + 1)
    return base


@kernel
def pool_fits(board: Board, at: int, owner: int, kind: int, name: int) -> bool:
    """Return whether a slot of the pool is a location of an owner, kind and name."""
    if board.pool_kind[at] != kind or board.pool_owner[at] != owner:
        return False
    return bool(board.pool_name[at] == name)

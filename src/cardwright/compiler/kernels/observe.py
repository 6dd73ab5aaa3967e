"""The kernel that writes down what a seat sees, as integers of 4 bytes at fixed places.

`sizes` has as words of 8 bytes what `cardwright.game.observation` says about a program: how many
things of each sort there are, in the order of the constants below, and then for every place in the
program the number of the choice there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.compiler.intrinsics import Pointer, clear, load, offset, store
from cardwright.compiler.kernel import kernel
from cardwright.compiler.kernels.batches import PLAYER, board_of, note_of
from cardwright.compiler.kernels.determinise import sees
from cardwright.compiler.kernels.engine import back
from cardwright.compiler.kernels.lists import word
from cardwright.compiler.kernels.locations import card_lying, size

if TYPE_CHECKING:
    from cardwright.compiler.kernels.types import Board

PLAYERS = 1
FIXED_SLOTS = 0
POOL_SLOTS = 0

SIZE_WIDTH, SIZE_CHOICES, SIZE_CYCLES, SIZE_INTEGERS, SIZE_STRINGS = range(5)
SIZE_POINTS, SIZE_OPERANDS, SIZE_BACKS, SIZE_CARDS, SIZES_END = range(5, 10)

LEAST = -(2**31)
MOST = 2**31 - 1


@kernel
def write(out: Pointer, at: int, value: int) -> int:
    """Put an integer at a place, truncated to 4 bytes; return the next place."""
    store(offset(out, 4 * at), max(min(value, MOST), LEAST), 4)
    return at + 1


@kernel
def count_up(out: Pointer, at: int) -> None:
    """Add 1 to the integer at a place."""
    place = offset(out, 4 * at)
    store(place, load(place, 4) + 1, 4)


@kernel(exported=True)
def cw_observe(
    boards: Board, notes: Pointer, seat: int, sizes: Pointer, out: Pointer, first: int, end: int
) -> int:
    """Write down what a seat sees of some games; -1 means the seat that has to decide, if any."""
    width = word(sizes, SIZE_WIDTH)
    for game in range(first, end):
        row = offset(out, 4 * width * game)
        clear(row, 4 * width)
        mover = word(note_of(notes, game), PLAYER)
        observer = mover if seat < 0 else seat
        if observer >= 0:
            observe(board_of(boards, game), observer, mover, sizes, row)
    return 0


@kernel
def observe(board: Board, seat: int, mover: int, sizes: Pointer, out: Pointer) -> None:
    """Write down what a seat sees of a board; `mover` has to decide, or is -1."""
    write(out, seat, 1)
    if mover >= 0:
        write(out, PLAYERS + mover, 1)
    at = 2 * PLAYERS
    if mover == seat:
        write(out, at + word(sizes, SIZES_END + board.pc), 1)
    at = stored(board, sizes, out, at + word(sizes, SIZE_CHOICES))
    backs = word(sizes, SIZE_BACKS)
    cards = word(sizes, SIZE_CARDS)
    for slot in range(FIXED_SLOTS):
        pile(board, slot, seat, backs, out, at)
        at += backs + cards
    if POOL_SLOTS:
        pool(board, seat, backs, cards, out, at)


@kernel
def stored(board: Board, sizes: Pointer, out: Pointer, at: int) -> int:
    """Write down cycles and stored values, which everybody sees; return the next place."""
    for i in range(word(sizes, SIZE_CYCLES)):
        at = write(out, at, board.current[i])
        at = write(out, at, board.queued[i])
    for i in range(word(sizes, SIZE_INTEGERS)):
        at = write(out, at, board.integers[i])
    for i in range(word(sizes, SIZE_STRINGS)):
        at = write(out, at, board.strings[i])
    operands = word(sizes, SIZE_OPERANDS)
    for i in range(word(sizes, SIZE_POINTS)):
        at = write(out, at, board.points[i])
        for j in range(operands):
            at = write(out, at, board.operands[i, j])
    return at


@kernel
def pile(board: Board, slot: int, seat: int, backs: int, out: Pointer, at: int) -> None:
    """Write down how many cards of each back are in a location, and the positions of those seen."""
    seen = sees(board, slot, seat)
    for i in range(size(board, slot)):
        card = card_lying(board, slot, i)
        count_up(out, at + (back(card) if backs > 1 else 0))
        if seen:
            write(out, at + backs + card, i + 1)


@kernel
def pool(board: Board, seat: int, backs: int, cards: int, out: Pointer, at: int) -> None:
    """Write down the locations made in play, in order of their first cards, and what they are."""
    slot = next_made(board, 0)
    while slot >= 0:
        i = slot - FIXED_SLOTS
        write(out, at, board.pool_owner[i] + 1)
        write(out, at + 1, board.pool_kind[i])
        write(out, at + 2, board.pool_name[i])
        write(out, at + 3, board.pool_at[i])
        pile(board, slot, seat, backs, out, at + 4)
        at += 4 + backs + cards
        slot = next_made(board, board.born[slot])


@kernel
def next_made(board: Board, born: int) -> int:
    """Return the first location made in play that has cards and was born after another; else -1."""
    found = -1
    for slot in range(FIXED_SLOTS, FIXED_SLOTS + POOL_SLOTS):
        later = board.count[slot] > 0 and board.born[slot] > born
        if later and (found < 0 or board.born[slot] < board.born[found]):
            found = slot
    return found


EXPORTED = (cw_observe,)

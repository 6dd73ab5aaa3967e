"""Kernels called from outside that run a game, one decision at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.compiler.kernel import kernel
from cardwright.compiler.kernels.engine import advance, carry_out, player, scores, start

if TYPE_CHECKING:
    from cardwright.compiler.intrinsics import Pointer
    from cardwright.compiler.kernels.types import Board, Context


@kernel(exported=True)
def cw_start(board: Board, context: Context, seed: int) -> int:
    """Set a board up for a seed, before its first item."""
    return start(board, context, seed)


@kernel(exported=True)
def cw_advance(board: Board, context: Context) -> int:
    """Run to the next decision; return the number of options, 0 at the end, -1 for a fault."""
    return advance(board, context)


@kernel(exported=True)
def cw_play(board: Board, context: Context, index: int) -> int:
    """Carry out an option of the decision for which `cw_advance` was called last."""
    return carry_out(board, context, index)


@kernel(exported=True)
def cw_step(board: Board, context: Context, index: int) -> int:
    """Carry out an option as `cw_play` does, then run on as `cw_advance` does."""
    if carry_out(board, context, index) < 0:
        return -1
    return advance(board, context)


@kernel(exported=True)
def cw_scores(board: Board, context: Context, out: Pointer) -> int:
    """Write the scores of a finished game, 8 bytes a seat."""
    return scores(board, context, out)


@kernel(exported=True)
def cw_player(board: Board) -> int:
    """Return the seat that has to decide."""
    return player(board)


EXPORTED = (cw_start, cw_advance, cw_play, cw_step, cw_scores, cw_player)

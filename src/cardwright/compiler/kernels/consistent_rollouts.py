"""Rollouts from worlds that a seat cannot tell from the true one.

They need the rules of the game; the worlds themselves are compiled without them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.compiler.intrinsics import Pointer, copy, pointer_to
from cardwright.compiler.kernel import kernel
from cardwright.compiler.kernels.consistent_worlds import next_world
from cardwright.compiler.kernels.rollouts import begin_streams, roll_out

if TYPE_CHECKING:
    from cardwright.compiler.kernels.types import Board, Context, Stream

STATE_BYTES = 0


@kernel(exported=True)
def cw_rollouts_within(
    board: Board,
    context: Context,
    work: Board,
    stream: Stream,
    streams: Stream,
    fresh: int,
    allowed: Pointer,
    chain: Pointer,
    count: int,
    highest: int,
    ends: Pointer,
    sums: Pointer,
) -> int:
    """Do the same as `cw_rollouts`, but from the next worlds of a chain begun for the board."""
    begin_streams(stream, streams, fresh)
    done = 0
    for _ in range(count):
        copy(pointer_to(work), pointer_to(board), STATE_BYTES)
        next_world(work, stream, allowed, chain)
        done += roll_out(work, context, streams, highest, ends, sums)
    return done


EXPORTED = (cw_rollouts_within,)

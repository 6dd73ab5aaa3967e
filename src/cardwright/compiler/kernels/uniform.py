"""The default policy by which searches play on: all seats choose at random.

Searches call these kernels by name only, so that another module can replace this one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.compiler.kernel import kernel
from cardwright.compiler.kernels.engine import play_on, scores
from cardwright.compiler.kernels.rewards import write_rewards

if TYPE_CHECKING:
    from cardwright.compiler.kernels.types import Board, Context, Search, Stream


@kernel
def play_out(board: Board, context: Context, streams: Stream) -> int:
    """Play to the end, every seat choosing at random from its own stream; return 0 at the end."""
    return play_on(board, context, streams)


@kernel
def settled(board: Board, context: Context, stream: Stream, count: int) -> int:
    """Leave every choice in a tree to the tree."""
    return -1


@kernel
def preferred(board: Board, context: Context, count: int) -> int:
    """Prefer no option to others."""
    return -1


@kernel
def halts(board: Board, context: Context) -> bool:
    """Let every game go on to its end."""
    return False


@kernel
def give_rewards(search: Search, board: Board, context: Context) -> int:
    """Write the rewards for the final scores; return -1 for a fault."""
    if scores(board, context, search.ends) < 0:
        return -1
    write_rewards(search, search.ends, search.rewards)
    return 0


EXPORTED = (play_out, settled, preferred, halts, give_rewards)

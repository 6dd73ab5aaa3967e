"""The default policy by which searches play on: all seats choose at random.

Searches call these kernels by name only, so that another module can replace this one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.compiler.kernel import kernel
from cardwright.compiler.kernels.engine import play_on
from cardwright.compiler.kernels.lists import word
from cardwright.compiler.kernels.points import points
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
def settled_card(board: Board, context: Context, stream: Stream, legal: int) -> int:
    """Leave every choice of a card to the tree."""
    return -1


@kernel
def preferred(board: Board, context: Context, count: int) -> int:
    """Prefer no option to others."""
    return -1


@kernel
def preferred_card(board: Board, context: Context, legal: int) -> int:
    """Prefer no card to others."""
    return -1


@kernel
def give_rewards(search: Search, board: Board, context: Context) -> int:
    """Write the rewards for the points of every seat; return -1 for a fault."""
    if points(board, context, search.ends) < 0:
        return -1
    search.gained = word(search.ends, search.seat)
    write_rewards(search, search.ends, search.rewards)
    return 0


EXPORTED = (play_out, settled, settled_card, preferred, preferred_card, give_rewards)

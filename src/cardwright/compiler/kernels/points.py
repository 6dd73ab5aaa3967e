"""Kernels for what a game that is played out has come to: the points of a deal, or the scores.

Where the context asks for one deal, these are the changes of the scores since the decision. The
scores at the decision are kept behind the room for those at the end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.compiler.intrinsics import Pointer, clear, offset, wrap
from cardwright.compiler.kernel import kernel
from cardwright.compiler.kernels.engine import scores
from cardwright.compiler.kernels.lists import put_word, word

if TYPE_CHECKING:
    from cardwright.compiler.kernels.types import Board, Context

PLAYERS = 1


@kernel
def note_scores(board: Board, context: Context, ends: Pointer) -> int:
    """Note the scores at a decision, if points are counted from there; return -1 for a fault."""
    before = offset(ends, 8 * PLAYERS)
    if context.one_deal == 0:
        clear(before, 8 * PLAYERS)
        return 0
    # Scores are found with each player in turn as the current one.
    current: int = board.current[1]
    done = scores(board, context, before)
    board.current[1] = current
    return done


@kernel
def points(board: Board, context: Context, ends: Pointer) -> int:
    """Write the points of every seat since the scores were noted; return -1 for a fault."""
    if scores(board, context, ends) < 0:
        return -1
    for seat in range(PLAYERS):
        put_word(ends, seat, wrap(word(ends, seat) - word(ends, PLAYERS + seat)))
    return 0

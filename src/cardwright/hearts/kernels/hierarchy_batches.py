"""Decisions of hierarchies in batches: the options that their lists choose, in all games at once.

Players are stored as for whole games; see `hierarchies`. Each seat of each game has its stream.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.compiler.intrinsics import Pointer, like, load, offset
from cardwright.compiler.kernel import kernel
from cardwright.compiler.kernels.batches import OPTIONS, PLAYER, board_of, note_of
from cardwright.compiler.kernels.engine import advance
from cardwright.compiler.kernels.lists import put_word, word
from cardwright.hearts.kernels.hierarchies import listed_index

if TYPE_CHECKING:
    from cardwright.compiler.kernels.types import Board, Context, Stream

PLAYERS = 1
STREAM_BYTES = 32


@kernel(exported=True)
def cw_hearts_choices(
    boards: Board,
    context: Context,
    notes: Pointer,
    streams: Stream,
    table: Pointer,
    wanted: Pointer,
    choices: Pointer,
    count: int,
) -> int:
    """Write the option chosen in each of `count` games whose byte in `wanted` is not 0.

    Where none of these players decides, or none is wanted, -1 is written. The table has, for each
    seat, the offset of its player in words of the `extra` memory, or 0.
    """
    for game in range(count):
        note = note_of(notes, game)
        choice = -1
        if word(note, OPTIONS) != 0 and load(offset(wanted, game), 1) != 0:
            seat = word(note, PLAYER)
            place = word(table, seat)
            if place != 0:
                board = board_of(boards, game)
                options = advance(board, context)
                own = offset(streams, STREAM_BYTES * (PLAYERS * game + seat))
                who = offset(context.extra, 8 * place)
                choice = listed_index(board, context, like(streams, own), who, options)
        put_word(choices, game, choice)
    return count


EXPORTED = (cw_hearts_choices,)

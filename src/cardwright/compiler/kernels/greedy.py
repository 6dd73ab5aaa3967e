"""Playouts in which every seat takes what raises its score at once, for searches.

The `extra` memory of a context has one word: 1 if the highest score wins, else 0.

Where an option is worth more to the seat that decides as soon as play comes to the next decision,
the best of these is taken; else any. So in a game that is scored as it goes on playouts come to
where it matters, while random play would not: in Hanabi it loses all lives. Each option is tried on
a board of its own, which lies behind the one that is played on, with room for scores behind that.
What an option draws there is not what it will draw.
"""

from __future__ import annotations

from cardwright.compiler import intrinsics as op
from cardwright.compiler.kernel import kernel
from cardwright.compiler.kernels import engine
from cardwright.compiler.kernels.engine import Board, Context, Pointer, Stream
from cardwright.compiler.kernels.evaluation import (
    act,
    begin,
    give_rewards,
    preferred,
    preferred_card,
    settled,
    settled_card,
)
from cardwright.compiler.kernels.stream import below, next_bits, seed_stream, stream_at


@kernel
def own_score(board: Board, context: Context, ends: Pointer, seat: int) -> int:
    """Return the score that a seat has as the game stands, more being better; 0 for a fault."""
    # Scores are found with each player in turn as the current one.
    current: int = board.current[1]
    done = engine.scores(board, context, ends)
    board.current[1] = current
    if done < 0:
        return 0
    return ends[seat] if context.extra[0] != 0 else op.wrap(-ends[seat])


@kernel
def play_out(board: Board, context: Context, streams: Stream) -> int:
    """Play to the end, every seat taking what raises its score at once, or else any option."""
    trial = op.like(board, op.offset(op.pointer_to(board), engine.STATE_BYTES))
    ends = op.offset(op.pointer_to(trial), engine.STATE_BYTES)
    arrived = engine.arrive(board, context)
    while arrived > 0:
        seat = engine.player(board)
        stream = stream_at(streams, seat)
        count = engine.find_options(board, context)
        if count < 0:
            return -1
        chosen = below(stream, count)
        if count > 1:
            most = own_score(board, context, ends, seat)
            for i in range(count):
                if engine.find_options(board, context) != count:
                    return -1
                op.copy(op.pointer_to(trial), op.pointer_to(board), engine.STATE_BYTES)
                kept: int = context.kept
                acted = engine.carry_out(trial, context, i)
                context.kept = kept
                seed_stream(op.like(stream, trial), next_bits(stream))
                if acted >= 0 and engine.arrive(trial, context) >= 0:
                    score = own_score(trial, context, ends, seat)
                    if score > most:
                        most = score
                        chosen = i
            if engine.find_options(board, context) != count:
                return -1
        if engine.carry_out(board, context, chosen) < 0:
            return -1
        arrived = engine.arrive(board, context)
    return arrived


POLICY = (play_out, settled, settled_card, preferred, preferred_card, give_rewards, begin, act)

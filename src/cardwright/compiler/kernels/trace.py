"""Kernels for measurements, which only benchmarks compile: the cost of the parts of a game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.compiler.intrinsics import Pointer, copy, like, load, offset, store
from cardwright.compiler.kernel import kernel
from cardwright.compiler.kernels.engine import advance, carry_out, play_on, player, scores, start
from cardwright.compiler.kernels.stream import below, seat_seed, seed_stream

if TYPE_CHECKING:
    from cardwright.compiler.kernels.types import Board, Context, Stream

PLAYERS = 1
STATE_BYTES = 8
STREAM_BYTES = 32


@kernel
def seed_seats(streams: Stream, seed: int) -> None:
    """Give every seat its stream for a game."""
    for seat in range(PLAYERS):
        stream = like(streams, offset(streams, STREAM_BYTES * seat))
        seed_stream(stream, seat_seed(seed, seat))


@kernel
def trace_game(board: Board, context: Context, streams: Stream, trace: Pointer, room: int) -> int:
    """Play on at random; write the number of options and the choice of every decision.

    Both have 4 bytes. Return the number of decisions, or -1 for a fault or a trace that is longer
    than `room`.
    """
    done = 0
    while True:
        count = advance(board, context)
        if count <= 0:
            return done if count == 0 else -1
        if done == room:
            return -1
        stream = like(streams, offset(streams, STREAM_BYTES * player(board)))
        choice = below(stream, count)
        store(offset(trace, 8 * done), count, 4)
        store(offset(trace, 8 * done + 4), choice, 4)
        if carry_out(board, context, choice) < 0:
            return -1
        done += 1


@kernel(exported=True)
def cw_traced_games(
    board: Board,
    context: Context,
    streams: Stream,
    seeds: Pointer,
    count: int,
    trace: Pointer,
    room: int,
    out: Pointer,
) -> int:
    """Play a game for each seed, decision by decision, with random players; see `trace_game`.

    The traces go to `trace`, in order, and the scores of the game in play to `out`.
    Return the number of decisions of all games; less 1, negated, if a game ends too early.
    """
    done = 0
    for i in range(count):
        seed = load(offset(seeds, 8 * i), 8)
        if start(board, context, seed) < 0:
            return -1 - done
        seed_seats(streams, seed)
        decisions = trace_game(board, context, streams, offset(trace, 8 * done), room - done)
        if decisions < 0 or scores(board, context, out) < 0:
            return -1 - done
        done += decisions
    return done


@kernel(exported=True)
def cw_play_outs(
    board: Board, context: Context, streams: Stream, origin: Board, count: int, out: Pointer
) -> int:
    """Play on from copies of a state with random players; return how many of them ended."""
    ended = 0
    for i in range(count):
        copy(board, origin, STATE_BYTES)
        seed_seats(streams, i)
        if play_on(board, context, streams) == 0 and scores(board, context, out) == 0:
            ended += 1
    return ended


@kernel(exported=True)
def cw_copies(board: Board, context: Context, count: int) -> int:
    """Copy a state some times, each time another one; return the number of the last."""
    for i in range(count):
        board.decisions = i
        copy(context.scratch, board, STATE_BYTES)
    return load(offset(context.scratch, 0), 8)


EXPORTED = (cw_traced_games, cw_play_outs, cw_copies)

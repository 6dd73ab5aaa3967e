"""Kernels that are called from outside: they run a game, one decision or many games at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.compiler.intrinsics import Pointer, like, load, offset, store
from cardwright.compiler.kernel import kernel
from cardwright.compiler.kernels.stream import below, seat_seed, seed_stream

if TYPE_CHECKING:
    from cardwright.compiler.kernels.types import Board, Context, Stream

PLAYERS = 1
STREAM_BYTES = 32


def start(board: Board, context: Context, seed: int) -> int:
    """Set a board up; a function of the engine."""
    raise NotImplementedError


def advance(board: Board, context: Context) -> int:
    """Run to the next decision and return the number of options; a function of the engine."""
    raise NotImplementedError


def carry_out(board: Board, context: Context, index: int) -> int:
    """Carry out an option; a function of the engine."""
    raise NotImplementedError


def scores(board: Board, context: Context, out: Pointer) -> int:
    """Write the scores of a finished game; a function of the engine."""
    raise NotImplementedError


def player(board: Board) -> int:
    """Return who has to decide; a function of the engine."""
    raise NotImplementedError


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
def cw_scores(board: Board, context: Context, out: Pointer) -> int:
    """Write the scores of a finished game, 8 bytes a seat."""
    return scores(board, context, out)


@kernel(exported=True)
def cw_player(board: Board) -> int:
    """Return who has to decide."""
    return player(board)


@kernel
def play_out(board: Board, context: Context, streams: Stream) -> int:
    """Play to the end with every seat choosing at random; return the number of decisions, or -1."""
    decisions = 0
    while True:
        count = advance(board, context)
        if count <= 0:
            return -1 if count < 0 else decisions
        stream = like(streams, offset(streams, STREAM_BYTES * player(board)))
        if carry_out(board, context, below(stream, count)) < 0:
            return -1
        decisions += 1


@kernel(exported=True)
def cw_random_games(
    board: Board,
    context: Context,
    streams: Stream,
    seeds: Pointer,
    count: int,
    out: Pointer,
    lengths: Pointer,
) -> int:
    """Play a game for each seed with random players; return how many were played.

    The scores go to `out`, 8 bytes a seat and game, and the numbers of decisions to `lengths`. A
    game that breaks a rule ends the job: the number returned is then that of the games before it,
    and the fault is in the context. So does the `stop` of the context, which another thread may set.
    """
    for i in range(count):
        if context.stop != 0:
            return i
        seed = load(offset(seeds, 8 * i), 8)
        if start(board, context, seed) < 0:
            return i
        for seat in range(PLAYERS):
            stream = like(streams, offset(streams, STREAM_BYTES * seat))
            seed_stream(stream, seat_seed(seed, seat))
        decisions = play_out(board, context, streams)
        if decisions < 0:
            return i
        store(offset(lengths, 8 * i), decisions, 8)
        if scores(board, context, offset(out, 8 * PLAYERS * i)) < 0:
            return i
        context.done += 1
    return count


EXPORTED = (cw_start, cw_advance, cw_play, cw_scores, cw_player, cw_random_games)

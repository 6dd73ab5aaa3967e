"""Kernels called from outside: they run a game, one decision or many games at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.compiler.intrinsics import Pointer, like, load, offset, store
from cardwright.compiler.kernel import kernel
from cardwright.compiler.kernels.engine import advance, carry_out, play_on, player, scores, start
from cardwright.compiler.kernels.seeds import game_seed, mix_seed
from cardwright.compiler.kernels.stream import seat_seed, seed_stream

if TYPE_CHECKING:
    from cardwright.compiler.kernels.types import Board, Context, Stream, Tally

PLAYERS = 1
STREAM_BYTES = 32
TALLY_BYTES = 72

ENDED = 0
BROKE = -1
STOPPED = 1


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


@kernel(exported=True)
def cw_game_seeds(
    pool: Pointer, words: Pointer, count: int, first: int, games: int, out: Pointer
) -> int:
    """Write the seeds of some games of a job to `out`, 8 bytes each, starting with game `first`.

    `words` are the `count` words of the job's seed; `pool` is memory for the pool made from them.
    """
    mix_seed(pool, words, count)
    for i in range(games):
        store(offset(out, 8 * i), game_seed(pool, first + i), 8)
    return games


@kernel
def play_random(
    board: Board, context: Context, streams: Stream, seed: int, out: Pointer, tally: Tally
) -> int:
    """Play a game from its seed with random players, and write its scores and its tally.

    Return whether it ended, broke a rule, or was stopped.
    """
    context.option_sum = 0
    context.option_most = 0
    context.option_single = 0
    if start(board, context, seed) < 0:
        return BROKE
    for seat in range(PLAYERS):
        stream = like(streams, offset(streams, STREAM_BYTES * seat))
        seed_stream(stream, seat_seed(seed, seat))
    outcome = play_on(board, context, streams)
    tally.decisions = board.decisions
    tally.options = context.option_sum
    tally.most = context.option_most
    tally.single = context.option_single
    if outcome == ENDED and scores(board, context, out) < 0:
        return BROKE
    return outcome


@kernel(exported=True)
def cw_random_games(
    board: Board,
    context: Context,
    streams: Stream,
    seeds: Pointer,
    count: int,
    out: Pointer,
    tallies: Tally,
) -> int:
    """Play a game for each seed with random players; return how many were played.

    The scores go to `out`, 8 bytes for each seat and game, and the tally of each game to `tallies`.
    A game that breaks a rule leaves the fault there, and the next one follows. The `stop` of the
    context, which another thread may set, ends the job; the game in play then does not count.
    """
    for i in range(count):
        tally = like(tallies, offset(tallies, TALLY_BYTES * i))
        seed = load(offset(seeds, 8 * i), 8)
        scored = offset(out, 8 * PLAYERS * i)
        outcome = play_random(board, context, streams, seed, scored, tally)
        if outcome == STOPPED or context.stop != 0:
            return i
        tally.broken = int(outcome == BROKE)
        if outcome == BROKE:
            tally.fault_site = context.fault_site
            tally.fault_a = context.fault_a
            tally.fault_b = context.fault_b
            tally.fault_c = context.fault_c
        context.done += 1
    return count


EXPORTED = (
    cw_start,
    cw_advance,
    cw_play,
    cw_step,
    cw_scores,
    cw_player,
    cw_game_seeds,
    cw_random_games,
)

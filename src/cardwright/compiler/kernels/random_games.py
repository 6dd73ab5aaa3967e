"""Kernels called from outside that play many random games, each from its seed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.compiler.intrinsics import (
    Pointer,
    copy,
    like,
    load,
    offset,
    pointer_to,
    store,
)
from cardwright.compiler.kernel import kernel
from cardwright.compiler.kernels.engine import play_counted, prefix, scores, start
from cardwright.compiler.kernels.seeds import game_seed, mix_seed
from cardwright.compiler.kernels.stream import seat_seed, seed_stream

if TYPE_CHECKING:
    from cardwright.compiler.kernels.types import Board, Context, Stream, Tally

PLAYERS = 1
STATE_BYTES = 0
STREAM_BYTES = 32
TALLY_BYTES = 72

ENDED = 0
BROKE = -1
STOPPED = 1
LEFT = 2
"""What `play_on` returns for a game that it cannot play."""


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
    board: Board,
    context: Context,
    template: Board,
    streams: Stream,
    seed: int,
    drawn: int,
    out: Pointer,
    tally: Tally,
) -> int:
    """Play a game from its seed with random players, and write its scores and its tally.

    The streams from which seats draw are those of the seed `drawn`, mostly the same.
    `template` is a board on which what is the same for every seed was done, or the board itself.
    Return whether the game ended, broke a rule, was stopped or is left to be played otherwise.
    """
    if template == board:
        if start(board, context, seed) < 0:
            return BROKE
    else:
        copy(pointer_to(board), pointer_to(template), STATE_BYTES)
        seed_stream(like(streams, board), seed)
    for seat in range(PLAYERS):
        stream = like(streams, offset(streams, STREAM_BYTES * seat))
        seed_stream(stream, seat_seed(drawn, seat))
    outcome = play_counted(board, context, streams)
    if outcome == BROKE:
        context.option_sum = 0
        context.option_most = 0
        context.option_single = 0
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
    template: Board,
    streams: Stream,
    seeds: Pointer,
    draws: Pointer,
    count: int,
    out: Pointer,
    tallies: Tally,
) -> int:
    """Play a game for each seed with random players; return how many were played.

    The seats of each draw from the streams of a seed among `draws`, which may be `seeds` itself.
    The scores go to `out`, 8 bytes for each seat and game, and the tally of each game to `tallies`.
    A game that breaks a rule leaves the fault there, and the next one follows; one that has to be
    played otherwise leaves 2 as `broken`. The `stop` of the
    context, which another thread may set, ends the job; the game in play then does not count.
    `template` is another board, to be written over.
    """
    begun = -1
    if start(template, context, 0) >= 0:
        begun = prefix(template, context)
    if begun < 0:
        template = board
    context.begun = max(begun, 0)
    played = count
    for i in range(count):
        tally = like(tallies, offset(tallies, TALLY_BYTES * i))
        seed = load(offset(seeds, 8 * i), 8)
        drawn = load(offset(draws, 8 * i), 8)
        scored = offset(out, 8 * PLAYERS * i)
        outcome = play_random(board, context, template, streams, seed, drawn, scored, tally)
        if outcome == STOPPED or context.stop != 0:
            played = i
            break
        if outcome == LEFT:
            tally.broken = LEFT
            continue
        tally.broken = int(outcome == BROKE)
        if outcome == BROKE:
            tally.fault_site = context.fault_site
            tally.fault_a = context.fault_a
            tally.fault_b = context.fault_b
            tally.fault_c = context.fault_c
        context.done += 1
    context.begun = 0
    return played


EXPORTED = (cw_game_seeds, cw_random_games)

"""Kernels for rollouts: random games from one state, with their results added up.

The sums have a row for every seat, of words of 8 bytes: its scores, whose sum may need more than 64
bits and is therefore kept as sums of upper and lower halves; its ranks; and how often it won alone,
with one other, and so on up to all seats. So shares of wins can be exact.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.compiler.intrinsics import (
    Pointer,
    copy,
    like,
    offset,
    pointer_to,
    shift_right_signed,
)
from cardwright.compiler.kernel import kernel
from cardwright.compiler.kernels.determinise import cw_determinise
from cardwright.compiler.kernels.engine import play_on, scores
from cardwright.compiler.kernels.lists import put_word, word
from cardwright.compiler.kernels.stream import next_bits, seed_stream

if TYPE_CHECKING:
    from cardwright.compiler.kernels.types import Board, Context, Stream

PLAYERS = 1
STATE_BYTES = 0
STREAM_BYTES = 32

UPPER, LOWER, RANKS, WINS = range(4)
"""The words of a row; at WINS is how often the seat won alone."""

HALF = 32
LOWER_HALF = 0xFFFFFFFF


@kernel
def begin_streams(stream: Stream, streams: Stream, fresh: int) -> None:
    """Seed the streams of all seats from a stream, if they are fresh."""
    if fresh != 0:
        for seat in range(PLAYERS):
            seed_stream(like(streams, offset(streams, STREAM_BYTES * seat)), next_bits(stream))


@kernel
def roll_out(
    board: Board, context: Context, streams: Stream, highest: int, ends: Pointer, sums: Pointer
) -> int:
    """Play a board to its end, every seat choosing at random; return 1, or 0 if a rule is broken.

    Each seat draws from its own of the streams. `ends` is room for the scores, 8 bytes a seat.
    """
    if play_on(board, context, streams) != 0 or scores(board, context, ends) < 0:
        return 0
    add_up(ends, highest, sums)
    return 1


@kernel
def add_up(ends: Pointer, highest: int, sums: Pointer) -> None:
    """Add the scores of a game to the sums; `highest` is 1 if the highest score wins, else 0."""
    # Where the highest wins all bits are inverted, which reverses the order: less is better.
    inverted = -highest
    best = word(ends, 0) ^ inverted
    winners = 0
    for seat in range(PLAYERS):
        own = word(ends, seat) ^ inverted
        winners = 1 if own < best else winners + int(own == best)
        best = min(best, own)
    for seat in range(PLAYERS):
        row = offset(sums, 8 * (WINS + PLAYERS) * seat)
        score = word(ends, seat)
        own = score ^ inverted
        better = 0
        for other in range(PLAYERS):
            better += int(word(ends, other) ^ inverted < own)
        put_word(row, UPPER, word(row, UPPER) + shift_right_signed(score, HALF))
        put_word(row, LOWER, word(row, LOWER) + (score & LOWER_HALF))
        put_word(row, RANKS, word(row, RANKS) + better)
        won = WINS + winners - 1
        put_word(row, won, word(row, won) + int(better == 0))


@kernel(exported=True)
def cw_rollouts(
    board: Board,
    context: Context,
    work: Board,
    stream: Stream,
    streams: Stream,
    fresh: int,
    count: int,
    highest: int,
    ends: Pointer,
    sums: Pointer,
) -> int:
    """Play from a board a number of times, adding to the sums; return how many broke no rule.

    The board is left unchanged: the games are played on `work`, a copy whose random stream is drawn
    from `stream` each time. The choices of each seat are drawn from its own of `streams`, which are
    first seeded from `stream` if they are fresh.
    """
    begin_streams(stream, streams, fresh)
    done = 0
    for _ in range(count):
        copy(pointer_to(work), pointer_to(board), STATE_BYTES)
        seed_stream(like(stream, work), next_bits(stream))
        done += roll_out(work, context, streams, highest, ends, sums)
    return done


@kernel(exported=True)
def cw_imagine_and_roll(
    board: Board,
    context: Context,
    work: Board,
    stream: Stream,
    streams: Stream,
    fresh: int,
    seat: int,
    known: int,
    count: int,
    highest: int,
    ends: Pointer,
    sums: Pointer,
) -> int:
    """Do the same as `cw_rollouts`, but redeal everything that a seat does not know each time.

    `known` is 1 if the seat remembers cards that everybody saw going to a hidden place.
    """
    begin_streams(stream, streams, fresh)
    done = 0
    for _ in range(count):
        copy(pointer_to(work), pointer_to(board), STATE_BYTES)
        if cw_determinise(work, context, seat, stream, known) == 0:
            done += roll_out(work, context, streams, highest, ends, sums)
    return done


EXPORTED = (cw_rollouts, cw_imagine_and_roll)

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
    load,
    offset,
    pointer_to,
    shift_right_signed,
)
from cardwright.compiler.kernel import kernel
from cardwright.compiler.kernels.determinise import cw_determinise
from cardwright.compiler.kernels.engine import advance, carry_out, scores
from cardwright.compiler.kernels.lists import put_word, word
from cardwright.compiler.kernels.stream import below, next_bits, seed_stream

if TYPE_CHECKING:
    from cardwright.compiler.kernels.types import Board, Context, Stream

PLAYERS = 1
STATE_BYTES = 0

UPPER, LOWER, RANKS, WINS = range(4)
"""The words of a row; at WINS is how often the seat won alone."""

HALF = 32
LOWER_HALF = 0xFFFFFFFF


@kernel
def roll_out(
    board: Board, context: Context, stream: Stream, highest: int, ends: Pointer, sums: Pointer
) -> int:
    """Play a board to its end, every seat choosing at random; return 1, or 0 if a rule is broken.

    All choices are drawn from one stream. `ends` is room for the scores, 8 bytes a seat.
    """
    while True:
        count = advance(board, context)
        if count < 0:
            return 0
        if count == 0:
            break
        if carry_out(board, context, below(stream, count)) < 0:
            return 0
    if scores(board, context, ends) < 0:
        return 0
    add_up(ends, highest, sums)
    return 1


@kernel
def add_up(ends: Pointer, highest: int, sums: Pointer) -> None:
    """Add the scores of a game to the sums; `highest` is 1 if the highest score wins, else 0."""
    winners = 0
    for seat in range(PLAYERS):
        if rank_of(ends, seat, highest) == 0:
            winners += 1
    for seat in range(PLAYERS):
        row = offset(sums, 8 * (WINS + PLAYERS) * seat)
        score = load(offset(ends, 8 * seat), 8)
        rank = rank_of(ends, seat, highest)
        put_word(row, UPPER, word(row, UPPER) + shift_right_signed(score, HALF))
        put_word(row, LOWER, word(row, LOWER) + (score & LOWER_HALF))
        put_word(row, RANKS, word(row, RANKS) + rank)
        if rank == 0:
            put_word(row, WINS + winners - 1, word(row, WINS + winners - 1) + 1)


@kernel
def rank_of(ends: Pointer, seat: int, highest: int) -> int:
    """Return how many seats have a strictly better score."""
    own = word(ends, seat)
    better = 0
    for other in range(PLAYERS):
        score = word(ends, other)
        if score > own if highest != 0 else score < own:
            better += 1
    return better


@kernel(exported=True)
def cw_rollouts(
    board: Board,
    context: Context,
    work: Board,
    stream: Stream,
    count: int,
    highest: int,
    ends: Pointer,
    sums: Pointer,
) -> int:
    """Play from a board a number of times, adding to the sums; return how many broke no rule.

    The board is left unchanged: the games are played on `work`, a copy whose random stream is drawn
    from the stream each time, as all choices are.
    """
    done = 0
    for _ in range(count):
        copy(pointer_to(work), pointer_to(board), STATE_BYTES)
        seed_stream(like(stream, work), next_bits(stream))
        done += roll_out(work, context, stream, highest, ends, sums)
    return done


@kernel(exported=True)
def cw_imagine_and_roll(
    board: Board,
    context: Context,
    work: Board,
    stream: Stream,
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
    done = 0
    for _ in range(count):
        copy(pointer_to(work), pointer_to(board), STATE_BYTES)
        if cw_determinise(work, context, seat, stream, known) == 0:
            done += roll_out(work, context, stream, highest, ends, sums)
    return done


EXPORTED = (cw_rollouts, cw_imagine_and_roll)

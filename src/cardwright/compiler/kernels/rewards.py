"""Kernels for rewards: the value of a game's end to each seat, in fixed point; ONE is 1."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.compiler.intrinsics import Pointer, divide, wrap
from cardwright.compiler.kernel import kernel
from cardwright.compiler.kernels.lists import put_word, word

if TYPE_CHECKING:
    from cardwright.compiler.kernels.types import Search

PLAYERS = 1

ONE_BITS = 20
ONE = 1 << ONE_BITS
WIDEST = 1 << 40
"""The widest range of raw rewards that can be scaled."""

RANK, WIN, SCORE, MARGIN = range(4)
"""Kinds of rewards.

RANK: the share of the other seats that are behind, ties counting half. WIN: a share of the win,
divided equally among winners. SCORE: the seat's own score. MARGIN: its score, less the mean of the
others', times their number. The last two are scaled: `low` is worth 0, and `span` above it is worth
1. Values further outside than twice that range are clipped.
"""


@kernel
def raw_reward(search: Search, ends: Pointer, seat: int) -> int:
    """Return the unscaled reward for SCORE or MARGIN: more is better."""
    value = word(ends, seat)
    if search.reward == MARGIN:
        value = wrap(value * PLAYERS)
        for other in range(PLAYERS):
            value = wrap(value - word(ends, other))
    return value if search.highest != 0 else wrap(-value)


@kernel
def write_rewards(search: Search, ends: Pointer, rewards: Pointer) -> None:
    """Write the reward of every seat, 8 bytes each, for the final scores."""
    kind: int = search.reward
    for seat in range(PLAYERS):
        if kind == SCORE or kind == MARGIN:
            put_word(rewards, seat, scaled(search, raw_reward(search, ends, seat)))
        else:
            put_word(rewards, seat, placed(search, ends, seat, kind))


@kernel
def scaled(search: Search, raw: int) -> int:
    """Return a raw reward scaled to the range given."""
    span: int = search.span
    if span == 0:
        return ONE // 2
    above = min(max(wrap(raw - search.low), -2 * span), 3 * span)
    return divide(above * ONE, span)


@kernel
def placed(search: Search, ends: Pointer, seat: int, kind: int) -> int:
    """Return the reward of a seat for RANK or WIN."""
    own = word(ends, seat)
    better = 0
    same = 0
    for other in range(PLAYERS):
        theirs = word(ends, other)
        if theirs == own:
            same += 1
        elif (theirs > own) == (search.highest != 0):
            better += 1
    if kind == WIN:
        return ONE // same if better == 0 else 0
    if PLAYERS == 1:
        return ONE
    return (2 * (PLAYERS - 1 - better) - (same - 1)) * ONE // (2 * (PLAYERS - 1))

"""What an end is worth to each seat, and how searches play on if no other policy is given.

Points are the changes of the scores since the decision, where the context asks for one deal; the
scores at the decision are kept behind the room for those at the end. Rewards are in fixed point;
ONE is 1. Searches call the kernels of POLICY by name only, so that another module can have others.
"""

from __future__ import annotations

from cardwright.compiler import intrinsics as op
from cardwright.compiler.kernel import kernel
from cardwright.compiler.kernels import engine
from cardwright.compiler.kernels.engine import Board, Context, Pointer, Search, Stream

LEAST = -(1 << 62)
"""Less than any score, bound or merit."""


@kernel
def note_scores(board: Board, context: Context, ends: Pointer) -> int:
    """Note the scores at a decision, if points are counted from there; return -1 for a fault."""
    before = ends + engine.PLAYERS
    if context.one_deal == 0:
        op.clear(before, 8 * engine.PLAYERS)
        return 0
    # Scores are found with each player in turn as the current one.
    current: int = board.current[1]
    done = engine.scores(board, context, before)
    board.current[1] = current
    return done


@kernel
def points(board: Board, context: Context, ends: Pointer) -> int:
    """Write the points of every seat since the scores were noted; return -1 for a fault."""
    if engine.scores(board, context, ends) < 0:
        return -1
    for seat in range(engine.PLAYERS):
        ends[seat] = op.wrap(ends[seat] - ends[engine.PLAYERS + seat])
    return 0


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
    value = ends[seat]
    if search.reward == MARGIN:
        value = op.wrap(value * engine.PLAYERS)
        for other in range(engine.PLAYERS):
            value = op.wrap(value - ends[other])
    return value if search.highest != 0 else op.wrap(-value)


@kernel
def _scaled(search: Search, raw: int) -> int:
    span: int = search.span
    if span == 0:
        return ONE // 2
    above = min(max(op.wrap(raw - search.low), -2 * span), 3 * span)
    return op.divide(above * ONE, span)


@kernel
def _placed(search: Search, ends: Pointer, seat: int) -> int:
    own = ends[seat]
    better = 0
    same = 0
    for other in range(engine.PLAYERS):
        theirs = ends[other]
        if theirs == own:
            same += 1
        elif (theirs > own) == (search.highest != 0):
            better += 1
    if search.reward == WIN:
        return ONE // same if better == 0 else 0
    if engine.PLAYERS == 1:
        return ONE
    return (2 * (engine.PLAYERS - 1 - better) - (same - 1)) * ONE // (2 * (engine.PLAYERS - 1))


@kernel
def play_out(board: Board, context: Context, streams: Stream) -> int:
    """Play to the end, every seat choosing at random from its own stream; return 0 at the end."""
    return engine.play_on(board, context, streams)


@kernel
def settled(board: Board, context: Context, stream: Stream, count: int) -> int:
    """Leave every choice in a tree to the tree."""
    return -1


@kernel
def settled_card(board: Board, context: Context, stream: Stream, legal: int) -> int:
    """Leave every choice of a card to the tree."""
    return -1


@kernel
def preferred(board: Board, context: Context, count: int) -> int:
    """Prefer no option to others."""
    return -1


@kernel
def preferred_card(board: Board, context: Context, legal: int) -> int:
    """Prefer no card to others."""
    return -1


@kernel
def reward_points(search: Search, board: Board, context: Context) -> int:
    """Write the rewards for the points of every seat; return -1 for a fault."""
    if points(board, context, search.ends) < 0:
        return -1
    search.gained = search.ends[search.seat]
    scales = search.reward == SCORE or search.reward == MARGIN
    for seat in range(engine.PLAYERS):
        if scales:
            search.rewards[seat] = _scaled(search, raw_reward(search, search.ends, seat))
        else:
            search.rewards[seat] = _placed(search, search.ends, seat)
    return 0


@kernel
def give_rewards(search: Search, board: Board, context: Context) -> int:
    """Write the rewards for the points of every seat."""
    return reward_points(search, board, context)


@kernel
def begin(board: Board, context: Context) -> int:
    """Prepare nothing for a new world."""
    return 0


@kernel
def act(board: Board, context: Context, index: int) -> int:
    """Carry out an option."""
    return engine.carry_out(board, context, index)


POLICY = (play_out, settled, settled_card, preferred, preferred_card, give_rewards, begin, act)

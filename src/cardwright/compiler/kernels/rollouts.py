"""Rollouts: random games from one state, with their results added up; and flat Monte Carlo.

The sums have a row for every seat, of words of 8 bytes: its scores, whose sum may need more than 64
bits and is therefore kept as sums of upper and lower halves; its ranks; and how often it won alone,
with one other, and so on up to all seats. So shares of wins can be exact.

In flat Monte Carlo each option of a decision is played out at random, many times. The work is
described by a row of words, the plan. The sums have for every option the number of finished games,
followed by a row for each seat. An option of a sampled world is one of the decision's if it has the
same key (`picks`): the one at the same place in the list is tried first.
"""

from __future__ import annotations

from cardwright.compiler import intrinsics as op
from cardwright.compiler.kernel import kernel
from cardwright.compiler.kernels import engine
from cardwright.compiler.kernels.engine import Board, Context, Pointer, Stream
from cardwright.compiler.kernels.evaluation import note_scores, points
from cardwright.compiler.kernels.picks import ORDINAL, option_key
from cardwright.compiler.kernels.stream import next_bits, seed_stream, stream_at
from cardwright.compiler.kernels.worlds import sample_world
from cardwright.program.integers import LARGEST

UPPER, LOWER, RANKS, WINS = range(4)
"""The words of a row; at WINS is how often the seat won alone."""

HALF = 32
LOWER_HALF = 0xFFFFFFFF


@kernel
def add_up(ends: Pointer, highest: int, sums: Pointer) -> None:
    """Add the scores of a game to the sums; `highest` is 1 if the highest score wins, else 0."""
    # Where the highest wins all bits are inverted, which reverses the order: less is better.
    inverted = -highest
    best = ends[0] ^ inverted
    winners = 0
    for seat in range(engine.PLAYERS):
        own = ends[seat] ^ inverted
        winners = 1 if own < best else winners + int(own == best)
        best = min(best, own)
    for seat in range(engine.PLAYERS):
        row = sums + (WINS + engine.PLAYERS) * seat
        score = ends[seat]
        own = score ^ inverted
        better = 0
        for other in range(engine.PLAYERS):
            better += int(ends[other] ^ inverted < own)
        row[UPPER] += op.shift_right_signed(score, HALF)
        row[LOWER] += score & LOWER_HALF
        row[RANKS] += better
        won = WINS + winners - 1
        row[won] += int(better == 0)


@kernel(exported=True)
def cw_rollouts(
    board: Board, context: Context, work: Board, stream: Stream, streams: Stream, fresh: int,
    seat: int, knowledge: int, allowed: Pointer, chain: Pointer, count: int, highest: int,
    ends: Pointer, sums: Pointer,
) -> int:  # fmt: skip
    """Play from a board a number of times, adding to the sums; return how many broke no rule.

    The board is left unchanged: the games are played on `work`, in worlds as `sample_world` draws
    them from `stream`. The choices of each seat are drawn from its own of `streams`, which are
    first seeded from `stream` if they are fresh. `ends` is room for the scores, 8 bytes a seat.
    """
    if fresh != 0:
        for i in range(engine.PLAYERS):
            seed_stream(stream_at(streams, i), next_bits(stream))
    done = 0
    for _ in range(count):
        drawn = sample_world(board, context, work, seat, knowledge, stream, allowed, chain)
        if (
            drawn == 0
            and engine.play_on(work, context, streams) == 0
            and engine.scores(work, context, ends) >= 0
        ):
            add_up(ends, highest, sums)
            done += 1
    return done


# Flat Monte Carlo ---------------------------------------------------------------------------

SEAT, KNOWLEDGE, DEALS, ROLLOUTS, SHARED, FIRST, END, LIMIT, HIGHEST, WORDS = range(10)
"""Words of a plan: the seat that decides; what it knows, as for `sample_world`; worlds, and
rollouts from an option in each; 1 if the options are tried in the same worlds; the options, from
the first to before the end; the most choices after the option, or 0; and 1 if the highest score
wins. WORDS is the length of the plan."""


@kernel(exported=True)
def cw_flat(
    board: Board, context: Context, rolling: Context, world: Board, work: Board, stream: Stream,
    streams: Stream, plan: Pointer, forms: Pointer, allowed: Pointer, chain: Pointer, keys: Pointer,
    ends: Pointer, sums: Pointer,
) -> int:  # fmt: skip
    """Try the options of a decision by a plan, adding to the sums; -1 if there is no decision.

    The board is left as it was. `rolling` is a context besides the one that holds the options of
    `world`, a sampled board; `work` is the board played on. Worlds and chance events are drawn from
    `stream`, and the choices of each seat from its own of `streams`. `allowed` and `chain` matter
    only if the plan asks for worlds consistent with a table. `keys` has room for a word for each
    option, and `ends` for the scores, twice.
    """
    context.forms = forms
    op.copy(op.pointer_to(world), op.pointer_to(board), engine.STATE_BYTES)
    count = engine.advance(world, context)
    if count < plan[END]:
        return -1
    for i in range(plan[FIRST], plan[END]):
        keys[i] = _key_of(world, context, plan, i)
    for _ in range(plan[DEALS]):
        found = 0
        for option in range(plan[FIRST], plan[END]):
            if plan[SHARED] == 0 or option == plan[FIRST]:
                found = sample_world(
                    board, context, world, plan[SEAT], plan[KNOWLEDGE], stream, allowed, chain
                )
                if found == 0:
                    found = engine.advance(world, context)
                if found > 0 and note_scores(world, rolling, ends) < 0:
                    found = -1
            index = -1
            if found > 0:
                index = find_option(world, context, plan, keys, option, found)
            if index >= 0:
                row = sums + (1 + engine.PLAYERS * (WINS + engine.PLAYERS)) * option
                for _ in range(plan[ROLLOUTS]):
                    op.copy(op.pointer_to(work), op.pointer_to(world), engine.STATE_BYTES)
                    kept: int = context.kept
                    acted = engine.carry_out(work, context, index)
                    context.kept = kept
                    seed_stream(op.like(stream, work), next_bits(stream))
                    if acted >= 0:
                        finish_at_random(work, rolling, streams, plan, ends, row)
    return 0


@kernel
def _key_of(world: Board, context: Context, plan: Pointer, index: int) -> int:
    return option_key(world, context, world.pc, plan[SEAT], index, ORDINAL)


@kernel
def find_option(
    world: Board, context: Context, plan: Pointer, keys: Pointer, option: int, count: int
) -> int:
    """Return the index in a world of an option of the decision, or -1 if it is not there."""
    key = keys[option]
    if option < count and _key_of(world, context, plan, option) == key:
        return option
    for i in range(count):
        if _key_of(world, context, plan, i) == key:
            return i
    return -1


@kernel
def finish_at_random(
    work: Board, rolling: Context, streams: Stream, plan: Pointer, ends: Pointer, row: Pointer
) -> None:
    """Play a board to its end or to the limit, and add the result, unless a rule is broken."""
    if plan[LIMIT] != 0:
        rolling.pause = work.decisions + plan[LIMIT]
    outcome = engine.play_on(work, rolling, streams)
    rolling.pause = LARGEST
    if outcome == engine.PAUSED and engine.find_options(work, rolling) > 0:
        outcome = 0
    if outcome != 0 or points(work, rolling, ends) < 0:
        return
    row[0] += 1
    add_up(ends, plan[HIGHEST], row + 1)

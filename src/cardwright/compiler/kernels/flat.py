"""Kernels for flat Monte Carlo: each option of a decision is played out at random, many times.

The work is described by a row of words, the plan. The sums have for every option the number of
finished games, followed by a table of `cardwright.compiler.kernels.rollouts`, a row for each seat.
An option of a sampled world is one of the decision's if it has the same key
(`cardwright.compiler.kernels.content`): the one at the same place in the list is tried first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.compiler.intrinsics import Pointer, copy, like, offset, pointer_to
from cardwright.compiler.kernel import kernel
from cardwright.compiler.kernels.consistent_worlds import next_world
from cardwright.compiler.kernels.content import ORDINAL, option_key
from cardwright.compiler.kernels.determinise import cw_determinise
from cardwright.compiler.kernels.engine import PAUSED, advance, carry_out, find_options, play_on
from cardwright.compiler.kernels.lists import put_word, word
from cardwright.compiler.kernels.points import note_scores, points
from cardwright.compiler.kernels.rollouts import WINS, add_up
from cardwright.compiler.kernels.stream import next_bits, seed_stream
from cardwright.program.integers import LARGEST

if TYPE_CHECKING:
    from cardwright.compiler.kernels.types import Board, Context, Stream

PLAYERS = 1
STATE_BYTES = 0

NEVER = LARGEST
"""The number of decisions at which nothing pauses."""

SEAT, KNOWLEDGE, DEALS, ROLLOUTS, SHARED, FIRST, END, LIMIT, HIGHEST, WORDS = range(10)
"""Words of a plan: the seat that decides; what it knows; worlds, and rollouts from an option in
each; 1 if the options are tried in the same worlds; the options, from the first to before the end;
the most choices after the option, or 0; and 1 if the highest score wins. WORDS is the length of the
plan."""

BASIC, KNOWN, WITHIN = range(3)
"""What is known: open cards; also those seen going to a hidden place; or a table's contents."""


@kernel(exported=True)
def cw_flat(
    board: Board,
    context: Context,
    rolling: Context,
    world: Board,
    work: Board,
    stream: Stream,
    streams: Stream,
    plan: Pointer,
    forms: Pointer,
    allowed: Pointer,
    chain: Pointer,
    keys: Pointer,
    ends: Pointer,
    sums: Pointer,
) -> int:
    """Try the options of a decision by a plan, adding to the sums; -1 if there is no decision.

    The board is left as it was. `rolling` is a context besides the one that holds the options of
    `world`, a sampled board; `work` is the board played on. Worlds and chance events are drawn from
    `stream`, and the choices of each seat from its own of `streams`. `allowed` and `chain` matter
    only if the plan asks for worlds consistent with a table. `keys` has room for a word for each
    option, and `ends` for the scores, twice.
    """
    copy(pointer_to(world), pointer_to(board), STATE_BYTES)
    count = advance(world, context)
    if count < word(plan, END):
        return -1
    for i in range(word(plan, FIRST), word(plan, END)):
        put_word(keys, i, key_of(world, context, forms, plan, i))
    for _ in range(word(plan, DEALS)):
        found = 0
        for option in range(word(plan, FIRST), word(plan, END)):
            if word(plan, SHARED) == 0 or option == word(plan, FIRST):
                found = another_world(board, context, world, stream, plan, allowed, chain)
                if found > 0 and note_scores(world, rolling, ends) < 0:
                    found = -1
            index = -1
            if found > 0:
                index = find_option(world, context, forms, plan, keys, option, found)
            if index >= 0:
                row = offset(sums, 8 * (1 + PLAYERS * (WINS + PLAYERS)) * option)
                for _ in range(word(plan, ROLLOUTS)):
                    copy(pointer_to(work), pointer_to(world), STATE_BYTES)
                    kept: int = context.kept
                    acted = carry_out(work, context, index)
                    context.kept = kept
                    seed_stream(like(stream, work), next_bits(stream))
                    if acted >= 0:
                        finish_at_random(work, rolling, streams, plan, ends, row)
    return 0


@kernel
def key_of(world: Board, context: Context, forms: Pointer, plan: Pointer, index: int) -> int:
    """Return the key of an option of the world, as the seat that decides sees it."""
    return option_key(world, context, forms, world.pc, word(plan, SEAT), index, ORDINAL)


@kernel
def another_world(
    board: Board,
    context: Context,
    world: Board,
    stream: Stream,
    plan: Pointer,
    allowed: Pointer,
    chain: Pointer,
) -> int:
    """Sample a world that a seat cannot tell from the board; return how many options it has."""
    copy(pointer_to(world), pointer_to(board), STATE_BYTES)
    knowledge = word(plan, KNOWLEDGE)
    if knowledge == WITHIN:
        next_world(world, stream, allowed, chain)
    elif cw_determinise(world, context, word(plan, SEAT), stream, knowledge) < 0:
        return -1
    return advance(world, context)


@kernel
def find_option(
    world: Board,
    context: Context,
    forms: Pointer,
    plan: Pointer,
    keys: Pointer,
    option: int,
    count: int,
) -> int:
    """Return the index in a world of an option of the decision, or -1 if it is not there."""
    key = word(keys, option)
    if option < count and key_of(world, context, forms, plan, option) == key:
        return option
    for i in range(count):
        if key_of(world, context, forms, plan, i) == key:
            return i
    return -1


@kernel
def finish_at_random(
    work: Board, rolling: Context, streams: Stream, plan: Pointer, ends: Pointer, row: Pointer
) -> None:
    """Play a board to its end or to the limit, and add the result, unless a rule is broken."""
    if word(plan, LIMIT) != 0:
        rolling.pause = work.decisions + word(plan, LIMIT)
    outcome = play_on(work, rolling, streams)
    rolling.pause = NEVER
    if outcome == PAUSED and find_options(work, rolling) > 0:
        outcome = 0
    if outcome != 0 or points(work, rolling, ends) < 0:
        return
    put_word(row, 0, word(row, 0) + 1)
    add_up(ends, word(plan, HIGHEST), offset(row, 8))


EXPORTED = (cw_flat,)

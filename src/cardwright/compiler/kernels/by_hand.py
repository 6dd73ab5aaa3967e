"""Kernels that draw by a script, in place of those of `stream` and `deferred`.

A tree follows every outcome of a draw. The rules run with the outcomes of the first draws since the
last choice; the first draw beyond them is due, and from there on the first outcome is taken, so
that the run comes to an end. The script lies where a board has its stream. Its outcomes are one
number: the first is the remainder by the number of its outcomes, and so on with the quotient.

A pile whose shuffle is deferred shows its cards in order of number, and the cards whose places are
drawn lie above these: so an outcome is the number of a card among those that are left, as the
interpreter has it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.compiler.intrinsics import multiply_overflows
from cardwright.compiler.kernel import kernel
from cardwright.compiler.kernels.piles import cards_of, sink

if TYPE_CHECKING:
    from cardwright.compiler.kernels.types import Board, Stream

OUTCOMES_AHEAD, DRAWS_AHEAD, DUE = range(3)
"""The words of a script: the outcomes, how many draws they are for, and how many outcomes the draw
has that is due, or 0."""

MANY = 1 << 62
"""More outcomes than a tree can have."""


@kernel
def seed_stream(stream: Stream, seed: int) -> None:
    """Do nothing: a tree has no seed."""


@kernel
def below(stream: Stream, bound: int) -> int:
    """Return the next outcome of a draw, from 0 to bound - 1; what has only one is no draw."""
    if bound == 1:
        return 0
    left: int = stream.words[DRAWS_AHEAD]
    if left > 0:
        outcomes: int = stream.words[OUTCOMES_AHEAD]
        stream.words[DRAWS_AHEAD] = left - 1
        stream.words[OUTCOMES_AHEAD] = outcomes // bound
        return outcomes % bound
    if stream.words[DUE] == 0:
        stream.words[DUE] = bound
    return 0


@kernel
def defer_shuffle(stream: Stream, board: Board, slot: int) -> None:
    """Begin to shuffle a pile: no place is drawn."""
    count: int = board.count[slot]
    for i in range(1, count):
        sink(cards_of(board, slot), i)
    board.unsettled = count


@kernel
def settle(stream: Stream, board: Board, slot: int, cards: int) -> None:
    """Draw the places of a number of topmost cards of a pile, those that are not drawn yet."""
    i = board.unsettled - 1
    last: int = board.count[slot] - cards
    while i > 0 and i >= last:
        heave(board, slot, below(stream, i + 1), i)
        i -= 1
    board.unsettled = i + 1


@kernel
def settle_set(stream: Stream, board: Board, slot: int, cards: int) -> None:
    """Draw which cards lie in the places of a number of topmost cards, in one draw.

    They lie in order of number. The sets are in the order of their lowest cards, those with the
    same of the next, and so on.
    """
    left = board.unsettled
    last: int = board.count[slot] - cards
    wanted = left - last
    if wanted <= 0:
        return
    outcome = below(stream, combinations(left, wanted))
    at = 0
    others = left - 1
    while wanted > 0:
        with_it = combinations(others, wanted - 1)
        if outcome < with_it:
            heave(board, slot, at, left - 1)
            wanted -= 1
        else:
            outcome -= with_it
            at += 1
        others -= 1
    board.unsettled = last


@kernel
def heave(board: Board, slot: int, at: int, to: int) -> None:
    """Lay a card of a pile higher up; those between sink by one."""
    card: int = board.card[slot, at]
    while at < to:
        board.card[slot, at] = board.card[slot, at + 1]
        at += 1
    board.card[slot, to] = card


@kernel
def combinations(count: int, chosen: int) -> int:
    """Return how many sets of some of a number of items there are; MANY where it might be more."""
    found = 1
    for i in range(chosen):
        if multiply_overflows(found, count - i):
            return MANY
        found = found * (count - i) // (i + 1)
    return found


@kernel
def draw(stream: Stream, bound: int) -> int:
    """Return the next outcome of a draw below a bound, where 0 means 2^64."""
    return below(stream, bound if bound > 0 else MANY)


INSTEAD = (seed_stream, draw, defer_shuffle, settle, settle_set)
"""What rules call in place of the kernels of the same names."""

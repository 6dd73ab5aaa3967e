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

from cardwright.compiler.kernel import kernel
from cardwright.compiler.kernels.piles import cards_of, sink

if TYPE_CHECKING:
    from cardwright.compiler.kernels.types import Board, Stream

OUTCOMES_AHEAD, DRAWS_AHEAD, DUE = range(3)
"""The words of a script: the outcomes, how many draws they are for, and how many outcomes the draw
has that is due, or 0."""


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
        j = below(stream, i + 1)
        card: int = board.card[slot, j]
        while j < i:
            board.card[slot, j] = board.card[slot, j + 1]
            j += 1
        board.card[slot, i] = card
        i -= 1
    board.unsettled = i + 1


EXPORTED = (seed_stream, below, defer_shuffle, settle)

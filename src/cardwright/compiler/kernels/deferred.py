"""Kernels for deferred shuffles; see `cardwright.compiler.deferral`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.compiler.kernel import kernel
from cardwright.compiler.kernels.stream import below

if TYPE_CHECKING:
    from cardwright.compiler.kernels.types import Board, Stream


@kernel
def defer_shuffle(stream: Stream, board: Board, slot: int) -> None:
    """Begin to shuffle a pile, with a board's stream; what was left of the last shuffle is done."""
    settle(stream, board, slot, board.count[slot])
    board.unsettled = board.count[slot]


@kernel
def settle(stream: Stream, board: Board, slot: int, cards: int) -> None:
    """Go on with the shuffle of a pile until the places of a number of topmost cards are drawn."""
    i = board.unsettled - 1
    last: int = board.count[slot] - cards
    while i > 0 and i >= last:
        j = below(stream, i + 1)
        card: int = board.card[slot, i]
        board.card[slot, i] = board.card[slot, j]
        board.card[slot, j] = card
        i -= 1
    board.unsettled = i + 1

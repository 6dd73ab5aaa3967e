"""What seats take in games played by machine code: tricks, queens, moons, deals.

The counts of a game are words: the tricks of all seats, the deals in which each took the queen,
those in which it took all penalty cards, and the number of deals.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.compiler.intrinsics import Pointer, load_signed, offset
from cardwright.compiler.kernel import kernel
from cardwright.compiler.kernels.engine import player
from cardwright.compiler.kernels.lists import put_word, word
from cardwright.compiler.kernels.locations import card_lying, size
from cardwright.hearts.kernels.hierarchy_table import (
    A_HEART,
    A_TRICK,
    HEART_SUIT,
    PENALTIES,
    PLAY,
    QUEEN,
    REMOVED,
    WIDOW,
    WIDOW_TO,
    aside_slot,
    card_number,
    hand_slot,
    pile_set,
    suit_set,
    trick_slot,
    won_slot,
)

if TYPE_CHECKING:
    from cardwright.compiler.kernels.types import Board, Context

PLAYERS = 1

OPTION_BYTES = 24
"""An option to play a card has three words: its branch, the card it picks, and its ordinal."""


@kernel
def picked_number(context: Context, extra: Pointer, index: int) -> int:
    """Return the card that an option plays."""
    return card_number(extra, load_signed(offset(context.options, OPTION_BYTES * index + 8), 8))


@kernel
def note_card(board: Board, context: Context, counts: Pointer, index: int) -> None:
    """Count the trick for its winner, if the chosen option completes it."""
    extra = context.extra
    seat = player(board)
    if board.pc != word(extra, PLAY):
        return
    if size(board, trick_slot(extra, (seat + 1) % PLAYERS)) == 0:
        return
    # The next seat has led, and this one is the last.
    best = card_number(extra, card_lying(board, trick_slot(extra, (seat + 1) % PLAYERS), 0))
    led = suit_set(best)
    winner = (seat + 1) % PLAYERS
    trick = 1 << best
    for step in range(2, PLAYERS + 1):
        number = picked_number(context, extra, index)
        if step < PLAYERS:
            slot = trick_slot(extra, (seat + step) % PLAYERS)
            number = card_number(extra, card_lying(board, slot, 0))
        trick = trick | 1 << number
        if 1 << number & led != 0 and number > best:
            best = number
            winner = (seat + step) % PLAYERS
    count_up(counts, winner)
    if size(board, hand_slot(extra, seat)) == 1:
        note_deal(board, extra, counts, winner, trick)


@kernel
def note_deal(board: Board, extra: Pointer, counts: Pointer, winner: int, trick: int) -> None:
    """Count a finished deal, and who took its queen and who all its penalty cards."""
    penalties = word(extra, PENALTIES) & ~pile_set(board, extra, word(extra, REMOVED))
    to = word(extra, WIDOW_TO)
    last = trick
    if to == A_TRICK or (to == A_HEART and trick & HEART_SUIT != 0):
        last = last | pile_set(board, extra, word(extra, WIDOW))
    for seat in range(PLAYERS):
        taken = pile_set(board, extra, won_slot(extra, seat))
        taken = taken | pile_set(board, extra, aside_slot(extra, seat))
        if seat == winner:
            taken = taken | last
        if taken & word(extra, QUEEN) != 0:
            count_up(counts, PLAYERS + seat)
        if penalties != 0 and penalties & ~taken == 0:
            count_up(counts, 2 * PLAYERS + seat)
    count_up(counts, 3 * PLAYERS)


@kernel
def count_up(counts: Pointer, at: int) -> None:
    """Increment a count."""
    put_word(counts, at, word(counts, at) + 1)

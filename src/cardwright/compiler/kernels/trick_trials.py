"""Trials of the rules of a trick game: scripts of cards are played from one board with other hands.

A script is a row of words: what each hand holds, as sets of cards, and the cards that are played in
turn; -1 ends it. What is noted about it is a row too: for each card, and for the decision after the
last one, who decides and which cards may be played; then the scores, if the game was over.
"""

from __future__ import annotations

from cardwright.compiler import intrinsics as op
from cardwright.compiler.kernel import kernel
from cardwright.compiler.kernels import engine
from cardwright.compiler.kernels.engine import Board, Context, Pointer
from cardwright.compiler.kernels.picks import (
    CARD,
    choice_row,
    option_at,
    pick_at,
    pick_count,
    pick_sort,
)

OVER = -1
OTHER = -2
"""Who decides: nobody as the game is over, or somebody about something else than a card."""


@kernel(exported=True)
def cw_try_cards(
    board: Board, context: Context, work: Board, slots: Pointer, hands: int, scripts: Pointer,
    cards: int, count: int, notes: Pointer, forms: Pointer,
) -> int:  # fmt: skip
    """Play scripts of up to so many cards from a board at a decision, each on a copy of it.

    `slots` are the locations of the hands. Returns how many scripts were played without a fault.
    """
    context.forms = forms
    for at in range(count):
        script = scripts + (hands + cards) * at
        note = notes + (2 * cards + 2 + engine.PLAYERS) * at
        op.copy(op.pointer_to(work), op.pointer_to(board), engine.STATE_BYTES)
        for hand in range(hands):
            slot = slots[hand]
            work.mask[slot] = script[hand]
        if try_cards(work, context, script + hands, cards, note) < 0:
            return at
    return count


@kernel
def single_card(context: Context, row: Pointer, index: int) -> int:
    """Return the card that an option picks, or -1 if it is not one card and nothing else."""
    option = option_at(context, row, index)
    if pick_count(context, row, option) != 1 or pick_sort(context, row, option, 0) != CARD:
        return -1
    return pick_at(row, option, 0)[0]


@kernel
def try_cards(board: Board, context: Context, script: Pointer, cards: int, note: Pointer) -> int:
    """Play a script and note what is found; return -1 for a fault."""
    for at in range(cards + 1):
        here = note + 2 * at
        count = engine.advance(board, context)
        if count < 0:
            return -1
        if count == 0:
            here[0] = OVER
            return engine.scores(board, context, note + (2 * cards + 2))
        row = choice_row(context, board.pc)
        wanted = -1
        if at < cards:
            wanted = script[at]
        legal = 0
        chosen = -1
        here[0] = engine.player(board)
        for index in range(count):
            card = single_card(context, row, index)
            if card < 0 or op.shift_right(legal, card) & 1 != 0:
                here[0] = OTHER
                return 0
            legal |= 1 << card
            if card == wanted:
                chosen = index
        here[1] = legal
        if chosen < 0:
            return 0
        kept: int = context.kept
        acted = engine.carry_out(board, context, chosen)
        context.kept = kept
        if acted < 0:
            return -1
    return 0

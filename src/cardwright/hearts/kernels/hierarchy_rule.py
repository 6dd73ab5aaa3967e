"""The rule player in machine code, card by card, as in `cardwright.hearts.selectors.rule`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.compiler.intrinsics import (
    Pointer,
    count_ones,
    highest_one,
    lowest_one,
    shift_right,
    wrap,
)
from cardwright.compiler.kernel import kernel
from cardwright.compiler.kernels.lists import word
from cardwright.hearts.cards import SPADES_ENOUGH
from cardwright.hearts.kernels.hierarchy_table import (
    ABOVE,
    BEATING,
    COSTS,
    DEAR,
    GONE,
    HAND,
    KIND,
    LAY,
    LED,
    PLAY,
    QUEEN,
    SUIT,
    TRICK,
    is_last,
    suit_set,
    unseen_set,
)

if TYPE_CHECKING:
    from cardwright.compiler.kernels.types import Board

RANK = 1 | 1 << 16 | 1 << 32 | 1 << 48
"""The cards of rank 0; shifted by a rank, the cards of that rank."""


@kernel
def ranks_of(cards: int) -> int:
    """Return the ranks of a set of cards, as bits."""
    pairs = cards | shift_right(cards, 32)
    return (pairs | shift_right(pairs, 16)) & SUIT


@kernel
def highest_of(cards: int) -> int:
    """Return the cards of the highest rank in a set."""
    if cards == 0:
        return 0
    return cards & wrap(RANK << highest_one(ranks_of(cards)))


@kernel
def lowest_of(cards: int) -> int:
    """Return the cards of the lowest rank in a set."""
    if cards == 0:
        return 0
    return cards & wrap(RANK << lowest_one(ranks_of(cards)))


@kernel
def spare_queen(extra: Pointer, cards: int) -> int:
    """Return the cards without the queen, unless it is the only one."""
    others = cards & ~word(extra, QUEEN)
    return others if others != 0 else cards


@kernel
def ruled(board: Board, extra: Pointer, cards: int) -> int:
    """Pick the card that the rule player chooses from the candidates."""
    if cards == 0:
        return 0
    if word(extra, KIND) == LAY:
        return ruled_aside(extra, cards)
    if word(extra, KIND) != PLAY:
        return ruled_pass(extra, cards)
    if word(extra, TRICK) == 0:
        return first_suit(lowest_of(cards))
    losing = cards & ~word(extra, BEATING)
    if cards & word(extra, LED) == 0:
        return ruled_discard(board, extra, losing if losing != 0 else cards)
    if losing != 0:
        return 1 << highest_one(losing)
    taking = spare_queen(extra, cards)
    return 1 << highest_one(taking) if is_last(extra) else first_suit(taking)


@kernel
def ruled_discard(board: Board, extra: Pointer, thrown: int) -> int:
    """Pick what the rule player discards: the most dangerous card."""
    queen = word(extra, QUEEN)
    if thrown & queen != 0:
        return queen
    above = thrown & word(extra, ABOVE)
    if above != 0 and unseen_set(board, extra) & queen != 0:
        return last_suit(highest_of(above))
    dear = word(extra, DEAR)
    for at in range(word(extra, dear)):
        wanted = thrown & word(extra, dear + 1 + at)
        if wanted != 0:
            return last_suit(highest_of(wanted))
    return last_suit(highest_of(thrown))


@kernel
def ruled_pass(extra: Pointer, cards: int) -> int:
    """Pick what the rule player passes next; cards already passed count as spades, as in `rule`."""
    queen = word(extra, QUEEN)
    if queen != 0:
        held = count_ones(word(extra, HAND) & suit_set(lowest_one(queen)))
        risky = cards & (queen | word(extra, ABOVE))
        if risky != 0 and held + word(extra, GONE) < SPADES_ENOUGH:
            return last_suit(highest_of(risky))
    return last_suit(highest_of(cards))


@kernel
def ruled_aside(extra: Pointer, cards: int) -> int:
    """Pick what the rule player lays aside next: the highest card of the lowest cost."""
    least = 0
    found = 0
    rest = cards
    while rest != 0:
        card = lowest_one(rest)
        rest = rest & (rest - 1)
        cost = word(extra, word(extra, COSTS) + card)
        if found == 0 or cost < least:
            least = cost
            found = 1 << card
        elif cost == least:
            found = found | 1 << card
    return first_suit(highest_of(found))


@kernel
def first_suit(cards: int) -> int:
    """Return the card with the lowest number: for equal ranks, that of the first suit."""
    return cards & -cards


@kernel
def last_suit(cards: int) -> int:
    """Return the card with the highest number: for equal ranks, that of the last suit."""
    return 1 << highest_one(cards)
